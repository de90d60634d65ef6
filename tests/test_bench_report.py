"""Reports of powergrid bench: written and read, compared with another one, as a table and as a picture."""

import json

import pytest

from training import bench


def a_report(**values):
    """A report with the given medians."""
    units = {"cold": "s", "state": "bytes", "two": "times", "count": "per decision"}
    entries = [
        {
            "name": name,
            "value": value,
            "unit": units.get(name, "decisions per second"),
            "low": value,
            "high": value,
        }
        for name, value in values.items()
    ]
    return {"measures": entries, "machine": {"processor": "abacus"}}


def test_run_gives_a_report_that_is_written_and_read(tmp_path):
    seen = []
    report = bench.run(["memory", "environments"], repeats=1, seconds=0.01, on_done=seen.append)
    names = [entry["name"] for entry in report["measures"]]
    assert names == [measure.name for measure in seen]
    assert {"a state", "Game", "AEC loop", "seat against face_value", "vector seats against random"} <= set(
        names
    )
    assert all(entry["value"] > 0 for entry in report["measures"])
    assert report["protocol"]["repeats"] == 1
    bench.save(report, tmp_path / "report.json")
    assert bench.load(tmp_path / "report.json") == report
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert [name for name, _, _ in bench.table(report)] == names


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"measures": [{"name": "x"}]}', "\xff"])
def test_a_file_that_is_no_report_is_refused(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ValueError, match="x.json: no report"):
        bench.load(path)


def test_compare_finds_what_got_worse_rates_and_times_alike():
    before = a_report(batch=100.0, aec=100.0, cold=30.0, state=1500.0, gone=1.0)
    after = a_report(batch=79.0, aec=85.0, cold=45.0, state=1500.0, new=1.0)
    changes = {change.name: change for change in bench.compare(before, after)}
    assert list(changes) == ["batch", "aec", "cold", "state"]
    assert [change.is_worse for change in changes.values()] == [True, False, True, False]
    assert changes["batch"].gain == pytest.approx(0.79)
    assert changes["cold"].gain == pytest.approx(2 / 3)
    assert not any(change.is_worse for change in bench.compare(before, after, tolerance=0.5))
    assert not any(change.is_worse for change in bench.compare(after, after, tolerance=0))
    for tolerance in (-0.1, 1):
        with pytest.raises(ValueError, match="tolerance"):
            bench.compare(before, after, tolerance)


def test_compare_knows_which_way_ratios_times_and_counts_get_worse():
    before = a_report(two=1.8, count=1600.0)
    worse = bench.compare(before, a_report(two=1.2, count=2100.0))
    better = bench.compare(a_report(two=1.2, count=2100.0), before)
    assert [change.is_worse for change in worse] == [True, True]
    assert [change.is_worse for change in better] == [False, False]


def test_table_shows_the_ratio_to_public_environments():
    report = a_report(
        **{"batch, 1 thread": 1e6, "AEC loop": 9000.0, "open_spiel chess": 2e5, "pettingzoo chess": 500.0}
    )
    assert dict(bench.ratios(report)) == {"open_spiel chess": 5.0, "pettingzoo chess": 18.0}
    rows = {name: (value, note) for name, value, note in bench.table(report)}
    assert rows["batch, 1 thread"][0] == "1,000,000 decisions per second"
    assert rows["pettingzoo chess"][1] == "ours (AEC loop) is 18 times that"


def test_picture_of_growth(tmp_path):
    pytest.importorskip("matplotlib")
    report = a_report(x=5.0)
    with pytest.raises(ValueError, match="growth"):
        bench.plot(report, tmp_path / "x.png")
    for entry in (*report["measures"],):
        report["measures"] += [
            {**entry, "name": f"{games}{observe}", "settings": {"games": games, "observe": observe}}
            for games in (1, 100)
            for observe in (True, False)
        ]
    bench.plot(report, tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
