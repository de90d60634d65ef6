"""How much of its time MaskablePPO learns, and does not wait for games: its speed on ours and on one that costs nothing."""

from collections.abc import Callable
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from powergrid_env import GameConfig
from training.bench.protocol import Protocol
from training.process import learning
from training.sb3_vec_env import PowerGridVecEnv, make_vec_env

LANES, ROLLOUT, BATCH, EPOCHS = 256, 64, 2048, 4


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


def updates(env: VecEnv) -> Callable[[], int]:
    """Updates of a learner with two layers of 256: games and learning together."""
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

    def piece() -> int:
        model.learn(LANES * ROLLOUT, reset_num_timesteps=False)
        return LANES * ROLLOUT

    return piece


def speeds(
    protocol: Protocol, opponents: str = "random", threads: int = 1
) -> tuple[list[float], list[float]]:
    """Learner decisions per second on our games and on one that costs nothing; their updates take turns."""
    env = make_vec_env(GameConfig(players=3), LANES, opponents, seed=0)
    with learning(threads):
        free = updates(Recorded(env))
        ours, theirs = protocol.rates([updates(env), free])
    return ours, theirs
