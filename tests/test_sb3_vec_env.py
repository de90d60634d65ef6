"""The adapter for stable-baselines3: what MaskablePPO, its wrappers and a trainer find there."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from powergrid_env import GameConfig, IllegalAction
from powergrid_env.envs.vector import PowerGridVectorEnv
from training.sb3_vec_env import PowerGridVecEnv, make_vec_env

CONFIG = GameConfig(players=3, max_rounds=2)


def draw(env, rng):
    masks = get_action_masks(env)
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def play(env, steps, seed=0):
    """Steps at random and yields what each step gave."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        yield env.step(draw(env, rng))


def test_it_is_the_vector_environment_with_another_face():
    env = make_vec_env(CONFIG, 5, "random", seed=3)
    plain = PowerGridVectorEnv(CONFIG, num_envs=5, opponents="random", autoreset_mode="SameStep")
    views, _ = plain.reset(seed=[3, 4, 5, 6, 7])
    assert np.array_equal(env.reset(), views["observation"])
    rng, done_games = np.random.default_rng(0), 0
    while done_games < 12:
        assert np.array_equal(get_action_masks(env), plain.action_masks())
        actions = draw(env, rng)
        observations, rewards, dones, infos = env.step(actions)
        views, paid, terminated, truncated, finals = plain.step(actions)
        assert np.array_equal(observations, views["observation"])
        assert np.array_equal(rewards, paid.astype(np.float32))
        assert np.array_equal(dones, terminated | truncated)
        for lane in range(5):
            assert bool(infos[lane]) == dones[lane]
            if dones[lane]:
                done_games += 1
                final = finals["final_obs"][lane]["observation"]
                assert np.array_equal(infos[lane]["terminal_observation"], final)
                assert infos[lane]["TimeLimit.truncated"] == truncated[lane]
                assert infos[lane]["result"]["ranks"] == finals["final_info"]["result"]["ranks"][lane]
                assert infos[lane]["opponents"] == ("random", "random")


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_rewards_of_an_episode_sum_to_the_known_result(reward):
    config = GameConfig(players=3, reward=reward)
    env = make_vec_env(config, 6, "face_value", seed=1)
    env.reset()
    totals, lengths, seen = np.zeros(6), np.zeros(6, int), 0
    for _, rewards, dones, infos in play(env, 2000):
        totals += rewards
        lengths += 1
        for lane in np.flatnonzero(dones):
            info = infos[lane]
            if info["TimeLimit.truncated"]:
                assert info["truncation_reason"] == "max_rounds"
                assert totals[lane] == 0
            else:
                known = info["result"]["rewards"][info["learner_seat"]]
                assert totals[lane] == pytest.approx(known)
                seen += 1
            assert info["episode"] == {"r": pytest.approx(totals[lane]), "l": lengths[lane]}
            totals[lane] = lengths[lane] = 0
        if seen >= 5:
            return
    pytest.fail("too few games ended")


def test_spaces_types_and_fresh_arrays():
    env = make_vec_env(CONFIG, 4, seed=1)
    observations = env.reset()
    kept = []
    for observations, rewards, dones, infos in play(env, 40):
        kept.append((observations, observations.copy()))
        assert observations.shape == (4, *env.observation_space.shape)
        assert all(row in env.observation_space for row in observations)
        assert (observations.dtype, rewards.dtype, dones.dtype) == (np.float32, np.float32, np.bool_)
        assert [type(info) for info in infos] == [dict] * 4
        assert len({id(info) for info in infos}) == 4
    assert all(np.array_equal(given, copied) for given, copied in kept)


def test_seeds_of_seed_are_for_the_next_reset():
    one, other = make_vec_env(CONFIG, 3, seed=5), make_vec_env(CONFIG, 3)
    assert other.seed(5) == [5, 6, 7]
    first = one.reset()
    assert np.array_equal(first, other.reset())
    assert one.games.batch.seeds.tolist() == [5, 6, 7]
    assert not np.array_equal(one.reset(), first)


def test_methods_and_attributes_of_single_games():
    env = make_vec_env(CONFIG, 3, seed=1, render_mode="ansi")
    env.reset()
    assert is_masking_supported(env)
    assert env.has_attr("action_masks")
    assert not env.has_attr("no_such_thing")
    masks = env.env_method("action_masks", indices=[2, 0])
    assert np.array_equal(masks, env.action_masks()[[2, 0]])
    assert [type(text) for text in env.env_method("render")] == [str] * 3
    assert env.get_attr("config", indices=1) == [CONFIG]
    assert env.env_is_wrapped(object) == [False] * 3
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("shuffle")
    with pytest.raises(AttributeError, match="opponents"):
        env.set_attr("opponents", "random")


def test_illegal_actions_are_answered_as_asked_for():
    env = make_vec_env(CONFIG, 2, seed=1)
    env.reset()
    wrong = get_action_masks(env).argmin(axis=1)
    _, rewards, dones, infos = env.step(wrong)
    assert rewards.tolist() == [-1, -1]
    assert dones.all()
    assert infos[0]["illegal_actions"] == 1
    assert "result" not in infos[0]
    strict = make_vec_env(CONFIG, 2, seed=1, illegal_action="raise")
    strict.reset()
    with pytest.raises(IllegalAction, match="lane 0"):
        strict.step(wrong)


def test_games_that_begin_a_step_late_are_refused():
    with pytest.raises(ValueError, match="SameStep"):
        PowerGridVecEnv(PowerGridVectorEnv(CONFIG, num_envs=2))


def test_vec_monitor_counts_alike():
    env = VecMonitor(make_vec_env(CONFIG, 3, seed=2))
    env.reset()
    seen = 0
    rng = np.random.default_rng(0)
    for _ in range(200):
        masks = np.stack(env.env_method("action_masks"))
        _, _, dones, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        for lane in np.flatnonzero(dones):
            seen += 1
            assert infos[lane]["episode"]["l"] > 1
    assert seen


@pytest.mark.train
def test_maskable_ppo_learns_on_it_and_plays_legal_actions_only():
    env = make_vec_env(GameConfig(players=3, max_rounds=3), 4, "random", seed=1, illegal_action="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    assert model.num_timesteps == 256
    assert len(model.ep_info_buffer) > 0
    actions, _ = model.predict(env.reset(), action_masks=get_action_masks(env), deterministic=True)
    assert np.take_along_axis(get_action_masks(env), actions[:, None], axis=1).all()
