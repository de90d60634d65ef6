"""Networks as agents: one forward pass answers for all lanes. `policy` is the bot that reads a saved model.

Its file is read when the first question comes: only then is the board known that the model has to fit, and only then is
torch imported.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from agents.base import Actions, Agent, Lanes
from agents.registry import make

if TYPE_CHECKING:
    import torch
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from powergrid_env.batch import GameBatch
    from powergrid_env.board import Board

MODEL_FILE = "model.zip"


@contextmanager
def _one_thread() -> Iterator[None]:
    """Small networks are quicker on one thread of torch, by far where the cores are busy."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class NetworkAgent:
    """Plays by a network.

    Args:
        policy: the network.
        name: what tables call it.
        greedy: take the likeliest action; else draw by the policy.
        advisor: the bot whose answers the network sees, if it does.
    """

    def __init__(
        self,
        policy: "MaskableActorCriticPolicy",
        name: str,
        greedy: bool = False,
        advisor: Agent | None = None,
    ) -> None:
        self.policy = policy
        self.name = name
        self.greedy = greedy
        self.advisor = advisor
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Take chance from `seed`."""
        import torch

        self.generator = torch.Generator().manual_seed(seed)

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """One legal action per lane."""
        import torch

        masks = batch.masks(lanes=lanes).astype(np.bool_)
        observations = torch.from_numpy(advised(batch, lanes, batch.observe(lanes=lanes), self.advisor))
        with torch.no_grad(), _one_thread():
            found = cast(
                "torch.distributions.Categorical",
                self.policy.get_distribution(observations, masks).distribution,
            )
        if self.greedy:
            actions = found.probs.argmax(dim=1)
        else:
            chances = found.probs * torch.from_numpy(masks)
            actions = torch.multinomial(chances, 1, generator=self.generator).squeeze(1)
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

    model = models.load(path, board)
    advisor = model.description["network"].get("advisor")
    return NetworkAgent(model.policy, name, greedy, make(advisor) if advisor else None)


def advised(
    batch: "GameBatch", lanes: Lanes, observations: npt.NDArray[np.float32], advisor: Agent | None
) -> npt.NDArray[np.float32]:
    """Observations `(k, D)` with the advisor's answers behind them, `(k, D + A)`, 1 at its action; as they are without one."""
    if advisor is None:
        return observations
    advice = np.zeros((len(lanes), batch.num_actions), np.float32)
    advice[np.arange(len(lanes)), advisor.act(batch, lanes)] = 1
    return np.concatenate([observations, advice], axis=1)
