"""What a decision costs in instructions, memory and wrong guesses of the processor, counted by valgrind's cachegrind.

Counts hardly vary from run to run, and not at all with what else the machine does. Cachegrind simulates a processor:
the rules are compiled for one that it knows, and every call is counted in a child process of its own, forked when all
is loaded, of which a child that does nothing is taken away.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from training.bench.batches import random_batch
from training.bench.profile import Calls
from training.bench.protocol import Measure, summary

LANES, ROUNDS = 4096, 8
LINE = 64  # bytes of a cache line
CACHES = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")  # size, ways, line
PROCESSOR = {
    "NUMBA_CPU_NAME": "x86-64-v3",
    "NUMBA_CPU_FEATURES": "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sse4.2,+ssse3",
}
COUNTED = {  # name and unit of what is counted: events of cachegrind, and how much each is
    ("instructions", "per decision"): (("Ir",), 1),
    ("touched", "bytes per decision"): (("D1mr", "D1mw"), LINE),
    ("from beyond 1 MB", "bytes per decision"): (("DLmr", "DLmw"), LINE),
    ("wrong guesses", "per decision"): (("Bcm", "Bim"), 1),
}
SCRIPT = "from training.bench.counts import children; children()"


def check() -> None:
    """Can it be counted here?

    Raises:
        ValueError: no.
    """
    if shutil.which("valgrind") is None or platform.machine() != "x86_64":
        raise ValueError("parts has 'counts'; allowed: where valgrind is installed, on x86-64")


def measures() -> Iterator[Measure]:
    """What each call of the batch loop costs per decision.

    Raises:
        RuntimeError: valgrind failed.
    """
    environ = {**os.environ, **PROCESSOR, "POWERGRID_QUIET": "1", "PYTHONHASHSEED": "0"}
    _output([sys.executable, "-c", SCRIPT], environ)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes", *CACHES]
        valgrind.append(f"--cachegrind-out-file={folder}/%p")
        printed = _output([*valgrind, sys.executable, "-c", SCRIPT], environ)
        numbers = [line.split() for line in printed.splitlines()]
        totals = {name: totals_of(Path(folder, pid).read_text("utf-8")) for name, pid in numbers}
    yield from per_decision(totals, LANES * ROUNDS)


def per_decision(totals: dict[str, dict[str, int]], decisions: int) -> Iterator[Measure]:
    """The measures that the events of the children make."""
    # Only a step that follows drawn actions can be taken, so the drawing is taken away again.
    below = {"masks": "nothing", "random_actions": "nothing", "step": "random_actions", "observe": "nothing"}
    for call, other in below.items():
        for (name, unit), (events, size) in COUNTED.items():
            count = sum(totals[call][event] - totals[other][event] for event in events)
            yield summary(f"{call}, {name}", unit, [count * size / decisions])


def totals_of(text: str) -> dict[str, int]:
    """The events of a file of cachegrind."""
    lines = dict(
        line.split(": ", 1) for line in text.splitlines() if line.startswith(("events: ", "summary: "))
    )
    return dict(zip(lines["events"].split(), map(int, lines["summary"].split()), strict=True))


def children(lanes: int = LANES, rounds: int = ROUNDS) -> None:
    """Make each call in a child of its own, and print its name and process id."""
    calls = Calls(random_batch(lanes))
    calls.step()

    def draw_and_step() -> None:
        calls.random_actions()
        calls.step()

    work: dict[str, Callable[[], object]] = {
        "nothing": int,
        "masks": calls.masks,
        "random_actions": calls.random_actions,
        "step": draw_and_step,
        "observe": calls.observe,
    }
    for name, call in work.items():
        child = os.fork()
        if not child:
            for _ in range(rounds):
                call()
            os._exit(0)
        os.waitpid(child, 0)
        sys.stdout.write(f"{name} {child}\n")


def _output(command: list[str], environ: dict[str, str]) -> str:
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout
