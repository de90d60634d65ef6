"""Many games at once for tests: batches and vector environments, agents that play by rank, and what stands in a lane."""

import numpy as np

from powergrid_env.batch import GameBatch
from powergrid_env.envs.vector import PowerGridVectorEnv

MODES = ["NextStep", "SameStep"]
"""Values of `autoreset_mode`."""


def a_batch(num_games=8, steps=0, **settings):
    """A batch some random decisions into its games."""
    batch = GameBatch(num_games=num_games, **{"players": 3, "seed": 5, **settings})
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def digests(batch):
    """Bytes of the state in each lane."""
    return [state.tobytes() for state in batch.states]


def an_env(num_envs=5, opponents=None, **settings):
    """A vector environment of short games, against two that play by rank."""
    opponents = [Fixed(2), Fixed(-1)] if opponents is None else opponents
    return PowerGridVectorEnv(
        num_envs=num_envs, opponents=opponents, **{"players": 3, "max_rounds": 2, **settings}
    )


class Fixed:
    """An agent that plays the legal action of a given rank, and notes how it was called."""

    def __init__(self, rank=0, name="fixed"):
        self.name = name
        self.rank = rank
        self.calls = []
        self.seeds = []

    def reset(self, seed):
        self.seeds.append(seed)

    def act(self, batch, lanes):
        self.calls.append((len(lanes), np.unique(batch.player[lanes]).tolist()))
        return np.array([self.choose(mask) for mask in batch.masks(lanes=lanes)])

    def choose(self, mask):
        legal = np.flatnonzero(mask)
        return legal[self.rank % len(legal)]


def draw(env, rng):
    """A random legal action per lane; what stands in the rows that are ignored must not matter."""
    weights = rng.random(env.action_masks().shape) * env.action_masks()
    return weights.argmax(axis=1)


def check_lane(game, seat, observation, mask, over=False):
    """What a lane shows is what its game shows from that seat; after the end only the action that is ignored is legal."""
    assert np.array_equal(observation, game.observation(seat))
    if over:
        assert np.flatnonzero(mask).tolist() == [0]
    else:
        assert np.array_equal(mask, game.action_mask())
