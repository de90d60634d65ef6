"""Networks as agents: one forward pass answers for all lanes. `policy` is the bot that reads a saved model.

Its file is read when the first question comes: only then is the board known that the model has to fit, and only then is
torch imported.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.base import Actions, Agent, Lanes

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from powergrid_env.batch import GameBatch
    from powergrid_env.board import Board

MODEL_FILE = "model.zip"


class NetworkAgent:
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

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """One legal action per lane."""
        import torch

        masks = torch.from_numpy(batch.masks(lanes=lanes)).bool()
        observations = torch.from_numpy(batch.observe(lanes=lanes))
        with torch.no_grad():
            chances = self.policy.get_distribution(observations, masks).distribution.probs
        if self.greedy:
            actions = chances.argmax(dim=1)
        else:
            actions = torch.multinomial(chances * masks, 1, generator=self.generator).squeeze(1)
        return actions.numpy().astype(np.int64)


class PolicyAgent:
    """A saved policy.

    Args:
        path: the model file, or the folder of a run that holds `model.zip`.
        greedy: 1 takes the likeliest action, 0 draws by the policy.

    Raises:
        ValueError: no such file.
    """

    bot = "policy"

    def __init__(self, path: str, greedy: int = 1) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            self.path /= MODEL_FILE
        if not self.path.is_file():
            raise ValueError(
                f"policy: path is {path!r}; allowed: a model file, or a folder with {MODEL_FILE}"
            )
        self._begin(f"policy:{path}", greedy)

    def _begin(self, name: str, greedy: int) -> None:
        if greedy not in (0, 1):
            raise ValueError(f"{self.bot}: greedy is {greedy!r}; allowed: 0, 1")
        self.greedy = bool(greedy)
        separator = "," if ":" in name else ":"
        self.name = name if greedy else f"{name}{separator}greedy=0"
        self.model: Agent | None = None
        self.seed = 0

    def reset(self, seed: int) -> None:
        """Take chance from `seed`."""
        self.seed = seed
        if self.model is not None:
            self.model.reset(seed)

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """One legal action per lane.

        Raises:
            ValueError: the file is no model, or one for another board.
        """
        if self.model is None:
            self.model = load_agent(self.path, batch.board, self.name, self.greedy)
            self.model.reset(self.seed)
        return self.model.act(batch, lanes)


def load_agent(path: Path, board: "Board", name: str, greedy: bool = True) -> NetworkAgent:
    """A saved model as an agent.

    Raises:
        ValueError: the file is no model, or one for another board.
    """
    from agents.learned import models

    return NetworkAgent(models.load(path, board).policy, name, greedy)
