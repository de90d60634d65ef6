"""The rules run uncompiled as well (NUMBA_DISABLE_JIT=1), with the same bytes as the result."""

import pytest

from tests.processes import compiled_and_not

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


@pytest.mark.nojit
def test_compiled_and_uncompiled_play_the_same_bytes():
    compiled, plain = compiled_and_not("-c", SCRIPT)
    assert compiled.count("\n") > 20
    assert compiled == plain
