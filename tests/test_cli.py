"""The console command: what each command prints, and how it refuses."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from powergrid_env import Game, record
from training import rulebook
from training.cli import EXAMPLES, app


def run(*words: str, given: str | None = None) -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(app, list(words), input=given)


def output(*words: str, given: str | None = None) -> str:
    """What a command line prints, which must succeed."""
    result = run(*words, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*words: str) -> str:
    """The one line with which a command line is refused."""
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("powergrid_env: compiling")]
    assert len(lines) == 1
    assert lines[0].startswith("powergrid: ")
    return lines[0].removeprefix("powergrid: ")


# ------------------------------------------------------------------------------------------- program


def test_without_a_command_the_commands_are_listed():
    listed = output()
    assert listed == output("--help")
    assert all(command.__name__ in listed for command in EXAMPLES)


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command.__name__)
def test_every_command_has_help_with_an_example(command):
    text = output(command.__name__, "--help")
    assert f"Example: powergrid {command.__name__}" in " ".join(text.split())


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command.__name__)
def test_every_command_with_chance_has_a_seed(command):
    without_chance = {"rules", "replay", "bench", "plot", "export"}
    assert ("--seed" in output(command.__name__, "--help")) == (command.__name__ not in without_chance)


def test_help_loads_neither_torch_nor_numba():
    import subprocess
    import sys

    program = "import sys, training.cli; print(sorted({'torch', 'numba', 'pandas'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_an_unknown_command_or_option_is_refused():
    assert "No such command 'rulez'" in refusal("rulez")
    assert "--plaiers" in refusal("rules", "--plaiers", "3")
    assert "--players" in refusal("rules", "--players", "seven")


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch):
    def fail(name):
        raise AssertionError("broken")

    monkeypatch.setattr(rulebook, "find", fail)
    assert isinstance(run("rules", "R2.9").exception, AssertionError)


# --------------------------------------------------------------------------------------------- rules


def test_rules_prints_a_rule_by_its_id():
    assert "No bid above the money owned" in output("rules", "R2.9")
    assert output("rules", "r2.9") == output("rules", "R2.9")


def test_rules_prints_a_ruling():
    assert "seat order, clockwise" in output("rules", "A5")


def test_every_id_of_the_rules_is_found():
    text = (Path(rulebook.__file__).parents[1] / "powergrid_env" / "RULES.md").read_text("utf-8")
    ids = re.findall(r"^\*\*(R[A-Z0-9]\.\d+)", text, re.MULTILINE) + re.findall(
        r"^\| (A\d+) \|", text, re.MULTILINE
    )
    assert len(ids) > 150
    assert list(rulebook.rules()) == list(dict.fromkeys(ids))
    assert all(rulebook.find(name).text for name in ids)


def test_a_rule_stops_where_the_next_begins():
    assert "R2.3" not in rulebook.find("R2.2").text
    assert rulebook.find("R2.4").text.count("\n") >= 2


def test_rules_says_which_ids_are_nearby():
    assert refusal("rules", "R2.99") == "no rule 'R2.99'; there are R2.1 to R2.33"
    assert "groups R0, R1" in refusal("rules", "R99.9")


def test_rules_lists_the_rulings_in_force():
    listed = output("rules", "--players", "2", "--edition", "2004", "--rulings", "fuel=pool")
    assert re.search(r"end_cities +21 +edition", listed)
    assert re.search(r"fuel +pool +yours", listed)
    assert re.search(r"bidding_order +seat +R2.7", listed)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--players", "7"), "players is 7; allowed: 2 to 6"),
        (("--board", "mars"), "board is 'mars'; allowed: germany, usa"),
        (("--edition", "1999"), "edition is '1999'; allowed: recharged, 2004"),
        (("--rulings", "fuel"), "rulings is 'fuel'; allowed: name=value"),
        (("--rulings", "fuel=water"), "rulings['fuel'] is 'water'"),
        (("--rulings", "luck=yes"), "rulings has no 'luck'"),
    ],
)
def test_a_wrong_game_is_refused(words, reason):
    assert refusal("rules", *words).startswith(reason)


# ------------------------------------------------------------------------------ simulate and replay


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of records."""
    path = tmp_path_factory.mktemp("records") / "games.txt"
    output(
        "simulate",
        "--bots",
        "random face_value",
        "--players",
        "3",
        "--games",
        "4",
        "--seed",
        "7",
        "--out",
        str(path),
    )
    return path


