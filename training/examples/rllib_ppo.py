"""PPO of RLlib with all seats as agents of one policy, on this machine or on a cluster.

    python -m training.examples.rllib_ppo --iterations 20

RLlib's own wrapper of PettingZoo gives an agent its observation when it is asked, its reward up to then, and at the end of
a game the last observation and reward of every agent. What has to be written is the network: RLlib's default ones do not
look at `action_mask`.
"""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import ray
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import nn

import powergrid_env

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ENV = "powergrid"
POLICY = "bidder"  # of all seats


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """Two layers that policy and value share; illegal actions have no chance. `model_config`: `width`."""

    def setup(self) -> None:
        """Build the layers; RLlib calls this."""
        size, width = self.observation_space["observation"].shape[0], self.model_config["width"]
        self.body = nn.Sequential(nn.Linear(size, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy = nn.Linear(width, int(self.action_space.n))
        self.value = nn.Linear(width, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        seen = batch[Columns.OBS]
        hidden = self.body(seen["observation"])
        logits = self.policy(hidden)
        legal = logits.masked_fill(seen["action_mask"] == 0, torch.finfo(logits.dtype).min)
        return {Columns.ACTION_DIST_INPUTS: legal, Columns.EMBEDDINGS: hidden}

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """`(k,)`, what the game is worth to the seat that sees it."""
        hidden = self.body(batch[Columns.OBS]["observation"]) if embeddings is None else embeddings
        return self.value(hidden)[..., 0]


class NetworkAgent:
    """The trained network as an agent (agents/base.py), for evaluations; takes its likeliest action."""

    name = "rllib"

    def __init__(self, module: MaskedNetwork) -> None:
        self.module = module

    def reset(self, seed: int) -> None:
        """There is no chance in it."""

    def act(self, batch: powergrid_env.GameBatch, lanes: "npt.NDArray[np.int64]") -> "npt.NDArray[np.int64]":
        """One legal action per lane."""
        seen = {"observation": batch.observe(lanes=lanes), "action_mask": batch.masks(lanes=lanes)}
        with torch.no_grad():
            found = self.module._forward({Columns.OBS: {key: torch.from_numpy(x) for key, x in seen.items()}})
        return found[Columns.ACTION_DIST_INPUTS].argmax(dim=1).numpy()


def make_env(settings: dict[str, Any]) -> PettingZooEnv:
    """The games as RLlib's MultiAgentEnv; `settings` are those of `powergrid_env.env`."""
    return PettingZooEnv(powergrid_env.env(**settings))


def make_config(env_runners: int = 0, width: int = 128, **game: Any) -> PPOConfig:
    """Settings of the algorithm.

    Args:
        env_runners: processes that play, anywhere in the cluster; 0 plays in the process that learns.
        width: units of a layer.
        game: settings of `powergrid_env.env`.
    """
    register_env(ENV, make_env)
    network = RLModuleSpec(module_class=MaskedNetwork, model_config={"width": width})
    return (
        PPOConfig()
        # The check of environments is off since it draws actions without looking at the mask.
        .environment(ENV, env_config={"illegal_action": "raise", **game}, disable_env_checking=True)
        .env_runners(num_env_runners=env_runners, num_envs_per_env_runner=1)  # of many agents, one game each
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, *_, **__: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: network}))
        .training(
            gamma=1.0,  # a game is won or lost as a whole
            lambda_=0.95,
            lr=1e-3,
            train_batch_size_per_learner=4096,
            minibatch_size=256,
            num_epochs=4,
            entropy_coeff=0.01,
            use_kl_loss=False,
        )
    )


def trained_agent(algorithm: PPO) -> NetworkAgent:
    """What the algorithm has learnt so far."""
    return NetworkAgent(algorithm.get_module(POLICY))


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser("rllib_ppo", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--iterations", type=int, default=20, help="Updates, of some 4,096 decisions each.")
    parser.add_argument("--env-runners", type=int, default=1, help="Processes that play, in the cluster.")
    parser.add_argument("--players", type=int, default=3, help="Seats, 2 to 6.")
    parser.add_argument("--address", help="`auto`: the cluster this machine is in; else one of this machine.")
    chosen = parser.parse_args(arguments)
    ray.init(address=chosen.address)
    algorithm = make_config(chosen.env_runners, players=chosen.players, skip_forced=True).build_algo()
    try:
        for number in range(1, chosen.iterations + 1):
            found = algorithm.train()["env_runners"]
            print(f"{number}: {found['num_env_steps_sampled_lifetime']:,.0f} decisions, "
                  f"{found.get('episode_len_mean', float('nan')):.0f} a game")  # fmt: skip
        print("saved in", algorithm.save_to_path())
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
