"""R4: phase 4, building."""

import numpy as np
import pytest

from powergrid_env import Game
from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cost,
    finish_phase,
    houses,
    legal,
    market,
    money,
    plants,
    play,
    seat,
    stack,
)
from tests.naive import connection_costs


def builder(cities="", *others, **more):
    """Phase 4 with the first seat to act as the last one; `others` are the cities of the other seats."""
    cash = more.pop("money", 100)
    seats = [seat(cities=cities, money=cash), *(seat(cities=theirs) for theirs in others)]
    finished = range(1, max(3, len(seats)))
    return a_game(*seats, phase="building", acted=list(finished), **more)


def test_r4_1_any_number_of_cities_in_reverse_order_and_none_is_needed():
    game = a_game(phase="building", order=[1, 2, 0], round=1)
    assert game.player == 0
    play(game, "build Essen, build Duisburg, build Münster, pass")
    assert (game.state.num_cities[0], game.player) == (3, 2)
    assert legal(game)[0] == "pass"
    play(game, "pass, build Kiel, pass")  # no plant, no fuel
    assert (list(game.state.num_cities[:3]), game.phase) == ([3, 1, 0], "bureaucracy")


def test_r4_2_a_first_city_costs_10_anywhere_in_the_zone():
    game = builder()
    assert len(buildable(game)) == 21
    assert {cost(game, f"build {city}") for city in buildable(game)} == {10}


def test_r4_2_in_step_1_it_is_an_empty_city():
    game = builder("", "Essen", "Köln")
    assert "Essen" not in buildable(game)
    assert_refused(game, "build Essen", "R4.4")


def test_r4_2_later_starters_pay_the_lowest_free_open_space():
    assert cost(builder("", "Essen", step=2), "build Essen") == 15
    assert cost(builder("", "Essen", "Essen", step=3), "build Essen") == 20
    assert cost(builder("", "Essen", step=2), "build Köln") == 10


def test_r4_3_connection_and_space():
    game = builder("Essen", "Dortmund", step=2)
    assert cost(game, "build Dortmund") == 5 + 15
    assert cost(game, "build Münster") == 6 + 10


def test_r4_3_the_path_runs_through_full_and_empty_cities_without_building_there():
    game = builder("Essen", "Düsseldorf", "Düsseldorf", "Düsseldorf", step=3)
    assert cost(game, "build Aachen") == 2 + 9 + 10
    game.play("build Aachen")
    assert houses(game, "Düsseldorf") == [1, 2, 3]
    assert cost(game, "build Trier") == 19 + 10


@pytest.mark.parametrize("board", ["germany", "usa", "germany_2004", "usa_2004"])
def test_r4_3_the_connection_is_the_cheapest_path_inside_the_zone(board):
    country, _, old = board.partition("_")
    for seed in range(6):
        game = Game(players=3, board=country, edition=old or "recharged", seed=seed, raises=[0])
        draw = np.random.default_rng(seed)
        while game.phase != "building" or game.state.num_cities[game.player] < 3:
            game.play(draw.choice(game.legal_actions()))
        own = [city for city in range(42) if game.player in game.state.city_spaces[city]]
        expected = connection_costs(game.board, int(game.state.zone), own)
        assert game.state.connection_cost[game.player, :42].tolist() == expected


@pytest.mark.parametrize(
    ("step", "others", "price"),
    [(1, 0, 10), (2, 0, 10), (3, 0, 10), (1, 1, None), (2, 1, 15), (3, 1, 15), (2, 2, None), (3, 2, 20)],
)
def test_r4_4_spaces_open_with_the_steps_and_the_price_goes_with_the_space(step, others, price):
    game = builder("Duisburg", *["Essen"] * others, step=step)
    if price:
        assert cost(game, "build Essen") == price
    else:
        assert_refused(game, "build Essen", "R4.4")


def test_r4_4_a_full_city_is_closed():
    assert_refused(builder("Duisburg", "Essen", "Essen", "Essen", step=3), "build Essen", "R4.4")


@pytest.mark.parametrize("step", [1, 2, 3])
def test_r4_5_one_house_per_player_and_city(step):
    game = builder("Essen", step=step)
    assert "Essen" not in buildable(game)
    assert_refused(game, "build Essen", "R4.5")


def test_r4_5_no_second_network():
    game = builder("Flensburg")
    assert cost(game, "build Trier") > 10 + 40


def test_r4_6_cities_built_this_turn_connect_further_ones_at_full_cost():
    game = builder("Essen", money=200)
    assert cost(game, "build Köln") == 2 + 4 + 10
    play(game, "build Köln")
    # The stretch Essen-Düsseldorf was paid for, and is paid for again.
    assert cost(game, "build Düsseldorf") == 2 + 10
    assert cost(game, "build Aachen") == 7 + 10
    game = builder("Essen")
    play(game, "build Düsseldorf, build Köln")
    assert money(game, 0) == 100 - 12 - 14


def test_r4_7_nothing_outside_the_zone_not_even_to_pass_through():
    game = builder("Kassel", regions=["red", "blue", "yellow"])
    assert not {"Hannover", "Berlin", "München"} & set(buildable(game))
    assert_refused(game, "build Hannover", "R4.7")


