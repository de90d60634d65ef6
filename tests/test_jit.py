"""`rule`: what is compiled, cached, recompiled and said. Processes run on a small package of their own, `toy`."""

import os
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

import numba
import numpy as np
import pytest

from powergrid_env import _jit, _sources

ROOT = Path(_jit.__file__).parent
MODULES = {
    "powergrid_env/__init__.py": "",
    "powergrid_env/_jit.py": (ROOT / "_jit.py").read_text(encoding="utf-8"),
    "powergrid_env/_sources.py": (ROOT / "_sources.py").read_text(encoding="utf-8"),
    "toy/__init__.py": "",
    "toy/numbers.py": "TEN = 10\n",
    "toy/low.py": """
from powergrid_env._jit import rule
from toy.numbers import TEN

@rule
def raised(number):
    return number + TEN
""",
    "toy/top.py": """
from powergrid_env._jit import rule
from toy import low

@rule(seconds=7)
def entry(number):
    return low.raised(number)
""",
    "toy/unrelated.py": "NAME = 'nothing that top can reach'\n",
}
ASK = """
import os, resource
if "FULL_DISK" in os.environ:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from toy.top import entry
if "KILLED_WHILE_SAVING" in os.environ:
    from pathlib import Path
    Path.replace = lambda draft, target: os._exit(9)
answer = int(entry(1))
hits = sum(entry.stats.cache_hits.values()) if hasattr(entry, "stats") else "plain"
print(answer, hits)
"""
NOTICE = "compiling the rules, about 7 s"


