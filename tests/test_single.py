"""The Gymnasium environment: the learner's seat, its opponents, what it is paid, and what goes wrong how."""

import copy
import json
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from powergrid_env import Game, GameBatch, IllegalAction
from powergrid_env.envs.single import PowerGridEnv
from tests.players import choose, mover_of_last_action, play_single


class Lowest:
    """Plays the first legal action, or none that is legal; remembers its seeds and what it was shown."""

    def __init__(self, name: str = "lowest", illegal: bool = False) -> None:
        self.name = name
        self.illegal = illegal
        self.seeds: list[int] = []
        self.digests: list[str] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, batch: GameBatch, lanes: Any) -> Any:
        assert lanes.tolist() == [0]
        self.digests.append(batch.game(0).digest())
        legal = batch.masks()[lanes] == (0 if self.illegal else 1)
        return legal.argmax(axis=1)


def same(first: Any, second: Any) -> bool:
    """Are two observations, or infos of a running game, equal?"""
    return first.keys() == second.keys() and all(np.array_equal(first[key], second[key]) for key in first)


# ------------------------------------------------------------------------------------------- rewards


@pytest.mark.parametrize("seat", range(4))
def test_the_sum_of_rewards_is_the_learners_reward_in_every_seat_whoever_moves_last(seat: int) -> None:
    env = PowerGridEnv(players=4, learner_seat=seat)
    moved_last = []
    for seed in range(5):
        rewards, info = play_single(env, seed)
        ranks = info["result"]["ranks"]
        share = (ranks[seat] == 1) / ranks.count(1)
        assert sum(rewards) == pytest.approx((4 * share - 1) / 3)
        assert not any(rewards[:-1])
        moved_last.append(mover_of_last_action(env) == seat)
    assert not all(moved_last)


def test_the_reward_arrives_when_the_learner_moves_last_and_when_it_does_not() -> None:
    env = PowerGridEnv(players=2, edition="2004", learner_seat=0, reward="margin")
    moved_last = set()
    for seed in range(8):
        rewards, info = play_single(env, seed)
        mine, other = info["result"]["supplied"]
        assert sum(rewards) == pytest.approx((mine - other) / 20)
        moved_last.add(mover_of_last_action(env) == 0)
    assert moved_last == {True, False}


def test_r7_4_a_game_that_meets_its_cap_is_truncated_and_pays_nothing() -> None:
    env = PowerGridEnv(players=3, max_rounds=2)
    rewards, info = play_single(env, seed=1)
    assert not any(rewards)
    assert info["truncation_reason"] == info["result"]["reason"] == "max_rounds"
    assert not info["action_mask"].any()


def test_rewards_and_flags_are_plain_python() -> None:
    env = PowerGridEnv(players=3, max_rounds=1)
    observation, _ = env.reset(seed=0)
    over = False
    while not over:
        action = observation["action_mask"].argmax()
        observation, reward, terminated, truncated, _ = env.step(action)
        assert [type(value) for value in (reward, terminated, truncated)] == [float, bool, bool]
        over = terminated or truncated


# ---------------------------------------------------------------------------------- seats and opponents


def test_every_decision_of_the_learner_is_asked_and_no_other() -> None:
    env = PowerGridEnv(players=4, learner_seat=2, opponents="face_value")
    dice = np.random.default_rng(0)
    env.reset(seed=5)
    asked = 0
    over = False
    while not over:
        assert env.game.player == env.seat == 2
        _, _, terminated, truncated, _ = env.step(choose(env.action_masks(), dice))
        asked += 1
        over = terminated or truncated
    decisions = [
        line.split()[2] for line in env.game.record().split("---\n")[1].splitlines() if line[0] == "R"
    ]
    assert decisions.count("p2") == asked
    assert len(decisions) > 3 * asked


def test_a_random_seat_is_drawn_anew_for_each_game() -> None:
    env = PowerGridEnv(players=6)
    seats = []
    for seed in range(60):
        _, info = env.reset(seed=seed)
        assert info["learner_seat"] == env.seat
        seats.append(env.seat)
    assert set(seats) == set(range(6))


def test_opponents_sit_clockwise_from_the_learner_and_see_the_game_as_it_stands() -> None:
    agents = [Lowest("left"), Lowest("middle"), Lowest("right")]
    env = PowerGridEnv(players=4, opponents=agents, learner_seat=2, max_rounds=1)
    rewards, _ = play_single(env, seed=3)
    game = Game(players=4, max_rounds=1, seed=env.game.seed)
    shown: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for line in env.game.record().split("---\n")[1].splitlines():
        if line[0] == "R":
            shown[game.player or 0].append(game.digest())
            game.play(line.split(" ", 3)[3].split(" ~")[0])
    assert [shown[3], shown[0], shown[1]] == [agent.digests for agent in agents]
    assert len(shown[2]) == len(rewards)


