"""PowerGridVectorEnv: every lane is a Game played by hand, rewards arrive, both autoreset modes, Gymnasium's contract."""

import copy
import warnings

import gymnasium
import numba
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from powergrid_env import Game, GameConfig, IllegalAction
from powergrid_env.envs.vector import PowerGridVectorEnv

MODES = ["NextStep", "SameStep"]


class Fixed:
    """An agent that plays the legal action of a given rank, and notes how it was called."""

    def __init__(self, rank=0, name="fixed"):
        self.name = name
        self.rank = rank
        self.calls = []
        self.seeds = []

    def reset(self, seed):
        self.seeds.append(seed)

    def act(self, batch, lanes):
        self.calls.append((len(lanes), np.unique(batch.player[lanes]).tolist()))
        return np.array([self.choose(mask) for mask in batch.masks(lanes=lanes)])

    def choose(self, mask):
        legal = np.flatnonzero(mask)
        return legal[self.rank % len(legal)]


def draw(env, rng):
    """A random legal action per lane; what stands in the rows that are ignored must not matter."""
    weights = rng.random(env.action_masks().shape) * env.action_masks()
    return weights.argmax(axis=1)


def an_env(num_envs=5, opponents=None, **settings):
    opponents = [Fixed(2), Fixed(-1)] if opponents is None else opponents
    return PowerGridVectorEnv(
        num_envs=num_envs, opponents=opponents, **{"players": 3, "max_rounds": 2, **settings}
    )


def play_to_learner(game, seat, opponents):
    """What one lane has to do, spelled out."""
    while game.player not in (None, seat):
        agent = opponents[(game.player - seat) % game.config.players - 1]
        game.play(int(agent.choose(game.action_mask())))


def check_lane(game, seat, observation, mask, over=False):
    assert np.array_equal(observation, game.observation(seat))
    if over:
        assert np.flatnonzero(mask).tolist() == [0]
    else:
        assert np.array_equal(mask, game.action_mask())


# ------------------------------------------------------------------------------- what a lane does


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


# ------------------------------------------------------------------------------------ seeds, arrays


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


# ----------------------------------------------------------------------------------- illegal actions


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
    with pytest.raises(ValueError, match=r"\w"):
        PowerGridVectorEnv(**{"players": 3, "num_envs": 2, name: value}).reset(seed=1)


def test_unknown_opponents_are_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="face_value.*random"):
        PowerGridVectorEnv(num_envs=2, opponents="randm")


def test_step_before_reset_is_refused():
    with pytest.raises(ValueError, match="reset first"):
        an_env().step(np.zeros(5, int))


# --------------------------------------------------------------------------------- Gymnasium's side


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
    with warnings.catch_warnings():
        warnings.simplefilter("error")
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
