"""PowerGridVectorEnv: every lane is a Game played by hand, rewards arrive, opponents sit and are called as told."""

import numpy as np
import pytest

from powergrid_env import Game
from powergrid_env.envs.vector import PowerGridVectorEnv
from tests.lanes import MODES, Fixed, an_env, check_lane, draw


def play_to_learner(game, seat, opponents):
    """What one lane has to do, spelled out."""
    while game.player not in (None, seat):
        agent = opponents[(game.player - seat) % game.config.players - 1]
        game.play(int(agent.choose(game.action_mask())))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "settings", [{}, {"players": 5, "board": "usa", "edition": "2004"}, {"skip_forced": True}]
)
def test_lane_equals_a_game_played_by_hand(mode, settings):
    players = settings.get("players", 3)
    opponents = [Fixed(rank) for rank in range(-1, players - 2)]
    env = an_env(opponents=opponents, autoreset_mode=mode, **settings)
    observations, _ = env.reset(seed=4)
    games, seats = [Game(env.config, seed=seed) for seed in env.batch.seeds], env.games.seats.copy()
    for game, seat in zip(games, seats, strict=True):
        play_to_learner(game, seat, opponents)
    rng, ended, over = np.random.default_rng(0), 0, np.zeros(5, bool)
    while ended < 15:
        actions = draw(env, rng)
        seeds = env.batch.seeds.copy()
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for lane in range(5):
            seat = seats[lane]
            if over[lane]:  # the step after the end begins the next game
                assert env.batch.seeds[lane] != seeds[lane]
                assert rewards[lane] == 0
                assert not terminated[lane]
                assert not truncated[lane]
                games[lane], seats[lane] = Game(env.config, seed=env.batch.seeds[lane]), env.games.seats[lane]
                play_to_learner(games[lane], seats[lane], opponents)
            else:
                games[lane].play(int(actions[lane]))
                play_to_learner(games[lane], seat, opponents)
            game, seat = games[lane], seats[lane]
            is_over = game.over
            assert bool(terminated[lane] or truncated[lane]) == is_over
            if is_over:
                ended += 1
                assert rewards[lane] == pytest.approx(game.result().rewards[seat])
                assert truncated[lane] == game.result().truncated
                info = infos if mode == "NextStep" else infos["final_info"]
                assert info["_result"][lane]
                assert info["result"]["ranks"][lane] == game.result().ranks
                assert info["illegal_actions"][lane] == 0
                if mode == "SameStep":
                    final = infos["final_obs"][lane]
                    assert np.array_equal(final["observation"], game.observation(seat))
                    assert not final["action_mask"].any()
                    assert info["learner_seat"][lane] == seat
                    games[lane], seats[lane] = (
                        Game(env.config, seed=env.batch.seeds[lane]),
                        env.games.seats[lane],
                    )
                    play_to_learner(games[lane], seats[lane], opponents)
                    is_over = False
            else:
                assert rewards[lane] == 0
            over[lane] = is_over
            view, mask = observations["observation"][lane], observations["action_mask"][lane]
            check_lane(games[lane], seats[lane], view, mask, is_over)
            assert np.array_equal(infos["action_mask"][lane], mask)
            assert infos["learner_seat"][lane] == seats[lane]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_sum_of_rewards_is_the_known_result_for_every_seat_whoever_moves_last(seat, reward, mode):
    env = PowerGridVectorEnv(
        players=4, num_envs=8, learner_seat=seat, opponents="face_value", reward=reward, autoreset_mode=mode
    )
    env.reset(seed=seat)
    rng, total, known, seen = np.random.default_rng(seat), np.zeros(8), [], []
    while len(known) < 6:
        *_, rewards, terminated, truncated, infos = env.step(draw(env, rng))
        total += rewards
        for lane in np.flatnonzero(terminated | truncated):
            info = infos if mode == "NextStep" else infos["final_info"]
            known.append(info["result"]["rewards"][lane][seat])
            seen.append(total[lane])
            total[lane] = 0
    assert seen == pytest.approx(known)
    assert any(known)


def test_seats_rotate_and_opponents_sit_clockwise():
    opponents = [Fixed(name="left"), Fixed(name="right")]
    env = an_env(40, opponents=opponents)
    env.reset(seed=1)
    assert set(env.games.seats.tolist()) == {0, 1, 2}
    for lane in range(40):
        names = [
            "learner" if place < 0 else env.games.agents[place].name for place in env.games.agent_of[lane]
        ]
        assert np.roll(names, -env.games.seats[lane]).tolist() == ["learner", "left", "right"]
    seats = env.games.seats.copy()
    env.reset()
    assert (env.games.seats != seats).any()


def test_agents_are_called_once_per_round_with_all_their_lanes():
    shared, other = Fixed(1), Fixed(2)
    env = an_env(30, opponents=[shared, other], learner_seat=0, players=3)
    env.reset(seed=2)
    for agent in (shared, other):
        agent.calls.clear()
    rounds = []
    step = env.games._step
    env.games._step = lambda lanes, actions: (rounds.append(len(lanes)), step(lanes, actions))
    env.step(draw(env, np.random.default_rng(0)))
    waiting = rounds[1:]  # the first is the learners' own
    assert len(shared.calls) + len(other.calls) <= 2 * len(waiting)
    assert sum(count for count, _ in shared.calls + other.calls) == sum(waiting)
    assert {seat for _, seats in shared.calls for seat in seats} == {1}
    assert {seat for _, seats in other.calls for seat in seats} == {2}


def test_equal_names_are_one_agent():
    env = PowerGridVectorEnv(players=4, num_envs=2, opponents=["random", "face_value", "random"])
    assert [agent.name for agent in env.games.agents] == ["random", "face_value"]


def test_opponents_drawn_for_each_game():
    pool = [Fixed(rank, name=f"fixed {rank}") for rank in range(4)]

    def choose(rng):
        return [pool[place] for place in rng.integers(4, size=2)]

    env = an_env(30, opponents=choose)
    first = env.reset(seed=3)[0]["observation"]
    sitting = env.games.agent_of.copy()
    names = [agent.name for agent in env.games.agents]
    assert {agent.name for agent in env.games.agents} == {agent.name for agent in pool}
    rng = np.random.default_rng(0)
    for _ in range(100):
        env.step(draw(env, rng))
    again = env.reset(seed=3)[0]["observation"]
    assert np.array_equal(first, again)
    assert np.array_equal(sitting, env.games.agent_of)
    assert names == [agent.name for agent in env.games.agents]


def test_new_opponents_come_with_the_next_games_and_old_ones_are_forgotten():
    env = an_env(4, opponents=Fixed(0, name="old"))
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for number in range(20):
        env.games.set_opponents(Fixed(number, name=f"new {number}"))
        for _ in range(60):
            env.step(draw(env, rng))
    assert len(env.games.agents) <= 4
    env.reset()
    in_play = {env.games.agents[place].name for place in np.unique(env.games.agent_of) if place >= 0}
    assert in_play == {"new 19"}
