"""GameBatch: N games of one config, spoken in arrays. For training, tournaments and studies."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numba
import numpy as np
import numpy.typing as npt

from powergrid_env import kernels
from powergrid_env.arguments import (
    MAX_SEED,
    buffer,
    check_seed,
    is_one,
    make_config,
    refuse,
    whole_number,
    whole_numbers,
)
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import NOBODY
from powergrid_env.game import Game
from powergrid_env.layout import observation_size
from powergrid_env.notation import IllegalAction
from powergrid_env.plain import plain, plain_board
from powergrid_env.reasons import Reason
from powergrid_env.state import States, make_states

UNKNOWN_SEED = -1
WORTH_THREADS = 512  # lanes: with fewer, one thread is done before another is awake


def check_threads(number: object) -> int:
    """A number of threads.

    Raises:
        ValueError: it is none, or more than numba has.
    """
    return whole_number("num_threads", number, 1, numba.config.NUMBA_NUM_THREADS)


class GameBatch:
    """N games of one config that are stepped together, one lane each.

    Lane `i` plays exactly the game `Game(config, seed=batch.seeds[i])` plays with the same actions. What happens in a
    lane follows from the seed of its first game and the actions alone: not from other lanes, nor from the threads.

    With more than one thread, numba's threading layer is started at the first call and then belongs to the process:
    make child processes before that, or by "spawn", and call from one Python thread at a time. With one thread
    (the default) nothing of that kind is ever started.

    Methods that take `lanes` `(k,)` do their work for these lanes only, each named once, and answer in their order;
    all `N` when left out.

    Args:
        config: what to play; or its fields as keywords.
        num_games: number of lanes `N`.
        seed: whole number that the seeds of the lanes are drawn from, None draws it; or an array `(N,)` of the seeds
            of the lanes' first games.
        autoreset: a lane whose game ends begins its next game within the same `step`.
        num_threads: threads that share the lanes in every call.
        fields: fields of GameConfig, when `config` is not given.

    Attributes:
        board: the Board with its names.
        seeds: `(N,)` int64, seed of the game in each lane, -1 for a game that began elsewhere (`from_games`); written over
            when a lane begins its next game.
        ended: `(k,)` int64, lanes whose game ended in the last step.
        final_states: structured array `(k,)`, how those games stood at their end.
        final_seeds: `(k,)` int64, their seeds.

    Raises:
        ValueError: names the argument, what was given and what is allowed.

    >>> batch = GameBatch(players=3, num_games=64, seed=7)
    >>> rewards, terminated, truncated = batch.step(batch.random_actions())
    >>> rewards.shape, int(terminated.sum()), batch.states["money"][0, :3].tolist()
    ((64, 3), 0, [50, 50, 50])
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_games: int = 1,
        seed: int | Sequence[int] | npt.NDArray[Any] | None = None,
        autoreset: bool = True,
        num_threads: int = 1,
        **fields: Any,
    ) -> None:
        count = whole_number("num_games", num_games, 1, None)
        self._begin(
            make_board(make_config(config, fields, type(self))), make_states(count), autoreset, num_threads
        )
        self._start(self._lane_seeds(seed))
        self._run(kernels.begin_games, self._all_lanes, self.seeds)

    def _begin(self, board: Board, states: States, autoreset: bool, num_threads: int) -> None:
        self.board = board
        self._states = states
        self._plain_states = plain(states)
        self.autoreset = bool(autoreset)
        self.num_threads = num_threads
        self._all_lanes = np.arange(len(states))
        self._seen = np.zeros(len(states), np.uint8)
        self._reasons = np.zeros(len(states), np.int16)
        self._ended = np.zeros(len(states), np.bool_)
        self._keep_ended(np.zeros(0, np.int64))

    def _start(self, seeds: npt.NDArray[np.int64]) -> None:
        """Start the lanes' own generators, which follow from the seeds of their first games."""
        self.seeds = seeds
        self._seed_words = np.zeros(len(seeds), np.uint64)
        self._action_words = np.zeros(len(seeds), np.uint64)
        start = kernels.compiled(kernels.start_generators, False)
        start(seeds, self._seed_words, self._action_words)

    @classmethod
    def from_games(
        cls, games: Sequence[Game], autoreset: bool = False, seed: int | None = None, num_threads: int = 1
    ) -> Self:
        """A batch of copies of games of one config, one lane each, where they stand now.

        `seed` is for what the batch draws itself: random actions, and the games that follow with `autoreset`;
        `num_threads` as in `GameBatch`.

        Raises:
            ValueError: no games, something else, or different configs; names the lane.
        """
        if not isinstance(games, Sequence) or not games:
            raise refuse("games", games, "a list of Games, one at least")
        for lane, game in enumerate(games):
            if not isinstance(game, Game):
                raise refuse(f"games[{lane}]", game, "a Game")
        batch = cls.__new__(cls)
        batch._begin(games[0].board, make_states(len(games)), autoreset, num_threads)
        for lane, game in enumerate(games):
            if game.config != games[0].config:
                raise ValueError(
                    f"games: the config of lane {lane} is not that of lane 0; allowed: one config"
                )
            batch.states[lane] = game.state
        batch._start(batch._lane_seeds(seed))
        batch.seeds = np.full(len(games), UNKNOWN_SEED, np.int64)
        return batch

    # ------------------------------------------------------------------------------------ questions

    @property
    def config(self) -> GameConfig:
        """The config."""
        return self.board.config

    @property
    def states(self) -> States:
        """Structured array `(N,)` of the games, see state.py; what is written to it changes the games."""
        return self._states

    @property
    def num_games(self) -> int:
        """Number of lanes `N`."""
        return len(self.states)

    @property
    def num_actions(self) -> int:
        """Rows of the action table `A`."""
        return int(self.board.record.num_actions)

    @property
    def observation_size(self) -> int:
        """Numbers of an observation `D`."""
        return int(observation_size(self.board))

    @property
    def player(self) -> npt.NDArray[np.int64]:
        """`(N,)` int64, the seat to act, -1 where the game is over; a fresh array."""
        return self.states["player"].astype(np.int64)

    @property
    def num_threads(self) -> int:
        """Threads that share the lanes; may be set at any time and changes no result."""
        return self._num_threads

    @num_threads.setter
    def num_threads(self, number: int) -> None:
        self._num_threads = check_threads(number)

    def game(self, lane: int) -> Game:
        """A copy of the game in a lane; its record begins where it stands now.

        Raises:
            ValueError: no such lane.
        """
        lane = whole_number("lane", lane, 0, self.num_games - 1)
        return Game.from_states(self.board, self.states[lane : lane + 1])  # type: ignore[arg-type]  # is a recarray

    def masks(
        self, out: npt.NDArray[np.int8] | None = None, lanes: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.int8]:
        """`(k, A)` int8, 1 for legal actions of the player to act; all 0 where the game is over.

        Args:
            out: filled and returned, when given.
            lanes: as said above.

        Raises:
            ValueError: `out` does not fit, or an unknown lane.
        """
        asked = self._check_lanes(lanes)
        masks = buffer("out", out, (len(asked), self.num_actions), np.int8)
        self._run(kernels.fill_masks, asked, masks)
        return masks

    def observe(
        self,
        out: npt.NDArray[np.float32] | None = None,
        lanes: npt.ArrayLike | None = None,
        seats: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.float32]:
        """`(k, D)` float32 in [0, 1], what the player to act may know (observation.py); all 0 where the game is over.

        Args:
            out: filled and returned, when given.
            lanes: as said above.
            seats: `(k,)` whose eyes to see with instead, also when the game is over.

        Raises:
            ValueError: `out` does not fit, an unknown lane or seat.
        """
        asked = self._check_lanes(lanes)
        if seats is None:
            eyes = self.player[asked]
        else:
            eyes = whole_numbers("seats", seats, len(asked), self.config.players - 1)
        out = buffer("out", out, (len(asked), self.observation_size), np.float32)
        self._run(kernels.observe, asked, eyes, out)
        return out

    def random_actions(self, lanes: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """`(k,)` int64, a legal action per lane, drawn uniformly by the lane's own generator; 0 where the game is over.

        The games' own generators are left alone. Legality is asked anew at each call, so that the actions fit `states`
        also where they were written to.

        Raises:
            ValueError: an unknown lane.
        """
        asked = self._check_lanes(lanes)
        actions = np.empty(len(asked), np.int64)
        self._run(kernels.draw_actions, asked, self._action_words, actions)
        return actions

    def verify(self, actions: npt.ArrayLike, lanes: npt.ArrayLike | None = None) -> npt.NDArray[np.int16]:
        """`(k,)` int16, 0 where an action is legal or the game is over, else the Reason (reasons.py) that forbids it.

        Args:
            actions: `(k,)` whole numbers.
            lanes: as said above.

        Raises:
            ValueError: a wrong shape or dtype, or an unknown lane.
        """
        asked = self._check_lanes(lanes)
        reasons = np.empty(len(asked), np.int16)
        self._run(kernels.verify, asked, whole_numbers("actions", actions, len(asked)), reasons)
        return reasons

    # ------------------------------------------------------------------------------------ play

    def step(
        self, actions: npt.ArrayLike, lanes: npt.ArrayLike | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Play one action in each lane.

        With `autoreset` a lane that is over then begins its next game: `states`, `player` and `seeds` are those of
        the new game, while `rewards`, the flags, `ended`, `final_states` and `final_seeds` speak of the one that
        ended. Without it the lane stays as it is and ignores its actions from there on: its flag stays, its rewards
        are 0.

        Args:
            actions: `(k,)` whole numbers, the action of the player to act in each lane.
            lanes: as said above; the others do not move.

        Returns:
            rewards `(k, P)` float32 by seat, paid once, in the step that ends the game; terminated `(k,)` bool, over by
            the rules (R7.1); truncated `(k,)` bool, over by the safety cap (R7.4).

        Raises:
            ValueError: a wrong shape or dtype, or an unknown lane.
            IllegalAction: names the first lane whose action is illegal, and the rule. No lane has moved.
        """
        moved = self._check_lanes(lanes)
        chosen = whole_numbers("actions", actions, len(moved))
        count = len(moved)
        reasons, ended = self._reasons[:count], self._ended[:count]
        if self._run(kernels.verify, moved, chosen, reasons):
            place = int(np.flatnonzero(reasons != Reason.LEGAL)[0])
            action = int(np.asarray(actions)[place])
            raise IllegalAction(f"lane {moved[place]}: {self._explain(int(moved[place]), action)}")
        rewards = np.empty((count, self.config.players), np.float32)
        terminated = np.empty(count, np.bool_)
        truncated = np.empty(count, np.bool_)
        some_over = self._run(
            kernels.step,
            moved,
            chosen,
            rewards,
            terminated,
            truncated,
            ended,
        )
        if some_over or len(self.ended):
            self._keep_ended(moved[ended])
        if some_over and self.autoreset:
            self._begin_next(moved[terminated | truncated])
        return rewards, terminated, truncated

    def reset(
        self, lanes: npt.ArrayLike | None = None, seeds: Sequence[int] | npt.NDArray[Any] | None = None
    ) -> None:
        """Begin another game in some lanes, over or not.

        Args:
            lanes: as said above.
            seeds: `(k,)` seeds of the games; left out, each lane draws its next one.

        Raises:
            ValueError: an unknown lane or a seed that is none; no lane has changed.
        """
        chosen = self._check_lanes(lanes)
        if seeds is None:
            self._begin_next(chosen)
        else:
            self.seeds[chosen] = whole_numbers("seeds", seeds, len(chosen), MAX_SEED - 1)
            self._run(kernels.begin_games, chosen, self.seeds)

    # ------------------------------------------------------------------------------------ details

    def _begin_next(self, lanes: npt.NDArray[np.int64]) -> None:
        """Begin the games of the next seeds of some lanes."""
        kernels.compiled(kernels.draw_seeds, False)(lanes, self.seeds, self._seed_words)
        self._run(kernels.begin_games, lanes, self.seeds)

    def _keep_ended(self, lanes: npt.NDArray[np.int64]) -> None:
        self.ended = lanes
        self.final_states = self.states[lanes]
        self.final_seeds = self.seeds[lanes] if len(lanes) else np.zeros(0, np.int64)

    def _run(self, loop: Callable[..., Any], lanes: npt.NDArray[np.int64], *arguments: Any) -> Any:
        """Call a loop of kernels.py over states, board and some lanes, with threads where they are worth waking."""
        boards = plain_board(self.board)
        if self._num_threads == 1 or len(lanes) < WORTH_THREADS or numba.config.DISABLE_JIT:
            return kernels.compiled(loop, False)(self._plain_states, boards, lanes, *arguments)
        kernel = kernels.compiled(loop, True)
        before = numba.get_num_threads()
        numba.set_num_threads(self._num_threads)
        try:
            return kernel(self._plain_states, boards, lanes, *arguments)
        finally:
            numba.set_num_threads(before)

    def _explain(self, lane: int, action: int) -> str | None:
        try:
            return self.game(lane).explain(action)
        except IllegalAction as error:  # no row of the action table
            return str(error)

    def _lane_seeds(self, seed: int | Sequence[int] | npt.NDArray[Any] | None) -> npt.NDArray[np.int64]:
        if seed is None or is_one(seed):
            words = np.random.SeedSequence(check_seed(seed)).generate_state(self.num_games, np.uint64)
            return (words >> np.uint64(1)).astype(np.int64)
        return whole_numbers("seed", seed, self.num_games, MAX_SEED - 1).copy()

    def _check_lanes(self, lanes: npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        if lanes is None:
            return self._all_lanes
        chosen = whole_numbers("lanes", lanes, None)
        place = kernels.compiled(kernels.find_bad_lane, False)(chosen, self._seen)
        if place >= 0:
            raise ValueError(
                f"lanes has {np.asarray(lanes)[place]}; allowed: 0 to {self.num_games - 1}, each once"
            )
        return chosen

    def __len__(self) -> int:
        return self.num_games

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "board": self.board.config, "_plain_states": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, board=make_board(state["board"]), _plain_states=plain(state["_states"]))

    def __repr__(self) -> str:
        running = int((self.states["player"] != NOBODY).sum())
        what = f"{self.config.players} players, {self.config.edition}, {self.config.board}"
        return f"GameBatch({self.num_games} games of {what}; {running} running)"
