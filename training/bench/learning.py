"""How much of its time MaskablePPO learns, and does not wait for games: its speed on ours and on one that costs nothing."""

import time
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from powergrid_env import GameConfig
from training.sb3_vec_env import PowerGridVecEnv, make_vec_env

LANES, ROLLOUT, BATCH, EPOCHS = 256, 64, 2048, 4
UPDATES = 3


class Recorded(PowerGridVecEnv):
    """Gives out again and again what a few steps of real games gave, and plays nothing."""

    def __init__(self, env: PowerGridVecEnv, steps: int = 32) -> None:
        super().__init__(env.env)
        env.reset()
        self._steps, self._all_masks, self._number = [], [], 0
        for _ in range(steps):
            self._all_masks.append(list(env.action_masks()))
            self._steps.append(env.step(env.games.batch.random_actions()))
        self._first = self._steps[-1][0]

    def reset(self) -> Any:
        """The first observations."""
        self._number = 0
        return self._first

    def step_wait(self) -> Any:
        """The next ones, whatever was played."""
        step = self._steps[self._number]
        self._number = (self._number + 1) % len(self._steps)
        return step

    def env_method(self, method_name: str, *method_args: Any, **method_kwargs: Any) -> list[Any]:
        """The masks that belong to them."""
        return self._all_masks[self._number]


def updates_per_second(env: VecEnv, threads: int) -> list[float]:
    """Learner decisions per second of each of some updates with two layers of 256, games and learning together."""
    import torch

    torch.set_num_threads(threads)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=ROLLOUT,
        batch_size=BATCH,
        n_epochs=EPOCHS,
        policy_kwargs={"net_arch": [256, 256]},
        seed=0,
        device="cpu",
    )
    model.learn(LANES * ROLLOUT)
    speeds = []
    for _ in range(UPDATES):
        begin = time.perf_counter()
        model.learn(LANES * ROLLOUT, reset_num_timesteps=False)
        speeds.append(LANES * ROLLOUT / (time.perf_counter() - begin))
    return speeds


def speeds(opponents: str = "random", threads: int = 1) -> tuple[list[float], list[float]]:
    """Speeds on our games and on one that costs nothing."""
    env = make_vec_env(GameConfig(players=3), LANES, opponents, seed=0)
    recorded = Recorded(env)
    return updates_per_second(env, threads), updates_per_second(recorded, threads)


def share(ours: list[float], free: list[float]) -> float:
    """Part of the speed with games that cost nothing."""
    return float(np.median(ours) / np.median(free))
