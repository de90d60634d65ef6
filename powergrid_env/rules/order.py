"""R1: phase 1, the player order."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.rules.facts import highest_plant


@rule
def goes_before(state: Any, player: int, other: int) -> bool:
    """R1.1: more cities first, ties by the highest plant (0 without one, R1.4)."""
    if state.num_cities[player] != state.num_cities[other]:
        return bool(state.num_cities[player] > state.num_cities[other])
    return highest_plant(state, player) > highest_plant(state, other)


@rule
def determine_order(state: Any, board: Any) -> None:
    """Sort the seats by R1.1; what still ties keeps the previous order (R1.4, A3)."""
    order = state.order
    for place in range(1, board.num_players):
        player = int(order[place])
        while place > 0 and goes_before(state, player, int(order[place - 1])):
            order[place] = order[place - 1]
            place -= 1
        order[place] = player
