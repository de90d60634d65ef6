"""`human`: a person at the terminal answers, by the number of a move or in words."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from agents.base import Actions, Lanes
from powergrid_env.notation import IllegalAction
from powergrid_env.render import render_ansi

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch
    from powergrid_env.game import Game


class HumanAgent:
    """Shows the table from the seat that is asked, and asks until the answer is legal.

    Args:
        ask: reads a line after a prompt.
        show: writes a text.
    """

    name = "human"

    def __init__(
        self, ask: Callable[[str], str] | None = None, show: Callable[[str], None] | None = None
    ) -> None:
        self.ask = ask or input
        self.show = show or _show

    def reset(self, seed: int) -> None:
        """A person takes no seed."""

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """Ask for one lane after the other."""
        return np.array([self._answer(batch.game(int(lane))) for lane in lanes], dtype=np.int64)

    def _answer(self, game: "Game") -> int:
        self.show(render_ansi(game, viewer=game.player))
        legal = game.legal_actions()
        self.show("  ".join(f"[{number}] {game.words(action)}" for number, action in enumerate(legal, 1)))
        while True:
            text = self.ask(f"seat {game.player}, {game.decision}: ").strip()
            if text.isdigit() and 1 <= int(text) <= len(legal):
                return int(legal[int(text) - 1])
            try:
                action = game.parse(text)
            except IllegalAction as error:
                self.show(str(error))
                continue
            reason = game.explain(action)
            if reason is None:
                return action
            self.show(reason)


def _show(text: str) -> None:
    """Print, with the colours of rich where it is installed."""
    try:
        from rich import print as write
        from rich.text import Text
    except ImportError:
        print(text)  # noqa: T201
    else:
        write(Text.from_ansi(text))
