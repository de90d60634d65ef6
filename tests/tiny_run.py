"""The tiny run of training that several files test; the fixture `trained` of conftest.py trains it once."""

import zipfile
from pathlib import Path

from powergrid_env.board import make_board
from training.settings import TrainSettings

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


def rewrite(path: Path, member: str, content: bytes | None) -> None:
    """Write a model file anew with one member changed, or left out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members.pop(member, None)
    if content is not None:
        members[member] = content
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
