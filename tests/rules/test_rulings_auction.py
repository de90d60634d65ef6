"""Section 14, rulings on order and auction: A3 to A10, A30 to A33, every flag in both values."""

import pytest

from tests.builders import (
    a_game,
    assert_refused,
    bids,
    finish_phase,
    fuel,
    legal,
    market,
    order,
    play,
    seat,
    stack,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


def test_a3_a_tie_without_plants_keeps_the_order():
    game = a_game(phase="bureaucracy", order=[1, 2, 0])
    finish_phase(game)
    assert order(game) == [1, 2, 0]


def test_a4_round_1_and_no_affordable_plant():
    game = a_game(seat(money=0), round=1, market=OPEN)
    assert legal(game) == ["pass"]
    game = a_game(seat(money=1), round=1, market=OPEN)
    assert legal(game) == ["nominate 3"]


@pytest.mark.parametrize(("ruling", "asked"), [("seat", [2, 3, 0, 1]), ("player_order", [2, 0, 3, 1])])
def test_a5_bidding_order(ruling, asked):
    game = a_game(players=4, order=[2, 0, 3, 1], market=OPEN, rulings={"bidding_order": ruling})
    play(game, "nominate 4")
    found = []
    for amount in range(4, 8):
        found.append(game.player)
        play(game, f"bid {amount}")
    assert found == asked
    assert game.player == 2


def test_a6_only_passing_the_choice_ends_the_phase_for_a_player():
    game = a_game(market=OPEN)
    play(game, "nominate 4, bid 4, bid 5, pass, pass")
    assert (game.player, game.decision) == (0, "choose")  # the outbid chooser goes on
    play(game, "pass, nominate 5")
    assert legal(game) == ["bid 5"]  # and now is out


def test_a7_no_bid_above_the_money():
    game = a_game(seat(money=5), market=OPEN)
    play(game, "nominate 4")
    assert bids(game) == [4, 5]
    assert_refused(game, "bid 6", "R2.9")


def test_a8_scrap_before_the_replacement_is_seen():
    game = a_game(seat("20 21 22"), market=OPEN, stack="30 S3")
    play(game, "nominate 3, bid 1, pass, pass")
    assert (game.decision, stack(game), market(game)) == ("scrap", "30 S3", "4 5 6 7 | 8 9 10")


@pytest.mark.parametrize(
    ("ruling", "shown", "pile"),
    [("each", "4 5 8 9 | 10 11 12 20", "S3"), ("first_only", "3 4* 5 8 | 9 10 12 20", "11 S3")],
)
def test_a9_discount_check(ruling, shown, pile):
    game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="20 3 11 S3", rulings={"discount_check": ruling})
    play(game, "nominate 6, bid 6, pass, pass, nominate 7, bid 7, pass")
    assert (market(game), stack(game)) == (shown, pile)


def test_a9_the_first_replacement_is_checked_in_both_values():
    for ruling in ("each", "first_only"):
        game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="3 20 11 S3", rulings={"discount_check": ruling})
        play(game, "nominate 6, bid 6, pass, pass")
        assert (market(game), stack(game)) == ("4 5 7 8 | 9 10 12 20", "11 S3")


def test_a9_first_only_the_discounted_plant_leaves_unsold_though_a_lower_one_has_come():
    game = a_game(
        market="4* 5 6 7 | 8 9 10 12", stack="20 3 11 30 S3", rulings={"discount_check": "first_only"}
    )
    play(game, "nominate 6, bid 6, pass, pass, nominate 7, bid 7, pass")
    finish_phase(game)
    assert (market(game), stack(game)) == ("3 5 8 9 | 10 11 12 20", "30 S3")


@pytest.mark.parametrize("ruling", ["keep_max", "choose"])
def test_a10_tokens_of_a_scrapped_plant_may_be_given_up_by_wish(ruling):
    game = a_game(
        seat("10 25 33", "2/0/0/0"),
        market="34* 35 36 40 | 42 44 46 50",
        track="20/18/9/2",
        rulings={"scrap_fuel": ruling},
    )
    play(game, "nominate 40, bid 40, pass, pass, scrap 10")
    if ruling == "choose":
        assert legal(game) == ["pass", "give up coal"]
        assert_refused(game, "give up oil", "R2.32")
        play(game, "give up coal, pass")
    assert (fuel(game, 0), game.player) == ("1/0/0/0" if ruling == "choose" else "2/0/0/0", 1)


def test_a10_choose_ends_with_what_lay_on_the_scrapped_plant():
    game = a_game(
        seat("10 25 16", "8/2/0/0"),
        market="34* 35 36 40 | 42 44 46 50",
        track="16/18/9/2",
        rulings={"scrap_fuel": "choose"},
    )
    play(game, "nominate 40, bid 40, pass, pass, scrap 10")
    # 4 coal cannot be stored and are gone; 4 is all that fits on 10, so nothing more may be given up.
    assert (fuel(game, 0), game.player, game.decision) == ("4/2/0/0", 1, "choose")


def test_a30_plants_put_under_the_stack_are_public():
    game = a_game(phase="bureaucracy", step=2, market="10 13 15 16 | 18 20 25 36", stack="22 40 42 S3")
    finish_phase(game)
    for seed in range(5):
        assert stack(game.redeterminise(player=0, seed=seed)).endswith("S3 36")


def test_a31_unsold_discounted_plant_first_then_the_step_3_card():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 25")
    play(game, "nominate 11, bid 11, pass, pass, pass, pass")
    # 6 leaves and 25 comes for it; then 7 and the card leave.
    assert (market(game), stack(game)) == ("10 12 13 14 15 25", "")


def test_a32_step_3_card_for_the_plant_nobody_bought_in_2004():
    game = a_game(step=2, edition="2004", market="6 7 10 11 | 12 13 14 15", stack="S3 25 31")
    finish_phase(game)
    assert (market(game), game.phase, game.step_number) == ("10 11 12 13 14 15", "resources", 3)


def test_a33_the_last_player_pays_exactly_the_minimum():
    game = a_game(market=OPEN)
    play(game, "pass, pass, nominate 6")
    assert legal(game) == ["bid 6"]
    assert_refused(game, "bid 7", "R2.11")