def test_simulate_writes_records_that_replay_checks(games):
    assert "4 records" in output("replay", str(games))
    texts = [text for _, text in record.split(games.read_text("utf-8"))]
    assert [Game.replay(text).seed for text in texts] == [7, 8, 9, 10]
    assert [Game.replay(text).names[0] for text in texts] == ["random", "random", "face_value", "random"]


def test_simulate_tells_how_the_bots_did(games, tmp_path):
    path = tmp_path / "again.txt"
    told = output(
        "simulate",
        "--bots",
        "random face_value",
        "--players",
        "3",
        "--games",
        "4",
        "--seed",
        "7",
        "--out",
        str(path),
    )
    assert path.read_bytes() == games.read_bytes()
    assert re.search(r"random +\d+ +[01]\.\d\d", told)


def test_simulate_goes_on_from_a_position(tmp_path):
    game = Game(players=3, seed=1)
    while game.round_number < 4:
        game.play(int(game.legal_actions()[-1]))
    position = tmp_path / "position.json"
    position.write_text(json.dumps(game.to_position()), "utf-8")
    out = tmp_path / "games.txt"
    output("simulate", "--from", str(position), "--games", "2", "--out", str(out))
    played = [Game.replay(text) for _, text in record.split(out.read_text("utf-8"))]
    assert [game.over for game in played] == [True, True]
    assert all(next(iter(record.walk(one)))[0].round_number == 4 for one in played)


def test_replay_shows_a_game(games):
    shown = output("replay", str(games), "--game", "2")
    assert "R1 p" in shown
    assert " won after " in shown


def test_replay_writes_a_page(games, tmp_path):
    page = tmp_path / "game.html"
    output("replay", str(games), "--game", "2", "--html", str(page))
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_tables_are_written_from_records(games, tmp_path):
    told = output("tables", str(games), "--out", str(tmp_path), "--format", "csv")
    assert told.splitlines()[0] == "games.csv: 4 rows"
    assert told.splitlines()[-1] == f"4 games in {tmp_path}"
    assert len((tmp_path / "standings.csv").read_text("utf-8").splitlines()) == 1 + 4 * 3
    assert "format is 'doc'; allowed: parquet, csv" in refusal(
        "tables", str(games), "--out", str(tmp_path), "--format", "doc"
    )
    assert "missing.txt: cannot be read" in refusal("tables", "missing.txt", "--out", str(tmp_path))


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


def test_replay_tells_the_line_that_was_changed(games, tmp_path):
    lines = games.read_text("utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if " bid " in line)
    lines[place] = re.sub(r"bid (\d+)", lambda found: f"bid {int(found[1]) + 1}", lines[place])
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("".join(lines), "utf-8")
    assert f"{wrong}: line {place + 1}: " in refusal("replay", str(wrong))


def test_replay_refuses_what_is_no_record(tmp_path, games):
    text = tmp_path / "letter.txt"
    text.write_text("Dear Sir\n", "utf-8")
    assert f"{text}: line 1: no record" in refusal("replay", str(text))
    assert "no such file" in refusal("replay", str(tmp_path / "missing.txt"))
    assert "allowed: 1 to 4" in refusal("replay", str(games), "--game", "5")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--bots", "nobody"), "agent is 'nobody'; known: "),
        (
            ("--bots", "random random random", "--players", "2"),
            "bots is 'random random random'; allowed: 1 to 2",
        ),
        (("--players", "3", "--regions", "red"), "regions is ('red',); allowed: 3 different ones of "),
        (
            ("--players", "3", "--regions", "red green purple"),
            "regions is ('red', 'green', 'purple'); allowed: 3 different",
        ),
        (("--games", "0"), "Invalid value for '--games'"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
        (("--from", "nowhere.toml"), "nowhere.toml: no such file"),
    ],
)
def test_simulate_refuses(words, reason):
    assert refusal("simulate", "--games", "1", *words).startswith(reason)


def test_regions_that_do_not_touch_are_refused():
    assert "hang together" in refusal(
        "simulate", "--players", "3", "--regions", "red brown purple", "--games", "1"
    )


