"""Ways in which users of environments get hurt, one test each: AEC, Gymnasium with one seat and many, SB3, registries."""

import inspect
import json
import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.utils.passive_env_checker import data_shares_objects
from gymnasium.vector import AutoresetMode
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import powergrid_env
from powergrid_env.envs.single import PowerGridEnv
from tests.players import choose, play_aec, play_single

ALL_PLAYERS = range(2, 7)


def begun(seed: int = 1, **settings: Any) -> Any:
    env = powergrid_env.env(**{"players": 4, **settings})
    env.reset(seed=seed)
    return env


def act(env: Any, dice: np.random.Generator) -> None:
    env.step(choose(env.observe(env.agent_selection)["action_mask"], dice))


# ------------------------------------------------------------------------------------------------ AEC


@pytest.mark.parametrize("players", ALL_PLAYERS)
def test_aec_1_possible_agents_are_player_0_and_so_on_and_agents_a_fresh_list(players: int) -> None:
    env = begun(players=players)
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert all(re.fullmatch("[a-z]+_[0-9]+", agent) for agent in env.possible_agents)
    kept = env.agents
    kept.clear()
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    assert env.agents is not env.unwrapped.possible_agents


def test_aec_2_spaces_are_the_same_object_at_each_call_and_equal_across_agents() -> None:
    env = begun()
    first = env.possible_agents[0]
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) == env.observation_space(first)
        assert env.action_space(agent) == env.action_space(first)


def test_aec_3_reset_returns_none_takes_any_options_and_keeps_seed_and_config() -> None:
    env = powergrid_env.env(players=3, raises=(0, 7))
    games = []
    for options in (None, {"options": 1}, {"players": 5}):
        assert env.reset(seed=9, options=options) is None
        assert env.unwrapped.config.raises == (0, 7)
        games.append(env.unwrapped.game.digest())
    assert len(set(games)) == 1


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_aec_4_step_returns_none_takes_numpy_numbers_and_only_none_from_the_dead(
    kind: Callable[[int], Any],
) -> None:
    env = begun()
    assert env.step(kind(1)) is None
    env.step(kind(env.action_space("player_0").n - 1))  # illegal: all are dead
    assert env.terminations[env.agent_selection]
    with pytest.raises(ValueError, match="None"):
        env.unwrapped.step(kind(0))
    assert env.step(None) is None


def test_aec_5_keys_are_the_agents_flags_are_bools_and_rewards_accumulate() -> None:
    env = begun(max_rounds=3)
    dice = np.random.default_rng(0)
    while env.agents:
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.step(None)
        else:
            actor = env.agent_selection
            act(env, dice)
            assert env._cumulative_rewards[actor] == env.rewards[actor]
        for values in (env.rewards, env.terminations, env.truncations, env.infos):
            assert list(values) == env.agents
        assert all(type(flag) is bool for flag in (*env.terminations.values(), *env.truncations.values()))


@pytest.mark.parametrize("players", ALL_PLAYERS)
def test_aec_6_all_end_in_one_step_then_each_steps_none_once_and_nobody_left_before(players: int) -> None:
    env = begun(players=players)
    dice = np.random.default_rng(players)
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents
        act(env, dice)
    assert all(env.terminations.values())
    dead = []
    for agent in env.agent_iter():
        dead.append(agent)
        env.step(None)
    assert dead == env.possible_agents
    assert env.agents == []


def test_aec_7_last_may_leave_the_observation_out_and_observe_works_for_all_at_any_time() -> None:
    env = begun()
    dice = np.random.default_rng(0)
    for _ in range(150):
        assert env.last(observe=False)[0] is None
        before = env.unwrapped.game.digest()
        for agent in env.agents:
            seen, again = env.observe(agent), env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert seen["observation"].dtype == np.float32
            assert seen["action_mask"].dtype == np.int8
            assert not data_shares_objects(seen, again)
            assert data_equivalence(seen, again, exact=True)
        assert env.unwrapped.game.digest() == before  # the generator of the game is part of it
        act(env, dice)


