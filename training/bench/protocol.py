"""How a figure is measured: the median of several repeats, each of a fixed length, after a warm-up."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

RATE, TIME, SIZE = "per second", "s", "MB"


@dataclass(frozen=True)
class Measure:
    """A figure.

    Attributes:
        name: what was measured; the same in every report.
        value: the median.
        unit: "decisions per second", "s", "MB" and the like.
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
        """Is it a rate?"""
        return self.unit.endswith(RATE)


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
        piece()
        rates = []
        for _ in range(self.repeats):
            done, begin = 0, time.perf_counter()
            while (taken := time.perf_counter() - begin) < self.seconds:
                done += piece()
            rates.append(done / taken)
        return summary(name, f"{what} {RATE}", rates, **settings)


def summary(name: str, unit: str, values: list[float], **settings: Any) -> Measure:
    """The measure that several values make."""
    return Measure(name, statistics.median(values), unit, min(values), max(values), settings)
