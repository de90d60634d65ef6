"""Rule cases C49-C70: bureaucracy, Steps and the end of the game."""

import pytest

from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cards,
    choices,
    cost,
    finish_phase,
    finish_round,
    fuel,
    legal,
    market,
    money,
    play,
    seat,
    stack,
    track,
)

LATE = "10 13 15 16 | 18 20 25 36"


def owner(plants, held="0/0/0/0", cities=0, **more):
    return a_game(seat(plants, held, cities, money=0), phase="bureaucracy", **more)


def test_c49_a_hybrid_burns_one_of_each():
    game = owner("12", "1/1/0/0", 2)
    play(game, "run 12")
    assert (money(game, 0), fuel(game, 0)) == (33, "0/0/0/0")


@pytest.mark.parametrize(("run", "left"), [("run 13", "2/0/0/0"), ("run 10 13", "0/0/0/0")])
def test_c50_running_more_than_the_cities(run, left):
    game = owner("10 13", "2/0/0/0", 1)
    play(game, run)
    assert (money(game, 0), fuel(game, 0)) == (22, left)


def test_c51_income():
    game = a_game(phase="bureaucracy")
    finish_phase(game)
    assert [money(game, player) for player in range(3)] == [110] * 3
    game = owner("36", "3/0/0/0", 6)
    assert money(game.play("run 36"), 0) == 73
    for cities in (20, 21):
        game = owner("36 38 46", "6/0/3/0", cities, step=3, players=2, edition="2004")
        play(game, "run 36 38 46")
        assert money(game, 0) == 150


def test_c52_resupply_of_five_players():
    game = a_game(players=5, phase="bureaucracy", track="1/1/7/2")
    finish_phase(game)
    price, there = game.board.record.price, game.state.track
    assert (there[2], price[2, there[2]], there[3], price[3, there[3]]) == (10, 5, 4, 10)


def test_c53_resupply_within_the_supply():
    holders = [seat("20 25 31", "16/0/0/0"), seat("8", "5/0/0/0")]
    game = a_game(*holders, players=4, phase="bureaucracy", track="1/18/9/2")
    finish_phase(game)
    assert track(game) == "3/21/11/3"
    game = a_game(players=4, phase="bureaucracy", track="23/18/9/2")
    finish_phase(game)
    assert track(game) == "24/21/11/3"


def test_c54_burnt_tokens_are_in_the_supply_before_the_resupply():
    holders = [seat("20 25 31", "16/0/0/0"), seat("10", "4/0/0/0")]
    game = a_game(seat("8", "4/0/0/0"), *holders, phase="bureaucracy", track="0/18/9/2")
    play(game, "run 8, run none, run none")
    assert track(game) == "3/20/10/3"


def test_c55_the_highest_future_plant_goes_under_the_stack():
    game = a_game(phase="bureaucracy", step=2, market=LATE, stack="22 40 S3 31")
    finish_phase(game)
    assert (market(game), stack(game)) == ("10* 13 15 16 | 18 20 22 25", "40 S3 31 36")


def test_c56_germany_uranium_stops_after_39():
    game = a_game(
        seat(),
        seat("17", "0/0/0/2"),
        round=6,
        step=2,
        order=[1, 0, 2],
        market="36* 37 38 39 | 40 42 44 46",
        track="5/5/5/5",
    )
    play(game, "nominate 39, bid 39, pass, pass")
    finish_phase(game)
    play(game, "pass, pass, buy 2 uranium")
    finish_phase(game)
    finish_phase(game)
    play(game, "run 17 39")
    assert fuel(game, 1) == "0/0/0/2"
    finish_phase(game)
    assert track(game) == "10/8/7/3"
    finish_round(game)
    assert track(game) == "15/11/9/3"


def test_c57_uranium_keeps_coming():
    buried = a_game(
        phase="bureaucracy", step=2, market="20 21 22 23 | 24 25 26 39", stack="27 S3", track="5/5/5/5"
    )
    unsold = a_game(step=3, market="39* 40 42 44 46 50", stack="36", track="5/5/5/5")
    usa = a_game(step=2, board="usa", market="36* 37 38 39 | 40 42 44 46", track="5/5/5/5")
    play(usa, "nominate 39, bid 39, pass, pass")
    for game in (buried, unsold, usa):
        finish_round(game)
        assert game.state.track[3] == 6


def test_c58_step_2_waits_for_phase_5():
    game = a_game(
        seat(cities=5, money=300), seat(cities="Dortmund"), players=4, phase="building", order=[1, 2, 3, 0],
        market=LATE, stack="22 40 S3", track="1/1/1/1",
    )  # fmt: skip
    for _ in range(3):
        play(game, f"build {buildable(game)[-1]}")
    play(game, "pass, pass, pass")
    assert (game.player, game.step_number) == (1, 1)
    assert all(game.state.city_spaces[game.board.cities.index(city), 0] < 0 for city in buildable(game))
    play(game, "pass")
    assert (game.phase, game.step_number, market(game)) == ("bureaucracy", 2, "13 15 16 18 | 20 22 25 36")
    finish_phase(game)
    assert track(game) == "7/5/4/3"


