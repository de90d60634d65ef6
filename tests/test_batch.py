"""GameBatch: every lane is a single Game byte for byte; buffers, copies, refusals."""

import copy
import os
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest

from powergrid_env import Game, GameConfig, IllegalAction, kernels
from powergrid_env.batch import GameBatch
from powergrid_env.constants import Decision, Phase
from powergrid_env.seeds import nth_word

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


def digests(batch):
    return [state.tobytes() for state in batch.states]


def a_batch(num_games=8, steps=0, **settings):
    """A batch some random decisions into its games."""
    batch = GameBatch(num_games=num_games, **{"players": 3, "seed": 5, **settings})
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def illegal_action(batch, lane):
    return int(np.flatnonzero(batch.masks()[lane] == 0)[0])


# ------------------------------------------------------------------------------- a lane is a Game


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


# ----------------------------------------------------------------------------------- random actions


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


# ------------------------------------------------------------------------------------------ buffers


@pytest.mark.parametrize("name", ["masks", "observe"])
def test_out_is_filled_and_returned(name):
    batch = a_batch(7, steps=30)
    fresh = getattr(batch, name)()
    out = np.full_like(fresh, 9)
    assert getattr(batch, name)(out=out) is out
    assert np.array_equal(out, fresh)
    assert fresh is not getattr(batch, name)()


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


# ----------------------------------------------------------------------------------------- refusals


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


# ------------------------------------------------------------------------------- games in and out


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


# ------------------------------------------------------------------------------------------ threads


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")
def test_number_of_threads_changes_nothing_and_is_set_at_any_time(monkeypatch):
    monkeypatch.setattr("powergrid_env.batch.WORTH_THREADS", 20)  # so that single lanes are reset by one
    one, two = a_batch(50, max_rounds=5), a_batch(50, max_rounds=5, num_threads=2)
    threads_before = numba.get_num_threads()
    for number in range(900):
        if number == 500:
            two.num_threads = 1
        actions = one.random_actions()
        assert np.array_equal(actions, two.random_actions())
        assert all(map(np.array_equal, one.step(actions), two.step(actions)))
    assert digests(one) == digests(two)
    assert np.array_equal(one.observe(), two.observe())
    assert numba.get_num_threads() == threads_before


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2 or numba.config.DISABLE_JIT, reason="one thread")
def test_threads_sleep_while_they_wait_and_the_environment_is_left_alone():
    code = (
        "import os\nfrom powergrid_env import GameBatch\n"
        "GameBatch(players=3, num_games=512, seed=1, num_threads=2).masks()\n"
        "print(os.environ.get('OMP_WAIT_POLICY'), os.environ.get('GOMP_SPINCOUNT'))\n"
    )
    clean = {name: value for name, value in os.environ.items() if name not in kernels.WAITING}
    clean["OMP_DISPLAY_ENV"] = "TRUE"
    for given, policy in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "active"}, "ACTIVE")):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=clean | given
        )
        assert done.stdout.split() == [given.get("OMP_WAIT_POLICY", "None"), "None"], done.stderr
        if "OPENMP DISPLAY ENVIRONMENT" in done.stderr:  # another threading layer may serve
            assert f"OMP_WAIT_POLICY = '{policy}'" in done.stderr


def test_one_thread_starts_no_threading_layer():
    code = (
        "import numba, powergrid_env\nfrom powergrid_env.batch import GameBatch\n"
        "batch = GameBatch(players=3, num_games=4, seed=1)\nbatch.masks(); batch.observe()\n"
        "batch.step(batch.random_actions())\n"
        "try:\n    print(numba.threading_layer())\nexcept ValueError:\n    print('none')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env={**os.environ}
    )
    assert done.stdout.strip() == "none", done.stderr


UNCOMPILED = """
from powergrid_env.batch import GameBatch
batch = GameBatch(players=3, num_games=3, seed=1, max_rounds=1, skip_forced=True)
for _ in range(60):
    rewards, terminated, truncated = batch.step(batch.random_actions())
    print([state.tobytes().hex() for state in batch.states], batch.seeds, truncated, batch.masks().sum(axis=1))
print(batch.observe().sum(axis=1))
"""


@pytest.mark.nojit
def test_uncompiled_plays_the_same():
    outputs = []
    for disable in ("0", "1"):
        environ = {
            **os.environ,
            "NUMBA_DISABLE_JIT": disable,
            "POWERGRID_QUIET": "1",
            "PYTHONWARNINGS": "error",
        }
        done = subprocess.run(
            [sys.executable, "-c", UNCOMPILED], capture_output=True, text=True, timeout=300, env=environ
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert "True" in outputs[0]
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_one_compiled_signature_per_loop():
    batch = a_batch(4)
    batch.step(batch.random_actions())
    batch.step(batch.random_actions([1, 2]).astype(np.int16), [1, 2])
    other = GameBatch(
        players=6, board="usa", edition="2004", num_games=np.int64(2), seed=np.arange(2, dtype=np.uint32)
    )
    other.masks(out=np.zeros((2, other.num_actions), np.int8))
    other.observe(out=np.zeros((2, other.observation_size), np.float32))
    other.step(np.asfortranarray(other.random_actions()))
    other.reset(np.array([1], np.uint16))
    loops = [
        "find_bad_lane",
        "draw_seeds",
        "begin_games",
        "fill_masks",
        "observe",
        "draw_actions",
        "verify",
        "step",
    ]
    for name in [*loops, "start_generators"]:
        assert len(kernels.compiled(getattr(kernels, name), False).signatures) == 1, name
