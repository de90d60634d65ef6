"""`policy`: a model saved by `powergrid train` as an agent; one forward pass answers for all lanes.

The file is read by `training`, which knows how networks are built, when the first question comes: only then is the board
known that the model has to fit, and only then is torch imported.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from agents.base import Actions, Agent, Lanes

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch

MODEL_FILE = "model.zip"


class PolicyAgent:
    """A saved policy.

    Args:
        path: the model file, or the folder of a run that holds `model.zip`.
        greedy: 1 takes the likeliest action, 0 draws by the policy.

    Raises:
        ValueError: no such file.
    """

    def __init__(self, path: str, greedy: int = 1) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            self.path /= MODEL_FILE
        if not self.path.is_file():
            raise ValueError(
                f"policy: path is {path!r}; allowed: a model file, or a folder with {MODEL_FILE}"
            )
        if greedy not in (0, 1):
            raise ValueError(f"policy: greedy is {greedy!r}; allowed: 0, 1")
        self.greedy = bool(greedy)
        self.name = f"policy:{path}" if greedy else f"policy:{path},greedy=0"
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
            from training.policies import load_agent

            self.model = load_agent(self.path, batch.board, greedy=self.greedy)
            self.model.reset(self.seed)
        return self.model.act(batch, lanes)