class Toy:
    """A folder with `toy` and the files of `rule`; `ask` runs `entry(1)` in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"

    @classmethod
    def at(cls, folder: Path) -> "Toy":
        toy = cls(folder)
        for path, text in MODULES.items():
            toy.write(path, text)
        return toy

    def start(self, **environ: str) -> subprocess.Popen[str]:
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "POWERGRID_"))
        }
        places = {"PYTHONPATH": str(self.folder), "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home)}
        return subprocess.Popen(
            [sys.executable, "-c", ASK],
            env=clean | places | environ,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, **environ: str) -> tuple[str, str]:
        """`"answer hits"`, and what stderr got."""
        process = self.start(**environ)
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        return output.strip(), errors

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def cached(self) -> list[Path]:
        return sorted(self.folder.glob("**/*.nbc"))

    def drafts(self) -> list[Path]:
        files = (self.folder / "toy" / "__pycache__").iterdir()
        return [path for path in files if path.suffix not in (".nbc", ".pyc")]


@pytest.fixture
def cold(tmp_path):
    return Toy.at(tmp_path)


@pytest.fixture(scope="module")
def used_once(tmp_path_factory):
    toy = Toy.at(tmp_path_factory.mktemp("used_once"))
    assert toy.ask()[0] == "11 0"
    return toy


@pytest.fixture
def warm(used_once, tmp_path):
    """A copy of what was used once: the cache follows the sources, not the place where they lie."""
    shutil.copytree(used_once.folder, tmp_path, dirs_exist_ok=True)
    return Toy(tmp_path)


def test_second_process_compiles_nothing(warm):
    assert warm.ask()[0] == "11 1"


def test_edit_of_a_called_file_is_compiled(warm):
    warm.write("toy/low.py", MODULES["toy/low.py"].replace("number + TEN", "number - TEN"))
    assert warm.ask()[0] == "-9 0"
    assert warm.ask()[0] == "-9 1"


def test_edit_of_a_constant_two_imports_away_is_compiled(warm):
    warm.write("toy/numbers.py", "TEN = 20\n")
    assert warm.ask()[0] == "21 0"


def test_edit_that_keeps_size_and_time_is_compiled(warm):
    path = warm.folder / "toy" / "numbers.py"
    before = path.stat()
    warm.write("toy/numbers.py", "TEN = 30\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    shutil.rmtree(
        path.with_name("__pycache__"), ignore_errors=True
    )  # Python's own bytecode goes by size and time
    assert warm.ask()[0] == "31 0"


def test_edit_of_an_unrelated_file_compiles_nothing(warm):
    warm.write("toy/unrelated.py", "NAME = 'other'\n")
    warm.write("toy/__init__.py", "from toy import unrelated\n")
    assert warm.ask()[0] == "11 1"


def test_old_files_of_an_edited_function_are_removed(warm):
    before = warm.cached()
    warm.write("toy/numbers.py", "TEN = 20\n")
    warm.ask()
    assert len(warm.cached()) == len(before)
    assert not set(warm.cached()) & set(before)


def test_torn_files_are_compiled_anew(warm):
    for path in warm.cached():
        path.write_bytes(path.read_bytes()[:100])
    assert warm.ask()[0] == "11 0"
    assert warm.ask()[0] == "11 1"


def test_files_that_cannot_be_read_or_replaced_are_no_hindrance(warm):
    for path in warm.cached():
        path.unlink()
        path.mkdir()  # not even root reads a folder as a file, or moves a file over it
    assert warm.ask()[0] == "11 0"


def test_a_full_disk_costs_the_cache_only(cold):
    assert cold.ask(FULL_DISK="1") == (
        "11 0",
        "powergrid_env: compiling the rules, about 7 s, once per version ...\n",
    )
    assert list(cold.folder.glob("**/low.raised*")) == []
    assert cold.ask()[0] == "11 0"


def test_a_draft_of_a_killed_process_is_removed_by_the_next(cold):
    killed = cold.start(KILLED_WHILE_SAVING="1")
    killed.communicate(timeout=120)
    assert killed.returncode == 9
    assert len(cold.drafts()) == 1
    assert cold.ask()[0] == "11 0"
    assert cold.drafts() == []
    assert cold.ask()[0] == "11 1"


def test_compilation_is_announced_and_a_warm_start_is_silent(cold):
    assert cold.ask()[1].count(NOTICE) == 1
    assert cold.ask()[1] == ""


def test_announcement_can_be_silenced(cold):
    assert cold.ask(POWERGRID_QUIET="1") == ("11 0", "")


def test_numba_cache_dir_is_used(cold):
    place = cold.folder / "named"
    assert cold.ask(NUMBA_CACHE_DIR=str(place))[0] == "11 0"
    assert cold.ask(NUMBA_CACHE_DIR=str(place))[0] == "11 1"
    assert all(path.is_relative_to(place) for path in cold.cached())


def test_read_only_package_falls_back_to_the_users_cache_folder(cold):
    cold.write("toy/__pycache__", "a file in place of the folder: not even root can write there")
    assert cold.ask()[0] == "11 0"
    assert cold.ask()[0] == "11 1"
    assert all(path.is_relative_to(cold.home) for path in cold.cached())


def test_nothing_writable_compiles_each_time_and_warns_once(cold):
    cold.write("toy/__pycache__", "")
    cold.write("home", "")
    answer, errors = cold.ask()
    assert answer == "11 0"
    assert errors.count("RuntimeWarning: powergrid_env: no folder for compiled rules can be written") == 1
    assert cold.ask()[0] == "11 0"


def test_two_processes_at_once(cold):
    processes = [cold.start() for _ in range(2)]
    outputs = [process.communicate(timeout=120)[0].split()[0] for process in processes]
    assert outputs == ["11", "11"]
    assert cold.ask()[0] == "11 1"


def test_without_jit_rule_leaves_plain_python(warm):
    assert warm.ask(NUMBA_DISABLE_JIT="1") == ("11 plain", "")


def test_rule_keeps_name_and_docstring():
    @_jit.rule
    def documented(number):
        """Says so."""
        return number

    assert (documented.__name__, documented.__doc__) == ("documented", "Says so.")
    assert documented(3) == 3


def test_rule_divides_as_numpy_does():
    @_jit.rule
    def ratio(top, bottom):
        return top / bottom

    if not _jit.numba.config.DISABLE_JIT:
        assert ratio(1.0, 0.0) == float("inf")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes modules of a package `kin` and says what `kin.start` reaches."""
    monkeypatch.syspath_prepend(tmp_path)

    def reached(**modules: str) -> set[str]:
        for name, text in modules.items():
            path = tmp_path / "kin" / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return set(_sources.reachable("kin.start", tmp_path / "kin" / "start.py"))

    yield reached
    _sources._read.cache_clear()
    _sources._find.cache_clear()


@pytest.mark.parametrize(
    ("line", "reached"),
    [
        ("import kin.near", {"kin.near"}),
        ("import kin.near as n, kin.sub.deep", {"kin.near", "kin.sub.deep"}),
        ("from kin.near import name", {"kin.near"}),
        ("from kin.near import *", {"kin.near"}),
        ("from kin import near", {"kin.near"}),
        ("from . import near", {"kin.near"}),
        ("from .sub.deep import name", {"kin.sub.deep"}),
        ("def later():\n    from .near import name", {"kin.near"}),
        ("import os, numpy.random", set()),
        ("from kin import circle", {"kin.circle", "kin.near"}),
    ],
)
def test_imports_are_followed(package, line, reached):
    modules = {"start": line, "near": "", "sub__deep": "", "circle": "from kin import near, start"}
    assert package(**modules) - {"kin.start"} == reached


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_integers_enums_and_constants_share_one_program():
    class Color(IntEnum):
        RED = 2

    red = Color.RED

    @_jit.rule
    def double(number):
        return 2 * number

    @_jit.rule
    def ask(numbers):
        return double(numbers[0]) + double(5) + double(red) + double(int(numbers[0]))

    assert ask(np.array([3], np.int16)) == 26
    assert double(np.int8(100)) == 200
    assert [str(signature) for signature in double.signatures] == ["(int64,)"]
