"""Training: a run and what it writes, going on exactly, the field, models that are refused, shaping, auctions."""

import pickle
import re
import shutil
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import agents
from powergrid_env import Game, GameConfig
from powergrid_env.board import make_board
from training.cli import app
from training.settings import TrainSettings, read_run, write_run

torch = pytest.importorskip("torch")

from agents.learned import models, networks, policy  # noqa: E402
from training import auctions, checkpoints, evaluate, examine, field, simulate  # noqa: E402
from training import train as training  # noqa: E402
from training.sb3_vec_env import make_vec_env  # noqa: E402
from training.shaping import ShapedReward  # noqa: E402

pytestmark = pytest.mark.train

TINY = TrainSettings(
    steps=2048,
    lanes=16,
    rollout=32,
    batch=128,
    network="16 16",
    games=6,
    examine=2,
    checkpoint=512,
    opponents="random self",
)
CONFIG = TINY.config()
BOARD = make_board(CONFIG)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A tiny run that came to its end."""
    return training.train(replace(TINY, out=str(tmp_path_factory.mktemp("runs") / "tiny")))


@pytest.fixture
def model_file(run, tmp_path):
    """A copy of its model that a test may spoil."""
    path = tmp_path / "model.zip"
    path.write_bytes((run.folder / "model.zip").read_bytes())
    return path


def refused(*words: str) -> str:
    """The line with which a command line is refused."""
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 2, result.output
    return result.stderr.strip().removeprefix("powergrid: ")


# ------------------------------------------------------------------------------------------- settings


def test_settings_are_written_and_read_back(tmp_path):
    settings = replace(
        TINY, regions="red blue cyan", rulings="fuel=pool", learning_rate=3e-4, out=str(tmp_path)
    )
    write_run(tmp_path, settings, extra={"name": 'with "quotes" and ü', "large": 10**12})
    found, tables = read_run(tmp_path)
    assert found == settings
    assert tables["extra"] == {"name": 'with "quotes" and ü', "large": 10**12}


@pytest.mark.parametrize(
    ("name", "value"),
    [("lanes", 0), ("steps", -1), ("gamma", 1.5), ("learning_rate", 0.0), ("network", "64 none"), ("opponents", " "),
     ("activation", "sine"), ("seed", -1), ("seed", 2**32)],
)  # fmt: skip
def test_settings_name_what_is_not_allowed(name, value):
    with pytest.raises(ValueError, match=rf"^{name} is {value!r}; allowed: "):
        replace(TINY, **{name: value})


def test_a_folder_without_settings_is_no_run(tmp_path):
    with pytest.raises(ValueError, match=r"is no run; a run is a folder with run\.toml"):
        read_run(tmp_path)
    (tmp_path / "run.toml").write_text("[settings\n", "utf-8")
    with pytest.raises(ValueError, match=r"run\.toml cannot be read: "):
        read_run(tmp_path)


def test_every_setting_is_an_option_with_its_meaning():
    text = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "200"}).stdout
    for item in fields(TrainSettings):
        assert f"--{item.name.replace('_', '-')}" in text
        assert item.metadata["help"][:40] in text


# ----------------------------------------------------------------------------------------------- runs


def test_a_run_writes_everything(run):
    names = {path.name for path in run.folder.iterdir()}
    assert names == {"model.zip", "run.toml", "resume.pt", "checkpoints", "tensorboard"}
    assert [path.name for path in sorted((run.folder / "checkpoints").iterdir())] == [
        "000000512.zip", "000001024.zip", "000001536.zip", "000002048.zip"
    ]  # fmt: skip
    settings, tables = read_run(run.folder)
    assert settings == run.settings
    assert tables["done"]["decisions"] == 2048
    assert tables["digests"] == models.digests(BOARD)
    assert tables["versions"]["torch"].startswith("2.")


def test_a_run_logs_curves(run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(run.folder / "tensorboard"))
    events.Reload()
    wanted = {
        "win_share/all", "win_share/with_random", "win_share/with_self", "games/rounds", "games/illegal_actions",
        "examination/win_share_random", "auction/price_over_minimum", "auction/plants_per_game",
        "train/explained_variance", "time/fps",
    }  # fmt: skip
    assert wanted <= set(events.Tags()["scalars"])


def test_the_same_seed_gives_the_same_network(run, tmp_path):
    again = training.train(replace(TINY, out=str(tmp_path / "again"), examine=0))
    for name, weights in run.model.policy.state_dict().items():
        assert torch.equal(weights, again.model.policy.state_dict()[name]), name


def test_a_stopped_run_goes_on_exactly(run, tmp_path, monkeypatch):
    settings = replace(TINY, out=str(tmp_path / "stopped"), shaping=0.5)
    whole = training.train(replace(settings, out=str(tmp_path / "whole")))
    save = training.Run.save_checkpoint

    def save_and_stop(run):
        save(run)
        run.stop.is_set = True

    monkeypatch.setattr(training.Run, "save_checkpoint", save_and_stop)
    stopped = training.train(settings)
    assert stopped.model.num_timesteps < 2048
    monkeypatch.undo()
    resumed = training.train(settings, resume=True)
    assert resumed.model.num_timesteps == 2048
    assert resumed.curves.games == whole.curves.games
    assert resumed.field.win_share == whole.field.win_share
    for name, weights in whole.model.policy.state_dict().items():
        assert torch.equal(weights, resumed.model.policy.state_dict()[name]), name


def test_a_finished_run_can_be_made_longer(run, tmp_path):
    shutil.copytree(run.folder, tmp_path / "run")
    told = CliRunner().invoke(app, ["train", "--resume", str(tmp_path / "run"), "--steps", "2560"])
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("2,560 decisions in ")
    settings, tables = read_run(tmp_path / "run")
    assert (settings.steps, tables["done"]["decisions"]) == (2560, 2560)


def test_ctrl_c_ends_the_update_and_saves(tmp_path, monkeypatch):
    import os
    import signal

    seen = []
    # A process that was started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    note = training.GameCurves.note

    def note_and_press(curves):
        if not seen:
            os.kill(os.getpid(), signal.SIGINT)
        seen.append(curves.num_timesteps)
        return note(curves)

    monkeypatch.setattr(training.GameCurves, "note", note_and_press)
    run = training.train(replace(TINY, out=str(tmp_path / "run"), checkpoint=10**9))
    assert seen == [512]
    assert checkpoints.load(run.folder / "resume.pt")["learner"]["num_timesteps"] == 512
    assert models.load(run.folder / "model.zip", BOARD).description["decisions"] >= 512
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def test_a_run_without_a_name_takes_the_next_free_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tiny = replace(TINY, steps=128, examine=0, opponents="random")
    assert training.train(tiny).folder == Path("runs/recharged-germany-3p-seed1")
    assert training.train(tiny).folder == Path("runs/recharged-germany-3p-seed1-2")


def test_a_run_is_not_written_over_another(run):
    with pytest.raises(ValueError, match="which exists; allowed: a new folder, or --resume"):
        training.train(run.settings)


def test_resuming_refuses_what_cannot_go_on(run, tmp_path):
    folder = str(run.folder)
    assert "already has 2048 decisions" in refused("train", "--resume", folder, "--steps", "300")
    assert "allowed beside it: --steps, not --lanes" in refused("train", "--resume", folder, "--lanes", "4")
    assert "is no run" in refused("train", "--resume", str(tmp_path))
    write_run(tmp_path, replace(TINY, out=str(tmp_path)))
    assert "before its first checkpoint" in refused("train", "--resume", str(tmp_path))
    (tmp_path / "resume.pt").write_bytes((run.folder / "resume.pt").read_bytes()[:-1000])
    assert "resume.pt: damaged" in refused("train", "--resume", str(tmp_path))


def test_a_full_disk_loses_the_last_interval_only(run, tmp_path, monkeypatch):
    path = tmp_path / "resume.pt"
    checkpoints.save(path, {"kept": 1})

    def full(state, file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="No space left"):
        checkpoints.save(path, {"kept": 2})
    assert checkpoints.load(path) == {"kept": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["resume.pt"]


def test_train_prints_a_table_with_the_untrained_policy_beside_it(tmp_path):
    words = [
        "train",
        "--steps",
        "64",
        "--lanes",
        "4",
        "--rollout",
        "16",
        "--batch",
        "64",
        "--network",
        "8",
        "--games",
        "3",
    ]
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    assert re.search(r"against +trained +untrained", result.stdout)
    for bot in ("random", "face_value", "balanced"):
        assert re.search(rf"2 {bot} +[01]\.\d\d \[\d\.\d\d, \d\.\d\d\] +[01]\.\d\d \[", result.stdout)
    assert "par 0.33" in result.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--players", "7"), "players is 7; allowed: 2 to 6"),
        (("--opponents", "nobody"), "agent is 'nobody'; known: "),
        (("--board", "mars"), "board is 'mars'; allowed: "),
        (("--reward", "fame"), "reward is 'fame'; allowed: win, rank, margin"),
        (("--lanes", "0"), "lanes is 0; allowed: a whole number from 1"),
    ],
)
def test_train_refuses(words, reason, tmp_path):
    assert refused("train", *words, "--out", str(tmp_path / "run")).startswith(reason)
    assert not (tmp_path / "run").exists()


# ---------------------------------------------------------------------------------------------- models


def test_a_model_is_loaded_and_evaluated(run, model_file):
    loaded = models.load(model_file, BOARD)
    for name, weights in run.model.policy.state_dict().items():
        assert torch.equal(weights, loaded.policy.state_dict()[name])
    assert GameConfig(**loaded.description["config"]) == CONFIG
    told = CliRunner().invoke(app, ["evaluate", str(run.folder), "--opponents", "random", "--games", "6"])
    assert re.match(r"2 random: win share \d\.\d\d \[", told.stdout), told.output
    assert (
        told.stdout
        == CliRunner()
        .invoke(app, ["evaluate", str(model_file), "--opponents", "random", "--games", "6"])
        .stdout
    )


def test_a_model_plays_other_player_counts_editions_and_boards(model_file):
    for words in (["--players", "5"], ["--edition", "2004"], ["--board", "usa"]):
        result = CliRunner().invoke(
            app, ["evaluate", str(model_file), "--opponents", "random", "--games", "5", *words]
        )
        assert result.exit_code == 0, result.output


def test_a_model_is_read_without_unpickling(model_file, monkeypatch):
    def never(*arguments, **keywords):
        raise AssertionError("unpickled")

    monkeypatch.setattr(pickle, "loads", never)
    monkeypatch.setattr("cloudpickle.loads", never)
    models.load(model_file, BOARD)


def test_stable_baselines_reads_our_models(model_file):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(model_file, device="cpu")
    assert model.policy.observation_space.shape == (models.layout.observation_size(BOARD),)


def _rewrite(path: Path, member: str, content: bytes | None) -> None:
    """Write a zip file anew with one member changed, or left out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members.pop(member, None)
    if content is not None:
        members[member] = content
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def test_models_that_are_none_are_refused(model_file, tmp_path):
    whole = model_file.read_bytes()
    assert refused("evaluate", str(tmp_path / "none.zip")).endswith("none.zip: no such model file")
    (tmp_path / "letter.zip").write_text("Dear Sir", "utf-8")
    assert "letter.zip: no model (not a zip file, or half-written)" in refused(
        "evaluate", str(tmp_path / "letter.zip")
    )
    model_file.write_bytes(whole[: len(whole) // 2])
    assert "model.zip: " in (told := refused("evaluate", str(model_file)))
    assert "half-written" in told
    model_file.write_bytes(whole[:3000] + bytes(2000) + whole[5000:])
    assert "model.zip: " in refused("evaluate", str(model_file))
    model_file.write_bytes(whole)
    _rewrite(model_file, "policy.pth", b"no weights")
    assert "model.zip: a damaged model" in refused("evaluate", str(model_file))
    _rewrite(model_file, models.DESCRIPTION, None)
    assert "no model of `powergrid train`, or half-written" in refused("evaluate", str(model_file))


@pytest.mark.parametrize("what", ["action_table", "observation_layout"])
def test_a_model_for_another_layout_is_refused(model_file, what):
    import json

    with zipfile.ZipFile(model_file) as archive:
        description = json.loads(archive.read(models.DESCRIPTION))
    _rewrite(model_file, models.DESCRIPTION, json.dumps({**description, what: "0123"}).encode())
    assert f"made for another {what.replace('_', ' ')} (0123)" in refused("evaluate", str(model_file))


def test_other_raises_are_another_action_table(model_file):
    other = make_board(GameConfig(players=3, raises="all"))
    with pytest.raises(ValueError, match="made for another action table"):
        models.load(model_file, other)


def test_a_policy_draws_legal_actions_from_its_seed_alone(run):
    agent = policy.NetworkAgent(run.model.policy, "drawn")
    games = [Game(CONFIG, seed=seed) for seed in range(3)]
    played = [simulate.play([game.clone() for game in games], [agent], seed) for seed in (5, 5, 6)]
    digests = [[game.digest() for game in part] for part in played]
    assert digests[0] == digests[1] != digests[2]


# ----------------------------------------------------------------------------------------------- field


def _field(names: str) -> field.Field:
    return field.Field(
        names.split(),
        CONFIG,
        3,
        lambda: networks.make_policy(BOARD, {"kind": "flat", "layers": [4, 4], "activation": "relu"}),
    )


def test_every_seat_draws_its_opponent():
    drawn = _field("random face_value")
    rng = np.random.default_rng(0)
    pairs = {tuple(member.name for member in drawn(rng)) for _ in range(100)}
    assert len(pairs) == 4


def test_snapshots_that_beat_the_learner_come_up_more_often():
    drawn = _field("self")
    for decisions in range(3):
        drawn.add_snapshot(drawn.new_policy().state_dict(), decisions)
    for _ in range(200):
        drawn.count("self@0", 1.0)
        drawn.count("self@1", 0.0)
    easy, hard, unknown = drawn.chances()
    assert easy < unknown < hard
    assert easy >= field.EVEN / 3
    rng = np.random.default_rng(0)
    names = [member.name for _ in range(300) for member in drawn(rng)]
    assert names.count("self@1") > 2 * names.count("self@0") > 0


def test_a_full_pool_drops_the_snapshot_that_is_beaten_most():
    drawn = _field("self")
    for decisions in range(field.CAPACITY):
        drawn.add_snapshot(drawn.new_policy().state_dict(), decisions)
    drawn.count("self@3", 1.0)
    drawn.add_snapshot(drawn.new_policy().state_dict(), 99)
    assert [member.name for member in drawn.pool] == [
        f"self@{number}" for number in (0, 1, 2, 4, 5, 6, 7, 99)
    ]


# ---------------------------------------------------------------------------------- shaping, evaluation


def test_shaping_sums_to_nothing_over_a_game():
    plain, shaped = (make_vec_env(CONFIG, 4, "random", seed=5) for _ in range(2))
    shaped = ShapedReward(shaped, shaped.games, 2.0, 1.0)
    observations = [env.reset() for env in (plain, shaped)]
    assert np.array_equal(*observations)
    sums = np.zeros((2, 4))
    moved = False
    ended = 0
    for _ in range(400):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in plain.env_method("action_masks")])
        steps = [env.step(actions) for env in (plain, shaped)]
        sums += [rewards for _, rewards, _, _ in steps]
        moved |= bool((np.abs(sums[0] - sums[1]) > 0.01).any())
        for lane in np.flatnonzero(steps[0][2]):
            assert sums[1, lane] == pytest.approx(sums[0, lane], abs=1e-5)
            sums[:, lane] = 0
            ended += 1
    assert moved
    assert ended >= 4


