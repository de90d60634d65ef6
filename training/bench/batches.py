"""Decisions per second of `GameBatch`: by what is asked for, number of games, players and threads; and copies of games."""

from collections.abc import Callable
from typing import Any

import numpy as np

from powergrid_env import GameBatch
from powergrid_env._jit import rule
from powergrid_env.plain import plain
from powergrid_env.state import STATE_DTYPE

LANES = 4096
SIZES = (1, 16, 256, 4096, 16384, 100_000)
MOST_OBSERVED = 16384  # games; their observations alone are 6 KB each
SPREAD_GAMES = 64
SPREAD_STEPS = 768  # about the decisions of a random game of four
SPREAD_EVERY = 3


def random_batch(lanes: int = LANES, players: int = 4, threads: int = 1, seed: int = 1) -> GameBatch:
    """A batch whose games stand anywhere between their beginning and their end, as they do after a long while."""
    small = GameBatch(players=players, num_games=SPREAD_GAMES, seed=seed)
    pool = []
    for number in range(SPREAD_STEPS):
        small.step(small.random_actions())
        if number % SPREAD_EVERY == 0:
            pool.append(small.states.copy())
    states, rng = np.concatenate(pool), np.random.default_rng(seed)
    batch = GameBatch(players=players, num_games=lanes, seed=seed, num_threads=threads)
    batch.states[:] = states[rng.integers(len(states), size=lanes)]
    batch.states["rng"] = rng.integers(2**63, size=lanes)
    return batch


def decisions(batch: GameBatch, observe: bool = False) -> Callable[[], int]:
    """One turn of the loop that users write: masks, observations, drawn actions, step."""
    masks, views = batch.masks(), batch.observe() if observe else None

    def piece() -> int:
        batch.masks(out=masks)
        if views is not None:
            batch.observe(out=views)
        batch.step(batch.random_actions())
        return len(batch)

    return piece


def observed(batch: GameBatch) -> Callable[[], int]:
    """The same with observations."""
    return decisions(batch, observe=True)


def games(batch: GameBatch) -> Callable[[], int]:
    """Actions drawn and played; counts the games that end."""

    def piece() -> int:
        batch.step(batch.random_actions())
        return len(batch.ended)

    return piece


@rule
def copy_states(states: Any, sources: Any, targets: Any) -> None:
    """Copy whole games in compiled code."""
    for place in range(len(sources)):
        states[targets[place]] = states[sources[place]]


def copies(lanes: int = LANES) -> Callable[[], int]:
    """Copies of games to other lanes."""
    states = plain(GameBatch(players=4, num_games=lanes, seed=1).states)
    rng = np.random.default_rng(0)
    sources, targets = rng.integers(lanes, size=lanes), rng.integers(lanes, size=lanes)

    def piece() -> int:
        copy_states(states, sources, targets)
        return lanes

    return piece


def bytes_per_game() -> int:
    """Bytes of a state."""
    return STATE_DTYPE.itemsize
