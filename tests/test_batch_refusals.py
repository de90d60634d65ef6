"""GameBatch refuses: actions, lanes, buffers and arguments that do not fit, and nothing has moved."""

import numpy as np
import pytest

from powergrid_env import GameConfig, IllegalAction
from powergrid_env.batch import GameBatch
from tests.lanes import a_batch, digests


def illegal_action(batch, lane):
    return int(np.flatnonzero(batch.masks()[lane] == 0)[0])


def test_illegal_action_names_the_lane_and_the_rule_and_no_lane_moves():
    batch = a_batch(6)
    actions = batch.random_actions()
    actions[4] = illegal_action(batch, 4)
    before = digests(batch)
    with pytest.raises(IllegalAction, match=r"^lane 4: .*R\d"):
        batch.step(actions)
    with pytest.raises(IllegalAction, match=r"^lane 4: "):
        batch.step(actions[3:], [3, 4, 5])
    assert digests(batch) == before


def test_verify_answers_with_the_rules_that_forbid():
    batch = a_batch(6, steps=25)
    masks, lanes = batch.masks(), [4, 0]
    for action in range(batch.num_actions):
        assert np.array_equal(batch.verify(np.full(6, action)) == 0, masks[:, action] == 1)
    assert batch.verify([10_000, -1], lanes).all()
    with pytest.raises(ValueError, match="actions"):
        batch.verify([0, 0])


@pytest.mark.parametrize("number", [-1, 10_000, 2**63 - 1, -(2**63), 2**64 - 1])
def test_a_number_that_is_no_action_names_the_lane(number):
    batch = a_batch(3)
    before = digests(batch)
    actions = np.array(
        [int(batch.random_actions()[0]), number, 0], dtype=np.uint64 if number >= 2**63 else np.int64
    )
    with pytest.raises(IllegalAction, match=rf"^lane 1: action is {number}; allowed: 0 to "):
        batch.step(actions)
    assert digests(batch) == before


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(4, np.int64),
        np.zeros((3, 1), np.int64),
        np.zeros(3),
        np.zeros(3, bool),
        np.array(["pass"] * 3),
        np.array([None] * 3),
        0,
        [],
    ],
)
def test_actions_of_a_wrong_shape_or_dtype_are_refused(actions):
    batch = a_batch(3)
    before = digests(batch)
    with pytest.raises(ValueError, match=r"actions is an array .*allowed: \(3,\) whole numbers"):
        batch.step(actions)
    assert digests(batch) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, list])
def test_whole_numbers_of_any_kind_are_actions(kind):
    batch, same = a_batch(3), a_batch(3)
    actions = batch.random_actions()
    batch.step(actions.tolist() if kind is list else actions.astype(kind))
    same.step(actions)
    assert digests(batch) == digests(same)


@pytest.mark.parametrize("lanes", [[0, 3], [-1], [1, 1], [0.0], [[0]], [True, False, True], ["0"]])
def test_unknown_lanes_are_refused(lanes):
    batch = a_batch(3)
    before, seeds = digests(batch), batch.seeds.copy()
    for call in (
        lambda: batch.masks(lanes=lanes),
        lambda: batch.observe(lanes=lanes),
        lambda: batch.random_actions(lanes),
        lambda: batch.step(np.zeros(len(lanes), int), lanes),
        lambda: batch.reset(lanes),
        lambda: batch.reset(lanes, seeds=[1] * len(lanes)),
    ):
        with pytest.raises(ValueError, match="lanes"):
            call()
    assert digests(batch) == before
    assert np.array_equal(batch.seeds, seeds)


@pytest.mark.parametrize("lane", [3, -1, 0.5, True, "0", None])
def test_game_of_an_unknown_lane_is_refused(lane):
    with pytest.raises(ValueError, match="lane"):
        a_batch(3).game(lane)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_games", 0),
        ("num_games", 2.0),
        ("num_games", np.arange(3)),
        ("num_threads", 0),
        ("num_threads", 10_000),
        ("seed", -1),
        ("seed", 1.5),
        ("seed", 2**63),
        ("seed", [1, 2]),
        ("seed", [1.0, 2.0, 3.0]),
        ("seed", [1, -2, 3]),
        ("seed", np.array([1, 2, 2**63], np.uint64)),
        ("players", 7),
        ("colour", "red"),
    ],
)
def test_wrong_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        GameBatch(**{"players": 3, "num_games": 3, name: value})


def test_config_or_its_fields():
    config = GameConfig(players=5)
    assert GameBatch(config, num_games=2).config == config
    with pytest.raises(ValueError, match="config"):
        GameBatch(config, num_games=2, players=5)


@pytest.mark.parametrize("name", ["masks", "observe"])
def test_out_that_does_not_fit_is_refused(name):
    batch = a_batch(4)
    fits = getattr(batch, name)()
    locked = fits.copy()
    locked.flags.writeable = False
    wrong = [fits[:3], fits[:, :-1], fits.astype(np.float64), np.asfortranarray(fits), fits.tolist(), locked]
    wrong += [np.zeros((4, 2 * fits.shape[1]), fits.dtype)[:, ::2]]
    for out in wrong:
        with pytest.raises(ValueError, match=r"out is .*allowed: "):
            getattr(batch, name)(out=out)
