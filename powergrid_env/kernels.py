"""Loops over the lanes of a batch, each written once and compiled for one thread or for several.

`states` `(N,)` are the lanes, of which `lanes` `(k,)` int64 names those meant, each once; results lie in the order of
`lanes`. `A` actions, `P` players, `D` numbers of an observation. `boards` is `(1,)`: one board serves all lanes, whose zones
differ by `state.zone`. A lane reads and writes its own row of every array only, so the number of threads changes nothing.
"""

import functools
import os
from collections.abc import Callable
from typing import Any

import numba
from numba import prange

from powergrid_env import engine, observation, rewards, seeds
from powergrid_env._jit import rule
from powergrid_env._prefetch import prefetch
from powergrid_env.actions import block_of
from powergrid_env.constants import NOBODY, PASS, EndReason, Phase
from powergrid_env.reasons import Reason
from powergrid_env.state import STATE_DTYPE

SECONDS = 30  # about how long the first compilation takes
ROWS_PER_DRAW = 4  # draws before all rows are looked at

# OpenMP's settings for threads that wait: spin for some 10 us, which bridges the time between two loops, then sleep.
WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "2000"}

LINE = 64  # bytes that come from memory at once
LANES_AHEAD = 6  # as long as memory takes, about


def _line_of(field: str) -> int:
    """Offset of the cache line in which a field of a state begins."""
    assert STATE_DTYPE.fields
    return STATE_DTYPE.fields[field][1] // LINE * LINE


# What most decisions read: who stands where and owns what, and the houses. A phase reads little besides.
FIRST_LINES = _line_of("connection_cost")
HOUSES = _line_of("city_spaces")
BEHIND_HOUSES = _line_of("start_markers")


@rule(inline=True)
def fetch_ahead(states: Any, lanes: Any, place: int) -> None:
    """Ask for what is likely to be read of a state that is worked on a little later."""
    if place + LANES_AHEAD < len(lanes):
        lane = lanes[place + LANES_AHEAD]
        for offset in range(0, FIRST_LINES + LINE, LINE):
            prefetch(states, lane, offset)
        for offset in range(HOUSES, BEHIND_HOUSES + LINE, LINE):
            prefetch(states, lane, offset)


