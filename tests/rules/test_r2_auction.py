"""R2.1 to R2.15: choosing, bidding, buying and the replacements."""

from tests.builders import (
    a_game,
    assert_refused,
    bids,
    choices,
    finish_phase,
    legal,
    market,
    money,
    plants,
    play,
    seat,
    stack,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


def test_r2_1_one_plant_per_player_and_round():
    game = a_game(market=OPEN)
    play(game, "nominate 3, bid 1, pass, pass")
    assert (game.player, game.decision) == (1, "choose")
    play(game, "nominate 4, bid 4")
    assert game.player == 2
    play(game, "pass")
    assert (game.player, game.decision) == (2, "choose")
    play(game, "nominate 5, bid 5")
    assert game.phase == "resources"
    assert [plants(game, player) for player in range(3)] == [[3], [4], [5]]


def test_r2_2_the_first_in_order_who_has_neither_bought_nor_passed_chooses_or_passes():
    game = a_game(market=OPEN, order=[2, 0, 1])
    asked = [(game.player, choices(game), "pass" in legal(game))]
    play(game, "nominate 4, bid 4, bid 5, pass, pass")  # seat 0 wins, seat 2 is still to choose
    asked.append((game.player, choices(game), "pass" in legal(game)))
    play(game, "pass")
    asked.append((game.player, choices(game), "pass" in legal(game)))
    assert asked == [(2, [3, 4, 5, 6], True), (2, [3, 5, 6, 7], True), (1, [3, 5, 6, 7], True)]
    play(game, "pass")
    assert game.phase == "resources"


def test_r2_3_passing_the_choice_ends_the_phase_for_the_player():
    game = a_game(market=OPEN)
    play(game, "pass, nominate 4, bid 4")
    assert game.player == 2
    play(game, "bid 5, pass")
    assert (plants(game, 2), game.player) == ([4], 1)
    play(game, "nominate 5, bid 5")
    assert (game.phase, plants(game, 0)) == ("resources", [])


def test_r2_4_no_passing_in_round_1():
    game = a_game(seat(money=50), seat(money=50), seat(money=50), round=1, market=OPEN)
    assert_refused(game, "pass", "R2.4")
    play(game, "nominate 4, bid 4, pass, bid 5, pass")  # bidding may be refused, by the chooser as well
    assert (game.player, game.decision) == (0, "choose")
    assert_refused(game, "pass", "R2.4")
    assert "pass" in legal(a_game(market=OPEN, round=2))


def test_r2_4_who_can_afford_no_plant_is_let_off():
    game = a_game(seat(money=9), seat(money=9), market="10 11 12 13 | 14 15 16 17", round=1, discount="none")
    assert legal(game) == ["pass"]
    game.play("pass")
    assert legal(game) == ["pass"]
    assert "pass" not in legal(game.play("pass"))


def test_r2_5_minimum_bid_is_the_plant_number():
    for plant in (4, 5, 6):
        game = a_game(market=OPEN)
        game.play(f"nominate {plant}")
        assert bids(game)[0] == plant
        assert_refused(game, f"bid {plant - 1}", "R2.5")


def test_r2_5_minimum_bid_is_1_under_the_discount_token():
    game = a_game(market="24* 25 30 31 | 36 37 38 39")
    assert bids(game.play("nominate 24"))[0] == 1


def test_r2_6_the_chooser_opens_with_any_amount_from_the_minimum_to_the_money_owned():
    game = a_game(seat(money=23), market=OPEN)
    game.play("nominate 5")
    assert (game.player, bids(game)) == (0, list(range(5, 24)))
    assert_refused(game, "pass", "R2.6")
    game.play("bid 19")
    assert (game.state.auction_bid, game.player) == (19, 1)


def test_r2_6_a_plant_dearer_than_the_money_cannot_be_chosen():
    game = a_game(seat(money=5), market=OPEN)
    assert choices(game) == [3, 4, 5]
    assert_refused(game, "nominate 6", "R2.6")


def test_r2_7_bidding_goes_clockwise_from_the_chooser():
    game = a_game(players=5, order=[3, 0, 4, 2, 1], market=OPEN)
    game.play("nominate 4")
    asked = []
    for amount in range(4, 10):
        asked.append(game.player)
        game.play(f"bid {amount}")
    assert asked == [3, 4, 0, 1, 2, 3]


def test_r2_7_a_raise_is_at_least_1_and_who_drops_out_is_not_asked_again():
    game = a_game(market=OPEN)
    play(game, "nominate 6, bid 8")
    assert_refused(game, "bid 8", "R2.7")
    assert bids(game)[0] == 9
    play(game, "bid 9, pass")
    asked = []
    while game.decision == "bid":
        asked.append(game.player)
        game.play("bid 10" if len(asked) == 1 else "pass")
    assert asked == [0, 1]


def test_r2_7_the_last_one_left_pays_the_own_last_bid():
    game = a_game(market=OPEN)
    play(game, "nominate 6, bid 8, bid 20, pass, pass")
    assert [money(game, player) for player in range(3)] == [100, 80, 100]
    assert plants(game, 1) == [6]


def test_r2_8_dropping_out_of_an_auction_is_not_passing_the_choice():
    game = a_game(market=OPEN)
    play(game, "nominate 4, bid 4, pass, bid 5, pass")  # seats 1 and 0 drop, seat 2 wins
    assert (game.player, game.decision) == (0, "choose")
    play(game, "nominate 5, bid 5, bid 6, pass")  # seat 1 bids again and wins
    assert plants(game, 1) == [5]
    assert (game.player, game.decision) == (0, "choose")


def test_r2_9_no_bid_above_the_money_owned():
    game = a_game(seat(), seat(money=12), market=OPEN)
    play(game, "nominate 6, bid 10")
    assert bids(game) == [11, 12]
    assert_refused(game, "bid 13", "R2.9")
    play(game, "pass, bid 12")
    game = a_game(seat(), seat(money=12), market=OPEN)
    play(game, "nominate 6, bid 12")
    assert legal(game) == ["pass"]


def test_r2_10_the_chooser_goes_on_until_it_buys_or_passes():
    game = a_game(market=OPEN)
    play(game, "nominate 4, bid 4, bid 5, pass, pass")
    assert (game.player, game.decision) == (0, "choose")
    play(game, "nominate 5, bid 5, pass")
    assert (game.player, game.decision) == (2, "choose")


def test_r2_11_the_last_player_pays_exactly_the_minimum():
    game = a_game(seat(), seat(), seat(money=40), market="3* 4 5 15 | 17 18 19 20")
    play(game, "pass, pass, nominate 15")
    assert legal(game) == ["bid 15"]
    assert_refused(game, "bid 16", "R2.11")
    game.play("bid 15")
    assert (plants(game, 2), money(game, 2)) == ([15], 25)
    game = a_game(market=OPEN)
    play(game, "pass, pass, nominate 3")
    assert legal(game) == ["bid 1"]


def test_r2_12_a_card_is_drawn_after_each_acquisition_and_all_are_sorted():
    game = a_game(market="8* 13 15 20 | 25 30 31 36", stack="17 40 22 S3 11")
    play(game, "nominate 13, bid 13, pass, pass")
    assert (market(game), stack(game)) == ("8* 15 17 20 | 25 30 31 36", "40 22 S3 11")
    play(game, "nominate 8, bid 1, pass")
    assert market(game) == "15 17 20 25 | 30 31 36 40"
    assert choices(game) == [15, 17, 20, 25]


def test_r2_12_in_step_3_all_six_are_current():
    game = a_game(step=3, market="24* 25 30 31 36 38", stack="28 50")
    assert choices(game) == [24, 25, 30, 31, 36, 38]
    play(game, "nominate 38, bid 38, pass, pass")
    assert market(game) == "24* 25 28 30 31 36"
    assert choices(game) == [24, 25, 28, 30, 31, 36]


def test_r2_13_pay_and_take_then_scrap_then_the_replacement():
    game = a_game(seat("20 21 22", money=30), market=OPEN, stack="30 31 S3")
    play(game, "nominate 4, bid 9, pass, pass")
    assert (money(game, 0), plants(game, 0), game.decision, game.player) == (21, [4, 20, 21, 22], "scrap", 0)
    assert (market(game), stack(game)) == ("3* 5 6 7 | 8 9 10", "30 31 S3")
    game.play("scrap 20")
    assert (market(game), stack(game)) == ("3* 5 6 7 | 8 9 10 30", "31 S3")
    assert (plants(game, 0), game.player) == ([4, 21, 22], 1)


def test_r2_14_future_plants_and_the_step_3_card_cannot_be_chosen():
    game = a_game(step=2, market="20* 21 22 24 | 25 30 31 S3", stack="40 42")
    assert choices(game) == [20, 21, 22, 24]
    assert_refused(game, "nominate 25", "R2.14")
    assert_refused(game, "nominate 51", "R2.14")
    assert_refused(game, "nominate 33", "R2.14")
    assert "R2.14" in game.explain(5)  # the row of the fifth current plant


def test_r2_14_the_step_3_card_is_never_current_however_few_plants_are_left():
    game = a_game(step=2, market="20* 21 22 S3", stack="")
    assert choices(game) == [20, 21, 22]


def test_r2_15_in_2004_the_lowest_plant_leaves_when_nobody_bought():
    game = a_game(edition="2004", market="8 10 13 14 | 15 16 19 20", stack="26 30 S3")
    finish_phase(game)
    assert (market(game), stack(game)) == ("10 13 14 15 | 16 19 20 26", "30 S3")
    game = a_game(edition="2004", market="8 10 13 14 | 15 16 19 20", stack="26 30 S3")
    play(game, "pass, nominate 14, bid 14, pass, pass")
    assert (market(game), stack(game)) == ("8 10 13 15 | 16 19 20 26", "30 S3")
