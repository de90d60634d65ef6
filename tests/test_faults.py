"""Faults from outside: a killed process, a full disk, folders that cannot be read, files of other versions.

A full disk is a limit on the size of files (RLIMIT_FSIZE): the write fails half-way, with an error of the system.
"""

import contextlib
import re
from pathlib import Path

import pytest

from powergrid_env import Game
from powergrid_env._files import replacing
from tests.command import output, refusal, refusal_after_all
from tests.faults import full_disk, killed, names
from training.simulate import record_file

# ----------------------------------------------------------------------------------------- whole files


def test_a_file_is_replaced_in_one_move_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "file.txt"
    with replacing(path) as draft:
        draft.write_text("old")
        assert not path.exists()
    with contextlib.suppress(KeyError), replacing(path) as draft:
        draft.write_text("half")
        raise KeyError
    assert path.read_text() == "old"
    assert names(path.parent) == ["file.txt"]


def test_a_device_is_written_to_and_not_replaced():
    with replacing("/dev/null") as draft:
        draft.write_text("gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("place", ["file.txt/out.txt", "folder"])
def test_an_error_names_the_file_that_was_asked_for(tmp_path, place):
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=".") as caught, replacing(tmp_path / place) as draft:
        draft.write_text("text")
    assert caught.value.filename in (str(tmp_path / place), str(tmp_path / "file.txt"))
    assert names(tmp_path) == ["file.txt", "folder"]


# -------------------------------------------------------------------------------------------- killed

WRITERS = {
    "record": """
from powergrid_env import Game
from training.simulate import record_file
game = Game(players=2, seed=1)
def write(path, version):
    with record_file(path) as keep:
        for _ in range(30 + version):
            keep(game)
""",
    "results": """
import pandas as pd
from agents.arena.results import COLUMNS, write_results
def write(path, version):
    write_results(pd.DataFrame({name: [version] * 20_000 for name, _ in COLUMNS}), path)
""",
}


def count_records(path):
    from powergrid_env import record

    found = [record.read(text, line) for line, text in record.split(path.read_text("utf-8"))]
    assert len(found) in (30, 31)


def count_results(path):
    from agents.arena import read_results

    results = read_results(path)
    assert len(results) == 20_000
    assert results["seed"].nunique() == 1


@pytest.mark.parametrize(
    ("kind", "name", "check"),
    [
        ("record", "games.txt", count_records),
        pytest.param("results", "results.csv", count_results, marks=pytest.mark.slow),
        pytest.param("results", "results.parquet", count_results, marks=pytest.mark.slow),
    ],
)
def test_killed_while_it_writes_the_file_is_the_old_or_the_new_one(kind, name, check, tmp_path):
    for path in killed(WRITERS[kind], tmp_path / name, 5 if kind == "results" else 1):
        check(path)


def test_what_a_killed_process_left_is_no_hindrance(tmp_path):
    path = tmp_path / "results.csv"
    folder = tmp_path / "results.csv.parts"
    words = ("tournament", "random", "face_value", "--games", "6", "--out", path)
    folder.mkdir()
    (folder / ".part-1-plan.json").write_text("{")
    (folder / ".part-1-part_00000.parquet").write_bytes(b"PAR1")
    output(*words)
    assert len(path.read_text("utf-8").splitlines()) == 1 + 6 * 3


# ------------------------------------------------------------------------------------------- disk full


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of two records."""
    path = tmp_path_factory.mktemp("records") / "games.txt"
    with record_file(path) as keep:
        for seed in (1, 2):
            game = Game(players=2, seed=seed, max_rounds=1)
            while not game.over:
                game.play(int(game.legal_actions()[-1]))
            keep(game)
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A table of results."""
    path = tmp_path_factory.mktemp("results") / "results.csv"
    output("tournament", "random", "face_value", "--games", 6, "--out", path)
    return path


BOTS = ("--bots", "random", "--players", "2", "--games", "2")
WRITING = {
    "simulate --out": ("simulate", *BOTS, "--out", "OUT/games.txt"),
    "simulate --tables": ("simulate", *BOTS, "--tables", "OUT"),
    "tournament --out csv": ("tournament", "random", "--games", "2", "--out", "OUT/results.csv"),
    "tournament --out parquet": ("tournament", "random", "--games", "2", "--out", "OUT/results.parquet"),
    "replay --html": ("replay", "GAMES", "--html", "OUT/game.html"),
    "replay --picture svg": ("replay", "GAMES", "--picture", "OUT/game.svg"),
    "replay --picture png": ("replay", "GAMES", "--picture", "OUT/game.png"),
    "tables csv": ("tables", "GAMES", "--out", "OUT", "--format", "csv"),
    "tables parquet": ("tables", "GAMES", "--out", "OUT"),
    "play --out": ("play", "--out", "OUT/game.txt"),
    "watch --out": ("watch", "--pause", "0", "--players", "2", "--out", "OUT/game.txt"),
    "plot ladder": ("plot", "ladder", "RESULTS", "--out", "OUT/ladder.png"),
    "bench --out": (
        "bench",
        "--parts",
        "batch",
        "--repeats",
        "1",
        "--seconds",
        "0.01",
        "--out",
        "OUT/report.json",
    ),
}


def filled(words, out, games, results):
    """A command line with its places written in."""
    places = {"OUT": out, "GAMES": games, "RESULTS": results}
    return [re.sub("OUT|GAMES|RESULTS", lambda found: str(places[found[0]]), word) for word in words]


def slow_ones(*chosen):
    return [pytest.param(name, marks=[pytest.mark.slow] * name.startswith("bench")) for name in chosen]


@pytest.mark.parametrize("name", slow_ones(*WRITING))
def test_a_full_disk_is_one_line_and_loses_nothing(name, games, results, tmp_path):
    words = filled(WRITING[name], tmp_path, games, results)
    if "OUT" not in WRITING[name]:
        for word, given in zip(words, WRITING[name], strict=True):
            if given.startswith("OUT/"):
                Path(word).write_text("old", "utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with full_disk():
        told = refusal_after_all(*words)
    assert str(tmp_path) in told
    assert told.endswith(": file too large")
    kept = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert kept == before, name
    assert not [name for name in names(tmp_path) if name.startswith(".")]


@pytest.mark.parametrize("name", slow_ones(*WRITING))
def test_a_place_that_cannot_be_written_is_one_line(name, games, results, tmp_path):
    (tmp_path / "file").write_text("in the way of a folder", "utf-8")
    words = filled(WRITING[name], tmp_path / "file", games, results)
    assert str(tmp_path / "file") in refusal_after_all(*words)
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize(
    "command",
    ["simulate", "play", "watch", "bench --parts memory", pytest.param("imitate", marks=pytest.mark.train)],
)
def test_a_folder_in_the_place_of_a_file_is_found_before_the_work(command, tmp_path):
    assert refusal(*command.split(), "--out", tmp_path) == f"{tmp_path}: is a directory"
    assert not names(tmp_path)


def test_a_full_disk_costs_a_tournament_nothing_that_was_played(tmp_path):
    words = ["tournament", "random", "face_value", "--games", "6", "--out", str(tmp_path / "results.csv")]
    with full_disk(2000):  # room for the plan, not for the table of a chunk
        refusal_after_all(*words)
    assert names(tmp_path) == ["results.csv.parts"]
    output(*words)
    assert names(tmp_path) == ["results.csv"]
