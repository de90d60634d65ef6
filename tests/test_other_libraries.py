"""TorchRL and RLlib play and learn the games (training/examples); `make others` installs both and runs this file."""

import numpy as np
import pytest

import powergrid_env
from powergrid_env import GameConfig

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # what these libraries warn of is theirs to mend
]

SHORT = {"players": 3, "skip_forced": True, "rulings": {"end_cities": 4}}  # some 150 decisions in a game


def win_share(agent):
    """Against two `random`."""
    from training.evaluate import against

    return against(agent, ["random"], GameConfig(**SHORT), 300)


@pytest.fixture
def torchrl_ppo():
    pytest.importorskip("torchrl", reason="TorchRL is not installed: make others")
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    from training.examples import torchrl_ppo

    return torchrl_ppo


@pytest.fixture(scope="module")
def rllib_ppo():
    """The example, with Ray started on this machine."""
    ray = pytest.importorskip("ray", reason="RLlib is not installed: make others")
    pytest.importorskip("ray.rllib", reason="RLlib is not installed: make others")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    from training.examples import rllib_ppo

    yield rllib_ppo
    ray.shutdown()


# -------------------------------------------------------------------------------------------- TorchRL


def test_torchrl_finds_the_specs_kept(torchrl_ppo):
    from torchrl.envs.utils import check_env_specs

    check_env_specs(torchrl_ppo.make_env(3, **SHORT))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_torchrl_plays_whole_games_by_the_masks(torchrl_ppo, players):
    env = torchrl_ppo.make_env(3, players=players)  # an illegal action would raise
    game = env.rollout(100_000)
    who, paid = game["players", "mask"], game["next", "players", "reward"][..., 0]
    assert (who.sum(dim=1) == 1).all()
    chosen = game["players", "action_mask"].gather(2, game["players", "action"][..., None])[..., 0]
    assert chosen[who].all()
    result = env.unwrapped.game.result()
    assert paid[:-1].abs().sum() == 0
    np.testing.assert_allclose(paid[-1], result.rewards, rtol=1e-6)
    assert game["next", "players", "done"][-1].all()


def test_torchrl_gives_each_player_its_own_decisions_and_its_reward(torchrl_ppo):
    learner = torchrl_ppo.Learner(torchrl_ppo.make_env(4, **SHORT), width=8)
    (game,) = learner.play(1)
    lived = list(torchrl_ppo.own_decisions(game))
    assert sum(len(mine) for mine in lived) == len(game)
    for player, mine in enumerate(lived):
        assert mine["next", "done"][:, 0].tolist() == [False] * (len(mine) - 1) + [True]
        assert mine["next", "reward"].sum() == game["next", "players", "reward"][-1, player, 0] != 0
        assert mine["action_mask"].gather(1, mine["action"][:, None]).all()
        following = mine["next", "observation", "observation"][:-1]
        assert (following == mine["observation", "observation"][1:]).all()


def test_torchrl_makes_what_went_well_likelier(torchrl_ppo):
    import torch

    learner = torchrl_ppo.Learner(torchrl_ppo.make_env(5, **SHORT), width=32)
    data = learner.experience(games=3)
    curves = learner.update(data, epochs=3)
    assert np.isfinite(list(curves.values())).all()
    with torch.no_grad():
        now = torchrl_ppo.make_actor(learner.network).get_dist(data).log_prob(data["action"])
    gain = (now - data["action_log_prob"]) * data["advantage"][:, 0]
    assert gain.mean() > 0.01


# ---------------------------------------------------------------------------------------------- RLlib


@pytest.mark.parametrize("players", [2, 3, 6])
def test_rllib_sees_who_is_asked_and_pays_everyone(rllib_ppo, players):
    env = rllib_ppo.make_env({"players": players, "illegal_action": "raise"})
    rng = np.random.default_rng(0)
    seen, _ = env.reset(seed=7)
    paid = {f"player_{seat}": 0.0 for seat in range(players)}
    over = {"__all__": False}
    while not over["__all__"]:
        ((agent, view),) = seen.items()
        assert view in env.observation_space[agent]
        action = int(rng.choice(np.flatnonzero(view["action_mask"])))
        seen, rewards, over, cut, _ = env.step({agent: action})
        assert not cut["__all__"]
        for name, reward in rewards.items():
            paid[name] += reward
    assert set(seen) == set(env.possible_agents) == set(paid)
    assert list(paid.values()) == pytest.approx(env.env.unwrapped.game.result().rewards)


@pytest.mark.slow
@pytest.mark.parametrize("env_runners", [0, 1])
def test_rllib_iterates_on_a_local_ray(rllib_ppo, env_runners):
    import torch

    # Paid by the margin, as with `win` the mean of a few games can be 0 for all.
    config = rllib_ppo.make_config(env_runners, width=16, reward="margin", **SHORT).debugging(seed=1)
    config.training(train_batch_size_per_learner=512, minibatch_size=128, num_epochs=1)
    algorithm = config.build_algo()
    try:
        network = algorithm.learner_group._learner.module[rllib_ppo.POLICY]
        before = [weights.detach().clone() for weights in network.parameters()]
        for _ in range(3):
            found = algorithm.train()
        assert found["env_runners"]["num_env_steps_sampled_lifetime"] >= 3 * 512
        returns = found["env_runners"]["agent_episode_returns_mean"]
        assert set(returns) == {"player_0", "player_1", "player_2"}
        assert any(returns.values())  # the end of the game has paid
        assert all((old != new).any() for old, new in zip(before, network.parameters(), strict=True))
        batch = powergrid_env.GameBatch(GameConfig(**SHORT), 8, seed=2)
        lanes = np.arange(8)
        with torch.no_grad():
            answers = rllib_ppo.trained_agent(algorithm).act(batch, lanes)
        assert (batch.verify(answers, lanes) == 0).all()
    finally:
        algorithm.stop()


@pytest.mark.slow
def test_rllib_learns_to_beat_random_in_short_games(rllib_ppo):
    algorithm = rllib_ppo.make_config(0, **SHORT).debugging(seed=1).build_algo()
    try:
        for _ in range(6):
            algorithm.train()
        standing = win_share(rllib_ppo.trained_agent(algorithm))
    finally:
        algorithm.stop()
    print(standing)
    assert standing.low > standing.par, standing
