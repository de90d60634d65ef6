"""RC: constants. Numbers are read off games that are played, not off the tables."""

import re
from pathlib import Path

import numpy as np
import pytest

import powergrid_env
from powergrid_env import Game, GameConfig
from powergrid_env.constants import PlantKind
from tests.builders import (
    FUELS,
    a_game,
    assert_refused,
    buildable,
    cost,
    finish_phase,
    money,
    plants,
    seat,
    supply,
    tokens,
    track,
)

RULES = (Path(powergrid_env.__file__).parent / "RULES.md").read_text(encoding="utf-8")
PLAYERS = range(2, 7)
REGIONS = [3, 3, 4, 5, 5]
NUMBERS = {  # RC.7 by players 2 to 6: stack at the start, plant limit, Step 2 and end at so many cities
    "recharged": ([29, 27, 31, 35, 35], [3, 3, 3, 3, 3], [7, 7, 7, 7, 6], [18, 17, 17, 15, 14]),
    "2004": ([27, 27, 31, 35, 35], [4, 3, 3, 3, 3], [10, 7, 7, 7, 6], [21, 17, 17, 15, 14]),
}
RESUPPLY = {  # RC.8 by players: Steps 1, 2, 3
    2: ("3/2/1/1", "4/2/2/1", "3/4/3/1"),
    3: ("4/2/1/1", "5/3/2/1", "3/4/3/1"),
    4: ("5/3/2/1", "6/4/3/2", "4/5/4/2"),
    5: ("5/4/3/2", "7/5/3/3", "5/6/5/2"),
    6: ("7/5/3/2", "9/6/5/3", "6/7/6/3"),
}
INCOME = [10, 22, 33, 44, 54, 64, 73, 82, 90, 98, 105, 112, 118, 124, 129, 134, 138, 142, 145, 148, 150, 150]


@pytest.mark.parametrize("players", PLAYERS)
def test_rc_1_everybody_starts_with_50_elektro_and_nothing_else(players):
    state = Game(players=players, seed=1).state
    assert list(state.money) == [50] * players + [0] * (6 - players)
    for field in ("num_plants", "fuel", "num_cities"):
        assert not state[field].any(), field


@pytest.mark.parametrize("players", [0, 1, 7, 2.5, True, "4"])
def test_rc_1_two_to_six_play(players):
    with pytest.raises(ValueError, match="players is .*; allowed: 2 to 6"):
        GameConfig(players=players)


def test_rc_1_a_player_has_22_houses():
    game = a_game(seat(cities=21, money=500), players=4, phase="building", step=2, acted=[1, 2, 3])
    last_two = buildable(game)[:2]
    game.play(f"build {last_two[0]}")
    assert buildable(game) == []
    assert_refused(game, f"build {last_two[1]}", "R4.10")


@pytest.mark.parametrize("board", ["germany", "usa"])
def test_rc_2_tokens_are_conserved_whatever_is_played(board):
    game, draw = Game(players=4, board=board, seed=3), np.random.default_rng(3)
    held = set()
    while not game.over:
        state = game.state
        total = state.track + state.supply + state.fuel.sum(axis=0)
        total[0] += state.storage
        assert list(total) == [24, 24, 24, 12]
        held.add(int(state.fuel.sum()))
        game.play(draw.choice(game.legal_actions()))
    assert len(held) > 10  # tokens did move


@pytest.mark.parametrize("fuel", ["coal", "oil", "garbage"])
def test_rc_3_coal_oil_and_garbage_cost_1_to_8_three_of_each(fuel):
    plant = {"coal": "10", "oil": "16", "garbage": "14"}[fuel]
    prices = []
    for left in range(1, 25):
        on_track = {**tokens("1/1/1/1"), fuel: left}
        game = a_game(seat(plant), phase="resources", acted=[1, 2], track="1/1/1/1")
        game.state.track[FUELS.index(fuel)] = on_track[fuel]
        game.state.supply[FUELS.index(fuel)] = 24 - left
        prices.append(cost(game, f"buy 1 {fuel}"))
    assert prices == [1 + (24 - left) // 3 for left in range(1, 25)]
    assert (prices[0], prices[-1]) == (8, 1)


def test_rc_3_uranium_costs_1_to_8_then_10_12_14_16():
    prices = []
    for left in range(12, 0, -1):
        game = a_game(seat("11"), phase="resources", acted=[1, 2], track=f"0/0/0/{left}")
        prices.append(cost(game, "buy 1 uranium"))
    assert prices == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]


