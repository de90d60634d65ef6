"""`baseline`: the model that comes with the package; models/README.md is its card."""

from importlib.util import find_spec
from pathlib import Path

from agents.learned.policy import PolicyAgent

FILE = Path(__file__).parents[1] / "models" / "baseline" / "model.zip"
NEEDS = ("torch", "stable_baselines3", "sb3_contrib")


class BaselineAgent(PolicyAgent):
    """The shipped learner, for any edition and player count on Germany or USA.

    Args:
        greedy: 1 takes the likeliest action, 0 draws by the policy.

    Raises:
        ValueError: torch or stable-baselines3 is not installed, or another `greedy`.
    """

    bot = "baseline"

    def __init__(self, greedy: int = 1) -> None:
        missing = [name for name in NEEDS if find_spec(name) is None]
        if missing:
            raise ValueError(
                f"baseline needs {' and '.join(missing)}, which is not installed; "
                "install the extra that has it: pip install 'powergrid-env[train]'"
            )
        self.path = FILE
        self._begin("baseline", greedy)