@rule
def draw_action(state: Any, board: Any, words: Any, lane: int) -> int:
    """A legal action, each as likely as the others, from the lane's generator; PASS when the game is over.

    Rows are drawn until one is legal, which mostly asks `verify` less often than a look at all rows. After some misses
    all are looked at: the k-th legal one met takes the place of the one kept with chance 1 / k.
    """
    if state.phase == Phase.OVER:
        return PASS
    first, behind = block_of(board, int(state.decision))
    rows = behind - first + 1
    for _ in range(rows // ROWS_PER_DRAW):
        row = seeds.next_below(words, lane, rows)
        action = first + row if row < rows - 1 else PASS
        if engine.verify(state, board, action) == Reason.LEGAL:
            return action
    kept = PASS
    met = 1 if engine.verify(state, board, PASS) == Reason.LEGAL else 0
    for action in range(first, behind):
        if engine.verify(state, board, action) == Reason.LEGAL:
            met += 1
            if met == 1 or seeds.next_below(words, lane, met) == 0:
                kept = action
    return kept


def find_bad_lane(lanes: Any, seen: Any) -> int:
    """Place of the first lane in `lanes` `(k,)` that is unknown or named before, -1 when all are good.

    `seen` `(N,)` uint8 is all 0 before and after. One thread only.
    """
    bad = -1
    for place in range(len(lanes)):
        if lanes[place] < 0 or lanes[place] >= len(seen) or seen[lanes[place]]:
            bad = place
            break
        seen[lanes[place]] = 1
    for place in range(len(lanes) if bad < 0 else bad):
        seen[lanes[place]] = 0
    return bad


def start_generators(games: Any, seed_words: Any, action_words: Any) -> None:
    """Start both generators of every lane `(N,)` from the seed of its first game. One thread only."""
    for lane in range(len(games)):
        seed_words[lane] = seeds.nth_word(games[lane], seeds.NEXT_SEED_WORD)
        action_words[lane] = seeds.nth_word(games[lane], seeds.ACTION_WORD)


def draw_seeds(lanes: Any, games: Any, seed_words: Any) -> None:
    """The seeds of the next games of `lanes` into `games[lane]`. One thread only."""
    for place in range(len(lanes)):
        games[lanes[place]] = seeds.next_seed(seed_words, lanes[place])


def begin_games(states: Any, boards: Any, lanes: Any, games: Any) -> None:
    """Begin the games of the seeds `games[lane]`."""
    for place in prange(len(lanes)):
        lane = lanes[place]
        engine.reset(states[lane], boards[0], seeds.nth_word(games[lane], seeds.GAME_WORD))


def fill_masks(states: Any, boards: Any, lanes: Any, masks: Any) -> None:
    """Legal actions into `masks` `(k, A)` int8."""
    for place in prange(len(lanes)):
        fetch_ahead(states, lanes, place)
        engine.fill_mask(states[lanes[place]], boards[0], masks[place])


def observe(states: Any, boards: Any, lanes: Any, seats: Any, out: Any) -> None:
    """What `seats` `(k,)` int64 see, into `out` `(k, D)` float32; zero for NOBODY."""
    for place in prange(len(lanes)):
        fetch_ahead(states, lanes, place)
        if seats[place] == NOBODY:
            out[place] = 0
        else:
            observation.observe(states[lanes[place]], boards[0], seats[place], out[place])


def draw_actions(states: Any, boards: Any, lanes: Any, words: Any, actions: Any) -> None:
    """Random legal actions into `actions` `(k,)` int64, from the generators `words[lane]`."""
    for place in prange(len(lanes)):
        fetch_ahead(states, lanes, place)
        lane = lanes[place]
        actions[place] = draw_action(states[lane], boards[0], words, lane)


def verify(states: Any, boards: Any, lanes: Any, actions: Any, reasons: Any) -> int:
    """Why each action is illegal, into `reasons` `(k,)` int16, 0 where it is legal; how many are not.

    A lane whose game is over ignores its action.
    """
    illegal = 0
    for place in prange(len(lanes)):
        fetch_ahead(states, lanes, place)
        state = states[lanes[place]]
        reasons[place] = Reason.LEGAL
        if state.phase != Phase.OVER:
            reasons[place] = engine.verify(state, boards[0], actions[place])
            if reasons[place] != Reason.LEGAL:
                illegal += 1
    return illegal


def step(
    states: Any, boards: Any, lanes: Any, actions: Any, paid: Any, terminated: Any, truncated: Any, ended: Any
) -> int:
    """Play legal actions; how many of the games are over then.

    Args:
        states: `(N,)`.
        boards: `(1,)`.
        lanes: `(k,)` int64.
        actions: `(k,)` int64.
        paid: `(k, P)` float32, set to the rewards of games that ended now, else to 0.
        terminated: `(k,)` bool, set where the game is over by the rules (R7.1).
        truncated: `(k,)` bool, set where it is over by the safety cap (R7.4).
        ended: `(k,)` bool, set where the game ended now.
    """
    over = 0
    for place in prange(len(lanes)):
        fetch_ahead(states, lanes, place)
        state = states[lanes[place]]
        was_over = state.phase == Phase.OVER
        if not was_over:
            engine.apply(state, boards[0], actions[place])
            if boards[0].skip_forced:
                engine.play_forced(state, boards[0])
        is_over = state.phase == Phase.OVER
        terminated[place] = state.end_reason == EndReason.CITIES
        truncated[place] = state.end_reason == EndReason.MAX_ROUNDS
        ended[place] = is_over and not was_over
        paid[place] = 0
        if is_over:
            over += 1
            if not was_over:
                rewards.fill_rewards(state, boards[0], paid[place])
    return over


@functools.cache
def compiled(loop: Callable[..., Any], parallel: bool) -> Callable[..., Any]:
    """A loop of this file for one thread, or for as many as numba is set to.

    The second kind is compiled only when it is asked for, so that who never does meets no threading layer.
    """
    if parallel:
        start_threads()
    return rule(parallel=parallel, seconds=SECONDS)(loop)


@functools.cache
def start_threads() -> None:
    """Start numba's threads so that they soon sleep while they wait, unless the environment says how (`WAITING`).

    OpenMP's own way is to spin for long, and a thread that spins keeps the processor from the one it waits for: with a
    single other busy process on two cores, games ran at a twentieth of their speed.
    """
    ours = {} if any(name in os.environ for name in WAITING) else WAITING
    os.environ.update(ours)
    numba.get_num_threads()  # loads the threading layer, which looks at the variables now and never again
    for name in ours:
        del os.environ[name]
