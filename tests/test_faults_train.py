"""Faults around training: a full disk, a killed process, files of other versions, files made to run code."""

import base64
import io
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import torch

from agents.learned import models
from tests.command import refusal, refusal_after_all
from tests.faults import full_disk, killed, names
from tests.tiny_run import BOARD, TINY, rewrite
from training import checkpoints
from training.settings import write_run

pytestmark = pytest.mark.train

ROOM = 30_000  # bytes: for run.toml and curves, not for weights
WRITER = """
import torch
from training import checkpoints
def write(path, version):
    checkpoints.save(path, {"learner": version, "weights": torch.full((500_000,), version)})
"""


@pytest.fixture
def copied(trained, tmp_path):
    """A copy of a run that a test may spoil."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("run.toml", "resume.pt", "model.zip"):
        (folder / name).write_bytes((trained.folder / name).read_bytes())
    write_run(folder, replace(TINY, out=str(folder)))
    return folder


# -------------------------------------------------------------------------------------------- the disk


def test_a_run_on_a_full_disk_ends_in_one_line(tmp_path):
    words = (
        "train --steps 64 --lanes 4 --rollout 16 --batch 64 --network 16 --games 0 --opponents random".split()
    )
    with full_disk(ROOM):
        told = refusal_after_all(*words, "--out", tmp_path / "run")
    assert told.endswith(": file too large")
    assert str(tmp_path / "run") in told
    assert {"model.zip", "resume.pt"}.isdisjoint(names(tmp_path / "run"))


def test_a_full_disk_leaves_the_last_checkpoint_and_model(copied):
    kept = {name: (copied / name).read_bytes() for name in ("resume.pt", "model.zip")}
    with full_disk(ROOM):
        assert refusal_after_all("train", "--resume", copied, "--steps", 2560).endswith(": file too large")
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
        models.load(copied / "model.zip", BOARD)
    else:
        assert "model.zip: a damaged model (UnpicklingError" in refusal("evaluate", copied / "model.zip")
    assert not sprung.exists()


def test_no_checkpoint_runs_code(copied):
    (copied / "resume.pt").write_bytes(saved(copied / "sprung"))
    assert "resume.pt: damaged, UnpicklingError" in refusal("train", "--resume", copied, "--steps", 2560)
    assert not (copied / "sprung").exists()


def pickled_text(sprung):
    return base64.b64encode(pickle.dumps(Trap(sprung))).decode()


def saved(sprung):
    """What torch writes of a trap."""
    content = io.BytesIO()
    torch.save({"policy": Trap(sprung)}, content)
    return content.getvalue()
