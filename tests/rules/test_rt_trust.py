"""RT: the two-player game against the Trust. Unless said otherwise seat 0 is the first of the two humans, seat 1 the other."""

import numpy as np
import pytest

from powergrid_env import Game, GameConfig
from tests.builders import (
    TRUST_START,
    a_game,
    assert_refused,
    buildable,
    choices,
    cost,
    finish_phase,
    finish_round,
    houses,
    legal,
    market,
    money,
    order,
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


def duel(*seats, trust=None, **more):
    return a_game(*seats, players=2, trust=trust, **more)


def placing(**more):
    return Game(players=2, regions=["red", "blue", "cyan"], seed=1, **more)


# --------------------------------------------------------------------------------- preparation


def test_rt_1_the_trust_has_16_houses_up_to_3_plants_no_money_and_cannot_win():
    game = placing()
    assert (game.state.trust_houses, trust_plants(game), trust_fuel(game)) == (16, [], "0/0/0/0")
    owned = {"plants": [36, 38, 46], "fuel": tokens("5/1/3/0")}
    game = duel(seat("13", cities=18), seat("18", cities=1), trust=owned, phase="building", step=2)
    finish_phase(game)
    result = game.result()  # 18 supplies 2, capped by the one city; the tie is shared
    assert (result.supplied, result.ranks, result.winners) == ([1, 1], [1, 1], [0, 1])


def test_rt_1_only_two_recharged_players_meet_it():
    assert GameConfig(players=2).trust
    assert not GameConfig(players=2, trust=False).trust
    assert not GameConfig(players=2, edition="2004").trust
    assert not GameConfig(players=3).trust
    for wrong in ({"players": 3}, {"players": 2, "edition": "2004"}):
        with pytest.raises(ValueError, match=r"trust is True; .*RT\.1"):
            GameConfig(trust=True, **wrong)


def test_rt_2_three_regions_and_cards_as_for_two_players():
    game = Game(players=2, seed=3)
    assert game.board.record.in_zone[game.state.zone].sum() == 21
    out = game.state.removed[game.state.removed > 0]
    assert ((out <= 15).sum(), (out > 15).sum(), game.state.stack_size) == (1, 5, 29)


def test_rt_3_the_first_human_is_drawn_and_the_trust_is_second():
    firsts = {order(Game(players=2, seed=seed))[0] for seed in range(20)}
    assert firsts == {0, 1}
    game = Game(players=2, seed=3)
    assert sorted(order(game)) == [0, 1]
    assert game.player == order(game)[0]


def test_rt_4_six_start_houses_by_turns_f_s_s_f_f_s():
    game, asked = placing(), []
    first, second = order(game)
    while game.phase == "trust_setup":
        asked.append(game.player)
        game.play(int(game.legal_actions()[-1]))
    assert asked == [first, second, second, first, first, second]
    spaces = game.state.city_spaces
    assert ((spaces[:, 0] == 6).sum(), (spaces[:, 1:] == 6).sum()) == (6, 0)
    assert (game.phase, game.player) == ("auction", first)


def test_rt_4_the_first_anywhere_in_the_zone_the_others_next_to_a_trust_house():
    game = placing()
    assert len(buildable(game)) == 21
    assert_refused(game, "pass", "RT.4")
    assert_refused(game, "place Berlin", "R4.7")
    game.play("place Essen")
    assert set(buildable(game)) == {"Dortmund", "Duisburg", "Düsseldorf", "Münster"}
    assert_refused(game, "place Essen", "RT.4")
    assert_refused(game, "place Köln", "RT.4")
    game.play("place Düsseldorf")
    assert set(buildable(game)) == {"Dortmund", "Duisburg", "Münster", "Aachen", "Köln"}


def test_rt_4_any_empty_city_when_none_is_joined():
    game = placing()
    game.play("place Duisburg")
    assert buildable(game) == ["Essen"]
    row = game.board.cities.index("Essen")
    game.state.city_spaces[row, 0] = 0  # as if the only neighbour were not empty
    assert len(buildable(game)) == 19


def test_rt_5_ten_houses_remain():
    game = placing()
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    assert (game.state.trust_houses, trust_plants(game), trust_fuel(game)) == (10, [], "0/0/0/0")
    assert duel().state.trust_houses == 10


# ------------------------------------------------------------------------------------- general


def test_rt_6_the_trust_pays_for_nothing():
    game = duel(seat(money=50), seat(money=50), market=OPEN, trust={"plants": [20]}, track="20/18/9/2")
    play(game, "pass, pass")
    play(game, "pass, pass")
    assert (trust_plants(game), trust_fuel(game)) == ([6, 20], "3/0/1/0")
    assert [money(game, 0), money(game, 1)] == [50, 50]
    assert track(game) == "17/18/8/2"


def test_rt_7_never_on_a_20_space():
    game = duel(seat(money=900), phase="building", step=3, acted=[1])
    while buildable(game):
        play(game, f"build {buildable(game)[0]}")
    assert (game.state.city_spaces[:, 1] == 6).sum() == 10
    assert not (game.state.city_spaces[:, 2] == 6).any()
    assert (game.state.city_spaces[:, 2] == 0).sum() == 0


def test_rt_8_trust_houses_count_neither_for_step_2_nor_for_the_end():
    blocked = [
        "Essen",
        "Köln",
        "Aachen",
        "Trier",
        "Mainz",
        "Münster",
        "Duisburg",
        "Dortmund",
        "Kassel",
        "Hannover",
    ]
    rivals = [seat(cities=", ".join(blocked[:6])), seat(cities=", ".join(blocked[6:]))]
    game = duel(*rivals, trust={"blocked_cities": blocked}, phase="building")
    assert game.state.trust_houses == 0
    finish_phase(game)
    assert (game.phase, game.step_number) == ("bureaucracy", 1)


def test_rt_9_the_trust_is_always_second():
    game = duel(seat("20", cities=5), seat("4", cities=6), phase="bureaucracy", trust={"plants": [50]})
    finish_phase(game)
    assert order(game) == [1, 0]
    game = duel(seat("20", cities=5), seat("24", cities=5), phase="bureaucracy")
    finish_phase(game)
    assert order(game) == [1, 0]


# ------------------------------------------------------------------------------------- phase 2


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


# ------------------------------------------------------------------------------------- phase 3


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


# -------------------------------------------------------------------------------- phases 4 and 5


def test_rt_19_start_cities_are_closed_in_step_1_open_at_15_and_20_later_and_passed_through():
    game = duel(seat(cities="Hannover"), phase="building", acted=[1])
    assert not set(TRUST_START) & set(buildable(game))
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


def test_rt_27_with_start_cities_both_marked_cities_are_blocked():
    game = placing(start_cities=True)
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    assert (game.phase, game.player) == ("start_cities", order(game)[0])
    first, second = buildable(game)[:2]
    play(game, f"mark {first}")
    assert (houses(game, first), game.player) == (["", "", ""], order(game)[1])
    play(game, f"mark {second}")
    assert game.phase == "auction"
    assert houses(game, first) == houses(game, second) == ["", "trust", ""]
    assert game.state.trust_houses == 8


def test_rt_27_building_in_a_marked_city_triggers_no_further_house():
    marked = {"Essen": 0, "Köln": 1}
    game = duel(
        phase="building", start_cities=True, start_markers=marked, trust={"blocked_cities": ["Essen", "Köln"]}
    )
    play(game, "build Essen")
    assert (houses(game, "Essen"), game.state.trust_houses) == ([1, "trust", ""], 8)
    play(game, "build Duisburg")
    assert (houses(game, "Duisburg"), game.state.trust_houses) == ([1, "trust", ""], 7)
