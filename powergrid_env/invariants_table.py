"""Checks of what players and Trust have: tokens, money, plants, houses, markers.

Each check returns CLEAN, or the seat, city or resource that is wrong (0 where there is no such thing).
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import (
    HYBRID_ROOM,
    MAX_CITIES,
    MAX_PLAYERS,
    NO_PATH,
    NO_PLANT,
    NOBODY,
    NUM_RESOURCES,
    NUM_SPACES,
    TEN,
    TRUST,
    TRUST_PLANT_LIMIT,
    TWENTY,
    Decision,
    Phase,
    PlantKind,
    Resource,
)
from powergrid_env.invariants_cards import CLEAN, is_ascending
from powergrid_env.rules.facts import has_house, has_room

# ---------------------------------------------------------------------------------------- tokens, plants


@rule
def lost_tokens(state: Any, board: Any) -> int:
    """Tokens of each kind sum to those of the box (RC.2); none is negative."""
    for resource in range(NUM_RESOURCES):
        total = int(state.track[resource]) + state.supply[resource] + state.trust_fuel[resource]
        least = min(state.track[resource], state.supply[resource], state.trust_fuel[resource])
        for seat in range(board.num_players):
            total += state.fuel[seat, resource]
            least = min(least, state.fuel[seat, resource])
        if resource == Resource.COAL:
            total += state.storage
            least = min(least, state.storage)
        if total != board.tokens[resource] or least < 0:
            return resource
    return CLEAN


@rule
def misplaced_coal(state: Any, board: Any) -> int:
    """With a coal storage there is no other supply of coal (RM.10), without one it is empty."""
    wrong = state.supply[Resource.COAL.value] if board.storage_price > 0 else state.storage
    return CLEAN if wrong == 0 else 0


@rule
def negative_money(state: Any, board: Any) -> int:
    """No credit (R2.9, R3.8, R4.8)."""
    for seat in range(board.num_players):
        if state.money[seat] < 0:
            return seat
    return CLEAN


@rule
def too_many_plants(state: Any, board: Any) -> int:
    """Plants ascending and within the limit; one more while its scrap is due (R2.30)."""
    for seat in range(board.num_players):
        more = state.decision == Decision.SCRAP and state.player == seat
        if state.num_plants[seat] > board.plant_limit + int(more):
            return seat
        if not is_ascending(state.plants[seat], state.num_plants[seat]):
            return seat
    return CLEAN


@rule
def wrong_fuel_capacity(state: Any, board: Any) -> int:
    """The room for fuel is that of the plants (R3.3)."""
    for seat in range(MAX_PLAYERS):
        room = np.zeros(HYBRID_ROOM + 1, np.int64)
        for slot in range(state.num_plants[seat]):
            plant = state.plants[seat, slot]
            if board.plant_kind[plant] <= PlantKind.HYBRID:
                room[board.plant_kind[plant]] += 2 * board.plant_burn[plant]
        for kind in range(HYBRID_ROOM + 1):
            if room[kind] != state.fuel_capacity[seat, kind]:
                return seat
    return CLEAN


@rule
def unstorable_fuel(state: Any, board: Any) -> int:
    """The plants of a seat can hold its tokens (R3.4), but for those that it is asked to give up (R2.32)."""
    for seat in range(board.num_players):
        fuel = state.fuel[seat]
        coal, oil = int(fuel[Resource.COAL.value]), int(fuel[Resource.OIL.value])
        if state.decision == Decision.GIVE_UP and state.player == seat:
            coal, oil = 0, 0
        if not has_room(
            state, seat, coal, oil, int(fuel[Resource.GARBAGE.value]), int(fuel[Resource.URANIUM.value])
        ):
            return seat
    return CLEAN


@rule
def uranium_flowing(state: Any, board: Any) -> int:
    """Whoever owns the plant that stops the uranium has stopped it (RM.1)."""
    if board.uranium_stop == NO_PLANT:
        return 0 if state.uranium_stopped else CLEAN
    for seat in range(board.num_players):
        for slot in range(state.num_plants[seat]):
            if state.plants[seat, slot] == board.uranium_stop and not state.uranium_stopped:
                return seat
    return CLEAN


# ----------------------------------------------------------------------------------------------- houses


@rule
def wrong_house(state: Any, board: Any) -> int:
    """Houses stand in the zone (R4.7), of seats and a Trust that play, the Trust's never at 20 (RT.7)."""
    for city in range(MAX_CITIES):
        for space in range(NUM_SPACES):
            owner = state.city_spaces[city, space]
            if owner == NOBODY:
                continue
            if city >= board.num_cities or not board.in_zone[state.zone, city]:
                return city
            if owner == TRUST:
                if not board.trust or space == TWENTY:
                    return city
            elif owner < 0 or owner >= board.num_players:
                return city
    return CLEAN


