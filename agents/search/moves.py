"""The moves worth searching: what `balanced` would do, and a few others of every kind."""

from typing import Any

from agents.scripted import balanced
from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.constants import FIRST_BID, MAX_BUY, NUM_RESOURCES, PASS, Decision
from powergrid_env.engine import verify
from powergrid_env.reasons import Reason
from powergrid_env.rules.building import price

MAX_MOVES = 12
CHEAPEST_CITIES = 5


@rule
def add(state: Any, board: Any, action: int, moves: Any, count: int) -> int:
    """Append a legal action that is not there yet; returns the new count."""
    if count == len(moves) or verify(state, board, action) != Reason.LEGAL:
        return count
    for place in range(count):
        if moves[place] == action:
            return count
    moves[count] = action
    return count + 1


@rule
def add_cities(state: Any, board: Any, moves: Any, count: int) -> int:
    """Append the cheapest cities that can be built."""
    last_price, last_city = -1, -1
    for _ in range(CHEAPEST_CITIES):
        best, best_price = -1, 10**6
        for city in range(board.num_cities):
            cost = price(state, board, int(state.player), city)
            is_later = cost > last_price or (cost == last_price and city > last_city)
            if is_later and cost < best_price:
                if verify(state, board, int(board.first_city) + city) == Reason.LEGAL:
                    best, best_price = city, cost
        if best < 0:
            break
        count = add(state, board, int(board.first_city) + best, moves, count)
        last_price, last_city = best_price, best
    return count


@rule
def fill_moves(state: Any, board: Any, settings: Any, moves: Any) -> int:
    """Write the moves worth searching into `moves` `(MAX_MOVES,)` int64, that of `balanced` first; returns how many."""
    moves[0] = balanced.decide(state, board, settings)
    count = 1
    decision = int(state.decision)
    if decision == Decision.BID:
        count = add(state, board, PASS, moves, count)
        count = add(state, board, FIRST_BID, moves, count)
    elif decision == Decision.CHOOSE or decision == Decision.SCRAP:
        count = add(state, board, PASS, moves, count)
        first, behind = block_of(board, decision)
        for action in range(first, behind):
            count = add(state, board, action, moves, count)
    elif decision == Decision.BUY:
        count = add(state, board, PASS, moves, count)
        for resource in range(NUM_RESOURCES):
            first = int(board.first_buy) + resource * MAX_BUY
            count = add(state, board, first, moves, count)
            count = add(state, board, first + 2, moves, count)
    elif decision == Decision.BUILD:
        count = add(state, board, PASS, moves, count)
        count = add_cities(state, board, moves, count)
    return count
