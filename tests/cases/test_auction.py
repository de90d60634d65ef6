"""Rule cases C08-C30: auction, discount token and plant limit."""

import pytest

from tests.builders import (
    a_game,
    assert_refused,
    bids,
    choices,
    finish_phase,
    fuel,
    legal,
    market,
    money,
    plants,
    play,
    seat,
    stack,
    supply,
    track,
)

SIX = "6* 7 10 11 | 12 13 14 15"


@pytest.mark.parametrize(("ruling", "asked"), [("seat", [2, 3, 0, 1]), ("player_order", [2, 0, 3, 1])])
def test_c08_bidding_order(ruling, asked):
    game = a_game(players=4, order=[2, 0, 3, 1], market=SIX, rulings={"bidding_order": ruling})
    play(game, "nominate 7")
    found = []
    for amount in range(7, 11):
        found.append(game.player)
        play(game, f"bid {amount}")
    assert found == asked


def test_c09_an_outbid_chooser_chooses_again():
    rich = seat(money=50)
    game = a_game(rich, rich, rich, round=1, order=[2, 0, 1], market=SIX)
    play(game, "nominate 6, bid 1")
    assert game.player == 0
    play(game, "bid 7, pass, pass")
    assert (plants(game, 0), money(game, 0)) == ([6], 43)
    assert (game.player, game.decision) == (2, "choose")


def test_c10_who_dropped_out_may_still_choose_and_bid():
    game = a_game(round=3, market=SIX)
    play(game, "nominate 7, bid 7, pass, pass")  # seat 1 drops out, seat 0 wins
    assert (game.player, game.decision) == (1, "choose")
    play(game, "nominate 10, bid 10, bid 11")
    assert (game.player, game.decision) == (1, "bid")


def test_c11_who_passed_the_choice_is_not_asked_for_a_bid():
    game = a_game(round=3, market=SIX)
    play(game, "nominate 7, bid 7, pass, pass, pass, nominate 10, bid 10")
    assert (game.phase, plants(game, 1), plants(game, 2)) == ("resources", [], [10])


def test_c12_the_last_buyer_pays_the_minimum():
    game = a_game(seat(), seat(), seat(), seat(money=40), round=3, market="10* 13 14 15 | 16 17 18 19")
    play(game, "pass, pass, pass, nominate 15")
    assert legal(game) == ["bid 15"]
    play(game, "bid 15")
    assert (plants(game, 3), money(game, 3)) == ([15], 25)


def test_c13_round_1_no_pass_of_the_choice_but_of_a_bid():
    game = a_game(round=1, market=SIX)
    assert_refused(game, "pass", "R2.4")
    play(game, "nominate 6, bid 1")
    assert "pass" in legal(game)


@pytest.mark.parametrize(("bid", "left"), [(22, ["pass"]), (21, ["pass", "bid 22"])])
def test_c14_bids_within_the_money(bid, left):
    game = a_game(seat(), seat(money=22), market=SIX)
    play(game, f"nominate 7, bid {bid}")
    assert legal(game) == left


def test_c15_choices_within_the_money():
    game = a_game(seat(money=5), market=SIX)
    assert legal(game) == ["pass", "nominate 6"]
    play(game, "nominate 6")
    assert bids(game) == [1, 2, 3, 4, 5]


def test_c16_raises_only_and_dropped_bidders_stay_out():
    game = a_game(market=SIX)
    play(game, "nominate 7, bid 12")
    assert_refused(game, "bid 12", "R2.7")
    assert_refused(game, "bid 11", "R2.7")
    play(game, "pass, bid 13")
    assert game.player == 0
    play(game, "bid 14")
    assert game.player == 2


def test_c17_future_plants_and_the_step_3_card_are_no_choice():
    assert choices(a_game(step=2, market="20 21 22 24 | 25 30 31 S3", stack="40")) == [20, 21, 22, 24]


def test_c18_the_token_lies_on_the_lowest_current_plant():
    game = a_game(step=3, market="24 25 30 31 36 38", stack="40")
    least = {plant: bids(game.clone().play(f"nominate {plant}"))[0] for plant in choices(game)}
    assert least == {24: 1, 25: 25, 30: 30, 31: 31, 36: 36, 38: 38}


def test_c19_the_token_does_not_move():
    game = a_game(market=SIX, stack="16 S3")
    play(game, "nominate 6, bid 1, pass, pass")
    assert market(game) == "7 10 11 12 | 13 14 15 16"
    assert_refused(game.clone().play("nominate 7"), "bid 6", "R2.5")
    finish_phase(game)
    assert market(game) == "7 10 11 12 | 13 14 15 16"


