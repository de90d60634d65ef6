"""What is dear to make and asked for in several files: made once."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from training.train import Run


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> "Run":
    """A tiny run of training that came to its end; what a test spoils it copies first."""
    from tests.tiny_run import TINY
    from training.train import train

    return train(replace(TINY, out=str(tmp_path_factory.mktemp("runs") / "tiny")))