@rule
def second_house(state: Any, board: Any) -> int:
    """At most one house of a player in a city (R4.5)."""
    for city in range(board.num_cities):
        ten, fifteen, twenty = state.city_spaces[city]
        if (ten != NOBODY and ten in (fifteen, twenty)) or (fifteen != NOBODY and fifteen == twenty):
            return city
    return CLEAN


@rule
def house_on_closed_space(state: Any, board: Any) -> int:
    """Players build on the lowest free space open in the Step (R4.3, R4.4)."""
    for city in range(board.num_cities):
        for space in range(NUM_SPACES):
            owner = state.city_spaces[city, space]
            if owner != NOBODY and owner != TRUST:
                if space >= state.step_number or (space > 0 and state.city_spaces[city, space - 1] == NOBODY):
                    return city
    return CLEAN


@rule
def wrong_network_size(state: Any, board: Any) -> int:
    """The number of cities is counted right and within the cap (R4.10)."""
    for seat in range(board.num_players):
        cities = 0
        for city in range(board.num_cities):
            cities += int(has_house(state, seat, city))
        if cities != state.num_cities[seat] or cities > board.house_cap:
            return seat
    return CLEAN


@rule
def wrong_connection_cost(state: Any, board: Any) -> int:
    """Every connection cost is that of the cheapest way from the network (R4.3)."""
    cost = np.zeros(MAX_CITIES, np.int16)
    for seat in range(MAX_PLAYERS):
        cost[:] = NO_PATH
        for city in range(board.num_cities):
            if seat < board.num_players and has_house(state, seat, city):
                for other in range(board.num_cities):
                    cost[other] = min(cost[other], board.zone_cost[state.zone, city, other])
        for city in range(MAX_CITIES):
            if cost[city] != state.connection_cost[seat, city]:
                return seat
    return CLEAN


@rule
def wrong_marker(state: Any, board: Any) -> int:
    """Start markers lie in the zone, in cities without a player's house, one of each seat at most (RS.1)."""
    seen = np.zeros(MAX_PLAYERS, np.uint8)
    for city in range(MAX_CITIES):
        seat = int(state.start_markers[city])
        if seat == NOBODY:
            continue
        if not board.start_cities or city >= board.num_cities or not board.in_zone[state.zone, city]:
            return city
        if seat < 0 or seat >= board.num_players or seen[seat] or state.city_spaces[city, TEN] != NOBODY:
            return city
        seen[seat] = 1
    return CLEAN


# ------------------------------------------------------------------------------------------------ Trust


@rule
def wrong_trust_houses(state: Any, board: Any) -> int:
    """The Trust's houses on the board and in its supply are all it has (RT.1)."""
    houses = int(state.trust_houses)
    for city in range(board.num_cities):
        for space in range(NUM_SPACES):
            houses += int(state.city_spaces[city, space] == TRUST)
    right = houses == (board.trust_houses if board.trust else 0) and state.trust_houses >= 0
    return CLEAN if right else 0


@rule
def wrong_trust_plants(state: Any, board: Any) -> int:
    """At most three plants of the Trust, ascending (RT.1, RT.13); none where it does not play."""
    most = TRUST_PLANT_LIMIT if board.trust else 0
    right = state.trust_num_plants <= most and is_ascending(state.trust_plants, state.trust_num_plants)
    return CLEAN if right else 0


@rule
def wrong_trust_fuel(state: Any, board: Any) -> int:
    """From phase 3 to 5 the Trust has tokens for one run of its plants, else none (RT.16, RT.23)."""
    room = np.zeros(HYBRID_ROOM + 1, np.int64)
    if state.phase >= Phase.RESOURCES:
        for slot in range(state.trust_num_plants):
            plant = state.trust_plants[slot]
            if board.plant_kind[plant] <= PlantKind.HYBRID:
                room[board.plant_kind[plant]] += board.plant_burn[plant]
    for resource in range(Resource.GARBAGE, Resource.URANIUM + 1):
        if state.trust_fuel[resource] > room[resource]:
            return resource
    coal = max(0, state.trust_fuel[Resource.COAL.value] - room[Resource.COAL.value])
    oil = max(0, state.trust_fuel[Resource.OIL.value] - room[Resource.OIL.value])
    return CLEAN if coal + oil <= room[HYBRID_ROOM] else 0
