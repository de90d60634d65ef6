"""powergrid bench: how it measures, and its parts."""

import os
import shutil
import sys
from types import ModuleType

import numba
import numpy as np
import pytest

from powergrid_env import GameBatch
from training import bench
from training.bench import batches, counts, environments, first_use, profile, public
from training.bench.protocol import Measure, Protocol, ratio


def test_a_rate_is_the_median_of_repeats(monkeypatch):
    clock = iter(np.arange(0, 1000, 0.25).tolist())
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    amounts = iter([0, 1, 1, 1, 8, 8, 8, 3, 3, 3])
    measure = Protocol(repeats=3, seconds=1.0).rate("counting", "beans", lambda: next(amounts), size=7)
    assert measure == Measure("counting", 9.0, "beans per second", 3.0, 24.0, {"size": 7})
    assert measure.more_is_better


def test_figures_that_are_divided_are_measured_in_turns(monkeypatch):
    clock = iter(np.arange(0, 1000, 0.25).tolist())
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    done = []

    def piece(name, amounts):
        amounts = iter(
            [0, *(amount for amount in amounts for _ in range(3))]
        )  # a warm-up, then three a second
        return lambda: done.append(name) or next(amounts)

    # A machine that halves its speed after each turn, so that no rate stands for long but every ratio does.
    one, two = Protocol(repeats=3, seconds=1.0).rates([piece("one", [8, 4, 2]), piece("two", [16, 8, 2])])
    assert "".join(name[1] for name in done) == "nw" + 3 * "nnnwww"
    assert (one, two) == ([24, 12, 6], [48, 24, 6])
    measure = ratio("two over one", two, one, threads=2)
    assert measure == Measure("two over one", 2.0, "times", 1.0, 2.0, {"threads": 2})
    assert measure.more_is_better


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")
def test_two_threads_are_measured_beside_one_and_beside_processes():
    report = bench.run(["batch"], repeats=2, seconds=0.02, threads=2)
    values = {entry["name"]: entry for entry in report["measures"]}
    for ending in ("", ", observed", ", whole games"):
        over = values[f"batch, 2 threads over 1{ending}"]
        pair = [values[f"batch, {number}{ending}"] for number in ("1 thread", "2 threads")]
        assert over["unit"] == "times"
        assert (
            pair[1]["low"] / pair[0]["high"]
            <= over["low"]
            <= over["high"]
            <= pair[1]["high"] / pair[0]["low"]
        )
    assert 0 < values["batch, 2 processes over 1"]["low"] < values["batch, 2 processes over 1"]["high"]


def test_a_random_batch_stands_anywhere_in_its_games_and_lanes_differ():
    batch = batches.random_batch(lanes=500, players=3)
    assert len(np.unique(batch.states["round_number"])) > 8
    assert len(np.unique(batch.states["phase"])) == 4
    assert len({state.tobytes() for state in batch.states}) == 500
    masks = batch.masks()
    assert (masks.sum(axis=1) > 0).all()


def test_a_piece_of_the_batch_loop_plays_one_decision_in_every_lane():
    batch = GameBatch(players=3, num_games=30, seed=2)
    same = GameBatch(players=3, num_games=30, seed=2)
    assert batches.decisions(batch, observe=True)() == 30
    same.step(same.random_actions())
    assert batch.states.tobytes() == same.states.tobytes()


def test_copies_are_whole_games():
    batch = GameBatch(players=3, num_games=4, seed=2)
    batches.copy_states(batch.states, np.array([3, 0]), np.array([1, 2]))
    assert batch.states[1].tobytes() == batch.states[3].tobytes()
    assert batch.states[2].tobytes() == batch.states[0].tobytes()
    assert batches.copies(lanes=16)() == 16


@pytest.mark.parametrize(
    "stream", [environments.game, environments.our_aec, lambda: environments.seat("random")]
)
def test_streams_play_on_over_the_end_of_games(stream):
    piece = environments.pieces(stream())
    assert sum(piece() for _ in range(20)) == 20 * environments.LIMIT


def test_seats_of_many_games():
    assert environments.vector_seats("face_value", lanes=8)() == 8
    pytest.importorskip("sb3_contrib")
    assert environments.sb3_seats("random", lanes=8)() == 8


@pytest.mark.slow
def test_scripts_of_a_fresh_process_print_a_number():
    assert 0 < first_use._run(first_use.FIRST_STEP, {}) < 300
    used = first_use.memory()
    assert used is None or 100 < used < 600  # MB; the states alone are 150
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        first_use._run("print(1 / 0)", {})


@pytest.mark.parametrize(
    ("name", "value"), [("parts", ["batch", "nonsense"]), ("repeats", 0), ("seconds", 0), ("threads", 0)]
)
def test_wrong_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        bench.run(**{"parts": [], name: value})


