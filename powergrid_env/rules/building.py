"""R4: phase 4, building. Decision `build`: connect one city, or pass. RS.2-RS.4, RT.20 where they apply."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import NO_PATH, NOBODY, PASS, Decision, Phase, Step
from powergrid_env.reasons import Reason
from powergrid_env.rules import trust
from powergrid_env.rules.facts import (
    connection_cost,
    has_house,
    is_empty,
    last_unfinished,
    lowest_open_space,
    may_start_in,
    refresh_connection_costs,
)
from powergrid_env.rules.plant_market import remove_obsolete_plants
from powergrid_env.rulings import StartCityChoice


@rule
def begin(state: Any, board: Any) -> None:
    """Reverse order: the last player builds first (R4.1, R0.11)."""
    state.phase = Phase.BUILDING
    state.decision = Decision.BUILD
    state.passed[:] = 0
    state.player = last_unfinished(state, board)


@rule(inline=True)
def price(state: Any, board: Any, player: int, city: int) -> int:
    """Connection and space in Elektro (R4.2, R4.3); NO_PATH without a way or an open space."""
    connection, space = connection_cost(state, player, city), lowest_open_space(state, city)
    if connection == NO_PATH or space == NOBODY:
        return NO_PATH
    return connection + int(board.space_price[space])


@rule
def may_start_by_marker(state: Any, board: Any, player: int, city: int) -> bool:
    """RS.2: a network starts in a marked city, any of them (A27), while a marker is left (RS.4)."""
    if not board.start_cities:
        return True
    own = board.start_city_choice == StartCityChoice.OWN
    any_left = False
    for marked in range(board.num_cities):
        marker = state.start_markers[marked]
        if marker != NOBODY and (not own or marker == player):
            any_left = True
    marker = state.start_markers[city]
    return not any_left or bool(marker != NOBODY and (not own or marker == player))


@rule(inline=True)
def verify_city(state: Any, board: Any, player: int, city: int) -> int:
    """R4.2 to R4.10 for a player and a city, whoever is to act and whatever it costs."""
    if not board.in_zone[state.zone, city]:
        return Reason.R4_7_ZONE
    if has_house(state, player, city):
        return Reason.R4_5
    if state.num_cities[player] >= board.house_cap:
        return Reason.R4_10
    if state.num_cities[player] == 0:
        if not may_start_by_marker(state, board, player, city):
            return Reason.RS_2
        if not may_start_in(state, board, city):
            return Reason.R4_2
    elif state.step_number == Step.ONE and state.start_markers[city] != NOBODY:
        return Reason.RS_3
    return Reason.R4_4 if lowest_open_space(state, city) == NOBODY else Reason.LEGAL


@rule(inline=True)
def verify(state: Any, board: Any, action: int) -> int:
    """R4.2 to R4.10 for a row of the city block; passing is always allowed (R4.1)."""
    if action == PASS:
        return Reason.LEGAL
    city = int(action) - int(board.first_city)
    if city < 0 or city >= board.num_cities:
        return Reason.NOT_ASKED
    player = int(state.player)
    reason = verify_city(state, board, player, city)
    if reason == Reason.LEGAL and price(state, board, player, city) > state.money[player]:
        return Reason.R4_8
    return reason


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Pay and put the house (R4.3), or finish."""
    player = int(state.player)
    if action == PASS:
        state.passed[player] = 1
        state.player = last_unfinished(state, board)
        return
    city = int(action) - int(board.first_city)
    was_empty = is_empty(state, city)
    state.money[player] -= price(state, board, player, city)
    state.city_spaces[city, lowest_open_space(state, city)] = player
    state.start_markers[city] = NOBODY
    state.num_cities[player] += 1
    refresh_connection_costs(state, board, player, city)
    if board.trust and was_empty:
        trust.block(state, city)  # RT.20
    remove_obsolete_plants(state, board)  # R4.12, nothing in Recharged


@rule
def is_over(state: Any) -> bool:
    """Everybody has finished building."""
    return bool(state.player == NOBODY)
