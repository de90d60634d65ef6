"""The rules and conformance tests under other versions of Python and of what we depend on (`make matrix`).

Each row of `ROWS` gets a virtual environment of its own below build/matrix, with the wheel and what its tests need. The
table of results goes into CONTRIBUTING.md. A row whose Python is not on this machine is skipped and says so.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from training.pages import TABLE

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "matrix"
PAGE = ROOT / "CONTRIBUTING.md"
CONFIGS = "not train and (recharged-germany-3 or recharged-usa-2 or 2004-usa-5 or render)"
TESTS = (
    ("tests/rules", "tests/test_golden.py"),
    ("tests/test_conformance.py", "-k", CONFIGS),
    ("tests/test_cli.py", "-k", "test_rules or has_help"),
)


@dataclass(frozen=True)
class Row:
    """Versions that are tested together."""

    python: str
    numpy: str
    numba: str
    gymnasium: str
    pettingzoo: str
    typer: str = "0.29.2"
    rich: str = "15.0.0"

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"{self.python}-{self.numpy}-{self.gymnasium}-{self.pettingzoo}"

    @property
    def requirements(self) -> list[str]:
        """What pip is asked for, beside the wheel."""
        names = ("numpy", "numba", "gymnasium", "pettingzoo", "typer", "rich")
        return [f"{name}=={getattr(self, name)}" for name in names]


# Every Python, both bounds of numpy and numba, and gymnasium and pettingzoo across each other. 3.11 with the newest of
# everything is what constraints.txt pins, and so what `make test` runs. For 3.13 there is no numpy before 2.1 and no
# pettingzoo before 1.26.
ROWS = (
    Row("3.11", "1.26.0", "0.61.0", "1.2.2", "1.25.0", "0.16.0", "13.0.0"),
    Row("3.12", "2.4.6", "0.68.1", "1.2.2", "1.26.1"),
    Row("3.13", "2.1.0", "0.61.0", "1.4.0", "1.27.0"),
    Row("3.13", "2.4.6", "0.68.1", "1.4.0", "1.26.1"),
)


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or kept by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))]
    for place in places:
        if place and _call(place, "--version").returncode == 0:
            return str(place)
    return None


def _call(*words: object, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(word) for word in words],
        cwd=ROOT,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def check(row: Row, wheel: Path) -> str:
    """Install a row and run its tests; the result in words."""
    python = interpreter(row.python)
    if python is None:
        return f"skipped: no Python {row.python} on this machine"
    folder = FOLDER / row.name
    shutil.rmtree(folder, ignore_errors=True)
    _call(python, "-m", "venv", folder)
    tools = ("pytest", "pytest-timeout", "hypothesis")
    installed = _call(
        folder / "bin/python",
        "-m",
        "pip",
        "install",
        "-q",
        *row.requirements,
        f"{wheel}[cli,pictures]",
        *tools,
    )
    if installed.returncode:
        return f"not installable: {installed.stderr.strip().splitlines()[-1]}"
    begin, told = time.monotonic(), []
    for tests in TESTS:
        # The folder's own cache: the numbers of compiled files of the checkout stay as they are.
        done = _call(
            folder / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests,
            "-W", "ignore::DeprecationWarning:typer",  # of an old typer by a newer click
            POWERGRID_QUIET="1", NUMBA_CACHE_DIR=str(folder / "cache"),
        )  # fmt: skip
        if done.returncode:
            print(done.stdout[-6000:], done.stderr[-2000:], sep="\n")
        told.append(re.sub(r", \d+ (deselected|skipped)| in .*|=", "", done.stdout.splitlines()[-1]).strip())
    shutil.rmtree(folder)
    return f"{'; '.join(told)}; {time.monotonic() - begin:.0f} s"


def table(results: dict[Row, str]) -> str:
    """The results for CONTRIBUTING.md."""
    lines = [
        "| Python | numpy | numba | gymnasium | pettingzoo | rules; conformance; commands; time |",
        "| --- " * 6 + "|",
    ]
    for row, result in results.items():
        versions = (row.python, row.numpy, row.numba, row.gymnasium, row.pettingzoo)
        lines.append(f"| {' | '.join(versions)} | {result} |")
    return "\n".join(lines)


def main() -> None:
    """Run the rows (or those whose folder names begin with one of the words given) and write the table if all ran."""
    chosen = [row for row in ROWS if not sys.argv[1:] or row.name.startswith(tuple(sys.argv[1:]))]
    dist = FOLDER / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    built = _call(sys.executable, "-m", "build", "--outdir", dist, ".")
    if built.returncode:
        sys.exit(built.stderr)
    (wheel,) = dist.glob("*.whl")
    results = {}
    for row in chosen:
        results[row] = check(row, wheel)
        print(f"{row.name}: {results[row]}", flush=True)
    if len(chosen) == len(ROWS):
        text = PAGE.read_text("utf-8")
        PAGE.write_text(TABLE.sub(lambda found: f"{found[1]}{table(results)}\n{found[3]}", text), "utf-8")
    if any(
        "failed" in result or "error" in result or "not installable" in result for result in results.values()
    ):
        sys.exit("some rows failed")


if __name__ == "__main__":
    main()
