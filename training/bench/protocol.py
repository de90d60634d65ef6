"""How a figure is measured: the median of several repeats, each of a fixed length, after a warm-up.

Figures that are divided by each other are measured in turns, so that whatever else the machine does meets both alike,
and the ratio is the median of those of each turn.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

RATE, RATIO, TIME, SIZE = "per second", "times", "s", "MB"


@dataclass(frozen=True)
class Measure:
    """A figure.

    Attributes:
        name: what was measured; the same in every report.
        value: the median.
        unit: "decisions per second", "times" (one rate over another), "s", "MB" and the like.
        low, high: least and largest of the repeats.
        settings: what it depends on.
    """

    name: str
    value: float
    unit: str
    low: float
    high: float
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def more_is_better(self) -> bool:
        """Is it a rate, or a rate over another?"""
        return self.unit.endswith((RATE, RATIO))


@dataclass(frozen=True)
class Protocol:
    """How long to measure.

    Attributes:
        repeats: of which the median counts.
        seconds: of each repeat.
    """

    repeats: int = 5
    seconds: float = 1.0

    def rate(self, name: str, what: str, piece: Callable[[], int], **settings: Any) -> Measure:
        """How many units `piece` does per second; it does some at each call and returns how many."""
        return summary(name, f"{what} {RATE}", *self.rates([piece]), **settings)

    def rates(self, pieces: Sequence[Callable[[], int]]) -> list[list[float]]:
        """Units per second of some pieces of work, all repeats of each; they take turns."""
        for piece in pieces:
            piece()
        found: list[list[float]] = [[] for _ in pieces]
        for _ in range(self.repeats):
            for piece, rates in zip(pieces, found, strict=True):
                rates.append(rate(piece, self.seconds))
        return found


def rate(piece: Callable[[], int], seconds: float) -> float:
    """Units per second of a piece of work that is done again and again for some seconds."""
    done, begin = 0, time.perf_counter()
    while (taken := time.perf_counter() - begin) < seconds:
        done += piece()
    return done / taken


def summary(name: str, unit: str, values: list[float], **settings: Any) -> Measure:
    """The measure that several values make."""
    return Measure(name, statistics.median(values), unit, min(values), max(values), settings)


def ratio(name: str, above: list[float], below: list[float], **settings: Any) -> Measure:
    """The measure that rates make over others which were measured in turns with them."""
    return summary(name, RATIO, [a / b for a, b in zip(above, below, strict=True)], **settings)