@pytest.mark.parametrize("board", ["germany", "usa"])
def test_aec_8_observations_are_one_flat_dict_in_finite_bounds_and_not_all_zero(board: str) -> None:
    space = begun(board=board).observation_space("player_0")
    assert isinstance(space, spaces.Dict)
    assert list(space) == ["action_mask", "observation"] or list(space) == ["observation", "action_mask"]
    for name, dtype in (("observation", np.float32), ("action_mask", np.int8)):
        box = space[name]
        assert isinstance(box, spaces.Box)
        assert box.dtype == dtype
        assert np.isfinite(box.low).all()
        assert np.isfinite(box.high).all()
        assert (box.low < box.high).all()
    env = begun(board=board)
    assert all(env.observe(agent)["observation"].any() for agent in env.agents)


def test_aec_9_env_is_raw_env_in_two_wrappers_and_unwraps_to_it() -> None:
    env = powergrid_env.env(players=3)
    assert isinstance(env, OrderEnforcingWrapper)
    assert isinstance(env.env, AssertOutOfBoundsWrapper)
    assert type(env.env.env) is powergrid_env.raw_env
    assert env.unwrapped is env.env.env
    assert isinstance(powergrid_env.parallel_env(players=3), pettingzoo.ParallelEnv)


def test_aec_10_state_is_in_its_space_and_render_comes_with_mode_and_close() -> None:
    env = begun(render_mode="ansi")
    assert env.state_space.contains(env.state())
    assert powergrid_env.raw_env(players=3).render_mode is None
    assert env.render_mode == "ansi"
    assert isinstance(env.render(), str)
    assert env.close() is None


def test_aec_11_nothing_in_an_info_depends_on_time_or_place() -> None:
    def infos(env: Any) -> list[Any]:
        env.reset(seed=4)
        dice = np.random.default_rng(0)
        seen = []
        for agent in env.agent_iter():
            seen.append((agent, *env.last()))
            if seen[-1][3] or seen[-1][4]:
                env.step(None)
            else:
                act(env, dice)
        return seen

    first = infos(powergrid_env.env(players=3, max_rounds=4))
    for agent in range(50):  # other objects in memory
        powergrid_env.env(players=2 + agent % 5)
    assert data_equivalence(first, infos(powergrid_env.env(players=3, max_rounds=4)), exact=True)


# ---------------------------------------------------------------------------------- Gymnasium, one seat


def test_gymnasium_1_chance_comes_from_np_random_alone_and_resets_go_on_from_the_seed() -> None:
    env = gymnasium.make("PowerGrid-v0", players=4).unwrapped

    def series() -> list[Any]:
        games = []
        for seed in (8, None, None):
            env.reset(seed=seed)
            games.append((env.game.seed, env.seat, env.np_random.bit_generator.state["state"]["state"]))
        return games

    random.seed(1)
    np.random.seed(1)  # noqa: NPY002  # the global generator, which must not matter
    first, of_python, of_numpy = series(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    assert series() == first
    assert random.getstate() == of_python
    assert np.random.get_state()[1].tolist() == of_numpy  # noqa: NPY002
    assert len({game[0] for game in first}) == 3


@pytest.mark.parametrize("illegal_action", ["terminate", "noop"])
def test_gymnasium_2_observations_and_infos_share_nothing_between_calls(illegal_action: str) -> None:
    env = PowerGridEnv(players=3, max_rounds=2, illegal_action=illegal_action)
    calls: list[tuple[Any, Any]] = [env.reset(seed=1)]
    dice = np.random.default_rng(1)
    over = False
    while not over:
        observation, _, terminated, truncated, info = env.step(choose(env.action_masks(), dice))
        calls.append((observation, info))
        over = terminated or truncated
    calls.append(env.reset(seed=1))
    calls.append((lambda step: (step[0], step[4]))(env.step(env.action_masks().argmin())))
    for place, call in enumerate(calls):
        assert not any(data_shares_objects(call, earlier) for earlier in calls[:place])


def test_gymnasium_3_every_mode_can_be_made_the_spec_makes_it_again_and_arguments_are_json() -> None:
    for mode in PowerGridEnv.metadata["render_modes"]:
        env = gymnasium.make("PowerGrid-v0", players=3, opponents=["random", "face_value"], render_mode=mode)
        assert env.spec is not None
        assert env.spec.kwargs == json.loads(json.dumps(env.spec.kwargs))
        again = pickle.loads(pickle.dumps(env.spec)).make()
        assert again.unwrapped.render_mode == mode
        assert [agent.name for agent in again.unwrapped.opponents] == ["random", "face_value"]


def test_gymnasium_4_the_mask_is_a_method_and_in_observation_and_info() -> None:
    env = gymnasium.make("PowerGrid-v0", players=3).unwrapped
    observation, info = env.reset(seed=1)
    assert inspect.ismethod(env.action_masks)
    assert np.array_equal(env.action_masks(), observation["action_mask"])
    assert np.array_equal(env.action_masks(), info["action_mask"])


def test_gymnasium_5_the_seat_is_chosen_or_drawn_and_opponents_listed_or_drawn_from_the_envs_generator() -> (
    None
):
    fixed = PowerGridEnv(players=3, learner_seat=2)
    fixed.reset(seed=1)
    assert fixed.seat == 2

    def series() -> list[Any]:
        env = PowerGridEnv(players=3, opponents=lambda dice: str(dice.choice(["random", "face_value"])))
        games = []
        for seed in (3, *[None] * 15):
            env.reset(seed=seed)
            games.append((env.seat, env.opponents[0].name))
        return games

    assert series() == series()
    assert len(set(series())) == 6


# -------------------------------------------------------------------------------------- Gymnasium, many


def a_vector(**settings: Any) -> Any:
    return gymnasium.make_vec(
        "PowerGrid-v0",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        players=3,
        max_rounds=1,
        **settings,
    )


def test_vector_1_after_the_end_the_next_step_ignores_the_action_and_masks_allow_one() -> None:
    envs = a_vector()
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=1)
    ended = np.zeros(3, bool)
    resets = 0
    for _ in range(60):
        assert (observations["action_mask"].sum(axis=1)[ended] >= 1).all()
        actions = observations["action_mask"].argmax(axis=1)
        actions[ended] = 1  # ignored
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        assert not any(values[ended].any() for values in (rewards, terminated, truncated))
        resets += int(ended.sum())
        ended = terminated | truncated
    assert resets > 3


