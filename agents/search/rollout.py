"""`rollout`: flat Monte Carlo. Every move worth a thought is tried in the same deals, and the best on average is played."""

from typing import TYPE_CHECKING, Any

import numpy as np

from agents.base import Actions
from agents.scripted.base import Parameter
from agents.scripted.chance import mix
from agents.search.base import BUDGET, SearchAgent
from agents.search.playout import deal, fill_values, play, play_out
from powergrid_env._jit import rule
from powergrid_env.constants import MAX_PLAYERS

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch


@rule(seconds=40)
def try_moves(
    states: Any,
    boards: Any,
    lane: int,
    scratch: Any,
    settings: Any,
    styles: Any,
    word: Any,
    deal_number: int,
    moves: Any,
    values: Any,
) -> None:
    """Deal once and play every move out; its worth to the player to act goes into `values` `(len(moves),)` float64."""
    board = boards[0]
    player = int(states[lane].player)
    ends = np.zeros(MAX_PLAYERS, np.float64)
    scratch[0] = states[lane]
    deal(scratch[0], board, player, mix(word, deal_number), settings, styles)
    for place in range(len(moves)):
        scratch[1] = scratch[0]
        play(scratch[1], board, moves[place])
        play_out(scratch[1], board, styles)
        fill_values(scratch[1], board, ends)
        values[place] = ends[player]


class RolloutAgent(SearchAgent):
    """Leaves the move of `balanced` only for one that is better by more than chance would explain."""

    bot = "rollout"
    parameters = (
        *BUDGET,
        Parameter(
            "caution", 1.0, 0, 5, "standard errors by which a move must be better than that of balanced"
        ),
    )

    def start(self, moves: Actions) -> None:
        """No deals yet."""
        self.deals: list[np.ndarray] = []

    def simulate(self, batch: "GameBatch", lane: int, moves: Actions, word: np.uint64, done: int) -> int:
        """All moves in one more deal."""
        values = np.zeros(len(moves))
        records = batch.board.records
        number = len(self.deals)
        try_moves(
            batch.states, records, lane, self.scratch, self.style, self.styles, word, number, moves, values
        )
        self.deals.append(values)
        return len(moves)

    def best(self, moves: Actions) -> int:
        """The move with the highest mean over the deals, doubts counted for that of `balanced`, which is the first."""
        gains = np.array(self.deals) - np.array(self.deals)[:, :1]
        error = gains.std(axis=0, ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.ones(len(moves))
        caution = self.setting("caution")
        return int(moves[np.argmax(gains.mean(axis=0) - caution * error)])
