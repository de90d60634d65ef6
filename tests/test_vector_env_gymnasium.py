"""PowerGridVectorEnv as Gymnasium wants it: seeds, arrays and spaces, wrappers, rendering."""

import copy

import gymnasium
import numba
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from powergrid_env import GameConfig
from powergrid_env.envs.vector import PowerGridVectorEnv
from tests.lanes import MODES, an_env, draw

# ----------------------------------------------------------------------------------- seeds, arrays


@pytest.mark.parametrize("opponents", ["random", ["balanced", "random"]])
def test_same_seed_same_play_and_resets_go_on(opponents):
    def play(env):
        rng, seen = np.random.default_rng(1), []
        for number in range(120):
            if number == 80:
                env.reset()
            observations, rewards, terminated, truncated, _ = env.step(draw(env, rng))
            seen += [observations["observation"].tobytes(), rewards.tobytes(), terminated, truncated]
        return b"".join(bytes(part) for part in seen)

    env = an_env(opponents=opponents)
    env.reset(seed=5)
    first = play(env)
    env.reset(seed=5)
    assert play(env) == first
    other = an_env(opponents=opponents)
    other.reset(seed=5)
    assert play(other) == first
    other.reset(seed=6)
    assert play(other) != first


def test_seeds_of_the_lanes():
    env = an_env(3)
    env.reset(seed=np.array([7, 8, 9]))
    assert env.batch.seeds.tolist() == [7, 8, 9]
    env.reset(seed=[7, 8, 9])
    assert env.batch.seeds.tolist() == [7, 8, 9]
    for seed in (-1, 1.5, [1, 2], "7"):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seed)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")
def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("powergrid_env.batch.WORTH_THREADS", 1)
    views = []
    for threads in (1, 2):
        env = an_env(num_threads=threads, opponents="random")
        env.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(60):
            observations = env.step(draw(env, rng))[0]
        views.append(observations["observation"])
    assert np.array_equal(*views)


def test_arrays_are_fresh_and_in_their_spaces():
    env = an_env()
    observations, infos = env.reset(seed=1)
    rng, kept = np.random.default_rng(0), []
    for _ in range(150):
        assert observations in env.observation_space
        kept.append((observations, {name: value.copy() for name, value in observations.items()}))
        actions = draw(env, rng)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)
        assert not np.shares_memory(observations["action_mask"], infos["action_mask"])
    for given, copied in kept:
        assert all(np.array_equal(given[name], copied[name]) for name in given)
    given = kept[-1][0]["action_mask"]
    given[:] = 1
    assert not np.array_equal(env.action_masks(), given)


def test_without_copies_the_same_arrays_are_written_over():
    plain, quick = an_env(), an_env(copy=False)
    first = quick.reset(seed=1)[0]
    plain.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(80):
        actions = draw(plain, rng)
        observations, views = plain.step(actions)[0], quick.step(actions)[0]
        assert views["observation"] is first["observation"]
        for name, view in views.items():
            assert np.array_equal(view, observations[name])


# ------------------------------------------------------------------------- made, wrapped, rendered


@pytest.mark.parametrize("mode", MODES)
def test_make_vec(mode):
    env = gymnasium.make_vec(
        "PowerGrid-v0",
        num_envs=6,
        vectorization_mode="vector_entry_point",
        players=4,
        opponents=["balanced", "random", "random"],
        autoreset_mode=mode,
    )
    assert isinstance(env, VectorEnv)
    assert isinstance(env.unwrapped, PowerGridVectorEnv)
    assert env.num_envs == 6
    assert env.metadata["autoreset_mode"] == AutoresetMode(mode)
    single = gymnasium.make("PowerGrid-v0", players=4)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.spec.kwargs["num_envs"] == 6
    again = gymnasium.make_vec(env.spec)
    first, second = env.reset(seed=3)[0], again.reset(seed=3)[0]
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert first in env.observation_space
    actions = env.action_space.sample(mask=tuple(first["action_mask"]))
    env.step(actions)
    env.close()


@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_wrappers_see_whole_episodes(mode):
    env = an_env(autoreset_mode=mode, opponents="random", reward="margin", max_rounds=60)
    wrapped = DictInfoToList(RecordEpisodeStatistics(env))
    wrapped.reset(seed=1)
    rng, seen = np.random.default_rng(0), 0
    while seen < 4:
        _, _, terminated, truncated, infos = wrapped.step(draw(env, rng))
        for lane in np.flatnonzero(terminated | truncated):
            seen += 1
            info = infos[lane]["final_info"] if mode == "SameStep" else infos[lane]
            seat = info["learner_seat"]
            paid = info["result"]["rewards"][int(seat)]
            assert infos[lane]["episode"]["r"] == pytest.approx(paid, abs=1e-6)


def test_gymnasium_s_own_vector_takes_our_infos_when_games_end_in_different_ways():
    env = gymnasium.make_vec("PowerGrid-v0", num_envs=2, vectorization_mode="sync", players=3, max_rounds=1)
    observations, _ = env.reset(seed=1)
    single = env.envs[1].unwrapped
    while True:
        actions = observations["action_mask"].argmax(axis=1)
        ahead = copy.deepcopy(single)
        _, _, terminated, truncated, _ = ahead.step(int(actions[1]))
        if terminated or truncated:
            actions[0] = observations["action_mask"][0].argmin()
            _, _, terminated, truncated, infos = env.step(actions)
            assert (terminated.tolist(), truncated.tolist()) == ([True, False], [False, True])
            assert infos["truncation_reason"].tolist() == [None, "max_rounds"]
            assert infos["_result"].tolist() == [False, True]
            return
        observations = env.step(actions)[0]


def test_render_shows_every_game():
    env = an_env(2, render_mode="ansi")
    env.reset(seed=1)
    assert len(env.render()) == 2
    assert all("round 1" in text.lower() for text in env.render())


def test_a_config_object_or_its_fields():
    config = GameConfig(players=5)
    assert PowerGridVectorEnv(config, num_envs=2).config is config
    with pytest.raises(ValueError, match="config"):
        PowerGridVectorEnv(config, num_envs=2, players=5)
