"""The referee asks the agents, and records a forfeit where one fails: its seat is then played on by `face_value`.

An agent forfeits a game when it raises, answers with anything but a legal action, or exceeds the time for a move. All
lanes of an agent are asked at once; after a failure each is asked by itself, so that only the guilty ones forfeit.
"""

import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Actions, Agent, Lanes
from agents.scripted.face_value import FaceValueAgent
from powergrid_env import kernels
from powergrid_env.batch import GameBatch

STRIKES = 3  # games lost by time after which an agent forfeits all it still plays in this batch


class Referee:
    """Plays one batch of games to the end.

    Args:
        batch: games that do not reset themselves.
        seats: `(N, P)` int64, row of `agents` in each seat.
        agents: who plays.
        seconds_per_move: time that an agent has for each answer, None for no limit.

    Attributes:
        forfeits: `(N, P)` object, "" or why the seat's agent forfeited.
    """

    def __init__(
        self,
        batch: GameBatch,
        seats: npt.NDArray[np.int64],
        agents: Sequence[Agent],
        seconds_per_move: float | None = None,
    ) -> None:
        self.batch = batch
        self.seats = seats.copy()
        self.agents = [*agents, FaceValueAgent()]
        self.seconds_per_move = seconds_per_move
        self.forfeits = np.full(seats.shape, "", dtype=object)
        self._strikes = np.zeros(len(agents), np.int64)

    def play(self) -> None:
        """Play until all games are over."""
        lanes = np.flatnonzero(self.batch.player >= 0)
        while len(lanes):
            players = self.batch.player[lanes]
            who = self.seats[lanes, players]
            actions = np.empty(len(lanes), np.int64)
            for entrant in np.unique(who):
                asked = np.flatnonzero(who == entrant)
                actions[asked] = self._ask(int(entrant), lanes[asked], players[asked])
            self.batch.step(actions, lanes)
            lanes = lanes[self.batch.player[lanes] >= 0]

    def _ask(self, entrant: int, lanes: Lanes, players: npt.NDArray[np.int64]) -> Actions:
        """Legal answers of an agent, or of its substitute where it forfeits."""
        answers, failure = self._try(entrant, lanes)
        if failure is None:
            return answers
        if len(lanes) == 1:
            return self._forfeit(entrant, lanes, players, failure)
        for place in range(len(lanes)):
            one = slice(place, place + 1)
            if self._strikes[entrant] >= STRIKES:
                answers[place:] = self._forfeit(
                    entrant, lanes[place:], players[place:], "too slow in other games"
                )
                break
            answers[one] = self._ask(entrant, lanes[one], players[one])
        return answers

    def _try(self, entrant: int, lanes: Lanes) -> tuple[Actions, str | None]:
        """Answers, and what is wrong with them if anything is."""
        agent, nothing = self.agents[entrant], np.zeros(len(lanes), np.int64)
        limit = None if self.seconds_per_move is None else self.seconds_per_move * len(lanes)
        try:
            with time_limit(limit):
                given: Any = np.asarray(agent.act(self.batch, lanes))
        except TimeoutError:
            if len(lanes) == 1:
                self._strikes[entrant] += 1
            return nothing, f"more than {self.seconds_per_move:g} s for a move"
        except Exception as error:  # whatever a bot does, the other games go on
            place = traceback.extract_tb(error.__traceback__)[-1]
            return nothing, f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        if given.shape != (len(lanes),) or given.dtype.kind not in "iu":
            return nothing, f"answered with an array {given.shape} of {given.dtype}"
        actions = given.astype(np.int64)
        reasons = np.zeros(len(lanes), np.int16)
        verify = kernels.compiled(kernels.verify, False)
        if verify(self.batch.states, self.batch.board.records, lanes, actions, reasons):
            wrong = int(np.flatnonzero(reasons)[0])
            return nothing, f"illegal action {actions[wrong]}"
        return actions, None

    def _forfeit(self, entrant: int, lanes: Lanes, players: npt.NDArray[np.int64], reason: str) -> Actions:
        """The seat goes to the substitute."""
        self.forfeits[lanes, players] = reason
        self.seats[lanes, players] = len(self.agents) - 1
        return self.agents[-1].act(self.batch, lanes)


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises TimeoutError when the block takes longer.

    Where the system has interval timers and we run in the main thread, the block is interrupted; else its time is only
    looked at when it is done.
    """
    if seconds is None:
        yield
        return
    interrupts = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    begin = time.perf_counter()
    if interrupts:
        before = signal.signal(signal.SIGALRM, _raise_timeout)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if interrupts:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if time.perf_counter() - begin > seconds:
        raise TimeoutError


def _raise_timeout(signum: int, frame: object) -> None:
    raise TimeoutError
