"""RT.10 to RT.27: what the Trust does in each phase. Seat 0 is the first of the two humans, seat 1 the other."""

import numpy as np
import pytest

from tests.builders import (
    TRUST_START,
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
    money,
    plants,
    play,
    seat,
    stack,
    supply,
    tokens,
    track,
    trust_fuel,
    trust_plants,
)

OPEN = "3* 4 5 6 | 7 8 9 10"

# ----------------------------------------------------------------------------------------- phase 2


def test_rt_10_only_the_humans_bid():
    game = duel(market=OPEN)
    asked = []
    play(game, "nominate 5")
    for amount in range(5, 9):
        asked.append(game.player)
        play(game, f"bid {amount}")
    assert asked == [0, 1, 0, 1]
    play(game, "pass")
    assert plants(game, 1) == [5]


@pytest.mark.parametrize(
    ("step", "shown", "taken"),
    [(1, "3* 4 5 6 | 7 8 9 10", 6), (2, "16* 17 18 19 | 20 21 22 23", 19), (3, "24* 25 30 31 36 38", 38)],
)
def test_rt_11_the_highest_plant_of_the_current_market(step, shown, taken):
    game = duel(step=step, market=shown, stack="40 42" if step == 3 else "40 42 S3")
    play(game, "pass")
    assert trust_plants(game) == [taken]


def test_rt_11_once_per_phase():
    game = duel(market=OPEN, stack="11 20 21 22 S3")
    play(game, "nominate 3, bid 1, pass")
    assert trust_plants(game) == [7]
    play(game, "nominate 4, bid 4")
    assert (game.phase, trust_plants(game)) == ("resources", [7])
    game = duel(market=OPEN, stack="11 20 21 22 S3")
    play(game, "pass, pass")
    assert trust_plants(game) == [6]


def test_rt_12_after_the_first_acquisition_whoever_made_it():
    game = duel(market=OPEN, stack="11 20 21 22 S3")
    play(game, "nominate 4, bid 4, bid 5, pass")  # the second human wins the first auction
    assert (plants(game, 1), trust_plants(game)) == ([4], [7])
    assert market(game) == "3* 5 6 8 | 9 10 11 20"
    assert (game.player, game.decision) == (0, "choose")
    play(game, "nominate 5")
    assert legal(game) == ["bid 5"]


def test_rt_12_or_when_the_first_human_has_passed():
    game = duel(market=OPEN, stack="11 20 S3")
    play(game, "pass")
    assert (trust_plants(game), market(game)) == ([6], "3* 4 5 7 | 8 9 10 11")
    assert (game.player, choices(game), "pass" in legal(game)) == (1, [3, 4, 5, 7], True)
    play(game, "nominate 3")
    assert legal(game) == ["bid 1"]


def test_rt_12_a_scrap_comes_first():
    game = duel(seat("20 21 22"), market=OPEN, stack="11 30 S3")
    play(game, "nominate 4, bid 4, pass")
    assert (game.decision, trust_plants(game)) == ("scrap", [])
    play(game, "scrap 20")
    assert (trust_plants(game), market(game)) == ([7], "3* 5 6 8 | 9 10 11 30")


def test_rt_13_with_three_plants_only_a_higher_one_than_its_lowest():
    game = duel(market=OPEN, stack="11 30 S3", trust={"plants": [20, 21, 25]})
    play(game, "pass")
    assert (trust_plants(game), market(game), stack(game)) == ([20, 21, 25], OPEN, "11 30 S3")
    game = duel(market="16* 18 19 22 | 30 31 33 36", stack="40 42 S3", trust={"plants": [20, 21, 25]})
    play(game, "pass")
    assert (trust_plants(game), market(game)) == ([21, 22, 25], "16* 18 19 30 | 31 33 36 40")


def test_rt_13_takes_nothing_this_round_also_when_the_market_gets_better():
    game = duel(market="3* 4 5 6 | 30 31 33 36", stack="40 42 44 S3", trust={"plants": [20, 21, 25]})
    play(game, "pass")  # 6 is not wanted
    play(game, "nominate 4, bid 4")
    assert (trust_plants(game), game.phase) == ([20, 21, 25], "resources")


def test_rt_14_replaced_and_sorted_as_after_a_purchase():
    # R2.23: 3 is smaller than the discounted 4, leaves, and the token with it.
    game = duel(market="4* 5 6 7 | 8 9 10 11", stack="3 20 S3")
    play(game, "pass")
    assert (trust_plants(game), market(game), stack(game)) == ([7], "4 5 6 8 | 9 10 11 20", "S3")
    # R6.21: the Step 3 card comes for the plant of the Trust.
    game = duel(step=2, market="4* 5 6 7 | 8 9 10 11", stack="S3 20")
    play(game, "pass")
    assert (market(game), game.step_number) == ("4* 5 6 8 | 9 10 11 S3", 2)
    play(game, "pass")
    assert (market(game), game.step_number) == ("6 8 9 10 11 20", 3)


