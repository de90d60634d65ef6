"""Games whose learner is shown what a bot would play, behind every observation."""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnvWrapper

from agents.learned.policy import advised

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

    from agents import Agent
    from training.sb3_vec_env import PowerGridVecEnv


class Advised(VecEnvWrapper):
    """Observations `(N, D + A)`: the game as before, then 1 at the action of the advisor.

    Args:
        venv: games with one learner each.
        advisor: is asked about every decision of the learner.
    """

    def __init__(self, venv: "PowerGridVecEnv", advisor: "Agent") -> None:
        self.games, self.advisor = venv.games, advisor
        self.num_actions = int(venv.action_space.n)  # type: ignore[attr-defined]
        self._lanes = np.arange(venv.num_envs)
        size = venv.observation_space.shape[0] + self.num_actions  # type: ignore[index]
        super().__init__(venv, spaces.Box(0, 1, (size,), np.float32))

    def reset(self) -> "VecEnvObs":
        """Begin anew."""
        return self._advised(self.venv.reset())

    def step_wait(self) -> "VecEnvStepReturn":
        """Step; the last observation of a game has no advice."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for lane in np.flatnonzero(dones):
            last = infos[lane]["terminal_observation"]
            infos[lane]["terminal_observation"] = np.append(last, np.zeros(self.num_actions, np.float32))
        return self._advised(observations), rewards, dones, infos

    def _advised(self, observations: Any) -> Any:
        return advised(self.games.batch, self._lanes, observations, self.advisor)
