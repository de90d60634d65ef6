"""Section 16: mistakes seen in public engines, one test each."""

import pytest

from powergrid_env import Game
from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cost,
    finish_phase,
    fuel,
    legal,
    market,
    order,
    play,
    seat,
    stack,
    supply,
)


def test_2004_numbers_are_not_used_for_two_recharged_players():
    for trust in (True, False):
        record = Game(players=2, trust=trust, seed=0).board.record
        assert (record.step2_cities, record.end_cities, record.plant_limit) == (7, 18, 3)


def test_39_does_not_trigger_at_nomination():
    game = a_game(seat(), seat(money=30), step=2, market="36* 37 38 39 | 40 42 44 46")
    play(game, "nominate 39")
    assert not game.state.uranium_stopped
    play(game, "bid 39, pass")
    assert not game.state.uranium_stopped
    play(game, "pass")
    assert game.state.uranium_stopped


def test_no_path_through_regions_out_of_play():
    # Hannover-Kassel is 15. Without red the way from Hannover to Fulda (15 + 8) is Erfurt, 19 + 13.
    through = a_game(
        seat(cities="Hannover"), phase="building", acted=[1, 2], regions=["cyan", "red", "yellow"]
    )
    around = a_game(
        seat(cities="Hannover"), phase="building", acted=[1, 2], regions=["cyan", "brown", "yellow"]
    )
    assert (cost(through, "build Fulda"), cost(around, "build Fulda")) == (23 + 10, 32 + 10)


def test_the_token_does_not_wander_to_the_next_plant():
    game = a_game(market="6* 7 10 11 | 12 13 14 15")
    play(game, "nominate 6, bid 1, pass, pass, nominate 7")
    assert legal(game)[0] == "bid 7"


@pytest.mark.parametrize("edition", ["recharged", "2004"])
def test_one_plant_leaves_when_all_pass_not_two(edition):
    game = a_game(edition=edition, market="8 10 13 14 | 15 16 19 20", stack="26 30 31 S3")
    finish_phase(game)
    assert stack(game) == "30 31 S3"


def test_no_second_replacement_after_a_scrap():
    game = a_game(seat("20 21 22"), market="6* 7 10 11 | 12 13 14 15", stack="26 30 31 S3")
    play(game, "nominate 7, bid 7, pass, pass, scrap 20")
    assert (stack(game), market(game)) == ("30 31 S3", "6* 10 11 12 | 13 14 15 26")


def test_no_tokens_stay_on_plants_that_cannot_hold_them():
    game = a_game(seat("8 14 16", "6/4/4/0"), market="22* 23 24 26 | 27 28 29 30")
    play(game, "nominate 23, bid 23, pass, pass, scrap 8")
    assert fuel(game, 0) == "0/4/4/0"


def test_no_tokens_are_dropped_though_another_plant_has_room():
    game = a_game(seat("8 12 16", "3/2/0/0"), market="22* 23 24 26 | 27 28 29 30")
    play(game, "nominate 23, bid 23, pass, pass, scrap 8")
    assert fuel(game, 0) == "3/2/0/0"  # 3 coal on the hybrid, 2 oil on 16


def test_step_2_does_not_start_during_phase_4():
    owners = [seat(), seat(cities="Aachen"), seat(cities="Essen, Köln, Trier, Mainz, Münster, Kassel")]
    game = a_game(*owners, phase="building")
    play(game, "build Mannheim, pass")
    assert (game.state.num_cities[2], game.step_number) == (7, 1)
    assert_refused(game, "build Köln", "R4.4")


def test_step_3_does_not_start_in_the_middle_of_an_auction():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 25 31")
    play(game, "nominate 6, bid 1, pass, pass")
    assert (game.step_number, legal(game)) == (
        2, ["pass", "nominate 7", "nominate 10", "nominate 11", "nominate 12"],
    )  # fmt: skip


def test_the_largest_supply_does_not_starve_a_pure_plant():
    # One coal is left beside what 20 and 42 burn only if hybrid 29 runs on oil.
    game = a_game(seat("20 29 42", "5/1/0/0", 17), phase="building", step=2)
    finish_phase(game)
    assert game.result().supplied[0] == 15


@pytest.mark.parametrize(
    ("held", "coal_first", "oil_first"),
    [("1/5/0/0", "0/2/0/0", "1/1/0/0"), ("5/1/0/0", "1/1/0/0", "2/0/0/0"), ("3/3/0/0", "0/2/0/0", "2/0/0/0")],
)
def test_coal_does_not_go_negative_when_coal_and_oil_overflow_a_hybrid(held, coal_first, oil_first):
    for choice, end in [(0, coal_first), (-1, oil_first)]:
        game = a_game(seat("12 29 24", held), market="6* 7 8 9 | 10 11 13 14", track="10/10/9/2")
        play(game, "nominate 6, bid 1, pass, pass, scrap 12")  # room for 2 is left on 29
        while game.decision == "give_up":
            play(game, legal(game)[choice])
        assert fuel(game, 0) == end
        coal, oil = map(int, end.split("/")[:2])
        assert supply(game) == f"{24 - 10 - coal}/{24 - 10 - oil}/15/10"


def test_the_uranium_ladder():
    price = Game(players=3, seed=0).board.record.price[3]
    assert [int(price[left]) for left in range(12, 0, -1)] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]


def test_round_1_is_reordered_after_a_contested_auction():
    game = a_game(round=1, market="4* 7 10 13 | 14 15 16 17", order=[0, 1, 2])
    play(game, "nominate 13, bid 13, pass, bid 14, pass, nominate 4, bid 1, pass, nominate 7, bid 7")
    assert (game.phase, order(game)) == ("resources", [2, 1, 0])


def test_the_winner_is_not_picked_by_cities_or_by_money_alone():
    owners = [
        seat("13", cities=17, money=50),
        seat("33", cities=5, money=10),
        seat("22", cities=4, money=900),
    ]
    game = a_game(*owners, phase="building", step=2)
    assert buildable(game)
    finish_phase(game)
    assert (game.result().supplied, game.result().winners) == ([1, 4, 2], [1])