def test_rt_14_the_discounted_plant_of_a_one_plant_market():
    game = duel(step=3, market="28*", stack="")
    play(game, "pass")
    assert (trust_plants(game), market(game), game.state.discount) == ([28], "", 0)
    assert legal(game) == ["pass"]


def test_rt_15_also_in_round_1():
    game = duel(round=1, market=OPEN, stack="11 20 21 S3")
    play(game, "nominate 3, bid 1, pass")
    assert (trust_plants(game), market(game)) == ([7], "4 5 6 8 | 9 10 11 20")
    assert_refused(game, "pass", "R2.4")
    play(game, "nominate 8")
    assert legal(game) == ["bid 8"]


# ----------------------------------------------------------------------------------------- phase 3


def test_rt_16_fuel_for_one_run_between_the_two_humans():
    game = duel(seat("10"), seat("8"), phase="resources", trust={"plants": [16, 20, 39]})
    assert game.player == 1
    play(game, "buy 3 coal")
    assert trust_fuel(game) == "0/0/0/0"
    play(game, "pass")
    assert (trust_fuel(game), track(game), game.player) == ("3/2/0/1", "18/16/9/1", 0)
    assert cost(game, "buy 1 coal") == 3
    play(game, "pass")
    assert trust_fuel(game) == "3/2/0/1"


def test_rt_16_as_far_as_tokens_are_there():
    game = duel(phase="resources", trust={"plants": [16, 20, 24]}, track="2/1/0/2")
    play(game, "pass")
    assert (trust_fuel(game), track(game)) == ("2/1/0/0", "0/0/0/2")


