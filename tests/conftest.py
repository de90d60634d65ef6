"""What takes long to make and is asked for in several files: made once."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pandas as pd

    from training.train import Run


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> "Run":
    """A tiny run of training that came to its end; what a test spoils it copies first."""
    from tests.tiny_run import TINY
    from training.train import train

    return train(replace(TINY, out=str(tmp_path_factory.mktemp("runs") / "tiny")))


@pytest.fixture(scope="session")
def tables() -> "dict[str, pd.DataFrame]":
    """Tables of 60 random games of all settings; nobody writes to them."""
    from powergrid_env.tables import frames
    from tests.test_tables import games

    return frames(games(60))
