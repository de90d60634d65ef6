"""The action table: what each action id means, for one board and its `raises`.

The blocks stand in the order of `board.action_blocks`; `Board.record` holds their first rows for the compiled rules.
"""

import hashlib
from typing import Any

from powergrid_env._jit import rule
from powergrid_env.board import Board, action_blocks
from powergrid_env.constants import (
    FIRST_BID,
    FIRST_NOMINATE,
    MAX_BUY,
    NUM_BURN,
    NUM_BUY,
    NUM_GIVE_UP,
    NUM_NOMINATE,
    NUM_RUN,
    NUM_SCRAP,
    Decision,
    Resource,
)

VERSION = 0
"""Moves when an id changes its meaning; saved models carry it."""


@rule
def block_of(board: Any, decision: int) -> tuple[int, int]:
    """First row and row behind the last of the block that answers a decision (besides PASS)."""
    if decision == Decision.CHOOSE:
        return FIRST_NOMINATE, FIRST_NOMINATE + NUM_NOMINATE
    if decision == Decision.BID:
        return FIRST_BID, FIRST_BID + int(board.num_raises)
    if decision == Decision.SCRAP:
        return int(board.first_scrap), int(board.first_scrap) + NUM_SCRAP
    if decision == Decision.GIVE_UP:
        return int(board.first_give_up), int(board.first_give_up) + NUM_GIVE_UP
    if decision == Decision.BUY:
        return int(board.first_buy), int(board.first_buy) + NUM_BUY
    if decision == Decision.RUN:
        return int(board.first_run), int(board.first_run) + NUM_RUN
    if decision == Decision.BURN:
        return int(board.first_burn), int(board.first_burn) + NUM_BURN
    if decision == Decision.NONE:
        return 0, 0
    return int(board.first_city), int(board.first_city) + int(board.num_cities)  # PLACE, MARK, BUILD


class ActionTable:
    """Names and slices of the blocks.

    Attributes:
        count: number of actions `A`.
        blocks: slice of each block, by name, in table order.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.blocks = action_blocks(board.record)
        self.count = int(board.record.num_actions)

    def encode(self, block: str, index: int = 0) -> int:
        """Action id of row `index` of a block.

        Raises:
            ValueError: no such block or row.
        """
        if block not in self.blocks:
            raise ValueError(f"block is {block!r}; allowed: {', '.join(self.blocks)}")
        rows = self.blocks[block]
        if not 0 <= index < rows.stop - rows.start:
            raise ValueError(f"{block} row is {index}; allowed: 0 to {rows.stop - rows.start - 1}")
        return rows.start + index

    def decode(self, action: int) -> tuple[str, int]:
        """Block and row of an action id.

        Raises:
            ValueError: an id outside the table.
        """
        for name, rows in self.blocks.items():
            if rows.start <= action < rows.stop:
                return name, action - rows.start
        raise ValueError(f"action is {action}; allowed: 0 to {self.count - 1}")

    def describe(self, action: int) -> str:
        """Meaning of an action id, whatever the state."""
        block, row = self.decode(action)
        match block:
            case "pass":
                return "pass: the choice, the auction, or finish buying or building"
            case "nominate":
                return f"nominate plant {row + 1} of the current market"
            case "bid":
                return f"bid the least amount allowed plus {int(self.board.record.raises[row])} Elektro"
            case "scrap":
                return f"scrap old plant {row + 1}, ascending"
            case "give_up":
                return f"give up one {Resource(row).name.lower()}"
            case "buy":
                return f"buy {row % MAX_BUY + 1} {Resource(row // MAX_BUY).name.lower()}"
            case "city":
                return f"connect, place in or mark {self.board.cities[row]}"
            case "run":
                plants = [str(bit + 1) for bit in range(4) if row >> bit & 1]
                return f"run plants {', '.join(plants)} of the owned, ascending" if plants else "run no plant"
            case _:
                return f"burn {row} coal in the hybrids that run"

    def digest(self) -> str:
        """Hex digest of the table, city names left out: saved models are refused where it differs."""
        rows = [self.describe(action) for action in range(self.count)]
        cities = self.blocks["city"]
        rows[cities] = [f"city {row}" for row in range(cities.stop - cities.start)]
        return hashlib.sha256("\n".join([str(VERSION), *rows]).encode()).hexdigest()[:16]
