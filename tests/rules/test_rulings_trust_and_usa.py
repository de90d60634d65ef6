"""Section 14, rulings on the Trust, start cities and the coal storage: A22 to A29, every flag in both values."""

import pytest

from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cost,
    finish_phase,
    finish_round,
    money,
    play,
    seat,
    supply,
    track,
    trust_fuel,
    trust_plants,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


@pytest.mark.parametrize(
    ("ruling", "waits"), [("after_first_acquisition", False), ("when_first_human_is_done", True)]
)
def test_a22_moment_of_the_trusts_plant(ruling, waits):
    game = a_game(players=2, market=OPEN, stack="11 20 21 S3", rulings={"trust_plant_timing": ruling})
    play(game, "nominate 4, bid 4, bid 5, pass")  # the second human wins the first auction
    assert trust_plants(game) == ([] if waits else [7])
    play(game, "nominate 5, bid 5")
    assert trust_plants(game) == ([8] if waits else [7])
    # When the first human buys first, or passes, both readings agree.
    for script, taken in [("nominate 4, bid 4, pass", 7), ("pass", 6)]:
        game = a_game(players=2, market=OPEN, stack="11 20 21 S3", rulings={"trust_plant_timing": ruling})
        play(game, script)
        assert trust_plants(game) == [taken]


def test_a23_the_trust_fuels_its_plants_in_ascending_order():
    game = a_game(players=2, phase="resources", trust={"plants": [7, 12]}, track="0/4/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "0/4/0/0"
    game = a_game(players=2, phase="resources", trust={"plants": [5, 10]}, track="2/1/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "2/1/0/0"  # 5 takes coal and oil first, 10 gets one coal


@pytest.mark.parametrize(("ruling", "taken", "left"), [("yes", "3/0/0/0", 21), ("no", "2/0/0/0", 22)])
def test_a24_the_trust_and_the_usa_coal_storage(ruling, taken, left):
    game = a_game(
        players=2, board="usa", phase="resources", trust={"plants": [20]}, track="2/18/9/2", storage=22,
        rulings={"trust_uses_coal_storage": ruling},
    )  # fmt: skip
    play(game, "pass")
    assert (trust_fuel(game), game.state.storage) == (taken, left)


@pytest.mark.parametrize(
    ("row", "after"), [(2, ["13/12/11/6", "14/12/12/6"]), (3, ["14/12/11/6", "15/13/12/6"])]
)
def test_a25_resupply_row_with_the_trust(row, after):
    for step in (1, 2):
        game = a_game(
            players=2, phase="bureaucracy", step=step, track="10/10/10/5", rulings={"trust_resupply_row": row}
        )
        finish_phase(game)
        assert track(game) == after[step - 1]


@pytest.mark.parametrize(("ruling", "uranium"), [("no", 5), ("yes", 4)])
def test_a26_the_trust_and_the_uranium_stop(ruling, uranium):
    game = a_game(
        players=2, step=2, market="36* 37 38 39 | 40 42 44 46", stack="20 21 22 23 S3", track="5/5/5/5",
        rulings={"trust_stops_uranium": ruling},
    )  # fmt: skip
    play(game, "pass, pass")
    finish_round(game)
    assert (trust_plants(game), game.state.track[3]) == ([39], uranium)


@pytest.mark.parametrize(
    ("ruling", "open_to_2"), [("any_marked", {"Berlin", "Leipzig", "Stuttgart"}), ("own", {"Stuttgart"})]
)
def test_a27_own_or_any_marked_city(ruling, open_to_2):
    game = a_game(
        phase="building", start_cities=True, start_markers={"Berlin": 0, "Leipzig": 1, "Stuttgart": 2},
        regions=["brown", "yellow", "purple"], rulings={"start_city_choice": ruling},
    )  # fmt: skip
    assert game.player == 2
    assert set(buildable(game)) == open_to_2
    if ruling == "own":
        assert_refused(game, "build Berlin", "RS.2")


def test_a28_markers_do_not_count_against_the_uranium_supply():
    game = a_game(
        phase="bureaucracy",
        start_cities=True,
        start_markers={"Essen": 0, "Köln": 1, "Kiel": 2},
        track="1/1/1/1",
    )
    assert supply(game) == "23/23/23/11"
    finish_phase(game)
    assert track(game) == "5/3/2/2"


@pytest.mark.parametrize("ruling", ["track_empty", "always"])
def test_a29_coal_from_the_storage_while_the_row_is_not_empty(ruling):
    def buyer(coal):
        return a_game(
            seat("20"), board="usa", phase="resources", acted=[1, 2], track=f"{coal}/18/9/2", storage=24 - coal,
            rulings={"usa_storage": ruling},
        )  # fmt: skip

    game = buyer(7)
    assert cost(game, "buy 1 coal") == 6  # the cheaper row first, in both values
    # 3 tokens on the 8-space, and a storage at 8: `always` leaves the row alone.
    game = buyer(3)
    play(game, "buy 2 coal")
    assert money(game, 0) == 84
    assert (track(game)[0], game.state.storage) == {"track_empty": ("1", 21), "always": ("3", 19)}[ruling]