def test_c59_one_plant_leaves_though_two_players_reach_7():
    game = a_game(seat(cities=7), seat(cities=7), phase="building", market=LATE, stack="22 40 S3")
    finish_phase(game)
    assert market(game) == "13 15 16 18 | 20 22 25 36"
    for players, step in [(5, 1), (6, 2)]:
        game = a_game(seat(cities=6), players=players, phase="building")
        finish_phase(game)
        assert game.step_number == step


def test_c60_step_3_card_in_phase_2():
    game = a_game(
        seat(), seat(cities="Essen"), seat(cities="Essen"), round=5, step=2,
        market="6* 7 10 11 | 12 13 14 15", stack="S3 25 31 33", track="1/1/1/1",
    )  # fmt: skip
    play(game, "nominate 6, bid 1, pass, pass")
    assert (market(game), sorted(cards(stack(game)))) == ("7 10 11 12 | 13 14 15 S3", [25, 31, 33])
    finish_phase(game)
    assert (market(game), game.step_number, game.phase) == ("10 11 12 13 14 15", 3, "resources")
    finish_phase(game)
    play(game, "pass, pass")
    assert cost(game, "build Essen") == 20
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "4/5/4/2"
    assert cards(market(game))[:5] == [11, 12, 13, 14, 15]
    assert sorted(cards(market(game))[5:] + cards(stack(game))) == [25, 31, 33]


def test_c61_a_further_replacement_comes_from_the_new_stack():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 31")
    play(game, "nominate 6, bid 1, pass, pass, nominate 7, bid 7, pass")
    assert market(game) == "10 11 12 13 | 14 15 31 S3"


def test_c62_step_3_card_in_phase_5():
    game = a_game(players=4, phase="bureaucracy", step=2, market=LATE, stack="S3 44 46", track="1/1/1/1")
    finish_phase(game)
    assert (track(game), market(game), sorted(cards(stack(game)))) == (
        "7/5/4/3",
        "13* 15 16 18 20 25",
        [36, 44, 46],
    )
    assert (game.step_number, choices(game)) == (3, [13, 15, 16, 18, 20, 25])


@pytest.mark.parametrize(("ruling", "after"), [("as_it_happened", "6/4/3/2"), ("step2", "7/5/4/3")])
def test_c63_step_3_card_in_phase_5_of_step_1(ruling, after):
    game = a_game(
        players=4, phase="bureaucracy", market=LATE, stack="S3 44 46", track="1/1/1/1",
        rulings={"step3_before_step2_resupply": ruling},
    )  # fmt: skip
    finish_phase(game)
    assert (track(game), game.step_number) == (after, 3)
    assert cards(market(game))[:5] == [15, 16, 18, 20, 25]
    assert sorted(cards(market(game))[5:] + cards(stack(game))) == [36, 44, 46]


def test_c64_step_3_the_lowest_plant_leaves():
    game = a_game(phase="bureaucracy", step=3, market="24 25 30 31 36 38", stack="40")
    finish_phase(game)
    assert market(game) == "25* 30 31 36 38 40"


@pytest.mark.parametrize("edition", ["2004", "recharged"])
def test_c65_obsolete_plants(edition):
    shown = "5 6 7 8 | 9 10 13 20"
    game = a_game(
        seat(cities=4), phase="building", acted=[1, 2], edition=edition, market=shown, stack="21 18 30 S3"
    )
    for after in ["6 7 8 9 | 10 13 20 21", "7 8 9 10 | 13 18 20 21"]:
        play(game, f"build {buildable(game)[0]}")
        assert market(game) == (after if edition == "2004" else shown)


def test_c66_phase_4_is_finished_then_the_game_is_over():
    game = a_game(seat(), seat(), seat(cities=16), phase="building", step=2)
    play(game, f"build {buildable(game)[0]}, pass")
    assert (game.player, len(buildable(game)) > 0) == (1, True)
    play(game, "pass")
    assert game.player == 0
    play(game, "pass")
    assert game.over
    assert money(game, 1) == 100
    assert_refused(game, "pass", "R7.1")


def test_c67_most_supplied_cities_wins():
    owners = [seat("36 31", "6/0/0/0", 17), seat("38 46", "3/0/3/0", 15)]
    game = a_game(*owners, phase="building", step=2)
    finish_phase(game)
    result = game.result()
    assert (result.supplied[:2], result.winners) == ([13, 14], [1])


def test_c68_a_tie_by_money():
    game = a_game(
        seat("31 46", "6/0/0/0", 17, money=20),
        seat("32 38", "0/3/3/0", 14, money=35),
        phase="building",
        step=2,
    )
    finish_phase(game)
    assert (game.result().supplied[:2], game.result().winners) == ([13, 13], [1])


@pytest.mark.parametrize(("held", "supplied"), [("3/3/0/0", 6), ("3/2/0/0", 5)])
def test_c69_largest_supply(held, supplied):
    game = a_game(seat("5 12 16", held, 10), seat(cities=17), phase="building", step=2)
    finish_phase(game)
    assert game.result().supplied[0] == supplied


def test_c70_a_pure_plant_is_not_starved_by_a_hybrid():
    game = a_game(seat("20 29 42", "5/2/0/0", 15), seat(cities=17), phase="building", step=2)
    finish_phase(game)
    assert game.result().supplied[0] == 15
    assert legal(game) == []
