"""Calls that learn leave threads, checks and chance of the process as they were."""

import random
from dataclasses import replace

import numpy as np
import pytest

import agents

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from tests.tiny_run import BOARD, CONFIG, TINY
from training import imitation, selfplay_ppo, train
from training.bench import learning
from training.bench.protocol import Protocol

pytestmark = pytest.mark.train

SMALL = replace(TINY, steps=64, lanes=4, rollout=16, batch=64, examine=0, opponents="random")


def trains(folder):
    """A run of MaskablePPO."""
    train.train(replace(SMALL, out=str(folder / "run")))


def is_refused(folder):
    """A run that ends with an error after its network was made."""
    (folder / "run").write_text("in the way")
    with pytest.raises(ValueError, match="which exists"):
        train.train(replace(SMALL, out=str(folder / "run")))


def imitates(folder):
    """A pass of imitation."""
    with torch.random.fork_rng(devices=()):
        policy = train.make_policy(BOARD, {"kind": "flat", "layers": [4], "activation": "tanh"})
    imitation.imitate(policy, CONFIG, agents.make("random"), decisions=1, seed=1, games=1)


def plays_itself(folder):
    """A run of selfplay_ppo and what it is measured by."""
    small = {"steps": 32, "lanes": 4, "rollout": 8, "batch": 16, "epochs": 1, "width": 4, "examine": 0}
    settings = selfplay_ppo.Settings(**small, games=3, bots="random", out=str(folder / "run"))
    selfplay_ppo.measure(selfplay_ppo.train(settings), settings, 3)


def measures(folder):
    """The part `learning` of the benchmark."""
    learning.speeds(Protocol(repeats=1, seconds=0.01))


def chance():
    """Where the three generators of the process stand."""
    return random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()  # noqa: NPY002


@pytest.mark.parametrize(
    "call", [trains, is_refused, imitates, plays_itself, pytest.param(measures, marks=pytest.mark.slow)]
)
def test_a_call_leaves_the_process_as_it_was(call, tmp_path):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    found = chance()
    try:
        call(tmp_path)
        assert torch.get_num_threads() == 2
        assert torch.distributions.Distribution._validate_args
        assert chance() == found
    finally:
        torch.set_num_threads(before)
