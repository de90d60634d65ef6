"""The commands that play, watch, replay, tabulate and draw games."""

import json
import re

import pytest

from powergrid_env import Game, record
from tests.command import output, refusal

# ------------------------------------------------------------------------ simulate, replay, tables


SIMULATE = ("simulate", "--bots", "random face_value", "--players", 3, "--games", 4, "--seed", 7)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of records."""
    path = tmp_path_factory.mktemp("records") / "games.txt"
    output(*SIMULATE, "--out", path)
    return path


def test_simulate_writes_records_that_replay_checks(games):
    assert "4 records" in output("replay", str(games))
    texts = [text for _, text in record.split(games.read_text("utf-8"))]
    assert [Game.replay(text).seed for text in texts] == [7, 8, 9, 10]
    assert [Game.replay(text).names[0] for text in texts] == ["random", "random", "face_value", "random"]


def test_simulate_tells_how_the_bots_did(games, tmp_path):
    path = tmp_path / "again.txt"
    told = output(*SIMULATE, "--out", path)
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
    told = output("replay", str(games), "--game", "2", "--html", str(page)).splitlines()
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert [line.split()[:2] for line in told] == [["game", "2:"], ["4", "records"], ["game", "2"]]
    assert told[-1] == f"game 2 to step through in {page}"


def test_tables_are_written_from_records(games, tmp_path):
    told = output("tables", str(games), "--out", str(tmp_path), "--format", "csv")
    assert told.splitlines()[0] == "games.csv: 4 rows"
    assert told.splitlines()[-1] == f"4 games in {tmp_path}"
    assert len((tmp_path / "standings.csv").read_text("utf-8").splitlines()) == 1 + 4 * 3
    assert "format is 'doc'; allowed: parquet, csv" in refusal(
        "tables", str(games), "--out", str(tmp_path), "--format", "doc"
    )
    assert (
        refusal("tables", "missing.txt", "--out", str(tmp_path)) == "missing.txt: no such file or directory"
    )


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


def test_bots_that_have_no_seat_leave_nothing_behind(tmp_path):
    places = ("--out", tmp_path / "games.txt", "--tables", tmp_path / "tables")
    refusal("simulate", "--games", "1", "--players", "2", "--bots", "random random random", *places)
    assert not list(tmp_path.iterdir())


def test_regions_that_do_not_touch_are_refused():
    assert "hang together" in refusal(
        "simulate", "--players", "3", "--regions", "red brown purple", "--games", "1"
    )


# ------------------------------------------------------------------------------------- play, watch


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


# ------------------------------------------------------------------------------ pictures and plots


def test_replay_draws_a_moment_of_a_game(games, tmp_path):
    output("replay", str(games), "--picture", str(tmp_path / "a.svg"), "--at", "20")
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg")
    output("replay", str(games), "--picture", str(tmp_path / "b.png"))
    assert (tmp_path / "b.png").read_bytes()[:4] == b"\x89PNG"
    assert "picture is" in refusal("replay", str(games), "--picture", "a.gif")
    picture, page = tmp_path / "c.svg", tmp_path / "c.html"
    told = refusal("replay", games, "--picture", picture, "--html", page, "--at", "100000")
    assert told.startswith("at is 100000")
    assert refusal("replay", games, "--picture", picture, "--at", "-2").startswith("Invalid value for '--at'")
    assert not picture.exists()
    assert not page.exists()


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
