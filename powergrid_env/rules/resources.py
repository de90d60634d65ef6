"""R3: phase 3, buying fuel. Decision `buy`: 1 to 6 tokens of one resource, or pass."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    HYBRID_ROOM,
    MAX_BUY,
    NOBODY,
    NUM_RESOURCES,
    PASS,
    Decision,
    Phase,
    Resource,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules import trust
from powergrid_env.rules.facts import (
    fuel_price,
    has_room,
    last_unfinished,
    num_for_sale_tokens,
    num_from_track,
)


@rule
def begin(state: Any, board: Any) -> None:
    """Reverse order: the last player buys first (R3.1, R0.11)."""
    state.phase = Phase.RESOURCES
    state.decision = Decision.BUY
    state.passed[:] = 0
    state.player = last_unfinished(state, board)


@rule
def can_burn(state: Any, player: int, resource: int) -> bool:
    """Does the player own a plant that burns the resource (R3.2)?"""
    room = state.fuel_capacity[player]
    mixed = room[HYBRID_ROOM] if resource <= Resource.OIL else 0
    return bool(room[resource] + mixed > 0)


@rule(inline=True)
def verify(state: Any, board: Any, action: int) -> int:
    """R3.2 to R3.8 for a row of the buy block; passing is always allowed (R3.1)."""
    if action == PASS:
        return Reason.LEGAL
    row = int(action) - int(board.first_buy)
    if row < 0 or row >= NUM_RESOURCES * MAX_BUY:
        return Reason.NOT_ASKED
    resource, amount = row // MAX_BUY, row % MAX_BUY + 1
    player = int(state.player)
    if not can_burn(state, player, resource):
        return Reason.R3_2
    if amount > num_for_sale_tokens(state, board, resource):
        return Reason.R3_7
    fuel = state.fuel[player]
    coal, oil = int(fuel[Resource.COAL.value]), int(fuel[Resource.OIL.value])
    garbage, uranium = int(fuel[Resource.GARBAGE.value]), int(fuel[Resource.URANIUM.value])
    if resource == Resource.COAL:
        coal += amount
    elif resource == Resource.OIL:
        oil += amount
    elif resource == Resource.GARBAGE:
        garbage += amount
    else:
        uranium += amount
    if not has_room(state, player, coal, oil, garbage, uranium):
        return Reason.R3_4
    if fuel_price(state, board, resource, amount) > state.money[player]:
        return Reason.R3_8
    return Reason.LEGAL


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Pay and store the tokens (R3.5), or finish."""
    player = int(state.player)
    if action == PASS:
        state.passed[player] = 1
        if board.trust and player == state.order[board.num_players - 1]:
            trust.take_fuel(state, board)  # RT.16: between the two humans
        state.player = last_unfinished(state, board)
        return
    row = int(action) - int(board.first_buy)
    resource, amount = row // MAX_BUY, row % MAX_BUY + 1
    from_track = num_from_track(state, board, resource, amount)
    state.money[player] -= fuel_price(state, board, resource, amount)
    state.track[resource] -= from_track
    state.storage -= amount - from_track
    state.fuel[player, resource] += amount


@rule
def is_over(state: Any) -> bool:
    """Everybody has finished buying."""
    return bool(state.player == NOBODY)
