"""Faults around training: a full disk, a killed process, files of other versions, files made to run code."""

import io
import json
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import torch

from agents.learned import models
from training import checkpoints
from training import train as training
from training.settings import TrainSettings, write_run

from tests.test_faults import full_disk, killed, names, refusal  # isort: skip

pytestmark = pytest.mark.train

TINY = TrainSettings(
    steps=256,
    lanes=4,
    rollout=32,
    batch=64,
    network="8",
    games=0,
    examine=0,
    checkpoint=128,
    opponents="random",
)
ROOM = 30_000  # bytes: for run.toml and curves, not for weights
WRITER = """
import torch
from training import checkpoints
def write(path, version):
    checkpoints.save(path, {"learner": version, "weights": torch.full((500_000,), version)})
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a tiny run that came to its end."""
    return training.train(replace(TINY, out=str(tmp_path_factory.mktemp("runs") / "tiny"))).folder


@pytest.fixture
def copied(run, tmp_path):
    """A copy of it that a test may spoil."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("run.toml", "resume.pt", "model.zip"):
        (folder / name).write_bytes((run / name).read_bytes())
    write_run(folder, replace(TINY, out=str(folder)))
    return folder


# -------------------------------------------------------------------------------------------- the disk


def test_a_run_on_a_full_disk_ends_in_one_line(tmp_path):
    words = [
        f"--{name}={getattr(TINY, name)}"
        for name in ("steps", "lanes", "rollout", "batch", "network", "games")
    ]
    with full_disk(ROOM):
        told = refusal("train", *words, "--opponents", "random", "--out", tmp_path / "run")
    assert told.endswith(": file too large")
    assert str(tmp_path / "run") in told
    assert {"model.zip", "resume.pt"}.isdisjoint(names(tmp_path / "run"))


def test_a_full_disk_leaves_the_last_checkpoint_and_model(copied):
    kept = {name: (copied / name).read_bytes() for name in ("resume.pt", "model.zip")}
    with full_disk(ROOM):
        assert refusal("train", "--resume", copied, "--steps", 512).endswith(": file too large")
    assert {name: (copied / name).read_bytes() for name in kept} == kept
    assert not [name for name in names(copied) if name.startswith(".")]


@pytest.mark.slow
def test_killed_while_it_writes_a_checkpoint_the_file_is_the_old_or_the_new_one(tmp_path):
    for path in killed(WRITER, tmp_path / "resume.pt", 5):
        state = checkpoints.load(path)
        assert (state["weights"] == state["learner"]).all()


# ---------------------------------------------------------------------------------------- other files


def test_a_model_of_another_format_is_refused_with_what_to_do(copied):
    rewrite(copied / "model.zip", models.DESCRIPTION, b'{"format": 99}')
    told = refusal("evaluate", copied / "model.zip")
    assert (
        "model.zip: format 99; this version reads 1; use the version of powergrid-env that wrote it" in told
    )


def test_a_run_of_another_version_is_refused_with_its_setting(copied):
    path = copied / "run.toml"
    path.write_text(path.read_text("utf-8").replace("[settings]", "[settings]\ncharm = 3", 1), "utf-8")
    assert "run.toml cannot be read: no setting 'charm'; known: " in refusal("train", "--resume", copied)


class Trap:
    """When unpickled it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_the_trap_works(tmp_path):
    pickle.loads(pickle.dumps(Trap(tmp_path / "sprung")))
    assert names(tmp_path) == ["sprung"]


@pytest.mark.parametrize("member", ["policy.pth", "policy.optimizer.pth", "data"])
def test_no_member_of_a_model_file_runs_code(member, copied):
    sprung = copied / "sprung"
    content = json.dumps({"policy_class": {":serialized:": pickled_text(sprung)}}).encode()
    rewrite(copied / "model.zip", member, content if member == "data" else saved(sprung))
    if member == "data":
        models.load(copied / "model.zip", models_board())
    else:
        assert "model.zip: a damaged model (UnpicklingError" in refusal("evaluate", copied / "model.zip")
    assert not sprung.exists()


def test_no_checkpoint_runs_code(copied):
    (copied / "resume.pt").write_bytes(saved(copied / "sprung"))
    assert "resume.pt: damaged, UnpicklingError" in refusal("train", "--resume", copied, "--steps", 512)
    assert not (copied / "sprung").exists()


def models_board():
    from powergrid_env.board import make_board

    return make_board(TINY.config())


def pickled_text(sprung):
    import base64

    return base64.b64encode(pickle.dumps(Trap(sprung))).decode()


def saved(sprung):
    """What torch writes of a trap."""
    content = io.BytesIO()
    torch.save({"policy": Trap(sprung)}, content)
    return content.getvalue()


def rewrite(path, member, content):
    """Write a zip file anew with one member changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | {member: content}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
