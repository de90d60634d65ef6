"""Loops over the lanes of a batch, each written once and compiled for one thread or for several.

`N` lanes, `A` actions, `P` players, `D` numbers of an observation. `boards` is `(1,)`: one board serves all lanes, whose
zones differ by `state.zone`. A lane reads and writes its own row of every array only, so the number of threads changes
no result.
"""

import functools
from collections.abc import Callable
from typing import Any

from numba import prange

from powergrid_env import engine, observation, rewards, seeds
from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.constants import NOBODY, PASS, EndReason, Phase
from powergrid_env.reasons import Reason

SECONDS = 30  # about how long the first compilation takes


@rule
def draw_action(state: Any, board: Any, words: Any, lane: int) -> int:
    """A legal action, each as likely as the others, from the lane's generator; PASS when the game is over.

    The k-th legal action met takes the place of the one kept with chance 1 / k, so nothing has to be stored.
    """
    if state.phase == Phase.OVER:
        return PASS
    kept = PASS
    met = 1 if engine.verify(state, board, PASS) == Reason.LEGAL else 0
    first, behind = block_of(board, int(state.decision))
    for action in range(first, behind):
        if engine.verify(state, board, action) == Reason.LEGAL:
            met += 1
            if met == 1 or seeds.next_below(words, lane, met) == 0:
                kept = action
    return kept


def begin_games(states: Any, boards: Any, lanes: Any, games: Any) -> None:
    """Begin the games of the seeds `games[lane]` in `lanes` `(k,)`."""
    for place in prange(len(lanes)):
        lane = lanes[place]
        engine.reset(states[lane], boards[0], seeds.seed_word(games[lane], seeds.GAME_WORD))


def draw_seeds(lanes: Any, games: Any, seed_words: Any) -> None:
    """The seeds of the next games of `lanes` `(k,)` into `games[lane]`."""
    for place in prange(len(lanes)):
        lane = lanes[place]
        games[lane] = seeds.next_seed(seed_words, lane)


def start_generators(games: Any, seed_words: Any, action_words: Any) -> None:
    """Start both generators of every lane from the seed of its first game."""
    for lane in prange(len(games)):
        seed_words[lane] = seeds.seed_word(games[lane], seeds.NEXT_SEED_WORD)
        action_words[lane] = seeds.seed_word(games[lane], seeds.ACTION_WORD)


def fill_masks(states: Any, boards: Any, masks: Any) -> None:
    """Legal actions `(N, A)` int8."""
    for lane in prange(len(states)):
        engine.fill_mask(states[lane], boards[0], masks[lane])


def observe(states: Any, boards: Any, out: Any) -> None:
    """Observations `(N, D)` float32 of the players to act; zero where the game is over."""
    for lane in prange(len(states)):
        if states[lane].player == NOBODY:
            out[lane] = 0
        else:
            observation.observe(states[lane], boards[0], int(states[lane].player), out[lane])


def draw_actions(states: Any, boards: Any, words: Any, actions: Any) -> None:
    """A random legal action per lane into `actions` `(N,)` int64."""
    for lane in prange(len(states)):
        actions[lane] = draw_action(states[lane], boards[0], words, lane)


def verify(states: Any, boards: Any, actions: Any, reasons: Any) -> int:
    """Why each action is illegal, into `reasons` `(N,)` int16, 0 where it is legal; how many are not.

    A lane whose game is over ignores its action.
    """
    illegal = 0
    for lane in prange(len(states)):
        reasons[lane] = Reason.LEGAL
        if states[lane].phase != Phase.OVER:
            reasons[lane] = engine.verify(states[lane], boards[0], actions[lane])
            if reasons[lane] != Reason.LEGAL:
                illegal += 1
    return illegal


def step(
    states: Any, boards: Any, actions: Any, paid: Any, terminated: Any, truncated: Any, ended: Any
) -> int:
    """Play legal actions; how many games are over then.

    Args:
        states: `(N,)`.
        boards: `(1,)`.
        actions: `(N,)` int64.
        paid: `(N, P)` float32, set to the rewards of games that ended now, else to 0.
        terminated: `(N,)` bool, set where the game is over by the rules (R7.1).
        truncated: `(N,)` bool, set where it is over by the safety cap (R7.4).
        ended: `(N,)` bool, set where the game ended now.
    """
    over = 0
    for lane in prange(len(states)):
        state = states[lane]
        was_over = state.phase == Phase.OVER
        if not was_over:
            engine.apply(state, boards[0], actions[lane])
            if boards[0].skip_forced:
                engine.play_forced(state, boards[0])
        is_over = state.phase == Phase.OVER
        terminated[lane] = state.end_reason == EndReason.CITIES
        truncated[lane] = state.end_reason == EndReason.MAX_ROUNDS
        ended[lane] = is_over and not was_over
        paid[lane] = 0
        if is_over:
            over += 1
            if not was_over:
                rewards.fill_rewards(state, boards[0], paid[lane])
    return over


@functools.cache
def compiled(loop: Callable[..., Any], parallel: bool) -> Callable[..., Any]:
    """A loop of this file for one thread, or for as many as numba is set to.

    The second kind is compiled only when it is asked for, so that who never does meets no threading layer.
    """
    return rule(parallel=parallel, seconds=SECONDS)(loop)
