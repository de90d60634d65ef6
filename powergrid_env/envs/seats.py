"""Many games with one learner in each: agents play the other seats until the learner is asked."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env.arguments import MAX_SEED
from powergrid_env.batch import GameBatch, check_threads
from powergrid_env.config import GameConfig
from powergrid_env.constants import NOBODY
from powergrid_env.envs.opponents import Agent, DrawOpponents, Opponents, ask, resolve_opponents
from powergrid_env.envs.shared import check_seat
from powergrid_env.notation import IllegalAction
from powergrid_env.reasons import Reason
from powergrid_env.seeds import nth_word

SEAT_WORD = 3  # words of a game's seed, behind those of seeds.py
AGENT_WORD = 4

LEARNER = -1  # in `agent_of`


class LearnerSeats:
    """N games, one lane each, that stand at a decision of their learner or are over.

    Who sits where follows from the seed of each game alone.

    Args:
        config: what to play.
        num_games: number of lanes `N`.
        opponents: a name or an agent for all other seats, or one for each, clockwise from the learner; or a function
            that draws either for each game.
        learner_seat: the learner's seat in all games, or "random": drawn anew for each game.
        num_threads: threads of the batch.

    Attributes:
        batch: the games.
        seats: `(N,)` int64, the learner's seat.
        rewards: `(N,)` float64, paid to the learner since its last decision.
        agents: those of the other seats.
        agent_of: `(N, P)` int64, index in `agents` of who sits there, -1 for the learner.

    Raises:
        ValueError: names the argument, what was given and what is allowed.
    """

    def __init__(
        self,
        config: GameConfig,
        num_games: int,
        opponents: Opponents | DrawOpponents,
        learner_seat: int | str = "random",
        num_threads: int = 1,
    ) -> None:
        self.config = config
        self.num_games = num_games
        self._fixed_seat = check_seat(learner_seat, config.players)
        self._num_threads = check_threads(num_threads)
        self._draw: DrawOpponents | None = None
        self._others: list[int] = []
        self._made: dict[str, Agent] = {}
        self._agent_seeds = np.random.default_rng(0)
        self.agents: list[Agent] = []
        self.seats = np.zeros(num_games, np.int64)
        self.rewards = np.zeros(num_games, np.float64)
        self.agent_of = np.full((num_games, config.players), LEARNER)
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Opponents | DrawOpponents) -> None:
        """Who sits in the other seats of the games that begin from now on.

        Raises:
            ValueError: an unknown name or parameter, something that is no agent, or too few or too many.
        """
        others = [] if callable(opponents) else self._resolve(opponents)
        self._draw = opponents if callable(opponents) else None
        self._sit_down(others)

    def _resolve(self, opponents: Opponents) -> list[Agent]:
        return resolve_opponents(opponents, self.config.players - 1, self._made)

    def _sit_down(self, agents: list[Agent]) -> None:
        """The agents of all games to come, unless they are drawn."""
        self._others = []
        for agent in agents:
            self._others.append(self._place(agent))

    def _place(self, agent: Agent) -> int:
        """Place of an agent in `agents`; a new one takes the place of one that sits nowhere, if there is one."""
        for place, known in enumerate(self.agents):
            if known is agent:
                return place
        agent.reset(int(self._agent_seeds.integers(MAX_SEED)))
        in_use = {*self._others, *np.unique(self.agent_of).tolist()}
        for place in range(len(self.agents)):
            if place not in in_use:
                self.agents[place] = agent
                return place
        self.agents.append(agent)
        return len(self.agents) - 1

    def opponents_of(self, lane: int) -> tuple[str, ...]:
        """Names of the agents in a lane, clockwise from the learner."""
        seats = [
            (self.seats[lane] + 1 + place) % self.config.players for place in range(self.config.players - 1)
        ]
        return tuple(self.agents[self.agent_of[lane, seat]].name for seat in seats)

    # ------------------------------------------------------------------------------------ play

    def restart(self, seed: int | Sequence[int] | npt.NDArray[Any]) -> None:
        """New games everywhere, and new chance for the agents; all follows from `seed` (as in GameBatch)."""
        self.batch = GameBatch(
            self.config, self.num_games, seed, autoreset=False, num_threads=self._num_threads
        )
        self._agent_seeds = np.random.default_rng(int(nth_word(self.batch.seeds[0], AGENT_WORD)))
        others = [self.agents[place] for place in self._others]
        self.agents = []
        self.agent_of[:] = LEARNER
        self._sit_down(others)
        lanes = np.arange(self.num_games)
        self._seat(lanes)
        self._advance(lanes)
        self._begin_unasked(lanes)

    def begin_next(self, lanes: npt.NDArray[np.int64]) -> None:
        """The next game in some lanes."""
        self.play(lanes[:0], lanes[:0], lanes)

    def play(
        self, lanes: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], begin: npt.NDArray[np.int64]
    ) -> None:
        """Play the learner's actions in `lanes` and begin the next game in `begin`; go on to its next decisions or the end.

        Raises:
            IllegalAction: names the first lane; no lane has moved.
        """
        self.rewards[:] = 0
        self._step(lanes, actions)
        if len(begin):
            self.batch.reset(begin)
            self._seat(begin)
            lanes = np.concatenate([lanes, begin])
        self._advance(lanes)
        self._begin_unasked(begin)

    def _begin_unasked(self, begun: npt.NDArray[np.int64]) -> None:
        """A game that ended before the learner was asked anything is nothing to learn from: begin the next."""
        over = begun[self.batch.states["player"][begun] == NOBODY]
        if len(over):
            self.rewards[over] = 0
            self.begin_next(over)

    def _seat(self, lanes: npt.NDArray[np.int64]) -> None:
        """Who sits where in new games."""
        num_players = self.config.players
        for lane in lanes:
            game = self.batch.seeds[lane]
            seat = self._fixed_seat
            if seat is None:
                seat = (int(nth_word(game, SEAT_WORD)) >> 32) * num_players >> 32
            self.seats[lane] = seat
            self.agent_of[lane, seat] = LEARNER
            drawn = None
            if self._draw:
                drawn = self._resolve(self._draw(np.random.default_rng(int(nth_word(game, AGENT_WORD)))))
            for place in range(num_players - 1):
                other = self._place(drawn[place]) if drawn else self._others[place]
                self.agent_of[lane, (seat + 1 + place) % num_players] = other

    def _advance(self, lanes: npt.NDArray[np.int64]) -> None:
        """Let the agents answer, all lanes that wait for them together, until nobody but learners is asked."""
        while True:
            players = self.batch.states["player"][lanes]
            waits = (players != self.seats[lanes]) & (players != NOBODY)
            lanes = lanes[waits]
            if not len(lanes):
                return
            asked = self.agent_of[lanes, players[waits]]
            actions = self._ask(lanes, asked)
            try:
                self._step(lanes, actions)
            except IllegalAction as error:
                name = self.agents[asked[self.batch.verify(actions, lanes) != Reason.LEGAL][0]].name
                raise IllegalAction(f"opponent {name}: {error}") from error

    def _ask(self, lanes: npt.NDArray[np.int64], asked: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The answers of the agents `asked` `(k,)`, each called once."""
        if len(self.agents) == 1:
            return ask(self.agents[0], self.batch, lanes)
        actions = np.zeros(len(lanes), np.int64)
        for place, agent in enumerate(self.agents):
            mine = asked == place
            if mine.any():
                actions[mine] = ask(agent, self.batch, lanes[mine])
        return actions

    def _step(self, lanes: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        rewards, terminated, truncated = self.batch.step(actions, lanes)
        ended = self.batch.ended
        if len(ended):
            self.rewards[ended] += rewards[terminated | truncated, self.seats[ended]]
