"""RS: the default starting cities, an option for experienced players."""

import pytest

from powergrid_env import Game, GameConfig
from tests.builders import a_game, assert_refused, buildable, cost, houses, money, order, play, seat, supply

REGIONS = ["brown", "yellow", "purple"]
MARKED = {"Berlin": 0, "Leipzig": 1, "Stuttgart": 2}


def started(*seats, markers=MARKED, **more):
    more = {"phase": "building", **more}
    return a_game(*seats, start_cities=True, start_markers=markers, regions=REGIONS, **more)


def markers(game):
    return {
        game.board.cities[city]: int(owner)
        for city, owner in enumerate(game.state.start_markers)
        if owner >= 0
    }


def test_rs_1_each_player_marks_an_empty_city_in_player_order():
    game = Game(players=4, start_cities=True, seed=6)
    first = order(game)
    assert (game.phase, game.decision, len(buildable(game))) == ("start_cities", "mark", 28)
    asked, marked = [], {}
    while game.phase == "start_cities":
        assert_refused(game, "pass", "RS.1")
        asked.append(game.player)
        city = buildable(game)[3]
        game.play(f"mark {city}")
        marked[city] = asked[-1]
        if game.phase == "start_cities":
            assert_refused(game, f"mark {city}", "RS.1")
            outside = next(
                name
                for name, inside in zip(
                    game.board.cities, game.board.record.in_zone[game.state.zone], strict=False
                )
                if not inside
            )
            assert_refused(game, f"mark {outside}", "R4.7")
    assert asked == first
    assert markers(game) == marked
    assert (game.phase, game.player) == ("auction", first[0])


def test_rs_1_not_a_city_with_a_trust_house():
    game = Game(players=2, start_cities=True, seed=6)
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    taken = [game.board.cities[city] for city in (game.state.city_spaces[:, 0] == 6).nonzero()[0]]
    assert len(buildable(game)) == 21 - 6
    for city in taken:
        assert_refused(game, f"mark {city}", "RS.1")


def test_rs_1_it_is_an_option_of_recharged():
    assert not GameConfig().start_cities
    with pytest.raises(ValueError, match="start_cities is True; allowed: False in the 2004 edition"):
        GameConfig(edition="2004", start_cities=True)


def test_rs_2_a_network_starts_in_any_marked_city_for_10_and_the_marker_goes():
    game = started()
    assert (game.player, set(buildable(game))) == (2, set(MARKED))
    assert_refused(game, "build Halle", "RS.2")
    assert cost(game, "build Berlin") == 10
    play(game, "build Berlin")
    assert (money(game, 2), houses(game, "Berlin")[0], markers(game)) == (
        90,
        2,
        {"Leipzig": 1, "Stuttgart": 2},
    )
    play(game, "pass")
    assert set(buildable(game)) == {"Leipzig", "Stuttgart"}


def test_rs_3_in_step_1_a_marked_city_is_connected_in_no_other_way_but_passed_through():
    game = started(
        seat(), seat(cities="Leipzig"), acted=[2], order=[0, 1, 2], markers={"Halle": 0, "Stuttgart": 2}
    )
    assert game.player == 1
    assert "Halle" not in buildable(game)
    assert_refused(game, "build Halle", "RS.3")
    assert cost(game, "build Magdeburg") == 0 + 11 + 10  # through Halle


def test_rs_3_from_step_2_on_it_is_an_ordinary_city():
    game = started(seat(), seat(cities="Leipzig"), step=2, acted=[2], markers={"Halle": 0, "Stuttgart": 2})
    play(game, "build Halle")
    assert (money(game, 1), markers(game)) == (90, {"Stuttgart": 2})


def test_rs_4_markers_are_not_counted_against_the_uranium_supply():
    game = Game(players=3, start_cities=True, seed=2)
    while game.phase == "start_cities":
        game.play(int(game.legal_actions()[0]))
    assert supply(game) == "0/6/15/10"


def test_rs_4_without_a_marker_left_a_network_starts_anywhere():
    game = started(seat(cities="Berlin"), seat(cities="Leipzig"), markers={})
    assert len(buildable(game)) == 19
    assert cost(game, "build Stuttgart") == 10