def test_rt_17_hybrids_take_coal_and_oil_in_turn_coal_first_anew_for_each_plant():
    game = duel(phase="resources", trust={"plants": [29, 46]})
    play(game, "pass")
    assert trust_fuel(game) == "3/1/0/0"  # coal; coal, oil, coal
    game = duel(phase="resources", trust={"plants": [46]}, track="0/18/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "0/3/0/0"
    game = duel(phase="resources", trust={"plants": [12, 46]}, track="20/1/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "4/1/0/0"  # oil is sold out after plant 12


def test_rt_18_plants_in_ascending_order_and_the_coal_storage_after_the_track():
    game = duel(phase="resources", trust={"plants": [5, 16]}, track="1/2/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "1/2/0/0"  # 5 takes coal and oil, 16 what is left
    game = duel(board="usa", phase="resources", trust={"plants": [20]}, track="2/18/9/2", storage=22)
    play(game, "pass")
    assert (trust_fuel(game), track(game), game.state.storage) == ("3/0/0/0", "0/18/9/2", 21)


# ---------------------------------------------------------------------------------- phases 4 and 5


def test_rt_19_start_cities_are_closed_in_step_1_open_at_15_and_20_later_and_passed_through():
    game = duel(seat(cities="Hannover"), phase="building", acted=[1])
    assert buildable(game)
    assert not set(TRUST_START["germany"]) & set(buildable(game))
    assert_refused(game, "build Hamburg", "R4.4")
    game = duel(seat(cities="Hannover"), phase="building", step=2, acted=[1])
    assert cost(game, "build Hamburg") == 17 + 15
    # Osnabrück is 16 away; over Bremen, a start city, 10 + 11.
    assert cost(game, "build Osnabrück") == 16 + 10
    game = duel(seat(cities="Hannover"), seat(cities="Hamburg"), phase="building", step=3, acted=[1])
    assert cost(game, "build Hamburg") == 17 + 20


def test_rt_19_paths_may_run_through_a_trust_city_in_step_1():
    trust = {"start_cities": ["Düsseldorf", "Köln", "Dortmund", "Münster", "Osnabrück", "Bremen"]}
    game = duel(seat(cities="Essen"), phase="building", acted=[1], trust=trust)
    assert cost(game, "build Aachen") == 2 + 9 + 10


@pytest.mark.parametrize("step", [1, 2, 3])
def test_rt_20_an_empty_city_gets_a_trust_house_on_its_15_space(step):
    game = duel(phase="building", step=step)
    play(game, "build Essen")
    assert (houses(game, "Essen"), game.state.trust_houses, money(game, 1)) == ([1, "trust", ""], 9, 90)


def test_rt_20_it_is_closed_to_the_other_human_until_step_3():
    blocked = {"blocked_cities": ["Essen"]}
    for step in (1, 2):
        game = duel(
            seat(cities="Duisburg"),
            seat(cities="Essen"),
            trust=blocked,
            phase="building",
            step=step,
            acted=[1],
        )
        assert_refused(game, "build Essen", "R4.4")
    game = duel(
        seat(cities="Duisburg"), seat(cities="Essen"), trust=blocked, phase="building", step=3, acted=[1]
    )
    assert cost(game, "build Essen") == 20


def test_rt_20_as_long_as_the_trust_has_houses():
    game = duel(seat(money=900), phase="building", acted=[1])
    for _ in range(11):
        play(game, f"build {buildable(game)[0]}")
    assert game.state.trust_houses == 0
    built = game.state.city_spaces[:, 0] == 0
    assert (built.sum(), (game.state.city_spaces[built, 1] == 6).sum()) == (11, 10)


def test_rt_21_moving_into_a_start_city_triggers_nothing():
    game = duel(phase="building", step=2)
    play(game, "build Hamburg")
    assert (houses(game, "Hamburg"), game.state.trust_houses, money(game, 1)) == (["trust", 1, ""], 10, 85)


def test_rt_22_the_trust_builds_nothing_else():
    game = duel(seat("13"), seat("18"), phase="building", trust={"plants": [20, 21, 25]})
    before = game.state.city_spaces.copy()
    for _ in range(3):
        finish_round(game)
    assert np.array_equal(game.state.city_spaces, before)
    assert game.state.trust_houses == 10


def test_rt_23_its_tokens_go_back_after_the_income_and_before_the_resupply():
    # 2 coal are in the supply after the income; with the Trust's 3 the resupply of 3 can be made, and 2 remain.
    owned = {"plants": [20], "fuel": tokens("3/0/0/0")}
    game = duel(seat("31", "6/0/0/0"), trust=owned, phase="bureaucracy", track="13/10/10/5")
    play(game, "run none")
    assert trust_fuel(game) == "3/0/0/0"
    play(game, "run none")
    assert (trust_fuel(game), track(game), supply(game)) == ("0/0/0/0", "16/12/11/6", "2/12/13/6")


def test_rt_23_usa_coal_goes_to_the_storage():
    owned = {"plants": [20], "fuel": tokens("3/0/0/0")}
    game = duel(board="usa", trust=owned, phase="bureaucracy", track="20/10/10/5", storage=1)
    finish_phase(game)
    assert (track(game), game.state.storage, supply(game)) == ("23/12/11/6", 1, "0/12/13/6")


@pytest.mark.parametrize(("step", "after"), [(1, "13/12/11/6"), (2, "14/12/12/6"), (3, "13/14/13/6")])
def test_rt_24_the_two_player_row_resupplies(step, after):
    game = duel(phase="bureaucracy", step=step, track="10/10/10/5")
    finish_phase(game)
    assert track(game) == after


def test_rt_25_step_2_at_7_the_end_at_18_among_the_humans():
    for cities, step in [(6, 1), (7, 2)]:
        game = duel(seat(cities=cities), phase="building")
        finish_phase(game)
        assert game.step_number == step
    for cities in (17, 18):
        game = duel(seat("13", cities=cities), phase="building", step=3)
        finish_phase(game)
        assert game.over == (cities == 18)
    assert (game.result().winners, len(game.result().ranks)) == ([0], 2)


def test_rt_26_the_trust_taking_39_does_not_stop_the_uranium():
    game = duel(step=2, market="36* 37 38 39 | 40 42 44 46", stack="20 21 22 23 S3", track="5/5/5/5")
    play(game, "pass")
    assert (trust_plants(game), game.state.uranium_stopped) == ([39], 0)
    finish_round(game)
    assert game.state.track[3] == 5 - 1 + 1  # one for its run, one for the resupply
    game = duel(step=2, market="36* 37 38 39 | 40 42 44 46", stack="20 21 22 23 S3", track="5/5/5/5")
    play(game, "nominate 39, bid 39, pass")
    assert game.state.uranium_stopped


def test_rt_27_building_in_a_marked_city_triggers_no_further_house():
    marked = {"Essen": 0, "Köln": 1}
    game = duel(
        phase="building", start_cities=True, start_markers=marked, trust={"blocked_cities": ["Essen", "Köln"]}
    )
    play(game, "build Essen")
    assert (houses(game, "Essen"), game.state.trust_houses) == ([1, "trust", ""], 8)
    play(game, "build Duisburg")
    assert (houses(game, "Duisburg"), game.state.trust_houses) == ([1, "trust", ""], 7)
