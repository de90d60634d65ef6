"""PettingZoo AEC: every seat is an agent, and they act one at a time, in the order of the rules."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from powergrid_env.arguments import MAX_SEED, check_choice, check_seed, make_config
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.envs import shared
from powergrid_env.envs.shared import Observation
from powergrid_env.game import Game
from powergrid_env.layout import observation_size


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801  # untyped; its name there
    """All seats as agents `player_0`, `player_1` ...; `env()` is the same with PettingZoo's checks around it.

    Args:
        config: what to play; or its fields as keywords.
        illegal_action: "terminate" gives -1 to who chose it and ends the game for all, "noop" asks again, "raise"
            raises `IllegalAction`. A number that is no action id raises in any case.
        render_mode: "ansi", "human", "rgb_array" or None.
        fields: fields of GameConfig, when `config` is not given.

    Attributes:
        game: the Game that is played, from `reset` on.

    Raises:
        ValueError: names the argument, what was given and what is allowed.
    """

    metadata = {**shared.METADATA, "name": "powergrid_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        config: GameConfig | None = None,
        *,
        illegal_action: str = "terminate",
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        super().__init__()
        self.config = make_config(config, fields, raw_env)
        self.illegal_action = check_choice("illegal_action", illegal_action, shared.ILLEGAL_ACTION)
        self.render_mode = check_choice("render_mode", render_mode, (None, *shared.RENDER_MODES))
        board = make_board(self.config)
        self.possible_agents = [f"player_{seat}" for seat in range(self.config.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: shared.observation_space(board) for agent in self.possible_agents}
        self._action_spaces = {agent: shared.action_space(board) for agent in self.possible_agents}
        self._num_actions = shared.num_actions(board)
        self.state_space = spaces.Box(0.0, 1.0, (self.config.players * observation_size(board),), np.float32)
        self._seeds: np.random.Generator | None = None
        self._asked: str | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of `observe`, the same object at each call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Action ids, the same object at each call."""
        return self._action_spaces[agent]

    # -------------------------------------------------------------------------------------------- play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: `Game(config, seed=seed)`; without a seed the next one drawn from the seed given last.

        `options` are not looked at: what is played follows from the constructor's config.

        Raises:
            ValueError: a seed that is none.
        """
        if seed is not None or self._seeds is None:
            seed = check_seed(seed)
            self._seeds = np.random.default_rng(seed)
        else:
            seed = int(self._seeds.integers(MAX_SEED))
        self.game = Game(self.config, seed=seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._illegal_actions = dict.fromkeys(self.agents, 0)
        self._ask_next()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play the action id of the agent selected; None for an agent whose game is over.

        Raises:
            IllegalAction: the action is no action id, or illegal and `illegal_action` is "raise"; nothing has changed.
            ValueError: anything but None for an agent whose game is over.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = shared.play(self.game, action, self._action_spaces[agent], self.illegal_action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._illegal_actions[agent] += not legal
        if not legal and self.illegal_action == "terminate":
            self.rewards[agent] = shared.ILLEGAL_REWARD
            self.terminations = dict.fromkeys(self.agents, True)
            self._end()
        elif not self._ask_next():
            result = self.game.result()
            assert result is not None
            self.rewards = dict(zip(self.agents, result.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, not result.truncated)
            self.truncations = dict.fromkeys(self.agents, result.truncated)
            self._end()
        if self.render_mode == "human":
            self.render()

    def _ask_next(self) -> bool:
        """Select the agent to act and write the masks; False when the game is over."""
        seat = self.game.player
        if seat is None:
            return False
        self.agent_selection = self._asked = self.possible_agents[seat]
        self._mask = self.game.action_mask()
        self.infos = {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}
        return True

    def _mask_of(self, agent: str) -> npt.NDArray[np.int8]:
        return self._mask.copy() if agent == self._asked else np.zeros(self._num_actions, np.int8)

    def _end(self) -> None:
        """Every agent gets its reward, its last info and, from `agent_iter`, one more turn to step None."""
        self._asked = None
        self.infos = {
            agent: shared.end_info(self.game, self._illegal_actions[agent]) for agent in self.agents
        }
        self._accumulate_rewards()
        self._deads_step_first()

    # ------------------------------------------------------------------------------------------- views

    def observe(self, agent: str) -> Observation:
        """What the agent may know, and its legal actions: none unless it is to act. Fresh arrays at each call."""
        return {
            "observation": self.game.observation(self._seats[agent]),
            "action_mask": self._mask_of(agent),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """`(P * D,)` float32, the observations of all seats one after the other: what all know together."""
        return np.concatenate([self.game.observation(seat) for seat in range(self.config.players)])

    def render(self) -> shared.Rendered:
        """The board as text (`ansi`), printed (`human`, also after each step) or as pixels (`rgb_array`)."""
        return shared.render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def env(config: GameConfig | None = None, **settings: Any) -> AECEnv[str, Observation, int | None]:
    """`raw_env` inside PettingZoo's checks: actions in bounds, and calls in order.

    Args:
        config: what to play; or its fields as keywords.
        settings: `illegal_action`, `render_mode` and fields of GameConfig, see `raw_env`.

    >>> players = env(players=3)
    >>> players.reset(seed=7)
    >>> for agent in players.agent_iter():
    ...     observation, reward, terminated, truncated, info = players.last()
    ...     over = terminated or truncated
    ...     players.step(None if over else players.action_space(agent).sample(observation["action_mask"]))
    >>> players.unwrapped.game.over
    True
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(config, **settings)))


def parallel_env(
    config: GameConfig | None = None, **settings: Any
) -> ParallelEnv[str, Observation, int | None]:
    """`env` in PettingZoo's turn-based conversion: each step takes the action of the one agent whose mask is not all 0."""
    return turn_based_aec_to_parallel(env(config, **settings))
