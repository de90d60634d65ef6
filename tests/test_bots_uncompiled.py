"""The bots decide uncompiled (NUMBA_DISABLE_JIT=1) as they do compiled, and without a warning."""

import json

import numpy as np
import pytest

import agents
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.constants import Decision
from tests.processes import printed

KINDS = [{"players": 3}, {"players": 2, "board": "usa"}, {"players": 4, "edition": "2004", "board": "usa"}]
BOTS = ["random", "face_value", "balanced", "spoiler"]
SEARCHERS = ["rollout:simulations=1", "ismcts:simulations=1"]

SCRIPT = """
import json, sys
import numpy as np
from tests.test_bots_uncompiled import KINDS, answers
with np.load(sys.argv[1]) as positions:
    print(json.dumps([answers(kind, positions[name]) for kind, name in zip(KINDS, positions)]))
"""


def positions(kind, num_games=12, apart=28):
    """States of games of `balanced`, each some decisions further on than the one before."""
    batch = GameBatch(GameConfig(**kind), num_games=num_games, seed=3, autoreset=False)
    bot, stops = agents.make("balanced"), apart * np.arange(num_games)
    for decision in range(stops[-1]):
        lanes = np.flatnonzero((batch.player >= 0) & (stops > decision))
        batch.step(bot.act(batch, lanes), lanes)
    return batch.states


def answers(kind, states):
    """What the bots play in the positions; search bots where one builds in the last round, and little is left to play."""
    building = states[states["decision"] == Decision.BUILD][-1:]
    short = {**kind, "max_rounds": int(building["round_number"][0])}
    return ask(BOTS, kind, states) | ask(SEARCHERS, short, building)


def ask(names, kind, states):
    batch = GameBatch(GameConfig(**kind), num_games=len(states), autoreset=False)
    batch.states[:] = states
    lanes = np.flatnonzero(batch.player >= 0)
    return {name: agents.make(name).act(batch, lanes).tolist() for name in names}


@pytest.mark.nojit
def test_bots_decide_the_same_compiled_and_uncompiled(tmp_path):
    played = [positions(kind) for kind in KINDS]
    asked = {Decision(decision) for states in played for decision in states["decision"]}
    assert asked >= {Decision.CHOOSE, Decision.BID, Decision.BUY, Decision.BUILD, Decision.RUN}
    np.savez(tmp_path / "positions.npz", *played)
    plain = json.loads(printed("-c", SCRIPT, str(tmp_path / "positions.npz"), NUMBA_DISABLE_JIT="1"))
    assert plain == [answers(kind, states) for kind, states in zip(KINDS, played, strict=True)]
    assert all(found[name] for found in plain for name in BOTS + SEARCHERS)
