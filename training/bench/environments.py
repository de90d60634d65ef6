"""Decisions per second of `Game` and of each environment, played at random as their users would write it."""

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

import powergrid_env
from powergrid_env import Game, GameConfig
from powergrid_env.envs.vector import PowerGridVectorEnv

LANES = 256
LIMIT = 100  # decisions of a piece, so that the clock is looked at often enough


def pieces(decisions: Iterator[None]) -> Callable[[], int]:
    """Pieces of an endless stream of decisions."""

    def piece() -> int:
        for _ in range(LIMIT):
            next(decisions)
        return LIMIT

    return piece


def game(players: int = 4) -> Iterator[None]:
    """`Game`: legal actions, one of them drawn, play."""
    rng, seed = np.random.default_rng(0), 0
    while True:
        one = Game(players=players, seed=seed)
        seed += 1
        while not one.over:
            one.play(rng.choice(one.legal_actions()))
            yield


def aec(env: Any) -> Iterator[None]:
    """Any PettingZoo AEC environment with a mask: `agent_iter`, `last`, a masked sample, `step`."""
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            env.step(env.action_space(agent).sample(mask))
            yield


def our_aec(players: int = 4) -> Iterator[None]:
    """`powergrid_env.env`."""
    return aec(powergrid_env.env(players=players))


def seat(opponents: str, players: int = 3) -> Iterator[None]:
    """The learner's seat of `PowerGrid-v0`."""
    env = gymnasium.make("PowerGrid-v0", players=players, opponents=opponents)
    seed = 0
    while True:
        observation, _ = env.reset(seed=seed)
        seed += 1
        over = False
        while not over:
            observation, _, terminated, truncated, _ = env.step(
                env.action_space.sample(observation["action_mask"])
            )
            over = terminated or truncated
            yield


def vector_seats(opponents: str, players: int = 3, lanes: int = LANES) -> Callable[[], int]:
    """The learners' seats of the vector environment; actions are drawn by the batch."""
    env = PowerGridVectorEnv(players=players, num_envs=lanes, opponents=opponents)
    env.reset(seed=0)

    def piece() -> int:
        env.step(env.batch.random_actions())
        return lanes

    return piece


def sb3_seats(opponents: str, players: int = 3, lanes: int = LANES) -> Callable[[], int]:
    """The adapter for stable-baselines3, asked for masks and stepped as MaskablePPO does."""
    from sb3_contrib.common.maskable.utils import get_action_masks

    from training.sb3_vec_env import make_vec_env

    env = make_vec_env(GameConfig(players=players), lanes, opponents, seed=0)
    env.reset()

    def piece() -> int:
        get_action_masks(env)
        env.step(env.games.batch.random_actions())
        return lanes

    return piece
