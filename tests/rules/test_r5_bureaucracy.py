"""R5: phase 5, bureaucracy."""

from itertools import pairwise

import pytest

from powergrid_env import Game
from tests.builders import (
    a_game,
    assert_refused,
    finish_phase,
    finish_round,
    fuel,
    legal,
    market,
    money,
    order,
    play,
    seat,
    stack,
    supply,
    track,
)


def owner(plants, fuel="0/0/0/0", cities=7, **more):
    """Phase 5 with the first seat to act, without money."""
    return a_game(seat(plants, fuel, cities, money=0), phase="bureaucracy", step=2, **more)


def resupplied(players=3, step=1, **more):
    game = a_game(players=players, phase="bureaucracy", step=step, **more)
    finish_phase(game)
    return game


# ------------------------------------------------------------------------------------- income


def test_r5_1_any_set_of_the_own_plants_may_run():
    game = owner("10 13 35", "2/1/0/0")
    assert set(legal(game)) == {
        "run none", "run 10", "run 13", "run 35", "run 10 13", "run 10 35", "run 13 35", "run 10 13 35",
    }  # fmt: skip
    assert_refused(game, "run 8", "R5.1")
    assert_refused(game, "pass", "R5.1")


def test_r5_1_in_order_and_over_production_is_lost():
    game = a_game(
        seat("36 33", "3/0/0/0", 2, 0), seat("13", cities=4, money=0), order=[1, 0, 2], phase="bureaucracy"
    )
    play(game, "run 13")
    assert (money(game, 1), game.player) == (22, 0)
    play(game, "run 33 36")
    assert (money(game, 0), fuel(game, 0), game.player) == (33, "0/0/0/0", 2)


def test_r5_1_running_in_vain_is_allowed():
    game = owner("10 33", "2/0/0/0", cities=1)
    play(game, "run 10 33")
    assert (money(game, 0), fuel(game, 0)) == (22, "0/0/0/0")


def test_r5_1_supplying_fewer_cities_than_the_plants_run_allow_never_pays():
    income = Game(players=3, seed=0).board.record.income
    assert all(more > fewer for fewer, more in pairwise(income))


def test_r5_2_exactly_the_burn_number_or_not_at_all():
    game = owner("8", "2/0/0/0")
    assert legal(game) == ["run none"]
    assert_refused(game, "run 8", "R5.2")
    for held, left in [("3/0/0/0", "0/0/0/0"), ("6/0/0/0", "3/0/0/0")]:
        game = owner("8", held)
        play(game, "run 8")
        assert (money(game, 0), fuel(game, 0), game.player) == (33, left, 1)


def test_r5_2_plants_do_not_share_tokens():
    game = owner("10 25", "3/0/0/0")
    assert_refused(game, "run 10 25", "R5.2")
    play(game, "run 25")
    assert (money(game, 0), fuel(game, 0)) == (64, "1/0/0/0")


def test_r5_3_hybrids_burn_any_mix_of_coal_and_oil():
    mixes = {}
    for coal in range(3):
        game = owner("12", "2/2/0/0", track="20/18/9/2")
        game.play("run 12")
        assert legal(game) == ["burn 0 coal", "burn 1 coal", "burn 2 coal"]
        assert_refused(game, "pass", "R5.3")
        game.play(f"burn {coal} coal")
        assert money(game, 0) == 33
        mixes[coal] = fuel(game, 0)
    assert mixes == {0: "2/0/0/0", 1: "1/1/0/0", 2: "0/2/0/0"}


def test_r5_3_a_mix_without_a_choice_is_not_asked():
    for held in ("2/0/0/0", "1/1/0/0", "0/2/0/0"):
        game = owner("12", held)
        play(game, "run 12")
        assert (money(game, 0), fuel(game, 0), game.player) == (33, "0/0/0/0", 1)


def test_r5_4_a_plant_burns_tokens_lying_on_it():
    # 29 and 35 with 2 coal and 2 oil: oil fills 35, so 29 is full of coal and burns coal.
    game = owner("29 35", "2/2/0/0", track="20/18/9/2")
    play(game, "run 29 35")
    assert (fuel(game, 0), game.player) == ("1/1/0/0", 1)
    game = owner("29 35", "2/2/0/0", track="20/18/9/2")
    play(game, "run 29")
    assert (fuel(game, 0), game.player) == ("1/2/0/0", 1)


def test_r5_4_a_mix_outside_the_layouts_is_refused():
    # 3 oil and the one coal that does not fit on 8 fill hybrid 5: it can burn one coal at most.
    game = owner("5 8", "7/3/0/0", track="17/18/9/2")
    play(game, "run 5")
    assert legal(game) == ["burn 0 coal", "burn 1 coal"]
    assert_refused(game, "burn 2 coal", "R5.4")


