"""RM: map rules of Germany and the USA, and the boards."""

import pytest

from powergrid_env import Game
from tests.builders import (
    a_game,
    assert_refused,
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
    supply,
    track,
)

HOLDERS = [seat("20 25 31", "16/0/0/0"), seat("10", "4/0/0/0")]  # 20 coal on plants


def buys_39(**more):
    """Seat 0 buys plant 39 in Step 2."""
    game = a_game(
        step=2, market="36 37 38 39 | 40 42 44 46", stack="50 22 23 24 25 26 S3", track="5/5/5/5", **more
    )
    play(game, "nominate 39, bid 39, pass, pass")
    return game


# ------------------------------------------------------------------------------------- Germany


def test_rm_1_once_39_is_bought_no_uranium_comes():
    game = buys_39()
    finish_round(game)
    assert track(game) == "10/8/7/5"  # the resupply of the same round
    finish_round(game)
    assert track(game) == "15/11/9/5"


def test_rm_1_uranium_on_the_track_can_be_bought_and_stored_uranium_burnt():
    game = buys_39()
    finish_phase(game)
    play(game, "pass, pass, buy 2 uranium")
    finish_phase(game)
    finish_phase(game)
    play(game, "run 39")
    assert (fuel(game, 0), game.state.supply[3]) == ("0/0/0/1", 12 - 3 - 1)


def test_rm_1_scrapping_39_later_changes_nothing():
    game = a_game(
        seat("39 37 38"), step=2, uranium_stopped=True, market="33* 34 35 36 | 40 42 44 46", track="5/5/5/5"
    )
    play(game, "nominate 33, bid 1, pass, pass, scrap 39")
    finish_round(game)
    assert track(game) == "10/8/7/5"


def test_rm_2_not_when_39_is_nominated_unsold_or_put_under_the_stack():
    # Nominated, but not yet bought.
    game = a_game(step=2, market="36 37 38 39 | 40 42 44 46", stack="50 22 23 S3", track="5/5/5/5")
    play(game, "nominate 39")
    assert not game.state.uranium_stopped
    # Unsold under the token, and out of the game.
    game = a_game(step=3, market="39* 40 42 44 46 50", stack="20 21", track="5/5/5/5")
    finish_phase(game)
    assert "39" not in market(game) + stack(game)
    finish_round(game)
    assert track(game) == "8/9/8/6"
    # Highest of the future market, goes under the stack.
    game = a_game(
        phase="bureaucracy", step=2, market="20 21 22 23 | 24 25 26 39", stack="27 S3", track="5/5/5/5"
    )
    finish_round(game)
    assert (stack(game), track(game)) == ("S3 39", "10/8/7/6")


def test_rm_3_2004_has_no_such_rule():
    for board in ("germany", "usa"):
        game = buys_39(edition="2004", board=board)
        finish_round(game)
        assert track(game) == "10/8/7/6"


# ----------------------------------------------------------------------------------------- USA


def usa(*seats, **more):
    return a_game(*seats, board="usa", **more)


def test_rm_10_coal_off_the_track_lies_in_the_storage_which_starts_empty():
    game = Game(players=3, board="usa", seed=0)
    assert (game.state.storage, game.state.supply[0], track(game)) == (0, 0, "24/18/9/2")
    game = usa(phase="bureaucracy", track="20/18/9/2")
    assert (game.state.storage, supply(game)) == (4, "0/6/15/10")


def test_rm_11_coal_from_the_storage_for_8_when_the_row_is_empty():
    game = usa(seat("8", money=60), *HOLDERS, phase="resources", acted=[1, 2], track="0/18/9/2", storage=4)
    play(game, "buy 2 coal")
    assert (money(game, 0), fuel(game, 0), game.state.storage, track(game)) == (44, "2/0/0/0", 2, "0/18/9/2")
    assert_refused(game, "buy 3 coal", "R3.7")


def test_rm_11_one_purchase_may_run_from_the_row_into_the_storage():
    game = usa(seat("20"), phase="resources", acted=[1, 2], track="2/18/9/2", storage=22)
    assert cost(game, "buy 1 coal") == 8
    assert cost(game, "buy 5 coal") == 40
    play(game, "buy 5 coal")
    assert (track(game), game.state.storage) == ("0/18/9/2", 19)


def test_rm_11_not_before_the_row_is_empty():
    game = usa(seat("20"), phase="resources", acted=[1, 2], track="7/18/9/2", storage=17)
    assert [cost(game, f"buy {amount} coal") for amount in (1, 2)] == [6, 13]
    play(game, "buy 1 coal")
    assert (track(game), game.state.storage) == ("6/18/9/2", 17)


