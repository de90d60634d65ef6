"""Random games over everything that can be played, compiled: for tests of what must hold in every state."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from powergrid_env import engine
from powergrid_env._jit import rule
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import NOBODY, PASS, Decision, Phase, Step, Step3Card
from powergrid_env.invariants import first_problem
from powergrid_env.rng import draw_below, first_word
from powergrid_env.rules.facts import cities_of_run
from powergrid_env.rulings import CHOICES, EDITION_ROWS, NUMBERS, spell
from powergrid_env.state import States, make_states

BOARDS = ("germany", "usa")


UNIFORM, EAGER, BUILDER = range(3)
NUM_STYLES = 3


@rule
def pick_action(state: Any, board: Any, mask: Any, dice: Any, style: int) -> int:
    """A legal action of `mask`, drawn by the generator of the record `dice`.

    UNIFORM: any, all alike. EAGER: buys, builds and supplies more often than not and bids little, so that games
    get on. BUILDER: the same, but passes most choices, so that networks grow before the stack is gone.
    """
    count = 0
    for action in range(len(mask)):
        count += int(mask[action])
    may_pass = mask[PASS] == 1
    wanted = draw_below(dice, count)
    if style != UNIFORM and count > 1 and draw_below(dice, 8) > 0:
        if state.decision == Decision.RUN:
            return run_of_most_cities(state, board, mask)
        if state.decision == Decision.BID:
            wanted = 0 if may_pass and draw_below(dice, 4) == 0 else int(may_pass)
        elif may_pass and style == BUILDER and state.decision == Decision.CHOOSE:
            wanted = 0
        elif may_pass:
            wanted = 1 + draw_below(dice, count - 1)
    for action in range(len(mask)):
        if mask[action]:
            if wanted == 0:
                return action
            wanted -= 1
    return -1


@rule
def run_of_most_cities(state: Any, board: Any, mask: Any) -> int:
    """The first legal run that supplies most cities."""
    best, most = -1, -1
    for action in range(len(mask)):
        if mask[action]:
            cities = cities_of_run(state, board, int(state.player), action - int(board.first_run))
            if cities > most:
                best, most = action, cities
    return best


def configs(max_rounds: int = 60) -> Iterator[GameConfig]:
    """Editions, boards, 2 to 6 players, decks, Trust and start cities crossed; then every ruling once."""
    for edition in ("recharged", "2004"):
        for board in BOARDS:
            for players in range(2, 7):
                for deck in ("base", "new"):
                    plain = {
                        "edition": edition,
                        "board": board,
                        "players": players,
                        "deck": deck,
                        "max_rounds": max_rounds,
                    }
                    yield GameConfig(**plain)
                    if edition == "recharged":
                        yield GameConfig(**plain, start_cities=True)
                        if players == 2:
                            yield GameConfig(**plain, trust=False)
                            yield GameConfig(**plain, trust=False, start_cities=True)
    yield from ruling_configs(max_rounds)


def ruling_configs(max_rounds: int) -> Iterator[GameConfig]:
    """Every other choice of every ruling, in a game where it matters."""
    for name, members in CHOICES.items():
        for member in members:
            rulings = {name: spell(name, member)}
            if name == "trust_plant_timing" or name.startswith("trust_"):
                yield GameConfig(players=2, board="usa", rulings=rulings, max_rounds=max_rounds)
                yield GameConfig(players=2, rulings=rulings, max_rounds=max_rounds)
            elif name in EDITION_ROWS:
                for edition in ("recharged", "2004"):
                    yield GameConfig(
                        players=4, edition=edition, board="usa", rulings=rulings, max_rounds=max_rounds
                    )
            else:
                starts = name == "start_city_choice"
                yield GameConfig(
                    players=4, board="usa", rulings=rulings, start_cities=starts, max_rounds=max_rounds
                )
    for name, numbers in NUMBERS.items():
        for number in {numbers[0], numbers[-1]}:
            yield GameConfig(players=2, rulings={name: number}, max_rounds=max_rounds)


@rule
def advance(states: Any, boards: Any, mask: Any, dice: Any, style: int) -> int:
    """Play one drawn action; returns the phase reached."""
    engine.fill_mask(states[0], boards[0], mask)
    engine.apply(states[0], boards[0], pick_action(states[0], boards[0], mask, dice[0], style))
    return int(states[0].phase)


def states_of(config: GameConfig, seed: int, style: int = EAGER) -> Iterator[States]:
    """Every state of a random game, one after the other in the same array `(1,)`."""
    board, states, dice = make_board(config), make_states(1), make_states(1)
    mask = np.zeros(board.record.num_actions, np.int8)
    dice[0].rng = first_word(seed)
    engine.reset(states[0], board.record, first_word(seed))
    yield states
    while states[0].phase != Phase.OVER:
        advance(states, board.records, mask, dice, style)
        yield states


RARE = (
    "coal and oil compete for room",
    "tokens given up by wish",
    "a mix of several hybrids or kinds is asked",
    "Step 3 card as the replacement of Step 2",
    "Step 3 card in the market in Step 1",
    "Step 3 straight after Step 1",
    "Step 3 card drawn in phase 4",
    "market short of cards",
    "a start marker left in Step 2",
    "the Trust without houses",
)


@rule
def rare_things(state: Any, board: Any, step_before: int) -> int:
    """Which entries of RARE this state shows, as bits; `step_before` was the Step before the last action."""
    seen = int(state.decision == Decision.GIVE_UP)
    seen |= int(state.give_up_left > 0) << 1
    seen |= int(state.decision == Decision.BURN) << 2
    seen |= int(state.skip_market_update) << 3
    seen |= int(state.step3 == Step3Card.IN_MARKET and state.step_number == Step.ONE) << 4
    seen |= int(step_before == Step.ONE and state.step_number == Step.THREE) << 5
    seen |= int(state.step3 == Step3Card.DRAWN and state.phase == Phase.BUILDING) << 6
    seen |= int(state.market_size < 5) << 7
    seen |= int(state.step_number > Step.ONE and (state.start_markers != NOBODY).any()) << 8
    seen |= int(board.trust and state.trust_houses == 0) << 9
    return seen


@rule
def play_checked(states: Any, boards: Any, mask: Any, dice: Any, style: int) -> tuple[int, int, int]:
    """Play a game to its end; returns the decisions, the first problem met (0 none) and the RARE things."""
    state, board = states[0], boards[0]
    decisions, rare = 0, 0
    problem = first_problem(state, board)
    while problem == 0 and state.phase != Phase.OVER:
        step_before = int(state.step_number)
        engine.fill_mask(state, board, mask)
        engine.apply(state, board, pick_action(state, board, mask, dice[0], style))
        decisions += 1
        rare |= rare_things(state, board, step_before)
        problem = first_problem(state, board)
    return decisions, problem, rare
