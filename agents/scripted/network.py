"""The network: prices of cities for a player, the cheapest way to grow, and where to begin."""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import MAX_CITIES, NO_PATH, NOBODY, PASS, Decision, Phase, Step
from powergrid_env.engine import verify
from powergrid_env.reasons import Reason
from powergrid_env.rules.building import may_start_by_marker
from powergrid_env.rules.facts import has_house, is_empty, lowest_open_space, may_start_in

MAX_PLAN = 10  # cities that are planned ahead at most
START_CLUSTER = 7  # cities by which a place to begin is judged
CROWD = 3  # Elektro that each house in the neighbourhood of a first city counts against it


@rule
def space_price(state: Any, board: Any, player: int, city: int) -> int:
    """Price of the space that the player would take in a city, NO_PATH where the player cannot build now."""
    if not board.in_zone[state.zone, city] or has_house(state, player, city):
        return NO_PATH
    if state.step_number == Step.ONE and state.start_markers[city] != NOBODY:  # RS.3
        return NO_PATH
    space = lowest_open_space(state, city)
    return NO_PATH if space == NOBODY else int(board.space_price[space])


@rule
def fill_growth(state: Any, board: Any, player: int, money: int, most: int, costs: Any) -> tuple[int, int]:
    """Plan the cities that join a network one after the other, the cheapest next one each time (R4.3, R4.6).

    At most `money` Elektro are spent, for at most `most` cities. `costs` `(MAX_PLAN + 1,)` int64 is filled: `costs[k]` is
    the price of the first `k` cities.

    Returns:
        how many cities the plan has, and the first of them (NOBODY for an empty plan).
    """
    costs[0] = 0
    first = NOBODY
    most = min(int(most), MAX_PLAN, int(board.house_cap) - int(state.num_cities[player]))
    if most <= 0:
        return 0, first
    prices = np.empty(MAX_CITIES, np.int64)
    links = np.empty(MAX_CITIES, np.int64)
    num_cities = int(board.num_cities)
    for city in range(num_cities):
        prices[city] = space_price(state, board, player, city)
        links[city] = int(state.connection_cost[player, city])
    count, spent = 0, 0
    if state.num_cities[player] == 0:
        first = first_city(state, board, player)
        if first == NOBODY:
            return 0, first
        space = lowest_open_space(state, first)
        spent = int(board.space_price[space])
        if spent > money:
            return 0, NOBODY
        count = 1
        costs[1] = spent
        prices[first] = NO_PATH
        for city in range(num_cities):
            links[city] = int(board.zone_cost[state.zone, first, city])
    while count < most:
        best, best_price = NOBODY, money - spent + 1
        for city in range(num_cities):
            price = prices[city] + links[city]
            if price < best_price:
                best, best_price = city, price
        if best == NOBODY:
            break
        if count == 0:
            first = best
        count += 1
        spent += best_price
        costs[count] = spent
        prices[best] = NO_PATH
        for city in range(num_cities):
            links[city] = min(links[city], int(board.zone_cost[state.zone, best, city]))
    return count, first


@rule
def can_start_in(state: Any, board: Any, player: int, city: int) -> bool:
    """May the player begin a network in a city, money aside (R4.2, R4.4, RS.2)?"""
    if not board.in_zone[state.zone, city] or lowest_open_space(state, city) == NOBODY:
        return False
    return may_start_in(state, board, city) and may_start_by_marker(state, board, player, city)


@rule
def cluster_cost(state: Any, board: Any, player: int, start: int) -> int:
    """Elektro to join the nearest empty cities to a city, and something for every house that stands among them."""
    links = np.empty(MAX_CITIES, np.int64)
    num_cities = int(board.num_cities)
    for city in range(num_cities):
        links[city] = int(board.zone_cost[state.zone, start, city])
    links[start] = NO_PATH
    cost = 0
    for _ in range(START_CLUSTER - 1):
        best, best_link = NOBODY, NO_PATH
        for city in range(num_cities):
            if links[city] < best_link:
                best, best_link = city, links[city]
        if best == NOBODY:
            break
        if is_empty(state, best):
            cost += best_link
        else:
            cost += best_link + CROWD
        links[best] = NO_PATH
        for city in range(num_cities):
            if links[city] != NO_PATH:
                links[city] = min(links[city], int(board.zone_cost[state.zone, best, city]))
    return cost


@rule
def first_city(state: Any, board: Any, player: int) -> int:
    """The city to begin in: the cheapest neighbourhood; NOBODY when no city is open."""
    best, best_cost = NOBODY, 10**9
    for city in range(board.num_cities):
        if can_start_in(state, board, player, city):
            cost = cluster_cost(state, board, player, city)
            cost += int(board.space_price[lowest_open_space(state, city)])
            if cost < best_cost:
                best, best_cost = city, cost
    return best


@rule
def city_to_mark(state: Any, board: Any) -> int:
    """Action for a start marker (RS.1) or a Trust house (RT.4).

    One's own marker goes where the neighbourhood is cheapest, the Trust, which closes cities, where it is dearest.
    """
    sign = 1 if state.decision == Decision.MARK else -1
    best, best_cost = PASS, 10**9
    for city in range(board.num_cities):
        action = int(board.first_city) + city
        if verify(state, board, action) == Reason.LEGAL:
            cost = sign * cluster_cost(state, board, int(state.player), city)
            if cost < best_cost:
                best, best_cost = action, cost
    return best


@rule
def build_action(state: Any, board: Any, city: int) -> int:
    """Row that connects a city when that is legal now, else PASS."""
    action = int(board.first_city) + int(city)
    if city == NOBODY or state.phase != Phase.BUILDING or verify(state, board, action) != Reason.LEGAL:
        return PASS
    return action
