"""Runs the measurements of `powergrid bench`, one after the other."""

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numba

from training.bench import batches, counts, environments, first_use, processes, profile, public
from training.bench.protocol import RATE, SIZE, TIME, Measure, Protocol, ratio, summary

FORMAT = 1
PACKAGES = (
    "powergrid-env",
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "stable-baselines3",
    "open_spiel",
    "rlcard",
)
OnDone = Callable[[Measure], Any]


def run(
    parts: Sequence[str] | None = None,
    repeats: int = 5,
    seconds: float = 1.0,
    threads: int | None = None,
    on_done: OnDone = lambda measure: None,
) -> dict[str, Any]:
    """Measure.

    Args:
        parts: names from `PARTS`; all but `learning` and `counts` when left out.
        repeats: of each measurement, of which the median counts.
        seconds: of each repeat.
        threads: of the measurements with several threads; as many as there are when left out.
        on_done: called with each measure.

    Returns:
        a report of plain data: `format`, `when`, `machine`, `protocol`, and `measures`, a list of what `Measure` holds.

    Raises:
        ValueError: an unknown part, or a number out of range.
    """
    chosen = [part for part in PARTS if part not in OPTIONAL] if parts is None else list(parts)
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        raise ValueError(f"parts has {unknown[0]!r}; allowed: {', '.join(PARTS)}")
    if repeats < 1 or seconds <= 0:
        raise ValueError(
            f"repeats is {repeats} and seconds {seconds}; allowed: at least one repeat, more than 0 seconds"
        )
    if "counts" in chosen:
        counts.check()
    most = int(numba.config.NUMBA_NUM_THREADS)
    if threads is not None and not 1 <= threads <= most:
        raise ValueError(f"threads is {threads}; allowed: 1 to {most}")
    measures: list[Measure] = []

    def note(measure: Measure) -> None:
        measures.append(measure)
        on_done(measure)

    for part in chosen:
        PARTS[part](Protocol(repeats, seconds), threads or most, note)
    return {
        "format": FORMAT,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "protocol": {"repeats": repeats, "seconds": seconds, "threads": threads or most},
        "measures": [asdict(measure) for measure in measures],
    }


def _batch(protocol: Protocol, threads: int, note: OnDone) -> None:
    numbers = sorted({1, threads})
    held = [batches.random_batch(threads=number) for number in numbers]
    for ending, what, loop in (
        ("", "decisions", batches.decisions),
        (", observed", "decisions", batches.observed),
        (", whole games", "games", batches.games),
    ):
        rates = protocol.rates([loop(batch) for batch in held])
        for number, found in zip(numbers, rates, strict=True):
            name = f"batch, {number} thread" + ("s" if number > 1 else "") + ending
            settings = {"games": batches.LANES, "players": 4, "threads": number}
            note(summary(name, f"{what} {RATE}", found, **settings))
        if threads > 1:
            note(ratio(f"batch, {threads} threads over 1{ending}", rates[1], rates[0], threads=threads))
    if threads > 1:
        one, all_of_them = processes.speeds(protocol, threads)
        note(ratio(f"batch, {threads} processes over 1", all_of_them, one))
    note(protocol.rate("copies of a game", "copies", batches.copies()))


def _environments(protocol: Protocol, threads: int, note: OnDone) -> None:
    for name, stream in (
        ("Game", environments.game),
        ("AEC loop", environments.our_aec),
        ("seat against random", lambda: environments.seat("random")),
        ("seat against face_value", lambda: environments.seat("face_value")),
    ):
        note(protocol.rate(name, "decisions", environments.pieces(stream())))
    for opponents in ("random", "face_value", "balanced"):
        settings = {"games": environments.LANES, "players": 3}
        piece = environments.vector_seats(opponents)
        note(protocol.rate(f"vector seats against {opponents}", "decisions", piece, **settings))
    note(protocol.rate("SB3 seats against random", "decisions", environments.sb3_seats("random"), **settings))


def _learning(protocol: Protocol, threads: int, note: OnDone) -> None:
    from training.bench import learning

    ours, free = learning.speeds(protocol, threads=threads)
    note(summary("MaskablePPO", f"decisions {RATE}", ours, threads=threads))
    note(summary("MaskablePPO, games that cost nothing", f"decisions {RATE}", free, threads=threads))
    note(ratio("MaskablePPO over games that cost nothing", ours, free, threads=threads))


def _first_use(protocol: Protocol, threads: int, note: OnDone) -> None:
    for name, script in (
        ("first step", first_use.FIRST_STEP),
        ("first steps of training", first_use.TRAINING),
    ):
        cold, warm = first_use.cold_and_warm(script, protocol.repeats)
        note(summary(f"{name}, cold", TIME, [cold]))
        note(summary(f"{name}, warm", TIME, warm))


def _memory(protocol: Protocol, threads: int, note: OnDone) -> None:
    note(summary("a state", "bytes", [float(batches.bytes_per_game())]))
    used = first_use.memory()
    if used is not None:
        note(summary("100,000 games", SIZE, [used]))


def _growth(protocol: Protocol, threads: int, note: OnDone) -> None:
    for observe, ending in ((False, ""), (True, ", observed")):
        for games in (size for size in batches.SIZES if not observe or size <= batches.MOST_OBSERVED):
            piece = batches.decisions(batches.random_batch(games), observe)
            note(
                protocol.rate(
                    f"{games} games{ending}", "decisions", piece, games=games, players=4, observe=observe
                )
            )
    for players in range(2, 7):
        batch = batches.random_batch(players=players)
        name = f"{players} players"
        note(protocol.rate(name, "decisions", batches.decisions(batch), games=len(batch), players=players))


def _public(protocol: Protocol, threads: int, note: OnDone) -> None:
    for name, stream in public.found():
        note(protocol.rate(name, "decisions", environments.pieces(stream())))


def _profile(protocol: Protocol, threads: int, note: OnDone) -> None:
    for measure in profile.measures(protocol):
        note(measure)


def _counts(protocol: Protocol, threads: int, note: OnDone) -> None:
    for measure in counts.measures():
        note(measure)


PARTS: dict[str, Callable[[Protocol, int, OnDone], None]] = {
    "batch": _batch,
    "environments": _environments,
    "public": _public,
    "first_use": _first_use,
    "memory": _memory,
    "growth": _growth,
    "profile": _profile,
    "learning": _learning,
    "counts": _counts,
}
"""What can be measured, in the order of the report."""
OPTIONAL = ("learning", "counts")
"""Parts that are left out unless named: one trains a network, one needs valgrind."""


def _machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cpus": os.cpu_count() or 0,
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: number for name in PACKAGES if (number := _version(name))},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    """Name of the processor, as far as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"
