"""Networks as agents: one forward pass answers for all lanes. Torch is imported with the first network."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from agents.base import Actions, Agent, Lanes
    from powergrid_env.batch import GameBatch


class PolicyAgent:
    """Plays by a network.

    Args:
        policy: the network.
        name: what tables call it.
        greedy: take the likeliest action; else draw by the policy.
    """

    def __init__(self, policy: "MaskableActorCriticPolicy", name: str, greedy: bool = False) -> None:
        self.policy = policy
        self.name = name
        self.greedy = greedy
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Take chance from `seed`."""
        import torch

        self.generator = torch.Generator().manual_seed(seed)

    def act(self, batch: "GameBatch", lanes: "Lanes") -> "Actions":
        """One legal action per lane."""
        import torch

        masks = torch.from_numpy(batch.masks(lanes=lanes)).bool()
        with torch.no_grad():
            chances = self.policy.get_distribution(
                torch.from_numpy(batch.observe(lanes=lanes)), masks
            ).distribution.probs
        if self.greedy:
            return chances.argmax(dim=1).numpy()
        return (
            torch.multinomial(chances * masks, 1, generator=self.generator)
            .squeeze(1)
            .numpy()
            .astype(np.int64)
        )


def make_agent(text: str, config: GameConfig) -> "Agent":
    """The agent a command line names: a bot, a model file, or the folder of a run.

    Raises:
        ValueError: none of these, or a model that does not fit the config.
    """
    import agents

    path = Path(text)
    if path.suffix == ".zip" or path.is_dir() or path.is_file():
        return load_agent(path / "model.zip" if path.is_dir() else path, make_board(config))
    try:
        return agents.make(text)
    except ValueError as error:
        raise ValueError(f"{error}; nor is there a model file {text}") from None


def load_agent(path: Path, board: Board, greedy: bool = True) -> PolicyAgent:
    """A saved model as an agent."""
    from training import models

    return PolicyAgent(models.load(path, board).policy, path.name, greedy)
