"""The games as stable-baselines3 wants them: a VecEnv with one learner's seat in each game and batched action masks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from powergrid_env.envs.vector import PowerGridVectorEnv

if TYPE_CHECKING:
    import gymnasium
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

    from powergrid_env import GameConfig
    from powergrid_env.envs.opponents import DrawOpponents, Opponents
    from powergrid_env.envs.seats import LearnerSeats


def make_vec_env(
    config: "GameConfig",
    num_envs: int,
    opponents: "Opponents | DrawOpponents" = "random",
    seed: int | None = None,
    num_threads: int = 1,
    **settings: Any,
) -> "PowerGridVecEnv":
    """A VecEnv of `num_envs` games; `settings` are further arguments of PowerGridVectorEnv."""
    games = PowerGridVectorEnv(
        config,
        num_envs=num_envs,
        opponents=opponents,
        num_threads=num_threads,
        autoreset_mode=AutoresetMode.SAME_STEP,
        **settings,
    )
    env = PowerGridVecEnv(games)
    if seed is not None:
        env.seed(seed)
    return env


class PowerGridVecEnv(VecEnv):
    """A PowerGridVectorEnv behind the interface of stable-baselines3.

    Observations are `(N, D)` float32; the masks, `(N, A)` int8, come from `env_method("action_masks")`, where MaskablePPO
    looks for them. The reward is the sum of what the learner was paid since its last decision. Infos are empty but for
    games that ended: `terminal_observation`, `TimeLimit.truncated` (the safety cap, R7.4), `episode` (`r` reward and `l`
    decisions, as Monitor writes them), and `result`, `learner_seat`, `opponents`, `illegal_actions`.

    Args:
        env: the games; they have to begin the next game in the same step.

    Attributes:
        env: the games.
        games: who sits where in them.

    Raises:
        ValueError: games that begin the next game in the step after.
    """

    def __init__(self, env: PowerGridVectorEnv) -> None:
        if env.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError(
                f"autoreset_mode is {env.autoreset_mode.value}; allowed: {AutoresetMode.SAME_STEP.value}"
            )
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space["observation"], env.single_action_space)
        self._actions = np.zeros(self.num_envs, np.int64)
        self._rewards = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)

    @property
    def games(self) -> "LearnerSeats":
        """Who sits where."""
        return self.env.games

    def action_masks(self) -> npt.NDArray[np.int8]:
        """`(N, A)` int8, 1 for the learners' legal actions."""
        return self.env.action_masks()

    # ------------------------------------------------------------------------------------ play

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin a new game everywhere; by the seeds of `seed`, if it was called since the last reset."""
        is_seeded = self._seeds[0] is not None
        observations, _ = self.env.reset(seed=np.array(self._seeds) if is_seeded else None)
        self._reset_seeds()
        self._reset_options()
        self._rewards[:] = 0
        self._lengths[:] = 0
        return observations["observation"]

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the learners' actions `(N,)`."""
        self._actions = actions

    def step_wait(self) -> "VecEnvStepReturn":
        """Play them."""
        observations, rewards, terminated, truncated, finals = self.env.step(self._actions)
        dones = terminated | truncated
        self._rewards += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(dones):
            infos[lane] = {
                **_of_lane(finals["final_info"], lane),
                "terminal_observation": finals["final_obs"][lane]["observation"],
                "TimeLimit.truncated": bool(truncated[lane] and not terminated[lane]),
                "episode": {"r": float(self._rewards[lane]), "l": int(self._lengths[lane])},
            }
        self._rewards[dones] = 0
        self._lengths[dones] = 0
        return observations["observation"], rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Nothing is held open."""
        self.env.close()

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Every game as pixels, with `render_mode="rgb_array"`."""
        return self.env.render()  # type: ignore[return-value]

    # ------------------------------------------------------------------ attributes of single games

    def get_attr(self, attr_name: str, indices: "VecEnvIndices" = None) -> list[Any]:
        """An attribute of all games together, once for each."""
        return [getattr(self.env, attr_name)] * len(self._lanes(indices))

    def set_attr(self, attr_name: str, value: Any, indices: "VecEnvIndices" = None) -> None:
        """Games have no attributes of their own.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(
            f"{attr_name} cannot be set in single games; env.games.set_opponents changes opponents"
        )

    def env_method(
        self, method_name: str, *method_args: Any, indices: "VecEnvIndices" = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` or `render`: its answer for each game.

        Raises:
            AttributeError: another method.
        """
        if method_name not in ("action_masks", "render"):
            raise AttributeError(f"no method {method_name!r} in single games; allowed: action_masks, render")
        answers = getattr(self.env, method_name)(*method_args, **method_kwargs)
        return [answers[lane] for lane in self._lanes(indices)]

    def env_is_wrapped(
        self, wrapper_class: "type[gymnasium.Wrapper]", indices: "VecEnvIndices" = None
    ) -> list[bool]:
        """No game is wrapped."""
        return [False] * len(self._lanes(indices))

    def _lanes(self, indices: "VecEnvIndices") -> list[int]:
        return list(self._get_indices(indices))


def _of_lane(infos: dict[str, Any], lane: int) -> dict[str, Any]:
    """What Gymnasium's vector infos hold of one game, without the mask, which is all 0."""
    found: dict[str, Any] = {}
    for name, values in infos.items():
        if isinstance(values, dict):
            found[name] = _of_lane(values, lane)
        elif name != "action_mask" and not name.startswith("_") and infos[f"_{name}"][lane]:
            found[name] = values[lane].item() if isinstance(values[lane], np.generic) else values[lane]
    return found
