"""Invariants: every check finds what breaks it, and no state of thousands of random games breaks any."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from powergrid_env import engine
from powergrid_env.board import Board, make_board
from powergrid_env.constants import STEP_3_CARD, TRUST, Decision, EndReason, Phase, Step3Card
from powergrid_env.invariants import CLEAN, Check, finding, first_problem, problems
from powergrid_env.position import from_position
from powergrid_env.rng import first_word
from powergrid_env.state import State, make_states
from tests.builders import TRUST_START
from tests.random_games import NUM_STYLES, RARE, configs, play_checked

MARKET = [3, 4, 5, 6, 7, 8, 9, 10]
BASE = {"players": 3, "round": 2, "order": [0, 1, 2], "regions": ["cyan", "blue", "red"], "market": MARKET}
SEATS = [
    {"plants": [13, 20, 39], "fuel": {"coal": 2}, "cities": ["Essen", "Kiel"]},
    {"cities": ["Hannover"]},
    {},
]
CHOICE = {**BASE, "seats": SEATS}
LOT = {**CHOICE, "auction": {"plant": 5, "bid": 8, "bidder": 1}}
OPENING = {**CHOICE, "auction": {"plant": 5}}
BUILDING = {**CHOICE, "phase": "building", "acted": [2]}
STEP_2 = {**BUILDING, "step": 2}
USA = {"players": 3, "board": "usa", "phase": "resources", "track": {"coal": 20}}
SCRAP = {
    **BASE,
    "seats": [{"plants": [11, 20, 33, 39]}, {}, {}],
    "market": MARKET[:7],
    "pending": {"new_plant": 33},
}
BURN = {
    "players": 3, "phase": "bureaucracy", "player": 0, "pending": {"run": [5]},
    "seats": [{"plants": [5], "fuel": {"coal": 2, "oil": 2}}, {}, {}],
}  # fmt: skip
OVER = {"phase": "over", "seats": [{"plants": [13], "cities": ["Essen"]}, {}, {}]}
OLD = {"players": 3, "edition": "2004"}
TRUST_PLAYS = {
    "players": 2, "regions": ["cyan", "blue", "red"],
    "trust": {"plants": [5, 8], "fuel": {"coal": 4, "oil": 1}, "start_cities": TRUST_START["germany"]},
}  # fmt: skip
TRUST_BUILDS = {**TRUST_PLAYS, "phase": "building"}
TRUST_CHOOSES = {**TRUST_PLAYS, "phase": "auction", "trust": {"start_cities": TRUST_START["germany"]}}
PLACING = {"players": 2, "phase": "trust_setup"}
MARKED = {
    "players": 3, "regions": ["cyan", "blue", "red"], "phase": "building", "config": {"start_cities": True},
    "start_markers": {"Essen": 0}, "seats": [{}, {"cities": ["Köln"]}, {}],
}  # fmt: skip

Mutation = Callable[[State, Board], None]
BREAKS: list[tuple[Check, dict[str, Any], Mutation]] = []


def breaks(check: Check, *positions: dict[str, Any]) -> Callable[[Mutation], Mutation]:
    """The function below makes consistent positions break a check."""

    def register(mutation: Mutation) -> Mutation:
        BREAKS.extend((check, position, mutation) for position in positions)
        return mutation

    return register


def put(check: Check, position: dict[str, Any], field: str, value: Any, *place: int) -> None:
    """Writing a value to a field, or to an entry of it, breaks a check."""

    def write(state: State, board: Board) -> None:
        if place:
            state[field][place] = value
        else:
            state[field] = value

    write.__name__ = f"{field}{list(place) or ''} = {value}"
    BREAKS.append((check, position, write))


def city(board: Board, name: str) -> int:
    return board.cities.index(name)


put(Check.RANGE, CHOICE, "phase", 9)
put(Check.RANGE, CHOICE, "phase", Phase.START_CITIES)
put(Check.RANGE, CHOICE, "decision", Decision.BUY)
put(Check.RANGE, CHOICE, "player", -1)
put(Check.RANGE, CHOICE, "player", 3)
put(Check.RANGE, CHOICE, "step_number", 4)
put(Check.RANGE, CHOICE, "round_number", 0)
put(Check.RANGE, CHOICE, "zone", 60)
put(Check.RANGE, CHOICE, "passed", 2, 1)
put(Check.PADDING, CHOICE, "market", 0, 2)
put(Check.PADDING, CHOICE, "stack_size", 3)
put(Check.PADDING, CHOICE, "removed", 50, 0)
put(Check.PADDING, CHOICE, "plants", 50, 0, 3)
put(Check.PADDING, CHOICE, "money", 1, 3)
put(Check.PADDING, CHOICE, "num_plants", 6, 0)
put(Check.ORDER, CHOICE, "order", 1, 0)
put(Check.ORDER, CHOICE, "order", 3, 3)
put(Check.CARDS, CHOICE, "plants", 41, 0, 1)
put(Check.CARDS, CHOICE, "plants", STEP_3_CARD, 0, 2)
put(Check.CARDS, CHOICE, "plants", 3, 0, 0)
put(Check.CARDS, CHOICE, "stack", 3, 0)
put(Check.STEP_3_CARD, CHOICE, "step3", Step3Card.IN_MARKET)
put(Check.STEP_3_CARD, CHOICE, "step_number", 3)
put(Check.STEP_3_CARD, CHOICE, "skip_market_update", 1)
put(Check.STEP_3_CARD, {**BUILDING, "market": MARKET[:6], "step3": "drawn"}, "phase", Phase.RESOURCES)
put(Check.OBSOLETE, OLD, "num_cities", 3, 1)
put(Check.DISCOUNT, CHOICE, "discount", 7)
put(Check.DISCOUNT, CHOICE, "discount", 11)
put(Check.DISCOUNT, BUILDING, "discount", 3)
put(Check.DISCOUNT, OLD, "discount", 3)
put(Check.TOKENS, CHOICE, "track", 23, 0)
put(Check.TOKENS, CHOICE, "supply", 7, 1)
put(Check.TOKENS, CHOICE, "fuel", 3, 0, 0)
put(Check.MONEY, CHOICE, "money", -1, 1)
put(Check.PLANTS, SCRAP, "decision", Decision.GIVE_UP)
put(Check.FUEL_CAPACITY, CHOICE, "fuel_capacity", 5, 0, 0)
put(Check.FUEL_CAPACITY, CHOICE, "fuel_capacity", 2, 4, 1)
put(Check.URANIUM, CHOICE, "uranium_stopped", 0)
put(Check.URANIUM, USA, "uranium_stopped", 1)
put(Check.NETWORK, CHOICE, "num_cities", 3, 0)
put(Check.CONNECTIONS, CHOICE, "connection_cost", 1, 0, 0)
put(Check.CONNECTIONS, CHOICE, "connection_cost", 0, 5, 0)
put(Check.TRUST_HOUSES, TRUST_BUILDS, "trust_houses", 9)
put(Check.TRUST_HOUSES, CHOICE, "trust_houses", 1)
put(Check.TRUST_FUEL, TRUST_BUILDS, "phase", Phase.AUCTION)
put(Check.TURN, BUILDING, "player", 0)
put(Check.TURN, BUILDING, "passed", 1, 0)
put(Check.TURN, BUILDING, "passed", 1, slice(0, 3))
put(Check.TURN, OVER, "passed", 1, 0)
put(Check.TURN, PLACING, "passed", 1, 0)
put(Check.AUCTION, CHOICE, "player", 1)
put(Check.AUCTION, CHOICE, "bought", 1, slice(0, 3))
put(Check.AUCTION, BUILDING, "bought", 1, 0)
put(Check.AUCTION, {**CHOICE, "auction": {"passed": [0]}}, "bought", 1, 0)
put(Check.AUCTION, CHOICE, "trust_done", 1)
put(Check.AUCTION, TRUST_BUILDS, "trust_done", 1)
put(Check.LOT, CHOICE, "auction_chooser", 0)
put(Check.LOT, CHOICE, "auction_bid", 5)
put(Check.LOT, CHOICE, "bidding", 1, 0)
put(Check.LOT, CHOICE, "decision", Decision.BID)
put(Check.LOT, LOT, "auction_plant", 7)
put(Check.LOT, LOT, "auction_plant", 20)
put(Check.LOT, LOT, "auction_chooser", 1)
put(Check.LOT, LOT, "auction_bid", 4)
put(Check.LOT, LOT, "auction_bid", 51)
put(Check.LOT, LOT, "auction_bidder", 2)
put(Check.LOT, LOT, "auction_bidder", -1)
put(Check.LOT, LOT, "player", 0)
put(Check.LOT, LOT, "bidding", 0, slice(1, 3))
put(Check.LOT, LOT, "passed", 1, 2)
put(Check.LOT, OPENING, "player", 1)
put(Check.LOT, OPENING, "bidding", 0, 2)
put(Check.LOT, OPENING, "money", 4, 0)
put(Check.NEW_PLANT, SCRAP, "new_plant", 32)
put(Check.NEW_PLANT, SCRAP, "bought", 0, 0)
put(Check.NEW_PLANT, SCRAP, "give_up_left", 1)
put(Check.NEW_PLANT, CHOICE, "new_plant", 13)
put(Check.NEW_PLANT, CHOICE, "decision", Decision.SCRAP)
put(Check.RUN, BURN, "pending_run", -1)
put(Check.RUN, BURN, "pending_run", 2)
put(Check.RUN, BURN, "decision", Decision.RUN)
put(Check.RUN, BURN, "fuel", 0, 0, 0)
put(Check.END, CHOICE, "end_reason", EndReason.CITIES)
put(Check.END, CHOICE, "supplied", 1, 0)
put(Check.END, OVER, "supplied", 0, 0)
put(Check.END, OVER, "end_reason", EndReason.RUNNING)


@breaks(Check.MARKET_SORTED, CHOICE)
def swap_cards(state: State, board: Board) -> None:
    state.market[:2] = state.market[[1, 0]]


@breaks(Check.MARKET_SIZE, CHOICE, SCRAP)
def lose_a_card(state: State, board: Board) -> None:
    state.market_size -= 1
    state.market[state.market_size] = 0


@breaks(Check.STORAGE, USA, CHOICE)
def mix_up_coal(state: State, board: Board) -> None:
    state.track[0] -= 1
    state.supply[0] += board.config.board == "usa"
    state.storage += board.config.board != "usa"


@breaks(Check.TOKENS, USA, CHOICE)
def owe_a_token(state: State, board: Board) -> None:
    state.fuel[2, 0] -= 1
    state.track[0] += 1


@breaks(Check.PLANTS, CHOICE)
def get_a_fourth_plant(state: State, board: Board) -> None:
    state.plants[0, 3] = 50
    state.stack[state.stack == 50] = 41
    state.num_plants[0] = 4


@breaks(Check.PLANTS, CHOICE)
def swap_plants(state: State, board: Board) -> None:
    state.plants[0, :2] = state.plants[0, [1, 0]]


@breaks(Check.FUEL, CHOICE, BUILDING)
def take_the_wrong_token(state: State, board: Board) -> None:
    state.fuel[0, 1] += 1
    state.track[1] -= 1


@breaks(Check.HOUSES, CHOICE)
def build_outside_the_zone(state: State, board: Board) -> None:
    state.city_spaces[city(board, "München"), 0] = 2


@breaks(Check.HOUSES, CHOICE)
def build_for_an_absent_seat(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Köln"), 0] = 4


@breaks(Check.HOUSES, CHOICE)
def build_for_an_absent_trust(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Köln"), 0] = TRUST


@breaks(Check.HOUSES, TRUST_BUILDS)
def build_at_20_for_the_trust(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Köln"), 2] = TRUST


@breaks(Check.HOUSES, CHOICE)
def build_off_the_board(state: State, board: Board) -> None:
    state.city_spaces[60, 0] = 1


@breaks(Check.SECOND_HOUSE, STEP_2)
def build_twice(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Essen"), 1] = 0


@breaks(Check.SECOND_HOUSE, TRUST_BUILDS)
def build_twice_for_the_trust(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Kiel"), 1] = TRUST


@breaks(Check.OPEN_SPACES, BUILDING)
def build_at_15_in_step_1(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Essen"), 1] = 1


@breaks(Check.OPEN_SPACES, STEP_2)
def build_at_15_beside_a_free_10(state: State, board: Board) -> None:
    state.city_spaces[city(board, "Köln"), 1] = 1


@breaks(Check.MARKERS, MARKED)
def mark_outside_the_zone(state: State, board: Board) -> None:
    state.start_markers[city(board, "München")] = 1


@breaks(Check.MARKERS, MARKED)
def mark_two_cities(state: State, board: Board) -> None:
    state.start_markers[city(board, "Kiel")] = 0


@breaks(Check.MARKERS, MARKED)
def mark_a_city_with_a_house(state: State, board: Board) -> None:
    state.start_markers[city(board, "Köln")] = 1


@breaks(Check.MARKERS, CHOICE)
def mark_without_the_rule(state: State, board: Board) -> None:
    state.start_markers[city(board, "Köln")] = 1


@breaks(Check.TRUST_PLANTS, TRUST_BUILDS)
def swap_trust_plants(state: State, board: Board) -> None:
    state.trust_plants[:2] = state.trust_plants[[1, 0]]


@breaks(Check.TRUST_PLANTS, CHOICE)
def give_plants_to_an_absent_trust(state: State, board: Board) -> None:
    state.trust_plants[0] = 50
    state.trust_num_plants = 1
    state.stack[state.stack == 50] = 41


@breaks(Check.TRUST_FUEL, TRUST_BUILDS)
def store_more_for_the_trust(state: State, board: Board) -> None:
    state.trust_fuel[0] += 1
    state.track[0] -= 1


@breaks(Check.TURN, PLACING)
def let_the_other_place(state: State, board: Board) -> None:
    state.player = 1 - state.player


@breaks(Check.STUCK, PLACING)
def fill_the_zone(state: State, board: Board) -> None:
    state.city_spaces[board.record.in_zone[state.zone] == 1, 0] = 0


@pytest.mark.parametrize(
    ("check", "position", "mutation"),
    BREAKS,
    ids=[f"{check.name.lower()}: {mutation.__name__}" for check, _, mutation in BREAKS],
)
def test_a_broken_state_is_found(check: Check, position: dict[str, Any], mutation: Mutation) -> None:
    board, states = from_position(position)
    state, record = states[0], board.record
    assert first_problem(state, record) == 0
    assert problems(state, board) == []
    mutation(state, board)
    assert finding(state, record, check.value) != CLEAN
    assert 0 < first_problem(state, record) <= check
    found = problems(state, board)
    assert found
    assert all(text.strip() for text in found)


def test_every_check_is_broken_once() -> None:
    assert {check for check, _, _ in BREAKS} == set(Check)


def test_problems_are_readable() -> None:
    board, states = from_position(CHOICE)
    states[0].money[1] = -4
    states[0].discount = 7
    assert problems(states[0], board) == [
        "discount is 7; allowed: in the auction one of the current market [3, 4, 5, 6] (R2.20)",
        "seats[1].money is -4; allowed: from 0 (RI.4)",
    ]


# ---------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize(
    "games", [2_000, pytest.param(200_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
def test_no_finding_in_random_games_over_everything(games: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Every decision of every game: 200,000 of them by `make fuzz`."""
    boards = [make_board(config) for config in configs()]
    states, dice = make_states(1), make_states(1)
    decisions, rare, ends, begin = 0, 0, set(), time.perf_counter()
    for seed in range(games):
        board, style = boards[seed % len(boards)], seed // len(boards) % NUM_STYLES
        dice[0].rng = first_word(10_000 + seed)
        engine.reset(states[0], board.record, first_word(seed))
        mask = np.zeros(board.record.num_actions, np.int8)
        played, problem, seen = play_checked(states, board.records, mask, dice, style)
        assert problem == 0, (board.config, seed, problems(states[0], board))
        assert states[0].phase == Phase.OVER
        decisions, rare = decisions + played, rare | seen
        ends.add(int(states[0].end_reason))
    assert decisions > 200 * games
    assert ends == {EndReason.CITIES, EndReason.MAX_ROUNDS}
    assert [thing for bit, thing in enumerate(RARE) if not rare >> bit & 1] == []
    with capsys.disabled():
        if games > 2_000:
            seconds = time.perf_counter() - begin
            print(
                f"\n{games:,} games of {len(boards)} settings, {decisions:,} decisions, {seconds:.0f} s, no finding"
            )
