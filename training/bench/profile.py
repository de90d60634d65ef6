"""What the time of a decision is spent on: each call of the batch loop on its own, and what the calls are made of."""

import time
from collections.abc import Callable, Iterator

from powergrid_env import GameBatch
from training.bench.batches import LANES, random_batch
from training.bench.protocol import Measure, Protocol, summary

UNIT = "ns per decision"
PLAIN = ("masks", "random_actions", "step")
OBSERVED = ("masks", "observe", "random_actions", "step")


class Calls:
    """The calls of the batch loop, and some that show what these are made of. One piece of work each, without a result.

    Attributes:
        batch: the games.
    """

    def __init__(self, batch: GameBatch) -> None:
        self.batch = batch
        self._masks = batch.masks()
        self._views = batch.observe()
        self._actions = batch.random_actions()

    def masks(self) -> None:
        """The masks, into an array that is there."""
        self.batch.masks(out=self._masks)

    def observe(self) -> None:
        """The observations, into an array that is there."""
        self.batch.observe(out=self._views)

    def random_actions(self) -> None:
        """Draw the actions for `step`."""
        self._actions = self.batch.random_actions()

    def step(self) -> None:
        """Play them."""
        self.batch.step(self._actions)

    def verify(self) -> None:
        """Ask whether they are legal, with which `step` begins."""
        self.batch.verify(self._actions)

    def zeros(self) -> None:
        """Write as many bytes as `observe` does, by numpy."""
        self._views.fill(0)


def measures(protocol: Protocol, lanes: int = LANES) -> Iterator[Measure]:
    """Time of a decision by calls, with one thread; `settings["loop"]` holds the name of the loop they make up together."""
    calls = Calls(random_batch(lanes))
    for loop, names in (("loop", PLAIN), ("observed loop", OBSERVED)):
        for name, values in spent(protocol, calls, names).items():
            yield summary(f"{loop}, {name}", UNIT, values, loop=loop)
    parts = spent(protocol, calls, ("random_actions", "verify", "step", "zeros"))
    yield summary("verify alone", UNIT, parts["verify"])
    yield summary("zeros instead of observations", UNIT, parts["zeros"])
    one = spent(protocol, Calls(random_batch(1)), PLAIN)
    python = [sum(turn) / lanes for turn in zip(*one.values(), strict=True)]
    yield summary("the three calls for one game, shared by all", UNIT, python)


def spent(protocol: Protocol, calls: Calls, names: tuple[str, ...]) -> dict[str, list[float]]:
    """Nanoseconds per decision of each call in a loop that makes them in this order."""
    loop: list[tuple[str, Callable[[], None]]] = [(name, getattr(calls, name)) for name in names]
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(protocol.repeats):
        taken, decisions = dict.fromkeys(names, 0.0), 0
        while sum(taken.values()) < protocol.seconds:
            for name, call in loop:
                begin = time.perf_counter()
                call()
                taken[name] += time.perf_counter() - begin
            decisions += len(calls.batch)
        for name in names:
            found[name].append(taken[name] / decisions * 1e9)
    return found
