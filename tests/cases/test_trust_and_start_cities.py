"""Rule cases C71-C84: the Trust and the default starting cities."""

import pytest

from powergrid_env import Game
from tests.builders import (
    TRUST_START,
    a_game,
    assert_refused,
    buildable,
    choices,
    cost,
    duel,
    finish_phase,
    finish_round,
    houses,
    legal,
    market,
    order,
    plants,
    play,
    seat,
    supply,
    tokens,
    track,
    trust_fuel,
    trust_plants,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


def test_c71_six_start_houses():
    game = Game(players=2, seed=2)
    first, second = order(game)
    asked = []
    assert len(buildable(game)) == 21
    while game.phase == "trust_setup":
        asked.append(game.player)
        game.play(f"place {buildable(game)[0]}")
        if len(asked) == 1:
            placed = {city for city in range(42) if game.state.city_spaces[city, 0] == 6}
            joined = {
                b if a in placed else a for a, b, _ in game.board.edges if (a in placed) != (b in placed)
            }
            inside = {city for city in joined if game.board.record.in_zone[game.state.zone, city]}
            assert {game.board.cities[city] for city in inside} == set(buildable(game))
    assert asked == [first, second, second, first, first, second]
    assert (game.state.trust_houses, (game.state.city_spaces[:, 0] == 6).sum()) == (10, 6)


def test_c72_the_start_cities_of_the_trust():
    game = duel(seat(cities="Hannover"), phase="building", acted=[1])
    for city in TRUST_START["germany"]:
        assert_refused(game, f"build {city}", "R4.4")
    game = duel(seat(cities="Hannover"), phase="building", acted=[1], step=2)
    assert cost(game, "build Bremen") == 10 + 15
    game = duel(seat(cities="Hannover"), seat(cities="Bremen"), phase="building", acted=[1], step=3)
    assert cost(game, "build Bremen") == 10 + 20


def test_c73_the_trust_takes_the_second_plant():
    game = duel(round=1, market=OPEN, stack="11 20 21 S3")
    play(game, "nominate 3, bid 1, pass")
    assert (trust_plants(game), market(game)) == ([7], "4 5 6 8 | 9 10 11 20")
    assert (game.player, choices(game), "pass" in legal(game)) == (1, [4, 5, 6, 8], False)
    for plant in (4, 5, 6, 8):
        assert legal(game.clone().play(f"nominate {plant}")) == [f"bid {plant}"]


def test_c74_the_trust_takes_a_plant_when_the_first_human_passes():
    game = duel(market=OPEN, stack="11 20 S3")
    play(game, "pass")
    assert (trust_plants(game), market(game)) == ([6], "3* 4 5 7 | 8 9 10 11")
    assert legal(game) == ["pass", "nominate 3", "nominate 4", "nominate 5", "nominate 7"]
    for plant, price in [(3, 1), (4, 4), (5, 5), (7, 7)]:
        assert legal(game.clone().play(f"nominate {plant}")) == [f"bid {price}"]


@pytest.mark.parametrize(
    ("shown", "owned"), [(OPEN, [20, 21, 25]), ("16* 18 19 22 | 30 31 33 36", [21, 22, 25])]
)
def test_c75_three_plants_of_the_trust(shown, owned):
    game = duel(market=shown, trust={"plants": [20, 21, 25]})
    play(game, "pass")
    assert trust_plants(game) == owned


def test_c76_fuel_of_the_trust():
    game = duel(seat("10"), phase="resources", trust={"plants": [5, 8]})
    assert (game.player, trust_fuel(game)) == (1, "0/0/0/0")
    play(game, "pass")
    assert (game.player, trust_fuel(game), track(game)) == (0, "4/1/0/0", "20/17/9/2")
    assert cost(game, "buy 1 coal") == 2
    assert game.board.record.price[1, 17] == 3


def test_c77_blocking():
    game = duel(phase="building")
    play(game, "build Essen, pass")
    assert (houses(game, "Essen"), game.state.trust_houses) == ([1, "trust", ""], 9)
    blocked = {"blocked_cities": ["Essen"]}
    game = duel(
        seat(cities="Duisburg"), seat(cities="Essen"), phase="building", step=2, acted=[1], trust=blocked
    )
    assert_refused(game, "build Essen", "R4.4")
    game = duel(
        seat(cities="Duisburg"), seat(cities="Essen"), phase="building", step=3, acted=[1], trust=blocked
    )
    assert cost(game, "build Essen") == 20


@pytest.mark.parametrize(("row", "after"), [(2, "13/12/11/6"), (3, "14/12/11/6")])
def test_c78_resupply_with_the_trust(row, after):
    owned = {"plants": [20], "fuel": tokens("3/0/0/0")}
    game = duel(phase="bureaucracy", track="10/10/10/5", trust=owned, rulings={"trust_resupply_row": row})
    finish_phase(game)
    assert (trust_fuel(game), track(game)) == ("0/0/0/0", after)
    assert sum(map(int, (track(game) + "/" + supply(game)).split("/"))) == 24 * 3 + 12


def test_c79_only_human_cities_count():
    mine, theirs = (
        ["Essen", "Köln", "Aachen", "Trier", "Mainz", "Münster"],
        ["Duisburg", "Dortmund", "Kassel", "Hannover"],
    )
    seats = [seat(cities=", ".join(mine)), seat(cities=", ".join([*theirs, "Mannheim"]))]
    game = duel(*seats, phase="building", trust={"blocked_cities": [*mine, *theirs]})
    assert game.state.trust_houses == 0
    finish_phase(game)
    assert game.step_number == 1
    game = duel(seat(cities=18), phase="building", step=3)
    finish_phase(game)
    assert game.over


def test_c80_the_trust_stays_second():
    game = duel(seat("13", cities=5), seat("4", cities=6), phase="bureaucracy")
    finish_phase(game)
    assert order(game) == [1, 0]


@pytest.mark.parametrize(("ruling", "stopped"), [("no", False), ("yes", True)])
def test_c81_the_trust_takes_39(ruling, stopped):
    game = duel(
        step=2, market="36* 37 38 39 | 40 42 44 46", track="5/5/5/5", rulings={"trust_stops_uranium": ruling}
    )
    play(game, "pass, pass")
    assert (trust_plants(game), plants(game, 0)) == ([39], [])
    finish_round(game)
    assert game.state.track[3] == (4 if stopped else 5)


def test_c82_start_cities_with_the_trust():
    game = Game(players=2, start_cities=True, seed=5)
    while game.phase == "trust_setup":
        game.play(f"place {buildable(game)[0]}")
    marked = buildable(game)[:2]
    assert game.player == order(game)[0]
    play(game, f"mark {marked[0]}, mark {marked[1]}")
    assert [houses(game, city) for city in marked] == [["", "trust", ""]] * 2
    assert (game.state.trust_houses, game.phase) == (8, "auction")


def marked(*seats, **more):
    markers = more.pop("markers", {"Berlin": 0, "Leipzig": 1, "Stuttgart": 2})
    return a_game(
        *seats, start_cities=True, start_markers=markers, regions=["brown", "yellow", "purple"], **more
    )


def test_c83_a_network_starts_in_any_marked_city():
    game = Game(players=3, start_cities=True, regions=["brown", "yellow", "purple"], seed=0)
    play(game, "mark Berlin, mark Leipzig, mark Stuttgart")
    assert game.phase == "auction"
    game = marked(phase="building")
    assert (game.player, set(buildable(game))) == (2, {"Berlin", "Leipzig", "Stuttgart"})
    assert {cost(game, f"build {city}") for city in buildable(game)} == {10}
    assert_refused(game, "build Dresden", "RS.2")


def test_c84_a_marked_city_is_passed_through_in_step_1():
    game = marked(
        seat(), seat(cities="Leipzig"), phase="building", acted=[2], markers={"Berlin": 0, "Stuttgart": 2}
    )
    assert_refused(game, "build Berlin", "RS.3")
    # Frankfurt (Oder) over Berlin would be 0 + 17 + 6; directly it is 21. From Magdeburg Berlin is the way.
    play(game, "build Magdeburg")
    assert cost(game, "build Frankfurt (Oder)") == 10 + 6 + 10
