"""The rules run uncompiled as well (NUMBA_DISABLE_JIT=1), with the same bytes as the result."""

import hashlib
from collections.abc import Iterator

import numpy as np
import pytest

from powergrid_env import Game
from tests.golden import pick
from tests.processes import printed

SETTINGS = (
    {"players": 3},
    {"players": 2, "board": "usa", "start_cities": True},
    {"players": 4, "edition": "2004", "board": "usa"},
    {"players": 2, "edition": "2004", "raises": "all"},
    {
        "players": 5,
        "board": "usa",
        "deck": "new",
        "rulings": {"fuel": "pool", "scrap_fuel": "choose", "usa_storage": "always"},
    },
)


def course() -> Iterator[str]:
    """Digests of state and observation on the way through nine rounds of each setting, and the results."""
    for fields in SETTINGS:
        game, random = Game(seed=11, max_rounds=9, **fields), np.random.default_rng(11)
        while not game.over:
            game.play(pick(game, random))
            if len(game._actions) % 50 == 0:
                yield f"{game.digest()} {hashlib.sha256(game.observation().tobytes()).hexdigest()}"
        yield f"{game.digest()} {game.result()}"


@pytest.mark.nojit
def test_compiled_and_uncompiled_play_the_same_bytes():
    compiled = list(course())
    assert len(compiled) > 20
    assert printed("-m", "tests.test_uncompiled", NUMBA_DISABLE_JIT="1").splitlines() == compiled


if __name__ == "__main__":
    print("\n".join(course()))
