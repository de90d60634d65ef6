"""gymnasium.vector: many games at once, each with one learner's seat, all stepped to the learners' next decisions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from powergrid_env.arguments import (
    MAX_SEED,
    check_choice,
    check_seed,
    is_one,
    make_config,
    whole_number,
    whole_numbers,
)
from powergrid_env.batch import GameBatch
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import PASS, EndReason
from powergrid_env.envs import shared
from powergrid_env.envs.opponents import DrawOpponents, Opponents
from powergrid_env.envs.seats import LearnerSeats
from powergrid_env.notation import IllegalAction

Arrays = dict[str, npt.NDArray[Any]]
"""`observation` `(N, D)` float32 and `action_mask` `(N, A)` int8."""


class PowerGridVectorEnv(VectorEnv[Arrays, npt.ArrayLike, npt.NDArray[Any]]):
    """N games with a learner in each. A step takes every game to its learner's next decision, or to its end.

    Opponents are agents; each is called once for all games that wait for it. The reward is the sum of what the learner
    was paid since its last decision, so what the end of a game pays always arrives, whoever moved last.

    The legal actions are in the observation, in `infos["action_mask"]` and in `action_masks()`. In the row of a game
    that is over the mask allows only action 0, which the next step ignores. At the end of a game infos hold what
    `PowerGrid-v0` holds, `result`, `illegal_actions` and `truncation_reason`, and the names of the `opponents`, clockwise.

    Args:
        config: what to play; or its fields as keywords.
        num_envs: number of games `N`.
        opponents: a bot's name or an agent for all other seats, or one for each, clockwise from the learner; or a
            function that draws either anew for each game from the generator it is given.
        learner_seat: the learner's seat in all games, or "random": drawn anew for each game.
        illegal_action: "terminate" gives -1 and ends that game, "noop" asks again, "raise" raises `IllegalAction` and
            moves no game. A number that is no action id raises in any case.
        autoreset_mode: "NextStep": the step after the end of a game ignores the action, begins the next game and pays 0.
            "SameStep": the step that ends a game begins the next one; how it ended is in `final_obs` and `final_info`.
        copy: False gives out the same arrays at each step, written over by the next.
        num_threads: threads of the batch (GameBatch).
        render_mode: "ansi", "human", "rgb_array" or None.
        fields: fields of GameConfig, when `config` is not given.

    Raises:
        ValueError: names the argument, what was given and what is allowed.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        *,
        num_envs: int = 1,
        opponents: Opponents | DrawOpponents = "random",
        learner_seat: int | str = "random",
        illegal_action: str = "terminate",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        self.config = make_config(config, fields, type(self))
        self.num_envs = whole_number("num_envs", num_envs, 1, None)
        self.illegal_action = check_choice("illegal_action", illegal_action, shared.ILLEGAL_ACTION)
        self.autoreset_mode = _check_mode(autoreset_mode)
        self.render_mode = check_choice("render_mode", render_mode, (None, *shared.RENDER_MODES))
        self.copy = copy
        self.metadata = {**shared.METADATA, "autoreset_mode": self.autoreset_mode}
        self.games = LearnerSeats(self.config, self.num_envs, opponents, learner_seat, num_threads)
        board = make_board(self.config)
        self._num_actions = shared.num_actions(board)
        self.single_observation_space = shared.observation_space(board)
        self.single_action_space = shared.action_space(board)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._illegal_actions = np.zeros(self.num_envs, np.int64)
        self._masks = np.zeros((self.num_envs, self._num_actions), np.int8)
        self._observations: npt.NDArray[np.float32] | None = None
        self._begun = False

    @property
    def batch(self) -> GameBatch:
        """The games, from `reset` on."""
        return self.games.batch

    def action_masks(self) -> npt.NDArray[np.int8]:
        """`(N, A)` int8, 1 for the learners' legal actions; a fresh array."""
        return self._masks.copy()

    # ------------------------------------------------------------------------------------ play

    def reset(
        self,
        *,
        seed: int | Sequence[int] | npt.NDArray[Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin a new game everywhere.

        Args:
            seed: all chance follows from it; or `(N,)` the seeds of the games. None goes on with the chance there is.
            options: not looked at.

        Raises:
            ValueError: a seed that is none.
        """
        if seed is not None:
            one = is_one(seed)
            seed = check_seed(seed) if one else whole_numbers("seed", seed, self.num_envs, MAX_SEED - 1)
        begun, self._begun = self._begun, False  # what an opponent raises leaves no games to go on with
        if seed is None and begun:
            self.games.begin_next(np.arange(self.num_envs))
        elif seed is None or isinstance(seed, int):
            super().reset(seed=seed)
            self.games.restart(int(self.np_random.integers(MAX_SEED)))
        else:
            self.games.restart(seed)
        self._begun = True
        self._over[:] = False
        self._illegal_actions[:] = 0
        return self._observe(), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Arrays, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play the learners' actions `(N,)`; ignored where the game was over.

        Returns:
            observations, rewards `(N,)` float64, terminations and truncations `(N,)` bool, infos.

        Raises:
            IllegalAction: no action id, or illegal and `illegal_action` is "raise"; no game has moved. Or that of an
                opponent: then `reset` is needed.
            ValueError: a wrong shape or dtype, or no `reset` before.
        """
        chosen = self._check_actions(actions)
        begin = np.flatnonzero(self._over)
        is_legal = self._masks[np.arange(self.num_envs), chosen] == 1
        is_legal[begin] = True
        if self.illegal_action == "raise" and not is_legal.all():
            lane = int(np.flatnonzero(~is_legal)[0])
            raise IllegalAction(f"lane {lane}: {self.batch.game(lane).explain(int(chosen[lane]))}")
        moved = np.flatnonzero(is_legal & ~self._over)
        self._begun = False  # as in reset
        self.games.play(moved, chosen[moved], begin)
        self._illegal_actions[begin] = 0
        self._illegal_actions[~is_legal] += 1

        rewards = self.games.rewards.copy()
        reasons = self.batch.states["end_reason"]
        terminated, truncated = reasons == EndReason.CITIES, reasons == EndReason.MAX_ROUNDS
        if self.illegal_action == "terminate":
            rewards[~is_legal] = shared.ILLEGAL_REWARD
            terminated |= ~is_legal
        self._over = terminated | truncated
        ended = np.flatnonzero(self._over)
        finals = self._finals(ended)
        if len(ended) and self.autoreset_mode == AutoresetMode.SAME_STEP:
            self.games.begin_next(ended)
            self._illegal_actions[ended] = 0
            self._over[:] = False
        self._begun = True
        return self._observe(), rewards, terminated, truncated, {**self._infos(), **finals}

    def _check_begun(self, call: str) -> None:
        if not self._begun:
            raise ValueError(f"{call} before reset; allowed: reset first")

    def _check_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        self._check_begun("step")
        given = whole_numbers("actions", actions, self.num_envs)
        wrong = ((given < 0) | (given >= self._num_actions)) & ~self._over
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            number = np.asarray(actions)[lane]
            raise IllegalAction(f"lane {lane}: action is {number}; allowed: 0 to {self._num_actions - 1}")
        return np.where(self._over, PASS, given)

    # ------------------------------------------------------------------------------------ views

    def _observe(self) -> Arrays:
        """What the learners see, and their legal actions."""
        observations = self._observations
        if observations is None or self.copy:
            observations = np.empty((self.num_envs, self.batch.observation_size), np.float32)
            self._observations = observations
        self.batch.observe(observations, seats=self.games.seats)
        self.batch.masks(self._masks)
        self._masks[self._over] = 0
        self._masks[self._over, PASS] = 1
        return {"observation": observations, "action_mask": self.action_masks() if self.copy else self._masks}

    def _infos(self) -> dict[str, Any]:
        all_lanes = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks() if self.copy else self._masks,
            "_action_mask": all_lanes,
            "learner_seat": self.games.seats.copy(),
            "_learner_seat": all_lanes.copy(),
        }

    def _finals(self, ended: npt.NDArray[np.int64]) -> dict[str, Any]:
        """What infos hold of games that ended, in the form of Gymnasium's vector infos."""
        infos: dict[str, Any] = {}
        if not len(ended):
            return infos
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        if same_step:
            observations = self.batch.observe(lanes=ended, seats=self.games.seats[ended])
        for place, lane in enumerate(ended):
            info = shared.end_info(self.batch.game(lane), int(self._illegal_actions[lane]))
            info["opponents"] = self.games.opponents_of(int(lane))
            if same_step:
                info["learner_seat"] = int(self.games.seats[lane])
                final = {"observation": observations[place], "action_mask": info["action_mask"].copy()}
                info = {"final_obs": final, "final_info": info}
            else:
                del info["action_mask"]
            infos = self._add_info(infos, info, lane)
        return infos

    def render(self) -> tuple[shared.Rendered, ...]:  # type: ignore[override]
        """Every game as text (`ansi`), printed (`human`) or as pixels (`rgb_array`).

        Raises:
            ValueError: no `reset` before.
        """
        self._check_begun("render")
        return tuple(shared.render(self.batch.game(lane), self.render_mode) for lane in range(self.num_envs))


def _check_mode(mode: object) -> AutoresetMode:
    allowed = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
    for known in allowed:
        if mode in (known, known.value):
            return known
    raise ValueError(f"autoreset_mode is {mode!r}; allowed: {', '.join(known.value for known in allowed)}")