def test_a_name_or_agent_for_all_is_reset_once_a_game_with_its_own_seed() -> None:
    agent = Lowest()
    env = PowerGridEnv(players=4, opponents=agent, max_rounds=1)
    for seed in (1, 1, 2):
        env.reset(seed=seed)
    env.reset()
    assert len(agent.seeds) == 4
    assert agent.seeds[0] == agent.seeds[1]
    assert len(set(agent.seeds)) == 3


def test_opponents_may_be_drawn_for_each_game() -> None:
    pool = [Lowest("a"), Lowest("b"), Lowest("c")]
    env = PowerGridEnv(players=3, opponents=lambda dice: [pool[index] for index in dice.integers(3, size=2)])

    def fields() -> list[list[str]]:
        env.reset(seed=1)
        drawn = [[agent.name for agent in env.opponents]]
        for _ in range(20):
            env.reset()
            drawn.append([agent.name for agent in env.opponents])
        return drawn

    first = fields()
    assert first == fields()
    assert len({tuple(names) for names in first}) > 4


def test_opponents_cannot_change_the_game_by_writing_to_what_they_see() -> None:
    class Thief(Lowest):
        def act(self, batch: GameBatch, lanes: Any) -> Any:
            actions = super().act(batch, lanes)
            batch.states["money"][:] = 0
            return actions

    env, honest = (PowerGridEnv(players=3, opponents=agent, max_rounds=2) for agent in (Thief(), Lowest()))
    play_single(env, seed=1)
    play_single(honest, seed=1)
    assert env.game.digest() == honest.game.digest()


def test_an_illegal_action_of_an_opponent_names_it() -> None:
    env = PowerGridEnv(players=3, opponents=Lowest("cheat", illegal=True), learner_seat=0)
    with pytest.raises(IllegalAction, match="opponent cheat in seat [12]: "):
        play_single(env, seed=1)


# ------------------------------------------------------------------------------------ seeds and arrays


def test_the_same_seed_gives_the_same_games_also_later_without_one() -> None:
    def games(env: Any) -> list[str]:
        return [(play_single(env, 3), env.unwrapped.game.digest())[1], *(_next_game(env) for _ in range(2))]

    def _next_game(env: Any) -> str:
        env.reset()
        return str(env.unwrapped.game.digest())

    first = games(gymnasium.make("PowerGrid-v0", players=3))
    second = games(gymnasium.make("PowerGrid-v0", players=3))
    assert first == second
    assert len(set(first)) == 3


def test_no_array_is_given_out_twice() -> None:
    env = PowerGridEnv(players=3, illegal_action="noop")
    given = [env.reset(seed=1)]
    for action in (0, 1, 0, 10):
        observation, _, _, _, info = env.step(action)
        given.append((observation, info))
    arrays = [array for observation, info in given for array in (*observation.values(), info["action_mask"])]
    arrays.append(env.action_masks())
    assert not any(
        np.shares_memory(first, second) for place, first in enumerate(arrays) for second in arrays[:place]
    )


def test_action_masks_are_those_of_observation_and_info() -> None:
    env = PowerGridEnv(players=5, board="usa")
    observation, info = env.reset(seed=2)
    dice = np.random.default_rng(2)
    for _ in range(30):
        legal = env.game.action_mask()
        for mask in (env.action_masks(), observation["action_mask"], info["action_mask"]):
            assert np.array_equal(mask, legal)
        observation, _, _, _, info = env.step(choose(env.action_masks(), dice))


# ----------------------------------------------------------------------------------- illegal actions


def test_terminate_pays_minus_1_and_ends_the_game() -> None:
    env = PowerGridEnv(players=3, illegal_action="terminate", learner_seat=1)
    _, before = env.reset(seed=1)[0], env.game.digest()
    observation, reward, terminated, truncated, info = env.step(int(env.action_masks().argmin()))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert env.game.digest() == before
    assert not observation["action_mask"].any()
    assert (info["illegal_actions"], info["truncation_reason"]) == (1, None)
    assert "result" not in info
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)


def test_noop_asks_again_and_counts() -> None:
    env = PowerGridEnv(players=3, illegal_action="noop", max_rounds=1)
    first, _ = env.reset(seed=1)
    for _ in range(3):
        again, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmin()))
        assert (reward, terminated, truncated) == (0, False, False)
        assert same(first, again)
    over, info = False, {}
    while not over:
        _, _, terminated, truncated, info = env.step(env.action_masks().argmax())
        over = terminated or truncated
    assert info["illegal_actions"] == 3


def test_raise_cites_the_rule_and_leaves_the_game() -> None:
    env = PowerGridEnv(players=3, illegal_action="raise")
    observation, _ = env.reset(seed=1)
    before = env.game.digest()
    with pytest.raises(IllegalAction, match=r"R\d"):
        env.step(env.action_space.n - 1)
    assert env.game.digest() == before
    assert np.array_equal(env.action_masks(), observation["action_mask"])


