"""Players for tests: the scripted bots by name, and for the environments a choice among the legal actions by a seed."""

from typing import Any

import numpy as np

from powergrid_env.constants import PASS

EDITIONS = ("recharged", "2004")
BOARDS = ("germany", "usa")
BOTS = ["balanced", "face_value", "green", "hoarder", "keeper", "random", "spoiler", "sprinter", "staller"]
"""Scripted bots that are shipped."""


def choose(mask: Any, dice: np.random.Generator) -> int:
    """A legal action; of two or more mostly not the pass, so that games get on."""
    legal = np.flatnonzero(mask)
    if len(legal) > 1 and legal[0] == PASS and dice.random() < 0.6:
        legal = legal[1:]
    return int(dice.choice(legal))


def play_aec(env: Any, seed: int, turns: int | None = None) -> dict[str, list[float]]:
    """Reset and play a game, or some turns of it; what `last` said was paid, per agent and turn."""
    dice = np.random.default_rng(seed)
    env.reset(seed=seed)
    paid: dict[str, list[float]] = {agent: [] for agent in env.agents}
    for turn, agent in enumerate(env.agent_iter()):
        if turn == turns:
            break
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent].append(reward)
        env.step(None if terminated or truncated else choose(observation["action_mask"], dice))
    return paid


def play_single(env: Any, seed: int) -> tuple[list[float], dict[str, Any]]:
    """Reset and play a game; the rewards of all steps, and the last info."""
    dice = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    rewards = []
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(choose(observation["action_mask"], dice))
        rewards.append(reward)
        over = terminated or truncated
    return rewards, info


def mover_of_last_action(env: Any) -> int:
    """Seat that made the last decision of the game in an environment."""
    last = env.unwrapped.game.record().rstrip().splitlines()[-1]
    return int(last.split()[2].removeprefix("p"))