def test_training_and_evaluation_use_other_seeds(run):
    plan = list(evaluate._chunks((0, 1, 1), 3000, seed=2))
    seeds = [block.game_seed for chunk in plan for block in chunk.blocks]
    assert len(set(seeds)) == 1000
    assert not set(seeds) & set(run.env.games.batch.seeds.tolist())
    assert run.settings.seed + run.settings.lanes < min(
        seeds
    )  # the first games of training are counted up as well


def test_every_block_seats_the_line_up_in_all_ways():
    (chunk,) = evaluate._chunks((0, 1, 1), 7, seed=0)
    assert [block.seats for block in chunk.blocks] == [((0, 1, 1), (1, 0, 1), (1, 1, 0))] * 3
    assert chunk.num_games == 9


def test_a_share_of_nothing_has_an_interval_too():
    found = evaluate.against(agents.make("random"), ["balanced"], CONFIG, 30)
    assert found.share == found.low == 0
    assert 0.05 < found.high < 0.4


def test_a_focal_agent_beats_weaker_ones_and_residents_keep_an_invader_down():
    strong, weak = agents.make("face_value"), "random"
    assert evaluate.against(strong, [weak], CONFIG, 60).low > 1 / 3
    assert evaluate.against(strong, [weak], CONFIG, 60, resident=True).high < 1 / 3