@pytest.mark.parametrize("action", [-1, 10_000, 2**63, True, 7.0, None, np.array([1]), "bid 12 please"])
@pytest.mark.parametrize("illegal_action", ["terminate", "noop", "raise"])
def test_what_is_no_action_id_raises_in_every_mode(action: Any, illegal_action: str) -> None:
    env = PowerGridEnv(players=3, illegal_action=illegal_action)
    env.reset(seed=1)
    before = env.game.digest()
    with pytest.raises(IllegalAction):
        env.step(action)
    assert env.game.digest() == before
    env.step(env.action_masks().argmax())


# -------------------------------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 7}, "players is 7; allowed: 2 to 6"),
        ({"regions": ["red", "moon"]}, "regions is .* allowed: 3 different ones of"),
        ({"players": 3, "learner_seat": 3}, "learner_seat is 3; allowed: random, 0 to 2"),
        ({"learner_seat": True}, "learner_seat is True; allowed: random, 0 to 2"),
        ({"learner_seat": "first"}, "learner_seat is 'first'; allowed: random, 0 to 2"),
        ({"opponents": "grandmaster"}, "grandmaster.*known: .*random"),
        ({"opponents": ["random"]}, "opponents has 1 entries; allowed: 2"),
        ({"opponents": 3}, "opponents is 3; allowed: a name, an agent, or a list of 2"),
        ({"illegal_action": "ignore"}, "illegal_action is 'ignore'; allowed: terminate, noop, raise"),
        ({"render_mode": "hologram"}, "render_mode is 'hologram'; allowed: None, ansi, human, rgb_array"),
        ({"oponents": "random"}, "no setting 'oponents'"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PowerGridEnv(**{"players": 3, **settings})


def test_gymnasium_make_says_what_is_wrong_likewise() -> None:
    with pytest.raises(ValueError, match="players is 7; allowed: 2 to 6"):
        gymnasium.make("PowerGrid-v0", players=7)


def test_step_before_reset_says_so() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        PowerGridEnv(players=3).step(0)


# ------------------------------------------------------------------------------------ make and copies


@pytest.mark.parametrize("name", ["PowerGrid-v0", "power_grid/recharged-v0", "power_grid/2004-v0"])
def test_the_spec_of_a_made_environment_makes_it_again_also_through_json(name: str) -> None:
    env = gymnasium.make(
        name, players=3, opponents=["random", "face_value"], learner_seat=1, raises=[0, 5], regions=None
    )
    assert env.spec is not None
    again = [gymnasium.make(env.spec), gymnasium.make(EnvSpec.from_json(env.spec.to_json()))]
    games = [(play_single(one, 4), one.unwrapped.game.digest())[1] for one in (env, *again)]
    assert len(set(games)) == 1
    assert json.loads(env.spec.to_json())["kwargs"]["opponents"] == ["random", "face_value"]
    assert again[1].unwrapped.config == env.unwrapped.config
    assert env.unwrapped.config.edition == ("2004" if "2004" in name else "recharged")


@pytest.mark.parametrize("mode", ["ansi", "human", "rgb_array", None])
def test_every_declared_render_mode_can_be_made(mode: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("PowerGrid-v0", players=3, render_mode=mode)
    env.reset(seed=1)
    if mode is None:
        with pytest.warns(UserWarning, match="no render_mode"):
            assert env.render() is None
        return
    shown = env.render()
    assert set(env.metadata["render_modes"]) == {"ansi", "human", "rgb_array"}
    if mode == "rgb_array":
        assert (shown.dtype, shown.ndim, shown.shape[2]) == (np.uint8, 3, 3)
        return
    assert "Players" in (shown if mode == "ansi" else capsys.readouterr().out)
    assert isinstance(shown, str) == (mode == "ansi")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike(copied: Any) -> None:
    env = PowerGridEnv(players=3, opponents="random")
    env.reset(seed=9)
    for _ in range(10):
        env.step(env.action_masks().argmax())
    other = copied(env)
    for _ in range(20):
        first, second = (one.step(one.action_masks().argmax()) for one in (env, other))
        assert same(first[0], second[0])
    assert env.game.digest() == other.game.digest()
    assert same(env.reset()[0], other.reset()[0])


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasiums_own_vector_environments_carry_it_over_the_end_of_games(mode: str) -> None:
    envs = gymnasium.make_vec("PowerGrid-v0", num_envs=2, vectorization_mode=mode, players=3, max_rounds=1)
    observations, _ = envs.reset(seed=[1, 2])
    ended = 0
    for _ in range(60):
        observations, rewards, _, truncated, infos = envs.step(observations["action_mask"].argmax(axis=1))
        assert rewards.tolist() == [0, 0]
        ended += truncated.sum()
        if truncated.any():
            assert "max_rounds" in infos["truncation_reason"][truncated].tolist()
    envs.close()
    assert ended >= 2
