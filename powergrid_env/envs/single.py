"""Gymnasium, `PowerGrid-v0`: one learner's seat; bots play the other seats inside `reset` and `step`."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from powergrid_env.arguments import MAX_SEED, check_choice, make_config
from powergrid_env.batch import GameBatch
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.envs import shared
from powergrid_env.envs.opponents import Agent, DrawOpponents, Opponents, ask, resolve_opponents
from powergrid_env.envs.shared import Observation
from powergrid_env.game import Game
from powergrid_env.notation import IllegalAction

LANES = np.zeros(1, np.int64)  # the one lane of the table that opponents look at


class PowerGridEnv(gymnasium.Env[Observation, np.int64]):
    """The game as its learner meets it: an observation whenever the learner has to decide, bots in between.

    Args:
        config: what to play; or its fields as keywords.
        opponents: a name of a bot or an agent for all other seats, or a list of one for each, clockwise from the
            learner's; or a function that draws either anew for each game from the environment's `np_random`.
        learner_seat: "random" draws the seat anew for each game; or a seat.
        illegal_action: "terminate" gives -1 and ends the game, "noop" asks again, "raise" raises `IllegalAction`. A
            number that is no action id raises in any case.
        render_mode: "ansi", "human", "rgb_array" or None.
        fields: fields of GameConfig, when `config` is not given.

    Attributes:
        game: the Game that is played, from `reset` on.
        seat: the learner's seat in it.
        opponents: the agents in it, clockwise from the learner's seat.

    Raises:
        ValueError: names the argument, what was given and what is allowed.
    """

    metadata = shared.METADATA

    def __init__(
        self,
        config: GameConfig | None = None,
        *,
        opponents: Opponents | DrawOpponents = "random",
        learner_seat: str | int = "random",
        illegal_action: str = "terminate",
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        self.config = make_config(config, fields, type(self))
        self.learner_seat = learner_seat
        self._fixed_seat = shared.check_seat(learner_seat, self.config.players)
        self.illegal_action = check_choice("illegal_action", illegal_action, shared.ILLEGAL_ACTION)
        self.render_mode = check_choice("render_mode", render_mode, (None, *shared.RENDER_MODES))
        board = make_board(self.config)
        self.observation_space = shared.observation_space(board)  # type: ignore[assignment]  # its values are Any there
        self._actions = shared.action_space(board)
        self.action_space = self._actions
        self._mask: npt.NDArray[np.int8] = np.zeros(shared.num_actions(board), np.int8)
        self._made: dict[str, Agent] = {}
        self._draw_opponents = opponents if callable(opponents) else None
        if not callable(opponents):
            self.opponents = self._resolve(opponents)
        # What opponents look at: a copy of the game.
        self._table = GameBatch(self.config, seed=0, autoreset=False)
        self._over = True  # no game is running

    # -------------------------------------------------------------------------------------------- play

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and play on to the learner's first decision; everything is drawn from `np_random`.

        `options` are not looked at. The info holds `action_mask` and `learner_seat`.
        """
        super().reset(seed=seed)
        self._over = True  # until the game has begun: what an opponent raises leaves none to go on with
        drawn_seat = int(self.np_random.integers(self.config.players))
        self.seat = drawn_seat if self._fixed_seat is None else self._fixed_seat
        if self._draw_opponents is not None:
            self.opponents = self._resolve(self._draw_opponents(self.np_random))
        for agent in {id(agent): agent for agent in self.opponents}.values():
            agent.reset(int(self.np_random.integers(MAX_SEED)))
        self.game = Game(self.config, seed=int(self.np_random.integers(MAX_SEED)))
        self._illegal_actions = 0
        self._play_others()
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action id, and then the others until the learner decides again or the game is over.

        Returns:
            Observation; reward, all that the learner was paid since its last decision, the end included whoever moved
            last; terminated by the rules or an illegal action; truncated by the safety cap; info with `action_mask`
            and `learner_seat`, at the end also `result`, `illegal_actions` and `truncation_reason`.

        Raises:
            IllegalAction: the action is no action id, or illegal and `illegal_action` is "raise"; nothing has changed. Or
                that of an opponent: then `reset` is needed.
            ResetNeeded: no game is running.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("no game is running: call reset() before step()")
        reward = 0.0
        terminated = truncated = False
        if not shared.play(self.game, action, self._actions, self.illegal_action):
            self._illegal_actions += 1
            if self.illegal_action == "terminate":
                reward, terminated = shared.ILLEGAL_REWARD, True
        else:
            self._over = True  # as in reset
            self._play_others()
            result = self.game.result()
            if result is not None:
                reward = result.rewards[self.seat]
                terminated, truncated = not result.truncated, result.truncated
        self._over = terminated or truncated
        if self._over:
            self._mask = np.zeros_like(self._mask)
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, terminated, truncated, self._info()

    def _resolve(self, opponents: Opponents) -> list[Agent]:
        return resolve_opponents(opponents, self.config.players - 1, self._made)

    def _play_others(self) -> None:
        """Play the other seats until the learner has to decide, and write its mask; or until the game is over."""
        seat = self.game.player
        while seat is not None and seat != self.seat:
            agent = self.opponents[(seat - self.seat) % self.config.players - 1]
            self._table.states[0] = self.game.state
            action = ask(agent, self._table, LANES)[0]
            try:
                self.game.play(action)
            except IllegalAction as error:
                raise IllegalAction(f"opponent {agent.name} in seat {seat}: {error}") from error
            seat = self.game.player
        self._mask = self.game.action_mask()

    # ------------------------------------------------------------------------------------------- views

    def action_masks(self) -> npt.NDArray[np.int8]:
        """`(A,)` int8, 1 for the learner's legal actions, all 0 after the end; a fresh array."""
        return self._mask.copy()

    def _observe(self) -> Observation:
        return {"observation": self.game.observation(self.seat), "action_mask": self._mask.copy()}

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self._mask.copy(), "learner_seat": self.seat}
        return {**info, **shared.end_info(self.game, self._illegal_actions)} if self._over else info

    def render(self) -> shared.Rendered:
        """The board as text (`ansi`), printed (`human`, also after each step) or as pixels (`rgb_array`)."""
        return shared.render(self.game, self.render_mode)
