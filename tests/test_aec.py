"""The PettingZoo environment: who acts, what is paid and to whom, how it ends, and what goes wrong how."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import powergrid_env
from powergrid_env import Game, GameConfig, IllegalAction
from tests.players import BOARDS, EDITIONS, choose, mover_of_last_action, play_aec

ILLEGAL = 0  # to pass the choice in round 1 (R2.4)


def an_env(**settings: Any) -> Any:
    env = powergrid_env.env(**{"players": 3, **settings})
    env.reset(seed=7)
    return env


# ------------------------------------------------------------------------------------------- reset


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("board", BOARDS)
def test_reset_with_a_seed_begins_the_game_of_that_seed(edition: str, board: str) -> None:
    env = powergrid_env.env(players=5, edition=edition, board=board)
    env.reset(seed=11)
    game = Game(players=5, edition=edition, board=board, seed=11)
    assert env.unwrapped.game.digest() == game.digest()
    assert env.agent_selection == f"player_{game.player}"


def test_resets_without_a_seed_follow_from_the_last_seed() -> None:
    def seeds(env: Any) -> list[int]:
        env.reset(seed=3)
        drawn = []
        for _ in range(3):
            env.reset()
            drawn.append(env.unwrapped.game.seed)
        return drawn

    first, second = seeds(an_env()), seeds(an_env())
    assert first == second
    assert len(set(first)) == 3


def test_environments_that_never_got_a_seed_differ() -> None:
    games = set()
    for _ in range(2):
        env = powergrid_env.env(players=3)
        env.reset()
        games.add(env.unwrapped.game.seed)
    assert len(games) == 2


def test_settings_are_fields_or_a_config_and_survive_every_reset() -> None:
    config = GameConfig(players=3, board="usa", raises=(0, 5), reward="rank")
    by_config = powergrid_env.env(config)
    by_fields = powergrid_env.env(players=3, board="usa", raises=[0, 5], reward="rank")
    for env in (by_config, by_fields):
        for seed in (1, None, 2):
            env.reset(seed=seed, options={"players": 6})
            assert env.unwrapped.game.config == config


# -------------------------------------------------------------------------------------- observations


def test_agents_see_the_game_from_their_own_seat() -> None:
    env = an_env(money="hidden")
    play_aec(env, seed=5, turns=60)
    for seat, agent in enumerate(env.agents):
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"], env.unwrapped.game.observation(seat))


def test_only_the_agent_to_act_has_legal_actions_and_infos_hold_the_same_mask() -> None:
    env = an_env()
    dice = np.random.default_rng(0)
    for agent in env.agent_iter(200):
        game = env.unwrapped.game
        assert agent == f"player_{game.player}"
        for other in env.agents:
            mask = env.observe(other)["action_mask"]
            legal = game.action_mask() if other == agent else np.zeros_like(mask)
            assert np.array_equal(mask, legal)
            assert np.array_equal(mask, env.infos[other]["action_mask"])
        env.step(choose(env.observe(agent)["action_mask"], dice))


def test_what_a_caller_writes_into_observations_and_infos_changes_nothing() -> None:
    env = an_env()
    agent = env.agent_selection
    before = env.observe(agent)
    spoilt = env.observe(agent)
    spoilt["observation"][:] = 0.5
    spoilt["action_mask"][:] = 1
    env.last()[4]["action_mask"][:] = 1
    after = env.observe(agent)
    assert all(np.array_equal(before[key], after[key]) for key in before)


def test_looking_changes_no_game() -> None:
    watched, plain = an_env(render_mode="ansi"), an_env()
    dice = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(100):
        for agent in watched.agents:
            watched.observe(agent)
        watched.state()
        watched.render()
        for env, one in zip((watched, plain), dice, strict=True):
            env.step(choose(env.observe(env.agent_selection)["action_mask"], one))
    assert watched.unwrapped.game.digest() == plain.unwrapped.game.digest()


def test_state_holds_what_all_seats_see() -> None:
    env = an_env(money="hidden")
    state = env.state()
    assert env.state_space.contains(state)
    game = env.unwrapped.game
    assert np.array_equal(state.reshape(3, -1), [game.observation(seat) for seat in range(3)])


# ------------------------------------------------------------------------------------------ the end


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_agent_is_paid_its_reward_once_whoever_moved_last(players: int, reward: str) -> None:
    last_movers = set()
    env = powergrid_env.env(players=players, reward=reward)
    for seed in range(4):
        paid = play_aec(env, seed)
        game = env.unwrapped.game
        assert not game.result().truncated
        assert [sum(rewards) for rewards in paid.values()] == game.result().rewards
        assert all(not any(rewards[:-1]) for rewards in paid.values())
        last_movers.add(mover_of_last_action(env))
        if len(last_movers) > 1:
            return
    pytest.fail("the same agent moved last in all games")


def test_at_the_end_all_terminate_together_and_each_steps_none_once() -> None:
    env = an_env()
    dice = np.random.default_rng(7)
    while not env.unwrapped.game.over:
        env.step(choose(env.observe(env.agent_selection)["action_mask"], dice))
    assert env.agents == env.possible_agents
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.truncations == dict.fromkeys(env.agents, False)
    for agent in env.possible_agents:
        observation, _, terminated, _, info = env.last()
        assert (env.agent_selection, terminated) == (agent, True)
        assert not observation["action_mask"].any()
        assert info["result"] == env.unwrapped.game.result()
        assert (info["illegal_actions"], info["truncation_reason"]) == (0, None)
        env.step(None)
    assert env.agents == []
    assert env.rewards == env.infos == env.terminations == env.truncations == {}


def test_r7_4_a_game_that_meets_its_cap_is_truncated_and_pays_nothing() -> None:
    env = powergrid_env.env(players=3, max_rounds=2)
    paid = play_aec(env, seed=1)
    assert [sum(rewards) for rewards in paid.values()] == [0, 0, 0]
    env = powergrid_env.env(players=3, max_rounds=2)
    env.reset(seed=1)
    dice = np.random.default_rng(1)
    while not env.unwrapped.game.over:
        env.step(choose(env.observe(env.agent_selection)["action_mask"], dice))
    _, _, terminated, truncated, info = env.last()
    assert (terminated, truncated, info["truncation_reason"]) == (False, True, "max_rounds")
    assert info["result"]["winners"] == []


def test_only_none_is_allowed_after_the_end() -> None:
    env = an_env()
    env.step(ILLEGAL)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.unwrapped.step(1)


# ----------------------------------------------------------------------------------- illegal actions


def test_terminate_pays_minus_1_to_who_chose_it_and_ends_the_game_for_all() -> None:
    env = an_env(illegal_action="terminate")
    chooser, before = env.agent_selection, env.unwrapped.game.digest()
    env.step(ILLEGAL)
    assert env.unwrapped.game.digest() == before
    assert all(env.terminations.values())
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert reward == (-1 if agent == chooser else 0)
        assert info["illegal_actions"] == (1 if agent == chooser else 0)
        assert info["truncation_reason"] is None
        assert "result" not in info
        env.step(None)


def test_noop_asks_the_same_agent_again_and_counts() -> None:
    env = an_env(illegal_action="noop", max_rounds=1)
    chooser, before = env.agent_selection, env.unwrapped.game.digest()
    for _ in range(3):
        env.step(ILLEGAL)
        assert (env.agent_selection, env.unwrapped.game.digest()) == (chooser, before)
        assert env.last()[1:4] == (0, False, False)
    dice = np.random.default_rng(0)
    while not env.unwrapped.game.over:
        env.step(choose(env.observe(env.agent_selection)["action_mask"], dice))
    counts = {agent: info["illegal_actions"] for agent, info in env.infos.items()}
    assert counts == {agent: 3 if agent == chooser else 0 for agent in env.agents}


def test_raise_cites_the_rule_and_leaves_everything_as_it_was() -> None:
    env = an_env(illegal_action="raise")
    before = copy.deepcopy((env.unwrapped.game, env.rewards, env.infos, env.agent_selection))
    with pytest.raises(IllegalAction, match=r"R2\.4"):
        env.step(ILLEGAL)
    game, rewards, _, selected = before
    assert (env.unwrapped.game.digest(), env.rewards, env.agent_selection) == (
        game.digest(),
        rewards,
        selected,
    )
    assert env.unwrapped.game.record() == game.record()


@pytest.mark.parametrize("action", [-1, 10_000, 2**63, True, 7.0, None, np.array([1]), "bid 12 please"])
@pytest.mark.parametrize("illegal_action", ["terminate", "noop", "raise"])
def test_what_is_no_action_id_raises_in_every_mode(action: Any, illegal_action: str) -> None:
    env = powergrid_env.raw_env(players=3, illegal_action=illegal_action)
    env.reset(seed=7)
    before = env.game.digest()
    with pytest.raises(IllegalAction):
        env.step(action)
    assert env.game.digest() == before
    assert not any(env.terminations.values())


def test_env_asserts_that_actions_are_in_bounds_and_calls_in_order() -> None:
    env = powergrid_env.env(players=3)
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(10_000)


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.array])
def test_whole_numbers_of_all_kinds_are_actions(kind: Any) -> None:
    env = an_env(illegal_action="raise")
    env.step(kind(1))
    assert env.unwrapped.game.decision == "bid"


# -------------------------------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 7}, "players is 7; allowed: 2 to 6"),
        ({"board": "atlantis"}, "board is 'atlantis'; allowed: germany, usa"),
        ({"illegal_action": "ignore"}, "illegal_action is 'ignore'; allowed: terminate, noop, raise"),
        ({"render_mode": "hologram"}, "render_mode is 'hologram'; allowed: None, ansi, human, rgb_array"),
        ({"plyers": 3}, "no setting 'plyers'"),
        ({"config": {"players": 3}}, "allowed: a GameConfig"),
        ({"config": GameConfig(), "players": 3}, "config and players given"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(settings: dict[str, Any], words: str) -> None:
    for make in (powergrid_env.raw_env, powergrid_env.env, powergrid_env.parallel_env):
        with pytest.raises(ValueError, match=words):
            make(**settings)


@pytest.mark.parametrize("seed", [-1, 2**63, "seven", 1.5, True])
def test_a_wrong_seed_is_one_clear_error_and_leaves_the_game(seed: Any) -> None:
    env = an_env()
    before = env.unwrapped.game.digest()
    with pytest.raises(ValueError, match="seed is .* allowed: a whole number from 0"):
        env.reset(seed=seed)
    assert env.unwrapped.game.digest() == before


# ------------------------------------------------------------------------------- copies, parallel, render


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike_and_apart(copied: Any) -> None:
    env = powergrid_env.raw_env(players=4)
    play_aec(env, seed=3, turns=50)
    other = copied(env)
    dice = np.random.default_rng(1), np.random.default_rng(1)
    for one, die in zip((env, other), dice, strict=True):
        for _ in range(100):
            one.step(choose(one.observe(one.agent_selection)["action_mask"], die))
    assert env.game.digest() == other.game.digest()
    env.step(choose(env.observe(env.agent_selection)["action_mask"], dice[0]))
    assert env.game.digest() != other.game.digest()


def test_parallel_env_plays_the_game_of_the_one_agent_with_legal_actions() -> None:
    env = powergrid_env.parallel_env(players=3, max_rounds=3)
    observations, _ = env.reset(seed=7)
    game = Game(players=3, max_rounds=3, seed=7)
    dice = np.random.default_rng(2)
    while env.agents:
        (actor,) = (agent for agent in env.agents if observations[agent]["action_mask"].any())
        assert actor == f"player_{game.player}"
        action = choose(observations[actor]["action_mask"], dice)
        game.play(action)
        observations, rewards, _, truncations, infos = env.step({actor: action})
        assert all(game.over or info["active_agent"] == f"player_{game.player}" for info in infos.values())
    assert game.over
    assert env.unwrapped.game.digest() == game.digest()
    assert all(truncations.values())
    assert set(rewards.values()) == {0}


def test_human_mode_prints_after_reset_and_after_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = an_env(render_mode="human")
    assert "p0" in capsys.readouterr().out
    env.step(1)
    assert "Auction" in capsys.readouterr().out
    assert env.render() is None
    assert "Auction" in capsys.readouterr().out


def test_rgb_array_shows_the_game() -> None:
    env = an_env(render_mode="rgb_array")
    before = env.render()
    assert before.dtype == np.uint8
    assert before.shape[2] == 3
    env.step(1)
    assert not np.array_equal(env.render(), before)


def test_render_without_a_mode_warns() -> None:
    env = an_env()
    with pytest.warns(UserWarning, match="no render_mode"):
        assert env.render() is None
    env.close()
