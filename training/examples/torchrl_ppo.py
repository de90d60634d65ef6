"""PPO of TorchRL over its PettingZooWrapper, with all seats learning.

    python -m training.examples.torchrl_ppo --updates 5

The wrapper gives `(T, P)` tensors: at each decision of a game all players with what they see, `mask` for the one who decides
and `action_mask` for what is legal. `own_decisions` cuts a game into what each player lived through, its own decisions and
what the end of the game paid; from there on it is PPO as for one player.
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from tensordict import TensorDict
from tensordict.nn import InteractionType, TensorDictModule
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import powergrid_env

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

GROUP = "players"  # the tensordict that holds all of them
SEEN, LEGAL, LOG_PROB = ("observation", "observation"), "action_mask", "action_log_prob"


def make_env(seed: int | None = None, **game: Any) -> PettingZooWrapper:
    """The games in TorchRL's terms; `game` are settings of `powergrid_env.env`."""
    env = powergrid_env.env(**{"illegal_action": "raise", **game})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using version")
        return PettingZooWrapper(env, use_mask=True, group_map={GROUP: env.possible_agents}, seed=seed)


def make_actor(network: MLP, *group: str) -> ProbabilisticActor:
    """The network as a draw over legal actions, of tensordicts under `group` or at the top."""

    def key(*name: str) -> tuple[str, ...]:
        return (*group, *name)

    return ProbabilisticActor(
        TensorDictModule(network, in_keys=[key(*SEEN)], out_keys=[key("logits")]),
        in_keys={"logits": key("logits"), "mask": key(LEGAL)},
        out_keys=[key("action")],
        distribution_class=MaskedCategorical,
        default_interaction_type=InteractionType.RANDOM,
        return_log_prob=True,
        log_prob_key=key(LOG_PROB),
    )


def own_decisions(game: TensorDict) -> Iterator[TensorDict]:
    """What each player of a whole game `(T,)` learns from: `(k,)`, its own decisions, each followed by its next one."""
    for player, is_mine in enumerate(game[GROUP, "mask"].T):
        if is_mine.any():
            mine = game[GROUP][is_mine, player].select(SEEN, LEGAL, "action", LOG_PROB)
            last = game["next", GROUP][-1:, player].select(SEEN)
            reward, over = torch.zeros(len(mine), 1), torch.zeros(len(mine), 1, dtype=torch.bool)
            reward[-1], over[-1] = game["next", GROUP, "reward"][:, player].sum(), True
            following = torch.cat([mine[1:].select(SEEN), last])
            mine["next"] = following.update({"reward": reward, "done": over, "terminated": over})
            yield mine


class Learner:
    """Networks, loss and optimiser.

    Args:
        env: the games.
        width: units of each of the two hidden layers.
    """

    def __init__(self, env: PettingZooWrapper, width: int = 128) -> None:
        size = env.observation_spec[(GROUP, *SEEN)].shape[-1]
        actions = env.observation_spec[GROUP, LEGAL].shape[-1]
        shape: dict[str, Any] = {"num_cells": [width, width], "activation_class": torch.nn.Tanh}
        self.env = env
        self.network = MLP(size, actions, **shape)
        critic = ValueOperator(MLP(size, 1, **shape), in_keys=[SEEN])
        self.player = make_actor(self.network, GROUP)
        self.loss = ClipPPOLoss(make_actor(self.network), critic, entropy_coeff=0.01, critic_coeff=0.5)
        self.loss.set_keys(sample_log_prob=LOG_PROB)
        self.credit = GAE(gamma=1.0, lmbda=0.95, value_network=critic)  # a game is won or lost as a whole
        self.optimiser = torch.optim.Adam(self.loss.parameters(), lr=1e-3)

    def play(self, games: int) -> list[TensorDict]:
        """Whole games, each `(T,)`, with the network in all seats."""
        with torch.no_grad():
            return [self.env.rollout(100_000, self.player) for _ in range(games)]

    def experience(self, games: int) -> TensorDict:
        """What all players of some games learn from, `(k,)`, with its advantages."""
        with torch.no_grad():
            data = torch.cat([self.credit(mine) for game in self.play(games) for mine in own_decisions(game)])
        data["advantage"] = (data["advantage"] - data["advantage"].mean()) / (data["advantage"].std() + 1e-8)
        return data

    def update(self, data: TensorDict, epochs: int = 4, batch: int = 256) -> dict[str, float]:
        """Learn from experience; curves by name."""
        for _ in range(epochs):
            for part in torch.randperm(len(data)).split(batch):
                found = self.loss(data[part])
                self.optimiser.zero_grad()
                sum(value for name, value in found.items() if name.startswith("loss_")).backward()
                torch.nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
                self.optimiser.step()
        return {"decisions": len(data), **{name: value.mean().item() for name, value in found.items()}}


class NetworkAgent:
    """A network as an agent (agents/base.py), for evaluations; takes its likeliest action."""

    name = "torchrl"

    def __init__(self, network: MLP) -> None:
        self.network = network

    def reset(self, seed: int) -> None:
        """There is no chance in it."""

    def act(self, batch: powergrid_env.GameBatch, lanes: "npt.NDArray[np.int64]") -> "npt.NDArray[np.int64]":
        """One legal action per lane."""
        masks = torch.from_numpy(batch.masks(lanes=lanes)).bool()
        with torch.no_grad():
            logits = self.network(torch.from_numpy(batch.observe(lanes=lanes)))
        return logits.masked_fill(~masks, -torch.inf).argmax(dim=1).numpy()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser("torchrl_ppo", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--updates", type=int, default=5, help="Updates.")
    parser.add_argument("--games", type=int, default=8, help="Games between two updates.")
    parser.add_argument("--players", type=int, default=3, help="Seats, 2 to 6.")
    parser.add_argument("--seed", type=int, default=1, help="Where all chance comes from.")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)  # of one observation at a time, threads make a forward pass slower
    torch.manual_seed(chosen.seed)
    learner = Learner(make_env(chosen.seed, players=chosen.players, skip_forced=True))
    for number in range(1, chosen.updates + 1):
        curves = learner.update(learner.experience(chosen.games))
        print(number, *(f"{name} {value:.3g}" for name, value in curves.items()))


if __name__ == "__main__":
    main()