def test_r4_7_a_path_is_longer_when_the_short_cut_is_out_of_play():
    game = builder("Minneapolis", board="usa", regions=["green", "red", "yellow"])
    assert cost(game, "build Kansas City") == 8 + 8 + 10
    game = builder("Minneapolis", board="usa", regions=["purple", "red", "yellow"])
    assert cost(game, "build Kansas City") == 8 + 5 + 10


def test_r4_8_no_credit():
    game = builder("Essen", money=15)
    assert_refused(game, "build Münster", "R4.8")
    play(game, "build Düsseldorf")
    assert money(game, 0) == 3
    assert legal(game) == ["pass"]
    assert money(builder("Essen", money=16).play("build Münster"), 0) == 0


def test_r4_9_connections_of_cost_0_and_a_house_in_each_of_the_two_cities():
    game = builder("", "Düsseldorf")
    play(game, "build Essen, build Duisburg")
    assert money(game, 0) == 80
    assert (houses(game, "Essen"), houses(game, "Duisburg")) == ([0, "", ""], [0, "", ""])


def test_r4_10_at_most_22_houses():
    game = a_game(seat(cities=21, money=900), players=4, phase="building", step=2, acted=[1, 2, 3])
    first, second = buildable(game)[:2]
    game.play(f"build {first}")
    assert game.state.num_cities[0] == 22
    assert legal(game) == ["pass"]
    assert_refused(game, f"build {second}", "R4.10")


def test_r4_11_worked_example_step_1():
    game = builder("Essen, Münster")
    prices = {city: cost(game, f"build {city}") for city in ("Duisburg", "Dortmund", "Aachen")}
    assert prices == {"Duisburg": 10, "Dortmund": 12, "Aachen": 21}


def test_r4_11_worked_example_step_2():
    game = builder("Essen, Münster", "Düsseldorf, Köln", step=2)
    assert (cost(game, "build Düsseldorf"), cost(game, "build Köln")) == (17, 21)
    game.play("build Düsseldorf")
    assert cost(game, "build Köln") == 19
    assert money(game.play("build Köln"), 0) == 100 - 36


def obsolete(cities, shown, pile, edition="2004", **more):
    return a_game(
        seat("13", cities=cities, money=500),
        phase="building",
        acted=[1, 2],
        edition=edition,
        market=shown,
        stack=pile,
        **more,
    )


def build_one(game):
    game.play(f"build {buildable(game)[0]}")


def test_r4_12_plants_not_above_a_network_leave_at_once_in_2004():
    game = obsolete(4, "5 6 7 8 | 9 10 12 20", "21 18 30 S3")
    build_one(game)
    assert (market(game), stack(game)) == ("6 7 8 9 | 10 12 20 21", "18 30 S3")
    build_one(game)
    assert (market(game), stack(game)) == ("7 8 9 10 | 12 18 20 21", "30 S3")
    assert game.phase == "building"


def test_r4_12_a_replacement_that_is_too_low_leaves_as_well():
    game = obsolete(5, "6 7 8 9 | 10 12 14 20", "5 3 21 30 S3")
    build_one(game)
    assert (market(game), stack(game)) == ("7 8 9 10 | 12 14 20 21", "30 S3")


def test_r4_12_also_for_cards_drawn_in_other_phases():
    game = a_game(
        seat(cities=6), edition="2004", step=1, market="7 8 9 10 | 12 14 15 20", stack="5 6 21 30 S3"
    )
    play(game, "nominate 8, bid 8, pass, pass")
    assert (market(game), stack(game)) == ("7 9 10 12 | 14 15 20 21", "30 S3")
    game = a_game(
        seat(cities=6),
        phase="bureaucracy",
        edition="2004",
        market="7 8 9 10 | 12 14 15 20",
        stack="5 21 30 S3",
    )
    finish_phase(game)
    assert (market(game), stack(game)) == ("7 8 9 10 | 12 14 15 21", "30 S3 20")


def test_r4_12_plants_of_players_are_not_touched_and_recharged_has_no_such_rule():
    game = a_game(
        seat("3 4", cities=4, money=500),
        seat("5"),
        phase="building",
        acted=[1, 2],
        edition="2004",
        market="6 7 8 9 | 10 12 14 20",
    )
    build_one(game)
    assert (plants(game, 0), plants(game, 1)) == ([3, 4], [5])
    game = obsolete(4, "5 6 7 8 | 9 10 12 20", "21 18 30 S3", edition="recharged")
    build_one(game)
    assert (market(game), stack(game)) == ("5 6 7 8 | 9 10 12 20", "21 18 30 S3")


def test_r4_13_step_2_and_the_end_wait_for_the_end_of_the_phase():
    game = a_game(seat(), seat(), seat(cities=6, money=500), phase="building", order=[2, 0, 1], acted=[0, 1])
    build_one(game)
    build_one(game)
    assert (game.state.num_cities[2], game.step_number, game.phase) == (8, 1, "building")
    assert all(not houses(game, city)[0] for city in buildable(game))
    game.play("pass")
    assert (game.step_number, game.phase) == (2, "bureaucracy")
    game = a_game(seat(), seat(cities=16, money=500), phase="building", step=2, acted=[2])
    build_one(game)
    assert (game.over, game.player) == (False, 1)
    play(game, "pass, pass")
    assert game.over
