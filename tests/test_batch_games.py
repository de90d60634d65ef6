"""GameBatch: games that end, begin anew, come in, go out and are copied."""

import copy
import pickle

import numpy as np
import pytest

from powergrid_env import Game
from powergrid_env.batch import GameBatch
from powergrid_env.constants import Phase
from tests.lanes import a_batch, digests


def test_without_autoreset_a_finished_lane_ignores_its_action():
    batch = a_batch(4, players=3, max_rounds=1, autoreset=False)
    paid = np.zeros((4, 3))
    flagged = np.zeros(4, bool)
    while (batch.player >= 0).any():
        rewards, terminated, truncated = batch.step(batch.random_actions())
        assert not (flagged & ~(terminated | truncated)).any()
        paid, flagged = paid + rewards, terminated | truncated
    before = digests(batch)
    assert truncated.all()
    rewards, terminated, truncated = batch.step(np.full(4, 10_000))
    assert digests(batch) == before
    assert truncated.all()
    assert not terminated.any()
    assert not rewards.any()
    assert not len(batch.ended)
    assert not batch.masks().any()
    assert not batch.observe().any()
    assert not batch.random_actions().any()
    assert (batch.states["phase"] == Phase.OVER).all()


def test_reset_of_some_lanes():
    batch = a_batch(6, steps=30)
    before, seeds = digests(batch), batch.seeds.copy()
    batch.reset([4, 1])
    assert np.flatnonzero(batch.seeds != seeds).tolist() == [1, 4]
    batch.reset([5, 0], seeds=[7, 8])
    assert (batch.seeds[5], batch.seeds[0]) == (7, 8)
    for lane in range(6):
        expected = (
            Game(batch.config, seed=batch.seeds[lane]).state.tobytes() if lane not in (2, 3) else before[lane]
        )
        assert batch.states[lane].tobytes() == expected
    with pytest.raises(ValueError, match="seeds"):
        batch.reset([0], seeds=[-1])
    batch.reset()
    assert len(set(batch.seeds.tolist()) & set(seeds.tolist())) == 0


def test_game_taken_out_is_a_copy_with_a_record_of_its_own():
    batch = a_batch(4, steps=50)
    game = batch.game(2)
    before = digests(batch)
    assert game.state.tobytes() == before[2]
    while not game.over:
        game.play(int(game.legal_actions()[0]))
    assert digests(batch) == before
    assert Game.replay(game.record()).digest() == game.digest()


def test_from_games_goes_on_where_they_stand():
    games = [Game(players=3, seed=seed, max_rounds=3) for seed in range(5)]
    for number, game in enumerate(games):
        for _ in range(4 * number):
            game.play(int(game.legal_actions()[-1]))
    batch = GameBatch.from_games(games, seed=1)
    assert digests(batch) == [game.state.tobytes() for game in games]
    assert (batch.seeds == -1).all()
    assert not batch.autoreset
    while (batch.player >= 0).any():
        actions = batch.random_actions()
        for lane, game in enumerate(games):
            if not game.over:
                game.play(int(actions[lane]))
        batch.step(actions)
    assert digests(batch) == [game.state.tobytes() for game in games]
    batch.reset([2])
    assert batch.states[2].tobytes() == Game(batch.config, seed=batch.seeds[2]).state.tobytes()


def test_from_games_refuses_none_and_different_configs():
    with pytest.raises(ValueError, match="games"):
        GameBatch.from_games([])
    with pytest.raises(ValueError, match="lane 1"):
        GameBatch.from_games([Game(players=3), Game(players=4)])


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_goes_on_alike_and_is_independent(clone):
    batch = a_batch(5, steps=40, max_rounds=4)
    other = clone(batch)
    frozen = digests(batch)
    for _ in range(600):
        other.step(other.random_actions())
    assert digests(batch) == frozen
    for _ in range(600):
        batch.step(batch.random_actions())
    assert digests(batch) == digests(other)
    assert np.array_equal(batch.seeds, other.seeds)
    assert other.board is batch.board


def test_a_state_is_copied_by_assignment():
    batch = a_batch(3, steps=30)
    batch.states[0] = batch.states[2]
    actions = batch.random_actions()
    actions[0] = actions[2]
    batch.step(actions)
    assert batch.states[0].tobytes() == batch.states[2].tobytes()
    assert batch.states["money"].shape == (3, 6)
