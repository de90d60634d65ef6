"""PowerGridVectorEnv: illegal actions in each mode, numbers that are no actions, wrong arguments."""

import numpy as np
import pytest

from powergrid_env import IllegalAction
from powergrid_env.envs.vector import PowerGridVectorEnv
from tests.lanes import MODES, Fixed, an_env, check_lane, draw


def legal_except(env, lane):
    actions = env.action_masks().argmax(axis=1)
    actions[lane] = np.flatnonzero(env.action_masks()[lane] == 0)[0]
    return actions


@pytest.mark.parametrize("mode", MODES)
def test_illegal_action_terminates_one_game(mode):
    env = an_env(autoreset_mode=mode, max_rounds=60)
    env.reset(seed=1)
    seat, seed = env.games.seats[3], env.batch.seeds[3]
    view = env.batch.observe(lanes=[3], seats=[seat])[0]
    observations, rewards, terminated, truncated, infos = env.step(legal_except(env, 3))
    assert rewards.tolist() == [0, 0, 0, -1, 0]
    assert terminated.tolist() == [False, False, False, True, False]
    assert not truncated.any()
    info = infos if mode == "NextStep" else infos["final_info"]
    assert info["illegal_actions"][3] == 1
    assert "result" not in info
    if mode == "SameStep":
        assert np.array_equal(infos["final_obs"][3]["observation"], view)
        assert env.batch.seeds[3] != seed
    else:
        assert np.array_equal(observations["observation"][3], view)
        assert np.flatnonzero(observations["action_mask"][3]).tolist() == [0]
        actions = env.action_masks().argmax(axis=1)
        actions[3] = 10_000  # ignored
        _, rewards, terminated, *_ = env.step(actions)
        assert not rewards.any()
        assert not terminated.any()
        assert env.batch.seeds[3] != seed


def test_illegal_action_as_noop_asks_again_and_is_counted():
    env = an_env(illegal_action="noop", max_rounds=1)
    env.reset(seed=1)
    before = env.batch.states[3].tobytes()
    for _ in range(2):
        observations, rewards, terminated, _, _ = env.step(legal_except(env, 3))
        assert env.batch.states[3].tobytes() == before
        assert rewards[3] == 0
        assert not terminated[3]
    check_lane(
        env.batch.game(3), env.games.seats[3], *(observations[k][3] for k in ("observation", "action_mask"))
    )
    truncated, rng = np.zeros(5, bool), np.random.default_rng(0)
    while not truncated[3]:
        *_, truncated, infos = env.step(draw(env, rng))
    assert infos["illegal_actions"][3] == 2
    assert infos["truncation_reason"][3] == "max_rounds"


def test_illegal_action_raises_and_no_game_moves():
    env = an_env(illegal_action="raise")
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalAction, match=r"^lane 3: .*R\d"):
        env.step(legal_except(env, 3))
    assert env.batch.states.tobytes() == before


@pytest.mark.parametrize("illegal_action", ["terminate", "noop", "raise"])
@pytest.mark.parametrize("number", [-1, 10_000])
def test_a_number_that_is_no_action_raises_in_any_case(number, illegal_action):
    env = an_env(illegal_action=illegal_action)
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalAction, match=rf"^lane 1: action is {number}; allowed: 0 to "):
        env.step([0, number, 0, 0, 0])
    assert env.batch.states.tobytes() == before


@pytest.mark.parametrize(
    "actions", [np.zeros(4, int), np.zeros(5), np.zeros((5, 1), int), 0, [True] * 5, ["a"] * 5]
)
def test_actions_of_a_wrong_shape_or_dtype_are_refused(actions):
    env = an_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="actions is an array"):
        env.step(actions)


def test_illegal_answer_of_an_opponent_says_so():
    class Wrong(Fixed):
        def choose(self, mask):
            return np.flatnonzero(mask == 0)[0]

    with pytest.raises(IllegalAction, match=r"^opponent wrong: lane \d+: "):
        an_env(opponents=[Fixed(), Wrong(name="wrong")]).reset(seed=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_envs", 0),
        ("num_envs", 1.5),
        ("opponents", "randm"),
        ("opponents", "balanced:nonsense=1"),
        ("opponents", ["random"]),
        ("opponents", ["random"] * 3),
        ("opponents", 5),
        ("opponents", [None, None]),
        ("learner_seat", 3),
        ("learner_seat", "first"),
        ("illegal_action", "ignore"),
        ("autoreset_mode", "Disabled"),
        ("render_mode", "hologram"),
        ("num_threads", 0),
        ("players", 9),
        ("colour", "red"),
    ],
)
def test_wrong_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        PowerGridVectorEnv(**{"players": 3, "num_envs": 2, name: value}).reset(seed=1)


def test_unknown_opponents_are_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="face_value.*random"):
        PowerGridVectorEnv(num_envs=2, opponents="randm")


def test_step_before_reset_is_refused():
    with pytest.raises(ValueError, match="reset first"):
        an_env().step(np.zeros(5, int))
