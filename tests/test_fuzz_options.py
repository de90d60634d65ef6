"""Any command line ends with 0 or with 2 and one line; any arguments of an environment are taken or refused by name."""

import os
from pathlib import Path

import gymnasium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.main import get_command

import powergrid_env
from powergrid_env import GameBatch, GameConfig
from powergrid_env.envs import PowerGridEnv, PowerGridVectorEnv
from tests.command import run
from training.cli import app

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))


def quickly(part):
    """A part of the examples, the same ones each time unless there is time for more."""
    return settings(
        max_examples=max(1, EXAMPLES // part),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=EXAMPLES == 40,
    )


# -------------------------------------------------------------------------------------- command lines

# A command line of each that is quick, or is refused late; `train` and `bench` would take their time.
LINES = {
    "train": ["--opponents", "nobody"],
    "export": ["letter.txt", "--out", "x.zip"],
    "imitate": ["--teacher", "nobody", "--out", "x.zip"],
    "evaluate": ["random", "--games", "2", "--players", "2"],
    "tournament": ["random", "--games", "2", "--players", "2"],
    "simulate": ["--games", "2", "--players", "2"],
    "replay": ["games.txt"],
    "tables": ["games.txt", "--out", "tables"],
    "value": ["position.toml", "--rollouts", "1", "--reference", "random"],
    "plot": ["prices", "tables"],
    "play": ["--players", "2", "--opponents", "random"],
    "watch": ["--players", "2", "--bots", "random", "--pause", "0"],
    "bench": ["--parts", "luck"],
    "rules": [],
}
SLOW = {"games", "steps", "rollouts", "seconds", "pause", "parts", "repeats", "processes", "valuations"}
NUMBERS = ["-1", "0", "1", "2", "7", "1.5", "1e3", "nan", "inf", "-inf", "0x10", "٣", "9" * 30, "True"]
NAMES = [
    "", " ", "random", "nobody", "random random", "random random random random random random random", "random,random",
    "random:", "random:x", "random:x=1", "balanced:reserve", "balanced:reserve=nan", "balanced:reserve=1e400",
    "balanced:reserve=1,reserve=2", "policy", "policy:path=missing.zip", "policy:path=games.txt,greedy=2", "human",
    "germany", "mars", "tables", "2004", "recharged", "red blue", "red,blue,cyan", "fuel=pool", "fuel=", "=", "=pool",
    "fuel=pool fuel=yours", "end_cities=-1", "R2.9", "R99", "A7", "prices", "ladder", "learning", "csv", "[red]", "{x}",
]  # fmt: skip
PATHS = [
    "games.txt", "position.toml", "letter.txt", "bytes.bin", "missing.txt", "missing/games.txt", "tables", "letter.txt/x",
    "out.csv", "out.png", "out.svg", "out.html", "out.parquet", ".", "/", "\x00", "ü.zip", "x" * 300, "model.zip",
]  # fmt: skip
VALUES = st.sampled_from(NUMBERS) | st.sampled_from(NAMES) | st.sampled_from(PATHS) | st.text(max_size=6)
COMMANDS = get_command(app).commands


def options_of(command):
    """Names of the options of a command that leave it quick, `--out` and its like among them."""
    return sorted(
        item.opts[0]
        for item in COMMANDS[command].params
        if item.param_type_name == "option" and item.name not in SLOW | {"help"}
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files that command lines may name."""
    folder = tmp_path_factory.mktemp("fuzz")
    game = powergrid_env.Game(players=2, seed=1, max_rounds=1)
    while not game.over:
        game.play(int(game.legal_actions()[-1]))
    (folder / "games.txt").write_text(game.record(), "utf-8")
    (folder / "position.toml").write_text("players = 3\nmarket = [5, 7, 11, 13, 15, 18, 20, 25]\n", "utf-8")
    (folder / "letter.txt").write_text("Dear Sir", "utf-8")
    (folder / "model.zip").write_text("no zip", "utf-8")
    (folder / "bytes.bin").write_bytes(bytes(range(256)))
    return folder


def check_line(words, folder):
    """Run a command line in the folder: it ends with 0, or with 2 and one line on stderr."""
    before = Path.cwd()
    kept = {name: (folder / name).read_bytes() for name in ("games.txt", "position.toml")}
    os.chdir(folder)
    try:
        result = run(*words, given="quit\n")
    finally:
        os.chdir(before)
        for name, content in kept.items():
            (folder / name).write_bytes(content)
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    assert result.exit_code in (0, 2), (words, result.output)
    if result.exit_code == 2:
        *_, line = result.stderr.splitlines()
        assert line.startswith("powergrid: "), (words, line)
        assert len(line) > len("powergrid: "), words


@pytest.mark.parametrize("name", ["\x1e", "\n", "a\x1cb", "\t.txt", "\x7f", "\u2028"])
def test_a_file_name_that_cannot_be_printed_is_named_all_the_same(name, folder):
    check_line(["replay", name], folder)
    result = run("replay", name)
    assert result.stderr == f"powergrid: {name!r}: no such file or directory\n"


@pytest.mark.parametrize("command", LINES)
@quickly(10)
@given(data=st.data())
def test_any_values_of_options_are_taken_or_refused_in_a_line(command, folder, data):
    chosen = data.draw(st.lists(st.sampled_from(options_of(command)), min_size=1, max_size=3))
    wrong = [f"{option}={data.draw(VALUES)}" for option in chosen]
    check_line([command, *LINES[command], *wrong], folder)


@pytest.mark.parametrize("command", LINES)
@quickly(20)
@given(data=st.data())
def test_any_words_after_a_command_are_taken_or_refused_in_a_line(command, folder, data):
    line = list(LINES[command])
    if line and command not in ("train", "bench"):
        place = data.draw(st.integers(0, len(line) - 1))
        if not line[place].startswith("--") and line[place - 1].removeprefix("--") not in SLOW:
            line[place] = data.draw(VALUES)
    more = data.draw(st.lists(st.sampled_from(["--", "-x", "--help", "--luck", *NAMES, *PATHS]), max_size=2))
    check_line([command, *line, *more], folder)


# ----------------------------------------------------------------------- arguments of environments

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=4,
)
ARGUMENTS = [
    "opponents",
    "learner_seat",
    "illegal_action",
    "render_mode",
    "autoreset_mode",
    "colour",
    "config",
]
BUILDERS = {
    "single": PowerGridEnv,
    "vector": PowerGridVectorEnv,
    "aec": powergrid_env.env,
    "parallel": powergrid_env.parallel_env,
}


def refuse_by_name(fields, build):
    """Build, or be refused with an error that names one of the fields."""
    try:
        return build()
    except (ValueError, gymnasium.error.Error) as error:  # Gymnasium's own word on seeds
        assert any(name in str(error).lower() for name in fields), (fields, error)  # noqa: PT017
        return None


@pytest.mark.parametrize("kind", BUILDERS)
@quickly(1)
@given(
    fields=st.dictionaries(st.sampled_from([*ARGUMENTS, *GameConfig.__dataclass_fields__]), plain, max_size=3)
)
def test_any_arguments_make_an_environment_or_are_refused_by_name(kind, fields):
    env = refuse_by_name(fields, lambda: BUILDERS[kind](**fields))
    if env is not None:
        env.reset(seed=1)


@pytest.mark.parametrize("kind", BUILDERS)
@quickly(4)
@given(seed=plain, options=st.none() | st.dictionaries(st.text(max_size=6), plain, max_size=3))
def test_any_seed_and_options_begin_a_game_or_are_refused(kind, seed, options):
    env = BUILDERS[kind](players=2)
    refuse_by_name(["seed"], lambda: env.reset(seed=seed, options=options) or True)


@quickly(1)
@given(
    fields=st.dictionaries(
        st.sampled_from(["num_games", "seed", "autoreset", "num_threads", "players"]), plain, max_size=3
    )
)
def test_any_arguments_make_a_batch_or_are_refused_by_name(fields):
    if isinstance(fields.get("num_games"), int) and fields["num_games"] > 1000:
        fields["num_games"] = 1000
    batch = refuse_by_name(fields, lambda: GameBatch(**fields))
    if batch is not None:
        batch.step(batch.random_actions())
