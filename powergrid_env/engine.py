"""The engine: reset, step and fill_mask, and the order of phases (R0.10). It knows no other rule."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.constants import PASS, EndReason, Phase, Step3Card
from powergrid_env.reasons import Reason
from powergrid_env.rules import (
    auction,
    building,
    bureaucracy,
    resources,
    setup,
    start_cities,
    steps,
    trust_setup,
)
from powergrid_env.rules.order import determine_order


@rule
def reset(state: Any, board: Any, first_word: int) -> None:
    """Set up a new game (R0.7); `first_word` is `rng.first_word(seed)`."""
    state.rng = first_word
    setup.clear(state, board)
    setup.deal(state, board)
    begin_play(state, board)


@rule
def begin_play(state: Any, board: Any) -> None:
    """The first decision after the cards are dealt (R0.6, R0.7)."""
    if board.trust:
        trust_setup.begin(state, board)
    elif board.start_cities:
        start_cities.begin(state, board)
    else:
        auction.begin(state, board)
    if board.skip_forced:
        play_forced(state, board)


@rule(inline=True)
def verify(state: Any, board: Any, action: int) -> int:
    """0 when the action is legal, else the Reason that forbids it."""
    if state.phase == Phase.AUCTION:
        return auction.verify(state, board, action)
    if state.phase == Phase.RESOURCES:
        return resources.verify(state, board, action)
    if state.phase == Phase.BUILDING:
        return building.verify(state, board, action)
    if state.phase == Phase.BUREAUCRACY:
        return bureaucracy.verify(state, board, action)
    if state.phase == Phase.TRUST_SETUP:
        return trust_setup.verify(state, board, action)
    if state.phase == Phase.START_CITIES:
        return start_cities.verify(state, board, action)
    return Reason.R7_1_OVER


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Carry out a legal action and begin the phases that follow."""
    if state.phase == Phase.AUCTION:
        auction.apply(state, board, action)
        if auction.is_over(state):
            auction.end(state, board)
            resources.begin(state, board)
    elif state.phase == Phase.RESOURCES:
        resources.apply(state, board, action)
        if resources.is_over(state):
            building.begin(state, board)
    elif state.phase == Phase.BUILDING:
        building.apply(state, board, action)
        if building.is_over(state):
            if steps.is_end_due(state, board):
                steps.end_game(state, board, EndReason.CITIES)
            else:
                bureaucracy.begin(state, board)
    elif state.phase == Phase.BUREAUCRACY:
        bureaucracy.apply(state, board, action)
        if bureaucracy.is_over(state):
            bureaucracy.end(state, board)
            begin_round(state, board)
    elif state.phase == Phase.TRUST_SETUP:
        trust_setup.apply(state, board, action)
        if trust_setup.is_over(state):
            if board.start_cities:
                start_cities.begin(state, board)
            else:
                auction.begin(state, board)
    else:
        start_cities.apply(state, board, action)
        if start_cities.is_over(state):
            auction.begin(state, board)


@rule
def begin_round(state: Any, board: Any) -> None:
    """The next round: Step 3 if its card came in phase 5 (R6.22), phase 1, phase 2; or the safety cap (R7.4)."""
    if state.round_number >= board.max_rounds:
        steps.end_game(state, board, EndReason.MAX_ROUNDS)
        return
    state.round_number += 1
    if state.step3 == Step3Card.DRAWN:
        steps.start_step_3(state)
    determine_order(state, board)
    auction.begin(state, board)


@rule
def step(state: Any, board: Any, action: int) -> int:
    """Play one action; returns 0, or the Reason that forbids it with the state untouched."""
    reason = verify(state, board, action)
    if reason == Reason.LEGAL:
        apply(state, board, action)
        if board.skip_forced:
            play_forced(state, board)
    return reason


@rule
def fill_mask(state: Any, board: Any, mask: Any) -> int:
    """Set `mask` `(A,)` int8 to 1 where `verify` is 0; returns the number of legal actions."""
    mask[:] = 0
    if state.phase == Phase.OVER:
        return 0
    legal = 0
    if verify(state, board, PASS) == Reason.LEGAL:
        mask[PASS] = 1
        legal += 1
    first, behind = block_of(board, int(state.decision))
    for action in range(first, behind):
        if verify(state, board, action) == Reason.LEGAL:
            mask[action] = 1
            legal += 1
    return legal


@rule
def forced_action(state: Any, board: Any) -> int:
    """The only legal action, -1 when there are more."""
    forced = PASS if verify(state, board, PASS) == Reason.LEGAL else -1
    first, behind = block_of(board, int(state.decision))
    for action in range(first, behind):
        if verify(state, board, action) == Reason.LEGAL:
            if forced >= 0:
                return -1
            forced = action
    return forced


@rule
def play_forced(state: Any, board: Any) -> None:
    """Play decisions with a single answer (setting skip_forced)."""
    while state.phase != Phase.OVER:
        forced = forced_action(state, board)
        if forced < 0:
            return
        apply(state, board, forced)