def test_rm_12_burnt_and_scrapped_coal_goes_to_the_storage():
    game = usa(seat("20", "6/0/0/0", 5), phase="bureaucracy", track="10/18/9/2", storage=8)
    play(game, "run 20")
    assert (game.state.storage, supply(game)) == (11, "0/6/15/10")
    game = usa(
        seat("10 13 18", "4/0/0/0"), market="22* 23 24 26 | 27 28 29 30", track="10/18/9/2", storage=10
    )
    play(game, "nominate 26, bid 26, pass, pass, scrap 10")
    assert (game.state.storage, supply(game)) == (14, "0/6/15/10")


def test_rm_13_the_coal_resupply_is_taken_from_the_storage():
    game = usa(phase="bureaucracy", track="4/18/9/2", storage=20)
    finish_phase(game)
    assert (track(game), game.state.storage) == ("8/20/10/3", 16)
    game = usa(*HOLDERS, phase="bureaucracy", track="1/18/9/2", storage=3)
    finish_phase(game)
    assert (track(game), game.state.storage) == ("4/20/10/3", 0)


def test_rm_14_2004_sells_no_coal_from_an_empty_row():
    game = usa(seat("8", money=60), phase="resources", acted=[1, 2], track="0/18/6/2", edition="2004")
    assert legal(game) == ["pass"]
    assert_refused(game, "buy 1 coal", "R3.7")
    assert (game.state.storage, supply(game)) == (0, "24/6/18/10")


# -------------------------------------------------------------------------------------- boards


@pytest.mark.parametrize("edition", ["recharged", "2004"])
@pytest.mark.parametrize("board", ["germany", "usa"])
def test_rm_20_six_regions_of_seven_cities(board, edition):
    made = Game(players=3, board=board, edition=edition, seed=0).board
    assert (len(made.cities), len(made.regions)) == (42, 6)
    assert [int((made.record.city_region[:42] == region).sum()) for region in range(6)] == [7] * 6


@pytest.mark.parametrize(
    ("board", "pair", "recharged", "old"),
    [
        ("germany", "Essen+Dortmund", 5, 4),
        ("germany", "Mannheim+Saarbrücken", 16, 11),
        ("germany", "Berlin+Stralsund", 15, None),
        ("germany", "Berlin+Torgelow", None, 15),
        ("germany", "Trier+Mainz", 18, None),
        ("germany", "Trier+Wiesbaden", None, 18),
        ("usa", "Omaha+Chicago", 12, 13),
        ("usa", "Santa Fe+Houston", 20, 21),
        ("usa", "Knoxville+Raleigh", 11, None),
        ("usa", "Cincinnati+Raleigh", None, 15),
        ("usa", "Boise+Cheyenne", None, 24),
    ],
)
def test_rm_20_where_the_printings_differ(board, pair, recharged, old):
    for edition, cost_there in [("recharged", recharged), ("2004", old)]:
        made = Game(players=3, board=board, edition=edition, seed=0).board
        edges = {frozenset((made.cities[a], made.cities[b])): price for a, b, price in made.edges}
        assert edges.get(frozenset(pair.split("+"))) == cost_there
        assert len(edges) == {"germany": 83, "usa": 86 if edition == "recharged" else 87}[board]


@pytest.mark.parametrize(("edition", "connection"), [("recharged", 6 + 11), ("2004", 15)])
def test_rm_20_the_printing_is_the_one_played_on(edition, connection):
    regions = ["yellow", "green", "red"]
    game = usa(seat(cities="Cincinnati"), phase="building", acted=[1, 2], edition=edition, regions=regions)
    assert cost(game, "build Raleigh") == connection + 10


@pytest.mark.parametrize(
    ("board", "edition", "regions", "pairs"),
    [
        (
            "germany",
            "recharged",
            "red blue yellow",
            ["Essen+Duisburg", "Halle+Leipzig", "Mainz+Frankfurt (Main)"],
        ),
        (
            "germany",
            "2004",
            "red blue yellow",
            ["Essen+Duisburg", "Halle+Leipzig", "Wiesbaden+Frankfurt (Main)"],
        ),
        ("usa", "recharged", "purple red green", ["Cheyenne+Denver", "Savannah+Jacksonville"]),
        ("usa", "2004", "brown green yellow", ["New York+Philadelphia", "Savannah+Jacksonville"]),
    ],
)
def test_rm_21_connections_of_cost_0(board, edition, regions, pairs):
    for pair in pairs:
        start, end = pair.split("+")
        game = a_game(
            seat(cities=start),
            phase="building",
            acted=[1, 2],
            board=board,
            edition=edition,
            regions=regions.split(),
        )
        assert cost(game, f"build {end}") == 10