# ---------------------------------------------------------------------------- evaluate and tournament


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
    ],
)
def test_evaluate_refuses(words, reason):
    assert refusal("evaluate", *words).startswith(reason)


def test_tournament_ranks_and_writes_a_row_per_game_and_seat(tmp_path):
    out = tmp_path / "results.csv"
    told = output("tournament", "random", "face_value", "--games", "6", "--out", str(out))
    assert told.index("face_value") < told.index("random")
    assert len(out.read_text("utf-8").splitlines()) == 1 + 6 * 3
    assert "agent is 'nobody'" in refusal("tournament", "random", "nobody")
    assert "allowed: a name that ends in .csv or .parquet" in refusal(
        "tournament", "random", "--out", str(tmp_path / "x.doc")
    )


# -------------------------------------------------------------------------------------- play, watch


def test_play_numbers_the_choices_takes_words_and_says_why_not(tmp_path):
    out = tmp_path / "game.txt"
    told = output(
        "play",
        "--seed",
        "3",
        "--out",
        str(out),
        given="bid 40\n1\n?\nboard\nbuy 9 coal\nbuild Esen\n1\nquit\n",
    )
    assert "[1] " in told
    assert "not possible: " in told
    assert re.search(r"not possible: '[^']+': R\d", told)
    assert "a number of the list, or words" in told
    game = Game.replay(out.read_text("utf-8"))
    assert not game.over
    assert game.names == ["you", "face_value", "face_value"]


def test_play_goes_to_the_end(tmp_path):
    out = tmp_path / "game.txt"
    told = output("play", "--opponents", "random", "--out", str(out), given="1\n" * 2000)
    assert " won after " in told
    assert Game.replay(out.read_text("utf-8")).over


def test_play_refuses():
    assert refusal("play", "--seat", "3").startswith("seat is 3; allowed: 0 to 2")
    assert refusal("play", "--opponents", "nobody").startswith("agent is 'nobody'")


def test_watch_shows_every_decision(tmp_path):
    out = tmp_path / "game.txt"
    told = output("watch", "--bots", "random face_value", "--pause", "0", "--out", str(out))
    decisions = re.findall(r"^p\d (?:random|face_value): \w", told, re.MULTILINE)
    assert len(decisions) == len(list(record.walk(Game.replay(out.read_text("utf-8")))))
    assert "bots is 'random random random random'" in refusal(
        "watch", "--bots", "random random random random"
    )


# ---------------------------------------------------------------------------------------------- bench


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
    (tmp_path / "report.json").write_text("[]", "utf-8")
    assert "no report of powergrid bench" in refusal("bench", "--compare", str(tmp_path / "report.json"))


# ---------------------------------------------------------------------------------- pictures and plots


def test_replay_draws_a_moment_of_a_game(games, tmp_path):
    output("replay", str(games), "--picture", str(tmp_path / "a.svg"), "--at", "20")
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg")
    output("replay", str(games), "--picture", str(tmp_path / "b.png"))
    assert (tmp_path / "b.png").read_bytes()[:4] == b"\x89PNG"
    assert "picture is" in refusal("replay", str(games), "--picture", "a.gif")
    assert "at is 100000" in refusal(
        "replay", str(games), "--picture", str(tmp_path / "c.svg"), "--at", "100000"
    )


def test_plots_are_drawn(games, tmp_path):
    output("tables", str(games), "--out", str(tmp_path / "tables"))
    output("plot", "prices", str(tmp_path / "tables"), "--out", str(tmp_path / "prices.png"))
    output("tournament", "random", "face_value", "--games", "6", "--out", str(tmp_path / "results.csv"))
    output("plot", "ladder", str(tmp_path / "results.csv"), "--out", str(tmp_path / "ladder.svg"))
    assert all((tmp_path / name).stat().st_size > 5000 for name in ("prices.png", "ladder.svg"))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing", "."), "kind is 'nothing'"),
        (("prices", "."), "lots.csv"),
        (("learning", "."), "holds no TensorBoard log"),
        (("ladder", "nothing.csv"), "no file nothing.csv"),
        (("prices", ".", "--out", "a.xls"), "out is a.xls"),
    ],
)
def test_plot_refuses(words, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert reason in refusal("plot", *words)
