"""`SearchAgent`: asks a compiled search for one game after the other, until the simulations or the time are spent."""

import time
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from agents.base import Actions, Lanes
from agents.scripted.balanced import BalancedAgent
from agents.scripted.base import Parameter, ScriptedAgent
from agents.scripted.chance import position_word
from agents.search.moves import MAX_MOVES, fill_moves
from powergrid_env._jit import rule
from powergrid_env.constants import MAX_PLAYERS
from powergrid_env.state import make_states

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch

BUDGET = (
    Parameter("simulations", 200, 1, 1e6, "playouts per decision"),
    Parameter("time", 0, 0, 3600, "seconds per decision; above 0 it takes the place of simulations"),
)


@rule(seconds=40)
def begin(states: Any, boards: Any, lane: int, settings: Any, word: Any, moves: Any) -> tuple[int, int]:
    """The moves to search in a lane, how many they are, and the word of chance for this position."""
    state, board = states[lane], boards[0]
    return fill_moves(state, board, settings, moves), position_word(state, board, word)


class SearchAgent(ScriptedAgent):
    """Searches every lane for itself; a subclass says how.

    With a budget of simulations it is deterministic given its seed; with one of time it is not.

    Attributes:
        style: settings of `balanced` in the playouts, `(S,)` float64.
    """

    parameters: ClassVar[tuple[Parameter, ...]] = BUDGET

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self.style = BalancedAgent().settings
        self.scratch = make_states(2)
        self.styles = np.zeros((MAX_PLAYERS, len(self.style)))

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """One legal action per lane."""
        return np.array([self._search(batch, int(lane)) for lane in lanes], dtype=np.int64)

    def _search(self, batch: "GameBatch", lane: int) -> int:
        started = time.perf_counter()
        moves = np.zeros(MAX_MOVES, np.int64)
        count, word = begin(batch.states, batch.board.records, lane, self.style, self.word, moves)
        if count == 1:
            return int(moves[0])
        self.start(moves[:count])
        seconds, playouts = self.setting("time"), self.setting("simulations")
        done = 0
        while True:
            done += self.simulate(batch, lane, moves[:count], np.uint64(word), done)
            if seconds > 0:
                if time.perf_counter() - started >= seconds:
                    break
            elif done >= playouts:
                break
        return self.best(moves[:count])

    def setting(self, name: str) -> float:
        """The value of a parameter."""
        return float(self.settings[[item.name for item in self.parameters].index(name)])

    def start(self, moves: Actions) -> None:
        """Forget the position before."""
        raise NotImplementedError

    def simulate(self, batch: "GameBatch", lane: int, moves: Actions, word: np.uint64, done: int) -> int:
        """Some more playouts, with chance from `word` and the number `done` of those before; returns how many."""
        raise NotImplementedError

    def best(self, moves: Actions) -> int:
        """The move to play."""
        raise NotImplementedError