@pytest.mark.parametrize(
    ("edition", "on_track", "in_supply", "prices"),
    [
        ("recharged", "24/18/9/2", "0/6/15/10", [1, 3, 6, 14]),
        ("2004", "24/18/6/2", "0/6/18/10", [1, 3, 7, 14]),
    ],
)
def test_rc_4_track_and_supply_at_the_start(edition, on_track, in_supply, prices):
    game = Game(players=3, edition=edition, seed=0)
    assert (track(game), supply(game)) == (on_track, in_supply)
    game = a_game(seat("10 14 16"), seat("11"), phase="resources", acted=[2], edition=edition)
    assert track(game) == on_track
    uranium = cost(game, "buy 1 uranium")
    game.play("pass")
    assert [*(cost(game, f"buy 1 {fuel}") for fuel in FUELS[:3]), uranium] == prices


@pytest.mark.parametrize("supplied", range(22))
def test_rc_5_income_for_cities_supplied(supplied):
    owner = seat("36 38 46", fuel="6/3/3/0", cities=supplied, money=0)
    game = a_game(owner, phase="bureaucracy", step=2, rulings={"end_cities": 22})
    game.play("run 36 38 46")
    assert game.decision == "burn"
    game.play("burn 3 coal")
    assert money(game, 0) == INCOME[supplied]


@pytest.mark.parametrize(("others", "price"), [(0, 10), (1, 15), (2, 20)])
def test_rc_6_house_spaces_cost_10_15_and_20(others, price):
    game = a_game(*[seat(cities="Essen")] * others, *[seat()] * (3 - others), phase="building", step=3)
    assert cost(game, "build Essen") == price


@pytest.mark.parametrize("edition", ["recharged", "2004"])
@pytest.mark.parametrize("players", PLAYERS)
def test_rc_7_numbers_per_player_count(edition, players):
    row = players - 2
    stack_size, plant_limit, step2_cities, end_cities = (column[row] for column in NUMBERS[edition])
    game = Game(players=players, edition=edition, seed=5)
    record, state = game.board.record, game.state
    assert record.zone_regions[state.zone].sum() == REGIONS[row]
    assert state.stack_size == stack_size
    assert state.num_removed == 43 - 8 - stack_size
    assert (record.plant_limit, record.step2_cities, record.end_cities) == (
        plant_limit,
        step2_cities,
        end_cities,
    )


@pytest.mark.parametrize(
    ("edition", "players", "cards"), [("recharged", 2, (1, 5)), ("recharged", 4, (1, 3))]
)
def test_rc_7_plugs_and_sockets_are_removed_apart(edition, players, cards):
    for seed in range(5):
        removed = Game(players=players, edition=edition, seed=seed).state.removed
        removed = removed[removed > 0]
        assert ((removed <= 15).sum(), (removed > 15).sum()) == cards


@pytest.mark.parametrize(
    "edition_and_board", ["recharged germany", "recharged usa", "2004 germany", "2004 usa"]
)
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("players", PLAYERS)
def test_rc_8_resupply(players, step, edition_and_board):
    edition, board = edition_and_board.split()
    storage = {"storage": 24} if (edition, board) == ("recharged", "usa") else {}
    game = a_game(
        players=players,
        phase="bureaucracy",
        step=step,
        track="0/0/0/0",
        edition=edition,
        board=board,
        **storage,
    )
    finish_phase(game)
    assert track(game) == RESUPPLY[players][step - 1]


def test_rc_9_plants_are_those_of_the_table():
    rows = re.findall(r"\| (\d+) \| (coal|oil|garbage|uranium|hybrid|eco)[^|]* \| (\d) \| (\d) (?=\|)", RULES)
    assert len(rows) == 42
    board = Game(players=3, seed=0).board.record
    known = {
        int(number): (PlantKind[kind.upper()], int(burn), int(cities)) for number, kind, burn, cities in rows
    }
    for number in range(len(board.plant_kind)):
        kind, burn, cities = known.get(number, (PlantKind.ABSENT, 0, 0))
        found = (board.plant_kind[number], board.plant_burn[number], board.plant_cities[number])
        assert found == (kind, burn, cities), number
    assert [int(plant) for plant in np.flatnonzero(board.plant_is_plug)] == list(range(3, 16))


def test_rc_9_a_game_deals_42_plants_and_the_step_3_card_once_each():
    state = Game(players=5, seed=2).state
    dealt = [*state.market[: state.market_size], *state.stack[: state.stack_size]]
    assert sorted(int(card) for card in dealt) == [*range(3, 41), 42, 44, 46, 50, 51]


def test_rc_10_the_bank_never_runs_out_and_knows_whole_elektro_only():
    rich = seat("36 38 46", fuel="6/3/3/0", cities=20, money=1_000_000)
    game = a_game(rich, phase="bureaucracy", step=2, rulings={"end_cities": 22})
    game.play("run 36 38 46").play("burn 3 coal")
    assert money(game, 0) == 1_000_150
    game = a_game(seat(), market="3* 4 5 6 | 7 8 9 10")
    game.play("nominate 4")
    assert_refused(game, "bid 4.5", "no action")
    game.play("bid 100").play("pass").play("pass")
    assert (money(game, 0), plants(game, 0)) == (0, [4])