def test_c20_a_smaller_replacement_leaves():
    game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="3 11 20 S3")
    play(game, "nominate 6, bid 6, pass, pass")
    assert (market(game), stack(game)) == ("4 5 7 8 | 9 10 11 12", "20 S3")
    assert bids(game.clone().play("nominate 4"))[0] == 4
    finish_phase(game)
    assert market(game) == "4 5 7 8 | 9 10 11 12"


def test_c21_every_replacement_is_checked():
    game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="20 3 11 S3")
    play(game, "nominate 6, bid 6, pass, pass, nominate 7, bid 7, pass")
    assert (market(game), stack(game)) == ("4 5 8 9 | 10 11 12 20", "S3")


def test_c22_the_unsold_discounted_plant_leaves():
    game = a_game(market="5* 7 8 9 | 10 12 14 20", stack="18 25 S3")
    play(game, "nominate 7, bid 7, pass, pass")
    finish_phase(game)
    assert (market(game), stack(game)) == ("8 9 10 12 | 14 18 20 25", "S3")


@pytest.mark.parametrize("edition", ["recharged", "2004"])
def test_c23_everybody_passes_and_one_plant_leaves(edition):
    game = a_game(round=4, edition=edition, market="8 10 13 14 | 15 16 19 20", stack="26 30 S3")
    finish_phase(game)
    assert (market(game), stack(game)) == ("10 13 14 15 | 16 19 20 26", "30 S3")


def test_c24_the_new_plant_cannot_be_scrapped():
    game = a_game(seat("20 21 25"), market=SIX)
    play(game, "nominate 6, bid 1, pass, pass")
    assert legal(game) == ["scrap 20", "scrap 21", "scrap 25"]


def scrapped(plants, held, shown, new, old, **more):
    """The first seat buys `new` and scraps `old`."""
    game = a_game(seat(plants, held), market=shown, **more)
    play(game, f"nominate {new}, bid {new}, pass, pass, scrap {old}")
    return game


def test_c25_tokens_move_to_another_plant():
    game = scrapped("10 25 33", "2/0/0/0", "34* 35 36 40 | 42 44 46 50", 40, 10)
    assert (plants(game, 0), fuel(game, 0)) == ([25, 33, 40], "2/0/0/0")


def test_c26_tokens_that_fit_nowhere_go_to_the_supply():
    game = scrapped("5 13 14", "1/1/0/0", "20* 22 23 24 | 25 26 27 28", 24, 5, track="20/15/9/2")
    assert (fuel(game, 0), supply(game), track(game)) == ("0/0/0/0", "4/9/15/10", "20/15/9/2")
    assert game.player == 1


def test_c27_only_oil_overflows_so_nothing_is_asked():
    game = scrapped("21 25 24", "6/2/2/0", "3* 4 6 7 | 8 9 10 11", 4, 21, track="10/15/9/2")
    assert (fuel(game, 0), supply(game), game.player) == ("6/0/2/0", "8/9/13/10", 1)


def test_c28_coal_and_oil_compete():
    game = scrapped("21 29 24", "3/3/0/0", "6* 7 8 9 | 10 11 12 13", 6, 21)
    assert game.decision == "give_up"
    ends = set()
    for coal in range(5):
        one = game.clone()
        while one.decision == "give_up":
            given = 3 - int(one.state.fuel[0, 0])
            wanted = "give up coal" if given < coal else "give up oil"
            one.play(wanted if wanted in legal(one) else legal(one)[0])
        ends.add(fuel(one, 0))
    assert ends == {"2/0/0/0", "1/1/0/0", "0/2/0/0"}


def test_c29_one_replacement_in_the_whole_purchase():
    game = a_game(seat("21 29 24", "3/3/0/0"), market="6* 7 8 9 | 10 11 12 13", stack="30 31 S3")
    play(game, "nominate 6, bid 1, pass, pass, scrap 21")
    assert stack(game) == "30 31 S3"
    play(game, "give up coal, give up oil, give up coal, give up oil")
    assert (fuel(game, 0), stack(game), market(game)) == ("1/1/0/0", "31 S3", "7 8 9 10 | 11 12 13 30")


def test_c30_a_scrapped_plant_stores_nothing():
    game = scrapped("16 31 33", "0/0/0/0", "20* 22 23 24 | 25 26 27 28", 24, 16)
    finish_phase(game)
    play(game, "pass, pass, buy 6 coal")
    assert_refused(game, "buy 1 coal", "R3.4")
    assert_refused(game, "buy 1 oil", "R3.2")
