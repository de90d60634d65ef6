"""GameBatch: every lane is a single Game byte for byte; random actions, buffers, some of the lanes."""

import numba
import numpy as np
import pytest

from powergrid_env import Game
from powergrid_env.batch import GameBatch
from powergrid_env.constants import Decision
from powergrid_env.seeds import nth_word
from tests.lanes import a_batch, digests

SETTINGS = [
    {"players": 4, "max_rounds": 4},
    {"players": 2, "board": "usa", "max_rounds": 4},
    {"players": 3, "edition": "2004", "board": "usa", "max_rounds": 3},
    {"players": 6, "start_cities": True, "skip_forced": True, "max_rounds": 2},
    {"players": 5, "deck": "new", "raises": "all", "reward": "margin", "max_rounds": 2},
]
THREADS = [
    1,
    pytest.param(2, marks=pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")),
]

# -------------------------------------------------------------------------------- a lane is a Game


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("fields", SETTINGS)
def test_lane_equals_game_with_its_seed_also_after_autoreset(fields, threads, monkeypatch):
    monkeypatch.setattr("powergrid_env.batch.WORTH_THREADS", 1)
    batch = GameBatch(num_games=4, seed=3, num_threads=threads, **fields)
    games = [Game(batch.config, seed=seed) for seed in batch.seeds]
    restarts = np.zeros(4, int)
    for number in range(5000):
        if number % 50 == 0:
            masks, views = batch.masks(), batch.observe()
            for lane, game in enumerate(games):
                assert np.array_equal(masks[lane], game.action_mask())
                assert np.array_equal(views[lane], game.observation())
        actions = batch.random_actions()
        before = batch.seeds.copy()
        rewards, terminated, truncated = batch.step(actions)
        over = iter(range(4))
        for lane, game in enumerate(games):
            game.play(int(actions[lane]))
            assert (terminated[lane] or truncated[lane]) == game.over
            if game.over:
                place = next(over)
                assert batch.ended[place] == lane
                assert batch.final_seeds[place] == before[lane]
                assert batch.final_states[place].tobytes() == game.state.tobytes()
                assert rewards[lane].tolist() == game.result().rewards
                assert truncated[lane] == game.result().truncated
                games[lane] = Game(batch.config, seed=batch.seeds[lane])
                restarts[lane] += 1
            else:
                assert not rewards[lane].any()
            assert batch.states[lane].tobytes() == games[lane].state.tobytes()
            assert batch.player[lane] == games[lane].player
        if restarts.min() >= 2:
            return
    pytest.fail("some lane did not end two games")


def test_games_end_by_the_rules_as_well():
    batch = a_batch(32, players=6)
    paid = []
    while not len(paid):
        rewards, terminated, _ = batch.step(batch.random_actions())
        paid = rewards[terminated]
    assert paid[0].max() > 0
    assert paid[0].sum() == pytest.approx(0, abs=1e-6)


def test_a_lane_does_not_depend_on_the_others():
    together = a_batch(5, max_rounds=6)
    alone = a_batch(1, max_rounds=6, seed=together.seeds[3:4])
    for _ in range(1500):
        actions = together.random_actions()
        assert alone.random_actions()[0] == actions[3]
        together.step(actions)
        alone.step(actions[3:4])
        assert alone.states[0].tobytes() == together.states[3].tobytes()
        assert alone.seeds[0] == together.seeds[3]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1])
def test_seed_words_are_those_of_numpy(seed):
    expected = np.random.SeedSequence(seed).generate_state(5, np.uint64)
    assert [int(nth_word(seed, place)) for place in range(5)] == expected.tolist()


def test_same_seed_same_batch_and_lanes_differ():
    one, other = a_batch(64, steps=20), a_batch(64, steps=20)
    assert digests(one) == digests(other)
    assert len(set(one.seeds.tolist())) == 64
    assert digests(a_batch(64, seed=6)) != digests(a_batch(64, seed=5))
    assert len(set(np.unique(GameBatch(players=3, num_games=64, seed=5).states["zone"]))) > 5


# ---------------------------------------------------------------------------------- random actions


def test_random_actions_are_uniform_over_the_legal_ones():
    batch = a_batch(4000)
    batch.states[:] = batch.states[0]
    for number in range(60):
        drawn = batch.random_actions()
        if number % 6 == 0 or batch.states["decision"][0] == Decision.BUILD:
            legal = np.flatnonzero(batch.masks()[0])
            counts = np.bincount(drawn, minlength=batch.num_actions)
            assert not np.delete(counts, legal).any()
            expected = 4000 / len(legal)
            assert ((counts[legal] - expected) ** 2 / expected).sum() < 40 + 3 * len(legal)
        batch.step(np.full(4000, drawn[0]))


def test_random_actions_leave_the_games_alone_and_fit_states_written_by_hand():
    batch = a_batch(16)
    before = digests(batch)
    batch.random_actions()
    assert digests(batch) == before
    batch.states["money"][:] = (
        4  # Elektro: of the opening market only a plant under the discount token is left
    )
    assert (np.take_along_axis(batch.masks(), batch.random_actions()[:, None], axis=1) == 1).all()


# ----------------------------------------------------------------------------------------- buffers


@pytest.mark.parametrize("name", ["masks", "observe"])
def test_out_is_filled_and_returned(name):
    batch = a_batch(7, steps=30)
    fresh = getattr(batch, name)()
    out = np.full_like(fresh, 9)
    assert getattr(batch, name)(out=out) is out
    assert np.array_equal(out, fresh)
    assert fresh is not getattr(batch, name)()


def test_some_lanes_in_their_order():
    batch = a_batch(9, steps=40)
    lanes = [7, 2, 5]
    assert np.array_equal(batch.masks(lanes=lanes), batch.masks()[lanes])
    assert np.array_equal(batch.observe(lanes=lanes), batch.observe()[lanes])
    assert batch.masks(lanes=[]).shape == (0, batch.num_actions)
    before = digests(batch)
    rewards, terminated, _ = batch.step(batch.random_actions(lanes), lanes)
    assert rewards.shape == (3, 3)
    assert terminated.shape == (3,)
    moved = [lane for lane in range(9) if batch.states[lane].tobytes() != before[lane]]
    assert moved == sorted(lanes)


def test_observe_from_a_seat():
    batch = a_batch(5, steps=25)
    views = batch.observe(seats=np.full(5, 2))
    for lane in range(5):
        assert np.array_equal(views[lane], batch.game(lane).observation(2))
    for seats in ([0, 1, 2, 3, 0], [0, 1], [-1] * 5, [0.5] * 5):
        with pytest.raises(ValueError, match="seats"):
            batch.observe(seats=seats)
