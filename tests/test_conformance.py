"""The checkers that PettingZoo, Gymnasium and stable-baselines3 bring along, on every edition, board and player count."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.test.state_test import state_test

import powergrid_env

CONFIGS = [
    pytest.param({"edition": edition, "board": board, "players": players}, id=f"{edition}-{board}-{players}")
    for edition, board, players in product(("recharged", "2004"), ("germany", "usa"), range(2, 7))
]
MASKED = {  # what api_test says of any environment with an action mask that is not one of PettingZoo's own
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@contextmanager
def warns_only(allowed: set[str]) -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert {str(warning.message) for warning in caught} <= allowed


@pytest.mark.parametrize("config", CONFIGS)
def test_pettingzoo_api_test_over_a_whole_game(config: dict[str, Any]) -> None:
    env = powergrid_env.env(**config, max_rounds=8)
    with warns_only(MASKED):
        api_test(env, num_cycles=1000)


@pytest.mark.parametrize("config", CONFIGS)
def test_pettingzoo_seed_test(config: dict[str, Any]) -> None:
    seed_test(lambda: powergrid_env.env(**config), num_cycles=30)


@pytest.mark.parametrize("config", CONFIGS)
def test_pettingzoo_parallel_api_test_over_whole_games(config: dict[str, Any]) -> None:
    parallel_api_test(powergrid_env.parallel_env(**config, max_rounds=2), num_cycles=1000)
    parallel_seed_test(lambda: powergrid_env.parallel_env(**config), num_cycles=5)


@pytest.mark.parametrize("config", CONFIGS)
def test_pettingzoo_state_test(config: dict[str, Any]) -> None:
    state_test(powergrid_env.env(**config), powergrid_env.parallel_env(**config))


@pytest.mark.parametrize("players", [2, 5])
def test_pettingzoo_render_test(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: powergrid_env.env(players=players, render_mode=render_mode))
    assert f"{players} players" in capsys.readouterr().out


@pytest.mark.parametrize("config", CONFIGS)
def test_gymnasium_check_env(config: dict[str, Any]) -> None:
    for illegal_action in ("terminate", "noop"):
        env = gymnasium.make("PowerGrid-v0", **config, illegal_action=illegal_action)
        check_env(
            env.unwrapped, skip_render_check=illegal_action == "noop" or config["players"] != 5
        )  # a warning is an error, see pyproject.toml; pictures of one player count are enough


@pytest.mark.parametrize("config", CONFIGS)
def test_gymnasium_passive_checker_sees_nothing_over_a_game(config: dict[str, Any]) -> None:
    env = gymnasium.make("PowerGrid-v0", **config, max_rounds=2)
    assert "PassiveEnvChecker" in str(env)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(1)
    over = False
    while not over:
        action = env.action_space.sample(observation["action_mask"])
        observation, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated


@pytest.mark.train
@pytest.mark.parametrize("config", CONFIGS)
def test_stable_baselines3_check_env(config: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    for illegal_action in ("terminate", "noop"):
        checker.check_env(gymnasium.make("PowerGrid-v0", **config, illegal_action=illegal_action))


@pytest.mark.train
def test_maskable_ppo_finds_the_masks_and_learns_for_a_few_steps() -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    model = sb3_contrib.MaskablePPO(
        "MultiInputPolicy",
        gymnasium.make("PowerGrid-v0", players=3, max_rounds=1, illegal_action="raise"),
        n_steps=32,
        batch_size=16,
        n_epochs=1,
        gamma=1.0,
        device="cpu",
    )
    env = model.get_env()
    assert is_masking_supported(env)
    model.learn(64)
    masks = get_action_masks(env)
    action, _ = model.predict(env.reset(), action_masks=masks)
    assert masks.shape == (1, env.action_space.n)
    assert masks[0, action[0]]
