"""RS: the default starting cities. Decision `mark`: each player marks one city, in player order."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import FIFTEEN, NOBODY, PASS, TRUST, Decision, Phase
from powergrid_env.reasons import Reason
from powergrid_env.rules.facts import is_empty, position_in_order


@rule
def begin(state: Any, board: Any) -> None:
    """The first in order marks first (RS.1)."""
    state.phase = Phase.START_CITIES
    state.decision = Decision.MARK
    state.player = state.order[0]


@rule
def verify(state: Any, board: Any, action: int) -> int:
    """RS.1: an empty city of the zone without a marker; marking is no choice."""
    if action == PASS:
        return Reason.RS_1_MUST
    city = int(action) - int(board.first_city)
    if city < 0 or city >= board.num_cities:
        return Reason.NOT_ASKED
    if not board.in_zone[state.zone, city]:
        return Reason.R4_7_ZONE
    if state.start_markers[city] != NOBODY or not is_empty(state, city):
        return Reason.RS_1
    return Reason.LEGAL


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Lay the marker; at the end the Trust blocks all marked cities (RT.27)."""
    player = int(state.player)
    state.start_markers[int(action) - int(board.first_city)] = player
    position = position_in_order(state, board, player) + 1
    state.player = state.order[position] if position < board.num_players else NOBODY
    if state.player == NOBODY and board.trust:
        for city in range(board.num_cities):
            if state.start_markers[city] != NOBODY:
                state.city_spaces[city, FIFTEEN] = TRUST
                state.trust_houses -= 1


@rule
def is_over(state: Any) -> bool:
    """Everybody has marked a city."""
    return bool(state.player == NOBODY)