# ------------------------------------------------------------------------------------------ profile


def test_profile_gives_every_call_its_share_of_the_loop():
    report = bench.run(["profile"], repeats=1, seconds=0.01)
    rows = {name: note for name, _, note in bench.table(report)}
    for loop, calls in (("loop", profile.PLAIN), ("observed loop", profile.OBSERVED)):
        shares = [rows[f"{loop}, {call}"] for call in calls]
        assert all(share.endswith(f"% of the {loop}") for share in shares)
        assert sum(int(share.split("%")[0]) for share in shares) == pytest.approx(100, abs=2)
    assert {"verify alone", "zeros instead of observations"} < set(rows)


def test_time_goes_to_the_call_that_takes_it(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])

    class Calls:
        batch = range(1000)

        def quick(self):
            now[0] += 1e-6

        def slow(self):
            now[0] += 3e-6

    spent = profile.spent(Protocol(repeats=2, seconds=1e-5), Calls(), ("quick", "slow"))
    assert spent["quick"] == pytest.approx([1.0, 1.0])
    assert spent["slow"] == pytest.approx([3.0, 3.0])


def test_counts_are_those_of_a_call_alone():
    text = "desc: x\nevents: Ir D1mr D1mw DLmr DLmw Bcm Bim\nfn=a\n3 1 1 1 1 1 1\nsummary: 90 8 7 6 5 4 3\n"
    nothing = counts.totals_of(text)
    assert nothing == {"Ir": 90, "D1mr": 8, "D1mw": 7, "DLmr": 6, "DLmw": 5, "Bcm": 4, "Bim": 3}
    drawn = {event: count + 20 for event, count in nothing.items()}
    played = {event: count + 10 for event, count in drawn.items()}
    totals = {"nothing": nothing, "masks": drawn, "observe": drawn, "random_actions": drawn, "step": played}
    found = {measure.name: measure for measure in counts.per_decision(totals, decisions=10)}
    assert found["masks, instructions"].value == 2
    assert found["step, instructions"].value == 1  # without the drawing
    assert found["step, touched"].value == 2 * 64  # lines read and lines written
    assert found["step, wrong guesses"].value == 2
    assert not found["masks, instructions"].more_is_better


def test_children_of_the_counts_make_their_calls():
    script = f"{counts.SCRIPT[:-2]}(lanes=8, rounds=2)"
    printed = counts._output([sys.executable, "-c", script], dict(os.environ))
    names, pids = zip(*(line.split() for line in printed.splitlines()), strict=True)
    assert names == ("nothing", "masks", "random_actions", "step", "observe")
    assert len(set(pids)) == 5
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        counts._output([sys.executable, "-c", "1 / 0"], dict(os.environ))


def test_counts_are_refused_where_they_cannot_be_had(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ValueError, match="parts has 'counts'; allowed: where valgrind is installed"):
        bench.run(["memory", "counts"])


@pytest.mark.bench
@pytest.mark.timeout(3600)
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_targets_of_the_counts():
    """The same on every machine: a tenth above what they are."""
    found = {measure.name: measure.value for measure in counts.measures()}
    assert found["masks, instructions"] < 1_800
    assert found["random_actions, instructions"] < 1_300
    assert found["step, instructions"] < 700
    assert found["observe, instructions"] < 18_000


# ------------------------------------------------------------------------------- public environments


def test_public_environments_are_measured_when_they_are_installed(monkeypatch):
    class Env:
        def reset(self):
            self.left = 3
            return {"legal_actions": {4: None}}, 0

        def is_over(self):
            return self.left == 0

        def step(self, action):
            assert action == 4
            self.left -= 1
            return {"legal_actions": {4: None}}, 0

    toy = ModuleType("rlcard")
    toy.make = lambda name: Env()
    toy.__spec__ = object()
    monkeypatch.setitem(sys.modules, "rlcard", toy)
    streams = {name: stream for name, stream in public.found() if name.startswith("rlcard")}
    assert list(streams) == [f"rlcard {name}" for name in public.RLCARD]
    piece = environments.pieces(streams["rlcard uno"]())
    assert piece() == environments.LIMIT


@pytest.mark.bench
def test_targets_of_the_batch_loop():
    """On a machine that does nothing else, one thread."""
    report = bench.run(["batch"], threads=1)
    values = {entry["name"]: entry["value"] for entry in report["measures"]}
    assert values["batch, 1 thread"] > 1_000_000
    assert values["batch, 1 thread, observed"] > 400_000
    assert values["batch, 1 thread, whole games"] > 1_500
    assert values["copies of a game"] > 1_000_000
