"""Section 14, rulings on building, burning, Steps and the end: A11 to A21, A34 to A36, every flag in both values."""

import pytest

from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cards,
    cost,
    finish_phase,
    finish_round,
    fuel,
    houses,
    legal,
    market,
    money,
    play,
    seat,
    stack,
    supply,
    track,
)


def test_a11_building_in_round_1_is_allowed_never_obliged():
    game = a_game(round=1, phase="building")
    assert legal(game)[0] == "pass"
    play(game, "build Essen, pass, pass")
    assert list(game.state.num_cities[:3]) == [0, 0, 1]


@pytest.mark.parametrize(("ruling", "price"), [("lowest_free_space", 15), ("empty_only", None)])
def test_a12_late_start(ruling, price):
    game = a_game(
        seat(), seat(cities="Essen"), phase="building", step=2, acted=[2, 1], rulings={"late_start": ruling}
    )
    assert cost(game, "build Köln") == 10
    if price:
        assert cost(game, "build Essen") == price
    else:
        assert_refused(game, "build Essen", "R4.2")
        play(game, "build Duisburg")
        assert cost(game, "build Essen") == 15  # the ruling is about the first city alone


def test_a13_the_two_cities_of_a_metropolis_are_ordinary():
    game = a_game(seat(cities="Essen"), seat(cities="Duisburg"), phase="building", step=2, acted=[1, 2])
    assert cost(game, "build Duisburg") == 15
    play(game, "build Duisburg")
    assert (houses(game, "Essen"), houses(game, "Duisburg")) == ([0, "", ""], [1, 0, ""])


@pytest.mark.parametrize(("ruling", "cap"), [(22, 22), (20, 20), ("none", None)])
def test_a14_house_limit(ruling, cap):
    cities = cap or 22
    game = a_game(
        seat(cities=cities - 1, money=900),
        players=4,
        phase="building",
        step=2,
        acted=[1, 2, 3],
        rulings={"house_cap": ruling},
    )
    first, second = buildable(game)[:2]
    play(game, f"build {first}")
    if cap:
        assert_refused(game, f"build {second}", "R4.10")
    else:
        play(game, f"build {second}")
        assert game.state.num_cities[0] == 23


def test_a15_equal_or_lower_plants_leave_in_2004():
    game = a_game(
        seat(cities=5, money=99),
        phase="building",
        acted=[1, 2],
        edition="2004",
        market="6 7 8 9 | 10 12 14 20",
        stack="30 31 S3",
    )
    play(game, f"build {buildable(game)[0]}")
    assert market(game) == "7 8 9 10 | 12 14 20 30"


@pytest.mark.parametrize("ruling", ["own_plant", "pool"])
def test_a16_a_plant_burns_what_lies_on_it(ruling):
    # 29 and 35 with 2 coal and 2 oil: oil must lie on 35, so hybrid 29 is full of coal.
    game = a_game(
        seat("29 35", "2/2/0/0", 7), phase="bureaucracy", step=2, track="20/18/9/2", rulings={"fuel": ruling}
    )
    play(game, "run 29")
    if ruling == "pool":
        assert legal(game) == ["burn 0 coal", "burn 1 coal"]
        play(game, "burn 0 coal")
    assert fuel(game, 0) == {"own_plant": "1/2/0/0", "pool": "2/1/0/0"}[ruling]


def test_a16_the_ruling_decides_which_mixes_are_possible():
    # 3 oil and the one coal that does not fit on 8 fill hybrid 5.
    asked = {}
    for ruling in ("own_plant", "pool"):
        owner = seat("5 8", "7/3/0/0", 7)
        game = a_game(owner, phase="bureaucracy", step=2, track="17/18/9/2", rulings={"fuel": ruling})
        play(game, "run 5")
        asked[ruling] = legal(game)
    assert asked == {
        "own_plant": ["burn 0 coal", "burn 1 coal"],
        "pool": ["burn 0 coal", "burn 1 coal", "burn 2 coal"],
    }


