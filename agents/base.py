"""The contract of all agents, and a base class for a bot that answers one position at a time."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from powergrid_env.envs.opponents import Agent

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch

__all__ = ["Actions", "Agent", "ChoosingAgent", "Lanes"]

Actions = npt.NDArray[np.int64]
"""One action id per lane, `(L,)` int64."""
Lanes = npt.NDArray[np.int64]
"""Rows of the batch that ask for an answer, `(L,)` int64."""


class ChoosingAgent:
    """Turns `choose(observation, mask, rng)` into an agent: the shortest way to write a bot.

    A subclass sets `name` and writes `choose`; `rng` is drawn from the seed given to `reset`.
    """

    name = "choosing"

    @cached_property
    def rng(self) -> np.random.Generator:
        """The bot's chance; there without an `__init__`, which a subclass may write for its parameters."""
        return np.random.default_rng(0)

    def reset(self, seed: int) -> None:
        """Start `rng` anew."""
        self.rng = np.random.default_rng(seed)

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """Ask `choose` lane by lane, in the order of `lanes`."""
        observations, masks = batch.observe(lanes=lanes), batch.masks(lanes=lanes)
        answers = [self.choose(seen, mask, self.rng) for seen, mask in zip(observations, masks, strict=True)]
        return np.array(answers, dtype=np.int64)

    def choose(
        self, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8], rng: np.random.Generator
    ) -> int | np.integer[Any]:
        """The action id to play.

        Args:
            observation: `(D,)` float32, as the player to act sees the game.
            mask: `(A,)` int8, 1 where an action is legal.
            rng: the bot's own generator.
        """
        raise NotImplementedError
