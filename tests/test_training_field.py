"""What a learner trains against and is paid: the field of opponents, its snapshots, shaping."""

import numpy as np
import pytest

from tests.tiny_run import BOARD, CONFIG

torch = pytest.importorskip("torch")

from agents.learned import networks
from training import field
from training.sb3_vec_env import make_vec_env
from training.shaping import ShapedReward

pytestmark = pytest.mark.train


def _field(names: str) -> field.Field:
    return field.Field(
        names.split(),
        CONFIG,
        3,
        lambda: networks.make_policy(BOARD, {"kind": "flat", "layers": [4, 4], "activation": "relu"}),
    )


def test_every_seat_draws_its_opponent():
    drawn = _field("random face_value")
    rng = np.random.default_rng(0)
    pairs = {tuple(member.name for member in drawn(rng)) for _ in range(100)}
    assert len(pairs) == 4


def test_snapshots_that_beat_the_learner_come_up_more_often():
    drawn = _field("self")
    for decisions in range(3):
        drawn.add_snapshot(drawn.new_policy().state_dict(), decisions)
    for _ in range(200):
        drawn.count("self@0", 1.0)
        drawn.count("self@1", 0.0)
    easy, hard, unknown = drawn.chances()
    assert easy < unknown < hard
    assert easy >= field.EVEN / 3
    rng = np.random.default_rng(0)
    names = [member.name for _ in range(300) for member in drawn(rng)]
    assert names.count("self@1") > 2 * names.count("self@0") > 0


def test_a_full_pool_drops_the_snapshot_that_is_beaten_most():
    drawn = _field("self")
    for decisions in range(field.CAPACITY):
        drawn.add_snapshot(drawn.new_policy().state_dict(), decisions)
    drawn.count("self@3", 1.0)
    drawn.add_snapshot(drawn.new_policy().state_dict(), 99)
    assert [member.name for member in drawn.pool] == [
        f"self@{number}" for number in (0, 1, 2, 4, 5, 6, 7, 99)
    ]


def test_shaping_sums_to_nothing_over_a_game():
    plain, shaped = (make_vec_env(CONFIG, 4, "random", seed=5) for _ in range(2))
    shaped = ShapedReward(shaped, shaped.games, 2.0, 1.0)
    observations = [env.reset() for env in (plain, shaped)]
    assert np.array_equal(*observations)
    sums = np.zeros((2, 4))
    moved = False
    ended = 0
    for _ in range(400):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in plain.env_method("action_masks")])
        steps = [env.step(actions) for env in (plain, shaped)]
        sums += [rewards for _, rewards, _, _ in steps]
        moved |= bool((np.abs(sums[0] - sums[1]) > 0.01).any())
        for lane in np.flatnonzero(steps[0][2]):
            assert sums[1, lane] == pytest.approx(sums[0, lane], abs=1e-5)
            sums[:, lane] = 0
            ended += 1
    assert moved
    assert ended >= 4