def test_vector_2_same_step_hands_out_how_the_game_ended() -> None:
    envs = a_vector(autoreset_mode=AutoresetMode.SAME_STEP)
    observations, _ = envs.reset(seed=1)
    finals = 0
    for _ in range(40):
        observations, _, _, truncated, infos = envs.step(observations["action_mask"].argmax(axis=1))
        for lane in np.flatnonzero(truncated):
            assert envs.single_observation_space.contains(infos["final_obs"][lane])
            assert infos["final_info"]["truncation_reason"][lane] == "max_rounds"
            assert observations["action_mask"][lane].any()
            finals += 1
    assert finals > 3


def test_vector_3_the_single_environment_never_resets_inside_step() -> None:
    env = PowerGridEnv(players=3, max_rounds=1)
    _, info = play_single(env, seed=1)
    assert env.game.over
    assert env.game.result() == info["result"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


# ---------------------------------------------------------------------------------------- SB3 and names


def test_sb3_spaces_have_one_level_start_at_0_and_rewards_are_python_floats() -> None:
    env = PowerGridEnv(players=3, max_rounds=1)
    assert isinstance(env.action_space, spaces.Discrete)
    assert env.action_space.start == 0
    assert all(isinstance(box, spaces.Box) for box in env.observation_space.values())
    assert env.observation_space["observation"].dtype == np.float32
    rewards, _ = play_single(env, seed=1)
    assert {type(reward) for reward in rewards} == {float}


@pytest.mark.parametrize(
    ("name", "edition"),
    [("PowerGrid-v0", "recharged"), ("power_grid/recharged-v0", "recharged"), ("power_grid/2004-v0", "2004")],
)
def test_registry_gymnasium_and_pettingzoo_know_the_ids(name: str, edition: str) -> None:
    assert gymnasium.make(name, players=3).unwrapped.config.edition == edition
    envs = gymnasium.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point", players=3)
    assert envs.config.edition == edition
    for spelt in (name, name.replace("-v0", "_v0")):
        env = pettingzoo.make("aec", spelt, players=3)
        assert env.unwrapped.config.edition == edition
        play_aec(env, seed=1, turns=5)
        assert isinstance(pettingzoo.make("parallel", spelt, players=3), pettingzoo.ParallelEnv)


def test_pitfall_2_every_seat_hears_of_the_end_not_only_the_last_mover() -> None:
    env = powergrid_env.env(players=4, reward="rank")
    paid = play_aec(env, seed=2)
    assert [rewards[-1] for rewards in paid.values()] == env.unwrapped.game.result().rewards
    assert all(rewards[-1] != 0 for rewards in paid.values())
