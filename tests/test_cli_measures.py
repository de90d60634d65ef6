"""The commands that measure: evaluate, tournament, value and bench."""

import json
import re

import pytest

from tests.command import output, refusal, run

# ------------------------------------------------------------------------- evaluate and tournament


def test_evaluate_prints_the_share_with_interval_and_par():
    told = output("evaluate", "face_value", "--opponents", "random", "--games", "30", "--seed", "3")
    found = re.fullmatch(r"2 random: win share (\S+) \[(\S+), (\S+)\] over 30 games, par 0.33\n", told)
    share, low, high = map(float, found.groups())
    assert 0.5 < low <= share <= high <= 1
    assert output("evaluate", "face_value", "--opponents", "random", "--games", "30", "--seed", "3") == told


def test_evaluate_a_bot_among_its_own_kind_gives_par():
    assert "win share 0.33 [0.33, 0.33]" in output(
        "evaluate", "face_value", "--opponents", "face_value", "--games", "9"
    )


def test_evaluate_takes_several_fields_and_the_resident_role():
    told = output(
        "evaluate", "random", "--opponents", "random", "--opponents", "random face_value", "--games", "6"
    )
    assert [line.split(":")[0] for line in told.splitlines()] == ["2 random", "1 random, 1 face_value"]
    told = output("evaluate", "face_value", "--opponents", "random", "--role", "resident", "--games", "30")
    assert told.startswith("1 random among residents: win share 0.")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nobody",), "agent is 'nobody'; known: "),
        (("random", "--opponents", "nobody"), "agent is 'nobody'; known: "),
        (
            ("random", "--opponents", "random random random"),
            "opponents is 'random random random'; allowed: one bot",
        ),
        (("missing.zip",), "missing.zip: no such model file"),
        (("random", "--players", "1"), "players is 1; allowed: 2 to 6"),
        (("random", "--role", "boss"), "Invalid value for '--role'"),
        (("random", "--seed", 2**64), "seed is 18446744073709551616; allowed: 0 to 2**38 - 1"),
    ],
)
def test_evaluate_refuses(words, reason):
    assert refusal("evaluate", *words).startswith(reason)


def test_tournament_and_evaluate_tell_forfeits():
    told = output("tournament", "human", "random", "--players", 2, "--games", 2)  # the input has ended
    assert re.search(r"^human forfeited 2 of 2 seats, the first by \w+: .*\.py:\d+\)$", told, re.MULTILINE)
    told = output("evaluate", "random", "--opponents", "human", "--players", 2, "--games", 2)
    assert re.search(r"par 0\.50; human forfeited 2 of 2 seats", told)
    assert "forfeited" not in output("tournament", "random", "random", "--players", 2, "--games", 2)


def test_tournament_shows_ratings_on_the_scale_of_its_field():
    both = output("tournament", "random", "balanced", "keeper", "--games", "18", "--seed", "2")
    assert re.search(r"balanced .* 100 \(100 to 100\)", both)
    assert re.search(r"random .* 0 \(0 to 0\)", both)
    one = output("tournament", "balanced", "keeper", "--games", "60", "--seed", "2")
    assert re.search(r"balanced .* 0\.0 \(0\.0 to 0\.0\)", one)
    rating, low, high = map(float, re.search(r"keeper .* (\S+) \((\S+) to (\S+)\)", one).groups())
    assert low < rating < high


def test_tournament_ranks_and_writes_a_row_per_game_and_seat(tmp_path):
    out = tmp_path / "results.csv"
    told = output("tournament", "random", "face_value", "--games", "6", "--out", str(out))
    assert told.index("face_value") < told.index("random")
    assert len(out.read_text("utf-8").splitlines()) == 1 + 6 * 3
    assert "agent is 'nobody'" in refusal("tournament", "random", "nobody")
    assert "allowed: a name that ends in .csv or .parquet" in refusal(
        "tournament", "random", "--out", str(tmp_path / "x.doc")
    )


# --------------------------------------------------------------------------------- value and bench


def test_a_lot_is_valued_with_an_interval(tmp_path):
    position = tmp_path / "position.toml"
    position.write_text("players = 3\nmarket = [5, 7, 11, 13, 15, 18, 20, 25]\n", "utf-8")
    words = ("value", str(position), "--plant", "11", "--rollouts", "4", "--prices", "11 30")
    told = output(*words)
    assert re.search(r"worth (at least )?\d+\.\d Elektro \[\d+\.\d, \d+\.\d\], 4 rollouts per price", told)
    assert output(*words) == told
    assert refusal("value", str(position), "--plant", "8") == "plant is 8; allowed: 5, 7, 11, 13"
    assert (
        refusal("value", str(position), "--prices", "ten")
        == "prices is 'ten'; allowed: whole numbers, as '10 15 20'"
    )
    position.write_text("players = [3\n", "utf-8")
    assert f"{position}: " in refusal("value", str(position))


def test_bench_measures_and_compares_with_an_older_report(tmp_path):
    words = ("bench", "--parts", "batch", "--repeats", "1", "--seconds", "0.02", "--threads", "1")
    report = tmp_path / "report.json"
    measured = json.loads(output(*words, "--json", "--out", str(report)))
    assert json.loads(report.read_text("utf-8")) == measured
    for entry in measured["measures"]:
        entry["value"] *= 100 if "per second" in entry["unit"] else 0.01
    report.write_text(json.dumps(measured), "utf-8")
    slower = run(*words, "--compare", str(report))
    assert slower.exit_code == 1
    assert "slower batch, 1 thread: " in slower.stderr


def test_bench_refuses(tmp_path):
    assert refusal("bench", "--parts", "luck").startswith("parts has 'luck'; allowed: batch, environments")
    report = tmp_path / "report.json"
    report.write_text("[]", "utf-8")
    assert "no report of powergrid bench" in refusal("bench", "--compare", report)
    report.write_text('{"measures": []}', "utf-8")
    assert refusal("bench", "--compare", report, "--tolerance", "2").startswith("tolerance is 2.0; allowed: ")
    picture = tmp_path / "growth.png"
    assert refusal("bench", "--parts", "memory", "--plot", picture).startswith("parts is 'memory'; allowed ")
    assert not picture.exists()