def test_a17_no_step_2_because_all_10_spaces_are_full():
    game = a_game(
        seat(cities=7), seat(cities=7), seat(cities=7), phase="building", rulings={"step2_cities": 8}
    )
    finish_phase(game)
    assert game.step_number == 1


@pytest.mark.parametrize(
    ("ruling", "shown", "pile"),
    [("skip", [15, 16, 18, 20, 25, 36], [44, 46]), ("perform", [15, 16, 18, 20, 25], None)],
)
def test_a18_step_3_card_as_the_step_2_replacement(ruling, shown, pile):
    game = a_game(
        seat(cities=7), phase="building", market="10 13 15 16 | 18 20 25 36", stack="S3 44 46",
        rulings={"step3_at_step2_update": ruling}, track="1/1/1/1",
    )  # fmt: skip
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "6/4/3/2"
    assert game.step_number == 3
    if ruling == "skip":
        assert (cards(market(game)), cards(stack(game))) == (shown, pile)
    else:  # the highest of the six goes under the stack, one of 44 and 46 comes
        assert cards(market(game))[:5] == shown
        assert sorted(cards(market(game))[5:] + cards(stack(game))) == [36, 44, 46]
        assert stack(game).split()[-1] == "36"


@pytest.mark.parametrize(("ruling", "after"), [("as_it_happened", "6/4/3/2"), ("step2", "7/5/4/3")])
def test_a19_step_3_card_before_step_2_in_phase_5(ruling, after):
    game = a_game(
        players=4, phase="bureaucracy", market="10 13 15 16 | 18 20 25 36", stack="S3 44 46", track="1/1/1/1",
        rulings={"step3_before_step2_resupply": ruling},
    )  # fmt: skip
    finish_phase(game)
    assert (track(game), game.step_number) == (after, 3)
    # Without the card on top both resupply by Step 1.
    game = a_game(
        players=4,
        phase="bureaucracy",
        stack="40 S3 44",
        track="1/1/1/1",
        rulings={"step3_before_step2_resupply": ruling},
    )
    finish_phase(game)
    assert track(game) == "6/4/3/2"


@pytest.mark.parametrize(("edition", "winners"), [("recharged", [0, 1]), ("2004", [0])])
def test_a20_a_tie_after_money(edition, winners):
    game = a_game(
        seat("13", cities=17),
        seat("22", cities=1),
        phase="building",
        step=2,
        edition=edition,
        market="18 19 20 21 | 23 24 25 26",
    )
    finish_phase(game)
    assert game.result().winners == winners


def test_a21_no_other_end():
    # All 21 cities of the zone are full in Step 3, no plant is left: the game goes on.
    full = [seat(cities=16), seat(cities=16), seat(cities=16)]
    game = a_game(*full, step=3, market="", stack="", max_rounds=500)
    for _ in range(50):
        finish_round(game)
    assert not game.over


def test_a34_uranium_stops_in_the_round_in_which_39_is_bought():
    game = a_game(step=2, market="36* 37 38 39 | 40 42 44 46", track="5/5/5/5")
    play(game, "nominate 39, bid 39, pass, pass")
    finish_round(game)
    assert game.state.track[3] == 5


def test_a35_running_for_nothing_returns_tokens_to_the_supply():
    game = a_game(seat("17", "0/0/0/1", 0), phase="bureaucracy")
    play(game, "run 17")
    assert (fuel(game, 0), supply(game), money(game, 0)) == ("0/0/0/0", "0/6/15/10", 110)


def test_a36_recharged_keeps_plants_below_the_cities():
    game = a_game(
        seat(cities=6, money=99), phase="building", acted=[1, 2], market="3 4 5 6 | 7 8 9 10", stack="30 S3"
    )
    play(game, f"build {buildable(game)[0]}")
    assert market(game) == "3 4 5 6 | 7 8 9 10"
