"""The rules run uncompiled as well (NUMBA_DISABLE_JIT=1), with the same bytes as the result."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from powergrid_env import Game
from tests.golden import pick
import numpy as np

for fields in (
    dict(players=3, max_rounds=9),
    dict(players=2, board="usa", start_cities=True, max_rounds=9),
    dict(players=4, edition="2004", board="usa", max_rounds=9),
    dict(players=2, edition="2004", raises="all", max_rounds=9),
    dict(players=5, deck="new", rulings=dict(fuel="pool", scrap_fuel="choose", usa_storage="always"), board="usa", max_rounds=9),
):
    game, random = Game(seed=11, **fields), np.random.default_rng(11)
    while not game.over:
        game.play(pick(game, random))
        if len(game._actions) % 50 == 0:
            print(game.digest(), game.observation().tobytes().hex()[:64])
    print(game.digest(), game.result())
"""


def run(disable):
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": disable,
        "POWERGRID_QUIET": "1",
        "PYTHONWARNINGS": "error",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.nojit
def test_compiled_and_uncompiled_play_the_same_bytes():
    compiled = run("0")
    assert compiled.count("\n") > 20
    assert run("1") == compiled
