"""Potential-based shaping of the learner's reward, on top of any VecEnv of ours."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnvWrapper

from powergrid_env._jit import rule
from powergrid_env.plain import plain, plain_board
from powergrid_env.rewards import potential

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

    from powergrid_env.envs.seats import LearnerSeats


@rule(seconds=5)
def potentials(states: Any, boards: Any, seats: Any, out: Any) -> None:
    """The potential of seat `seats[lane]` in every lane, into `out` `(N,)` float64."""
    for lane in range(len(seats)):
        out[lane] = potential(states[lane], boards[0], int(seats[lane]))


class ShapedReward(VecEnvWrapper):
    """Adds `weight * (discount * potential(next) - potential(now))` to every reward.

    The potential is 0 before a game and behind it, so what is added over a game sums to 0 and the best policy stays the
    best; it only tells sooner what leads there.

    Args:
        venv: games with one learner each.
        games: its games.
        weight: how much of it.
        discount: of the learner.
    """

    def __init__(self, venv: "VecEnv", games: "LearnerSeats", weight: float, discount: float) -> None:
        super().__init__(venv)
        self.games = games
        self.weight = weight
        self.discount = discount
        self.now = np.zeros(venv.num_envs)

    def reset(self) -> "VecEnvObs":
        """Begin anew."""
        observations = self.venv.reset()
        self.now = self._look()
        return observations

    def step_wait(self) -> "VecEnvStepReturn":
        """Step, with the shaped reward."""
        observations, rewards, dones, infos = self.venv.step_wait()
        then = self._look()
        gain = self.discount * np.where(dones, 0.0, then) - self.now
        self.now = then
        return observations, (rewards + self.weight * gain).astype(np.float32), dones, infos

    def _look(self) -> npt.NDArray[np.float64]:
        out = np.zeros(self.num_envs)
        batch = self.games.batch
        potentials(plain(batch.states), plain_board(batch.board), self.games.seats, out)
        return out
