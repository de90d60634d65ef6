"""The networks that can be trained: policies of sb3-contrib, `flat` over one shared layer or `entities` (entity_policy.py)."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agents.learned.entities import entities
from agents.learned.entity_policy import EntityExtractor, EntityPolicy
from powergrid_env.board import Board
from powergrid_env.layout import observation_size

ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}
KINDS = ("flat", "entities")


class SharedLayer(BaseFeaturesExtractor):
    """One layer between the observation and the heads, for policy and value together.

    An observation has some 1500 numbers, so nearly all multiplications of an update happen in the first layer: shared,
    it halves the time of an update.

    Args:
        observation_space: `(D,)`.
        width: units.
        activation: key of `ACTIVATIONS`.
    """

    def __init__(self, observation_space: spaces.Box, width: int, activation: str) -> None:
        super().__init__(observation_space, width)
        self.layer = torch.nn.Sequential(
            torch.nn.Linear(observation_space.shape[0], width), ACTIVATIONS[activation]()
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """`(N, D)` to `(N, width)`."""
        found: torch.Tensor = self.layer(observations)
        return found


def policy_class(
    kind: str, board: Board, layers: list[int], activation: str, advisor: str = ""
) -> tuple[type[Any], dict[str, Any]]:
    """What MaskablePPO is given: a class of policies and its `policy_kwargs`.

    Args:
        kind: key of `KINDS`.
        board: what is played on.
        layers: widths. `flat`: the first layer is shared, the others are apart for policy and value; `entities`: the trunk.
        activation: key of `ACTIVATIONS`.
        advisor: bot whose answers stand behind the observations; `entities` alone.
    """
    keywords: dict[str, Any] = {"activation_fn": ACTIVATIONS[activation]}
    if kind == "entities":
        found = entities(board, bool(advisor))
        return EntityPolicy, {
            **keywords,
            "features_extractor_class": EntityExtractor,
            "features_extractor_kwargs": {
                "found": found,
                "layers": layers,
                "activation": ACTIVATIONS[activation],
            },
            "net_arch": [],
        }
    return MaskableActorCriticPolicy, {
        **keywords,
        "features_extractor_class": SharedLayer,
        "features_extractor_kwargs": {"width": layers[0], "activation": activation},
        "net_arch": layers[1:],
    }


def make_policy(board: Board, network: dict[str, Any]) -> MaskableActorCriticPolicy:
    """An untrained policy for a board; `network` holds the other arguments of `policy_class`."""
    kind, keywords = policy_class(board=board, **network)
    num_actions = int(board.record.num_actions)
    size = observation_size(board) + (num_actions if network.get("advisor") else 0)
    policy: MaskableActorCriticPolicy = kind(
        spaces.Box(0, 1, (size,), np.float32),
        spaces.Discrete(num_actions),
        lr_schedule=lambda _: 0.0,
        **keywords,
    )
    return policy
