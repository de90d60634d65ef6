"""Training: settings, a run and what it writes, going on exactly, runs that are refused."""

import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.command import output, refusal
from tests.tiny_run import BOARD, TINY
from training.settings import TrainSettings, read_run, write_run

torch = pytest.importorskip("torch")

from agents.learned import models
from training import checkpoints
from training import train as training

pytestmark = pytest.mark.train


# ---------------------------------------------------------------------------------------- settings


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


def test_every_setting_is_an_option_with_its_meaning(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = output("train", "--help")
    for item in fields(TrainSettings):
        assert f"--{item.name.replace('_', '-')}" in text
        assert item.metadata["help"][:40] in text


# -------------------------------------------------------------------------------------------- runs


def test_a_run_writes_everything(trained):
    names = {path.name for path in trained.folder.iterdir()}
    assert names == {"model.zip", "run.toml", "resume.pt", "checkpoints", "tensorboard"}
    assert [path.name for path in sorted((trained.folder / "checkpoints").iterdir())] == [
        "000000512.zip", "000001024.zip", "000001536.zip", "000002048.zip"
    ]  # fmt: skip
    settings, tables = read_run(trained.folder)
    assert settings == trained.settings
    assert tables["done"]["decisions"] == 2048
    assert tables["digests"] == models.digests(BOARD)
    assert tables["versions"]["torch"].startswith("2.")


def test_a_run_logs_curves(trained):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(trained.folder / "tensorboard"))
    events.Reload()
    wanted = {
        "win_share/all", "win_share/with_random", "win_share/with_self", "games/rounds", "games/illegal_actions",
        "examination/win_share_random", "auction/price_over_minimum", "auction/plants_per_game",
        "train/explained_variance", "time/fps",
    }  # fmt: skip
    assert wanted <= set(events.Tags()["scalars"])


def test_the_same_seed_gives_the_same_network(trained, tmp_path):
    again = training.train(replace(TINY, out=str(tmp_path / "again"), examine=0))
    for name, weights in trained.model.policy.state_dict().items():
        assert torch.equal(weights, again.model.policy.state_dict()[name]), name


def test_a_stopped_run_goes_on_exactly(tmp_path, monkeypatch):
    settings = replace(TINY, steps=1536, out=str(tmp_path / "stopped"), shaping=0.5)
    whole = training.train(replace(settings, out=str(tmp_path / "whole")))
    save = training.Run.save_checkpoint

    def save_and_stop(run):
        save(run)
        run.stop.is_set = True

    monkeypatch.setattr(training.Run, "save_checkpoint", save_and_stop)
    stopped = training.train(settings)
    assert stopped.model.num_timesteps < 1536
    monkeypatch.undo()
    resumed = training.train(settings, resume=True)
    assert resumed.model.num_timesteps == 1536
    assert resumed.curves.games == whole.curves.games
    assert resumed.field.win_share == whole.field.win_share
    for name, weights in whole.model.policy.state_dict().items():
        assert torch.equal(weights, resumed.model.policy.state_dict()[name]), name


def test_a_finished_run_can_be_made_longer(trained, tmp_path):
    shutil.copytree(trained.folder, tmp_path / "run")
    assert output("train", "--resume", tmp_path / "run", "--steps", 2560).startswith("2,560 decisions in ")
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


def test_a_run_is_not_written_over_another(trained):
    with pytest.raises(ValueError, match="which exists; allowed: a new folder, or --resume"):
        training.train(trained.settings)


def test_resuming_refuses_what_cannot_go_on(trained, tmp_path):
    folder = trained.folder
    assert "already has 2048 decisions" in refusal("train", "--resume", folder, "--steps", 300)
    assert "allowed beside it: --steps, not --lanes" in refusal("train", "--resume", folder, "--lanes", 4)
    assert "is no run" in refusal("train", "--resume", tmp_path)
    write_run(tmp_path, replace(TINY, out=str(tmp_path)))
    assert "before its first checkpoint" in refusal("train", "--resume", tmp_path)
    (tmp_path / "resume.pt").write_bytes((trained.folder / "resume.pt").read_bytes()[:-1000])
    assert "resume.pt: damaged" in refusal("train", "--resume", tmp_path)


def test_a_full_disk_loses_the_last_interval_only(tmp_path, monkeypatch):
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
    words = "train --steps 64 --lanes 4 --rollout 16 --batch 64 --network 8 --games 3".split()
    told = output(*words, "--out", tmp_path / "run")
    assert re.search(r"against +trained +untrained", told)
    for bot in ("random", "face_value", "balanced"):
        assert re.search(rf"2 {bot} +[01]\.\d\d \[\d\.\d\d, \d\.\d\d\] +[01]\.\d\d \[", told)
    assert "par 0.33" in told


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
    assert refusal("train", *words, "--out", tmp_path / "run").startswith(reason)
    assert not (tmp_path / "run").exists()
