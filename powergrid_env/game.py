"""Game: one game, spoken in words. For scripts, search, tests and replays."""

import operator
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from powergrid_env import game_kernels, hidden, notation, notation_reasons, position, rewards
from powergrid_env.arguments import check_seed, make_config, whole_number
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import NOBODY, Decision, EndReason, Phase
from powergrid_env.layout import observation_size
from powergrid_env.notation import IllegalAction
from powergrid_env.plain import copy_states, plain, plain_board
from powergrid_env.rng import first_word
from powergrid_env.rules import steps
from powergrid_env.state import State, States, digest, make_states


class Result(dict[str, Any]):
    """How a game ended; `result["winners"]` and `result.winners` are the same.

    Keys: supplied, money (Elektro), cities, ranks (1 best, ties share), rewards: lists by seat; winners: seats,
    none when truncated; rounds; truncated; reason: "cities" (R7.1) or "max_rounds".
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Game:
    """One game.

    Args:
        config: what to play; or its fields as keywords.
        seed: whole number; None draws one. Same seed, config and actions give the same game everywhere.

    Attributes:
        board: the Board with its names.
        seed: the seed, None for a game that began at a position.
        names: of the players by seat, None unless a record gives them.

    >>> game = Game(players=3, seed=7)
    >>> game.phase, game.decision, len(game.legal_actions())
    ('auction', 'choose', 4)
    """

    def __init__(self, config: GameConfig | None = None, seed: int | None = None, **fields: Any) -> None:
        self._begin(make_board(make_config(config, fields, type(self))), make_states(1), check_seed(seed))
        game_kernels.reset(plain(self._states), plain_board(self.board), first_word(self.seed or 0))
        self._start = copy_states(self._states)

    def _begin(self, board: Board, states: States, seed: int | None) -> None:
        self.board = board
        self.seed = seed
        self._states = states
        self._start = copy_states(states)
        self._actions: list[int] = []
        # Cards that came up with a decision, by its index, where a record hides the stack; else None.
        self._draws: dict[int, tuple[int, ...]] | None = None
        self.names: list[str] | None = None
        self._mask = np.zeros(board.record.num_actions, np.int8)

    @classmethod
    def from_states(cls, board: Board, states: States, seed: int | None = None) -> Self:
        """A game on `board` that begins at a copy of the single state of `states` `(1,)`; `seed` is kept for records."""
        game = cls.__new__(cls)
        game._begin(board, copy_states(states), seed)
        return game

    # ------------------------------------------------------------------------------------ questions

    @property
    def config(self) -> GameConfig:
        """The config."""
        return self.board.config

    @property
    def state(self) -> State:
        """The state, a view: what is written to it changes the game."""
        return self._states[0]

    @property
    def player(self) -> int | None:
        """Seat to act, None when the game is over."""
        player = int(plain(self._states)["player"][0])
        return None if player == NOBODY else player

    @property
    def phase(self) -> str:
        """trust_setup, start_cities, auction, resources, building, bureaucracy or over."""
        return Phase(self._states.phase[0]).name.lower()

    @property
    def decision(self) -> str | None:
        """place, mark, choose, bid, scrap, give_up, buy, build, run or burn; None when the game is over."""
        return None if self.over else Decision(self._states.decision[0]).name.lower()

    @property
    def step_number(self) -> int:
        """Step in force, 1 to 3."""
        return int(self._states.step_number[0])

    @property
    def round_number(self) -> int:
        """Round, from 1."""
        return int(self._states.round_number[0])

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.player is None

    def action_mask(self) -> npt.NDArray[np.int8]:
        """`(A,)` int8, 1 for legal actions; a fresh array."""
        game_kernels.fill_mask(plain(self._states), plain_board(self.board), self._mask)
        return self._mask.copy()

    def legal_actions(self) -> npt.NDArray[np.int64]:
        """Legal action ids, `(k,)` int64, ascending; none when the game is over."""
        game_kernels.fill_mask(plain(self._states), plain_board(self.board), self._mask)
        return np.flatnonzero(self._mask)

    def observation(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """`(D,)` float32 in [0, 1], what `player` (default: the one to act) may know; see observation.py.

        Raises:
            ValueError: no such seat, or none given when the game is over.
        """
        seat = self._seat(self.player if player is None else player)
        out = np.zeros(observation_size(self.board), np.float32)
        game_kernels.observe(plain(self._states), plain_board(self.board), seat, out)
        return out

    def result(self) -> Result | None:
        """None until the game is over, then how it ended (R7.2, R7.3)."""
        if not self.over:
            return None
        state, seats = self.state, range(self.config.players)
        ranks = [int(steps.rank(state, self.board.record, seat)) for seat in seats]
        truncated = bool(state.end_reason == EndReason.MAX_ROUNDS)
        paid = np.zeros(len(seats), np.float32)
        rewards.fill_rewards(state, self.board.record, paid)
        return Result(
            supplied=[int(state.supplied[seat]) for seat in seats],
            money=[int(state.money[seat]) for seat in seats],
            cities=[int(state.num_cities[seat]) for seat in seats],
            ranks=ranks,
            winners=[] if truncated else [seat for seat in seats if ranks[seat] == 1],
            rewards=[float(reward) for reward in paid],
            rounds=self.round_number,
            truncated=truncated,
            reason=EndReason(state.end_reason).name.lower(),
        )

    def digest(self) -> str:
        """Hex digest of the state's bytes."""
        return digest(self.state)

    # ------------------------------------------------------------------------------------ in words

    def words(self, action: int) -> str:
        """An action in words.

        Raises:
            IllegalAction: no action id.
        """
        return notation.words(self.state, self.board, self._id(action))

    def parse(self, text: str) -> int:
        """Action id of words.

        Raises:
            IllegalAction: they name none here.
        """
        if not isinstance(text, str):
            raise IllegalAction(f"action is {text!r}; allowed: words (str)")
        return notation.parse(self.state, self.board, text)

    def explain(self, action: int | str) -> str | None:
        """None when the action is legal, else the rule that forbids it, with the numbers.

        Raises:
            IllegalAction: neither words nor an action id.
        """
        asked = action if isinstance(action, str) else self._id(action)
        return notation_reasons.explain(self.state, self.board, asked)

    def _id(self, action: object) -> int:
        """A whole number in the table, or IllegalAction."""
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:  # arrays of one number have `__index__`, too
            number = None
        if number is None or isinstance(action, (bool, np.bool_)):
            raise IllegalAction(f"action is {action!r}; allowed: an action id (int) or words (str)")
        if not 0 <= number < len(self._mask):
            raise IllegalAction(f"action is {number}; allowed: 0 to {len(self._mask) - 1}")
        return number

    def _seat(self, player: object) -> int:
        return whole_number("player", player, 0, self.config.players - 1)

    # ------------------------------------------------------------------------------------ play

    def play(self, action: int | str) -> Self:
        """Play an action id or words; returns the game, so that plays can be chained.

        Raises:
            IllegalAction: with the rule and the numbers; the game is untouched.
        """
        number = self.parse(action) if isinstance(action, str) else self._id(action)
        if not game_kernels.step(plain(self._states), plain_board(self.board), number):
            raise IllegalAction(self.explain(number))
        self._actions.append(number)
        return self

    def clone(self) -> Self:
        """An independent copy that goes on with the same random numbers."""
        game = type(self).from_states(self.board, self._states, self.seed)
        game._start = copy_states(self._start)
        game._actions = list(self._actions)
        game._draws = None if self._draws is None else dict(self._draws)
        game.names = self.names
        return game

    def __copy__(self) -> Self:
        return self.clone()

    def redeterminise(self, player: int, seed: int) -> Self:
        """A new game from here in which what `player` cannot know is dealt anew (RI.2).

        Raises:
            ValueError: no such seat, or a seed that is none.
        """
        game = type(self).from_states(self.board, self._states)
        hidden.redeterminise(game.state, self.board.record, self._seat(player), first_word(check_seed(seed)))
        game._start = copy_states(game._states)
        return game

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "board": self.board.config}

    def __setstate__(self, state: dict[str, Any]) -> None:
        states = copy_states(state["_states"])
        self.__dict__.update(state, board=make_board(state["board"]), _states=states)

    def __repr__(self) -> str:
        where = f"round {self.round_number}, {self.phase}, player {self.player}"
        return f"Game({self.config.players} players, {self.config.edition}, {self.config.board}; {where})"

    # ------------------------------------------------------------------------- positions and records

    def to_position(self) -> dict[str, Any]:
        """The position as plain data (position.py)."""
        return position.to_position(self.state, self.board)

    @classmethod
    def from_position(cls, given: Mapping[str, Any], seed: int = 0, **config: Any) -> Self:
        """A game from a position; `config` says what the position does not.

        Raises:
            ValueError: names the key, what was given and what is allowed.
        """
        board, states = position.from_position(given, check_seed(seed), **config)
        return cls.from_states(board, states)

    def record(self, names: list[str] | None = None) -> str:
        """The game so far as text; `names` of the players by seat, left out: those it has (record.py).

        Raises:
            ValueError: not one name per seat.
        """
        from powergrid_env import record  # above this file: a record is written and read by playing games

        return record.write(self, self.names if names is None else names)

    @classmethod
    def replay(cls, text: str) -> "Game":
        """The game of a record, at its last decision.

        Raises:
            ValueError: begins with the line that cannot be.
        """
        from powergrid_env import record

        return record.read(text)
