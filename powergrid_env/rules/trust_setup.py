"""RT.1-RT.5: the six start houses of the Trust. Decision `place`: the two players put them in turn."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import NOBODY, PASS, TEN, TRUST, Decision, Phase
from powergrid_env.reasons import Reason
from powergrid_env.rules.facts import is_empty


@rule
def begin(state: Any, board: Any) -> None:
    """The first human places the first start house (RT.4)."""
    state.phase = Phase.TRUST_SETUP
    state.decision = Decision.PLACE
    state.player = state.order[0]


@rule
def place_to_act(placed: int) -> int:
    """Place in the player order of who puts the next start house: F S S F F S (RT.4)."""
    return (placed + 1) // 2 % 2


@rule
def num_start_houses(state: Any, board: Any) -> int:
    """Trust houses on 10-spaces: the start houses placed so far."""
    houses = 0
    for city in range(board.num_cities):
        houses += int(state.city_spaces[city, TEN] == TRUST)
    return houses


@rule
def touches_trust(state: Any, board: Any, city: int) -> bool:
    """Is a city joined by one connection to one with a Trust house?"""
    for other in range(board.num_cities):
        if board.adjacent[city, other] and state.city_spaces[other, TEN] == TRUST:
            return True
    return False


@rule
def can_grow(state: Any, board: Any) -> bool:
    """Is there an empty city of the zone next to the Trust's houses?"""
    for city in range(board.num_cities):
        if board.in_zone[state.zone, city] and is_empty(state, city) and touches_trust(state, board, city):
            return True
    return False


@rule
def verify(state: Any, board: Any, action: int) -> int:
    """RT.4: anywhere first, then next to a Trust house while that is possible; placing is no choice."""
    if action == PASS:
        return Reason.RT_4_MUST
    city = int(action) - int(board.first_city)
    if city < 0 or city >= board.num_cities:
        return Reason.NOT_ASKED
    if not board.in_zone[state.zone, city]:
        return Reason.R4_7_ZONE
    if not is_empty(state, city):
        return Reason.RT_4_EMPTY
    if (
        num_start_houses(state, board) > 0
        and not touches_trust(state, board, city)
        and can_grow(state, board)
    ):
        return Reason.RT_4_NEXT
    return Reason.LEGAL


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Place a start house; the players take turns (RT.4)."""
    state.city_spaces[int(action) - int(board.first_city), TEN] = TRUST
    state.trust_houses -= 1
    placed = num_start_houses(state, board)
    if placed == board.trust_start_houses:
        state.player = NOBODY
    else:
        state.player = state.order[place_to_act(placed)]


@rule
def is_over(state: Any) -> bool:
    """All start houses stand."""
    return bool(state.player == NOBODY)