def test_r5_5_burnt_tokens_go_to_the_supply_not_to_the_track():
    game = owner("8 14 17", "3/0/2/1", track="10/10/10/5")
    play(game, "run 8 14 17")
    assert (supply(game), track(game)) == ("14/14/14/7", "10/10/10/5")


def test_r5_5_coal_goes_to_the_coal_storage_in_the_usa():
    game = owner("8 14 17", "3/0/2/1", board="usa", track="10/10/10/5", storage=11)
    play(game, "run 8 14 17")
    assert (supply(game), game.state.storage) == ("0/14/14/7", 14)


def test_r5_6_income():
    game = a_game(
        seat("13 20 33", "3/0/0/0", 9, 5), seat("18", cities=0, money=5), phase="bureaucracy", step=2
    )
    play(game, "run 20 33, run none, run none")
    assert [money(game, player) for player in range(3)] == [5 + 98, 5 + 10, 100 + 10]


# ----------------------------------------------------------------------------------- resupply


def test_r5_10_tokens_move_from_the_supply_to_the_track():
    game = resupplied(players=4, step=2, track="10/11/12/5")
    assert (track(game), supply(game)) == ("16/15/15/7", "8/9/9/5")


def test_r5_10_dearest_free_spaces_first():
    # 7 garbage lie on 8, 8, 8, 7, 7, 7, 6; three more on 6, 6, 5: the next one costs 5.
    game = resupplied(players=5, track="1/1/7/1")
    assert track(game) == "6/5/10/3"
    price = game.board.record.price
    assert [price[row, count] for row, count in enumerate(game.state.track)] == [7, 7, 5, 12]


def test_r5_11_not_more_than_the_supply_holds():
    game = a_game(
        seat("31 8", "12/0/0/0"), seat("20", "6/0/0/0"), players=4, phase="bureaucracy", track="4/18/9/2"
    )
    finish_phase(game)
    assert (track(game), supply(game)) == ("6/21/11/3", "0/3/13/9")


def test_r5_11_not_more_than_the_row_has_room_for():
    game = resupplied(track="23/24/24/12")
    assert (track(game), supply(game)) == ("24/24/24/12", "0/0/0/0")


def test_r5_11_example_uranium_comes_on_12_and_10():
    game = resupplied(players=5, track="1/1/1/2")
    assert (game.state.track[3], game.board.record.price[3, 4]) == (4, 10)


def test_r5_12_map_rules_of_the_resupply():
    assert track(resupplied(track="1/1/1/1", uranium_stopped=True)) == "5/3/2/1"
    game = resupplied(board="usa", track="1/1/1/1", storage=23)
    assert (track(game), game.state.storage) == ("5/3/2/2", 19)


# ------------------------------------------------------------------------------- plant market


@pytest.mark.parametrize("step", [1, 2])
def test_r5_20_the_highest_future_plant_goes_under_the_stack(step):
    game = a_game(phase="bureaucracy", step=step, market="10 13 15 16 | 18 20 25 36", stack="22 40 S3 31")
    finish_phase(game)
    assert (market(game), stack(game)) == ("10* 13 15 16 | 18 20 22 25", "40 S3 31 36")


def test_r5_21_in_step_3_the_lowest_plant_leaves():
    game = a_game(phase="bureaucracy", step=3, market="24 25 30 31 36 38", stack="28 40")
    finish_phase(game)
    assert (market(game), stack(game)) == ("25* 28 30 31 36 38", "40")


def test_r5_22_an_empty_stack_replaces_nothing():
    game = a_game(phase="bureaucracy", step=3, market="24 25 30", stack="")
    shown = []
    for _ in range(4):
        finish_phase(game)  # bureaucracy
        shown.append(market(game))
        finish_round_but_bureaucracy(game)
    assert shown == ["25* 30", "", "", ""]  # 25 unsold, then 30 as the lowest
    assert (game.round_number, game.over) == (6, False)


def test_r5_22_in_phase_2_with_the_step_3_card_on_display():
    game = a_game(step=2, market="20* 21 22 S3", stack="")
    play(game, "nominate 21, bid 21, pass, pass")
    assert market(game) == "20* 22 S3"
    finish_phase(game)
    assert (market(game), game.step_number) == ("", 3)  # 20 unsold, then 22 as the lowest
    finish_round(game)
    assert legal(game) == ["pass"]
    finish_phase(game)
    assert (game.phase, sorted(order(game))) == ("resources", [0, 1, 2])


def finish_round_but_bureaucracy(game):
    while game.phase != "bureaucracy":
        finish_phase(game)