# --------------------------------------------------------------------------------------------- auctions


def test_purchases_say_who_paid_what():
    game = Game(players=3, seed=7)
    chooser = game.player
    for text in ("nominate 5", "bid 5", "bid 6", "pass", "bid 9", "pass"):
        game.play(text)
    game.play(int(game.legal_actions()[0]))
    assert auctions.purchases(game) == [auctions.Purchase(seat=chooser, plant=5, price=9, minimum=5)]


def test_purchases_of_whole_games_add_up():
    fresh = [Game(GameConfig(players=3), seed=seed) for seed in range(4)]
    for game in simulate.play(fresh, [agents.make("random"), agents.make("face_value")], 1):
        sold = auctions.purchases(game)
        assert all(one.price >= one.minimum for one in sold)
        owned = {int(plant) for seat in range(3) for plant in game.state.plants[seat] if plant}
        assert owned <= {one.plant for one in sold}
        assert len({one.plant for one in sold}) == len(sold)
        assert all(one.minimum in (1, one.plant) for one in sold)


def test_an_examination_tells_of_every_opponent(run):
    scalars = examine.examine(run.trained_agent(), [agents.make("random")], CONFIG, 3)
    assert set(scalars) == {
        "examination/win_share_random", "auction/plants_per_game", "auction/price_over_minimum",
        "auction/bought_above_minimum", "auction/mean_plant_number",
    }  # fmt: skip
    assert 0 <= scalars["examination/win_share_random"] <= 1
    assert scalars["auction/plants_per_game"] >= 1
