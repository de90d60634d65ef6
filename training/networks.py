"""The networks that are trained: policies of sb3-contrib over one layer that policy and value share."""

from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}


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
        return self.layer(observations)


def policy_keywords(layers: list[int], activation: str) -> dict[str, Any]:
    """The `policy_kwargs` of MaskablePPO: the first layer shared, the others apart for policy and value."""
    return {
        "features_extractor_class": SharedLayer,
        "features_extractor_kwargs": {"width": layers[0], "activation": activation},
        "net_arch": layers[1:],
        "activation_fn": ACTIVATIONS[activation],
    }
