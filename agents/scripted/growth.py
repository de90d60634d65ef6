"""The cheapest way to grow, exactly: of all sets of so many cities, the one that costs least to join (R4.3, R4.6).

A set costs the spaces of its cities and the shortest tree of cheapest connections that joins them to the network; to build
in the order in which Prim's algorithm joins them costs just that. `network.fill_growth` takes the cheapest next city each
time and so misses cities that are cheap only behind a dear one. Here all sets are searched, depth first, with its plan as
the one to beat. Cities join in Prim's order, and those passed by are left out below, so that no set comes twice. A branch
ends when no number of cities can be had for less, each further city counted as if its cheapest neighbour were there.

In 4,000 decisions of rounds that may be the last (2 to 6 players, both boards) the plan of `fill_growth` supplies a city
less in 2 %, and as many for 4.6 Elektro more on average in 16 %. The search takes some microseconds there, and no more than
4,000 steps. It has no cap: with 400 Elektro for ten cities of a large zone it takes 4 ms on average and 30 ms at most.
"""

from typing import Any

import numpy as np

from agents.scripted.network import MAX_PLAN, fill_growth, space_price
from powergrid_env._jit import rule
from powergrid_env.constants import MAX_CITIES, NO_PATH, NOBODY

# Rows of the table that the search works on; the first three have an entry for each candidate, the next two for each
# number of cities. LINKS and those behind it, one for each depth, are what joins a candidate to network and chosen cities.
CITY, PRICE, TRIED, LEAST, SPENT, LINKS = range(6)


@rule
def fill_candidates(state: Any, board: Any, player: int, money: int, table: Any) -> int:
    """Cities that can be built, with their space prices and links to the network; returns how many."""
    size = 0
    for city in range(board.num_cities):
        price, link = space_price(state, board, player, city), int(state.connection_cost[player, city])
        if price + link < NO_PATH and price <= money:
            table[CITY, size], table[PRICE, size], table[TRIED, size] = city, price, 0
            table[LINKS, size] = link
            size += 1
    return size


@rule
def fill_least(state: Any, board: Any, size: int, most: int, table: Any) -> None:
    """Into row LEAST what so many cities cost at least: space and cheapest neighbour of each, the lowest sums."""
    for number in range(most + 1):
        table[LEAST, number] = 0 if number == 0 else NO_PATH
    for place in range(size):
        price = int(table[LINKS, place])
        for other in range(size):
            if other != place:
                price = min(price, int(board.zone_cost[state.zone, table[CITY, other], table[CITY, place]]))
        price += int(table[PRICE, place])
        for number in range(1, most + 1):  # sort in
            if price < table[LEAST, number]:
                price, table[LEAST, number] = int(table[LEAST, number]), price
    for number in range(most):
        table[LEAST, number + 1] += table[LEAST, number]


@rule
def next_to_try(table: Any, size: int, depth: int, most: int, costs: Any) -> int:
    """Place of the untried city with the shortest link; NOBODY when none leads to a price below those in `costs`."""
    best, shortest, price = NOBODY, NO_PATH, NO_PATH
    for place in range(size):
        if table[TRIED, place] == 0:
            link = int(table[LINKS + depth, place])
            price = min(price, link + int(table[PRICE, place]))
            if link < shortest:
                best, shortest = place, link
    for more in range(most - depth):  # beyond the next
        if table[SPENT, depth] + price + table[LEAST, more] < costs[depth + more + 1]:
            return best
    return NOBODY


@rule
def fill_cheapest(state: Any, board: Any, player: int, money: int, most: int, costs: Any, firsts: Any) -> int:
    """Fill `costs[k]` with the price of the cheapest `k` cities, and `firsts[k]` with the one of them to build first.

    Both are `(MAX_PLAN + 1,)` int64. A player without a city gets the plan of `network.fill_growth`: where to begin is not
    searched.

    Returns:
        how many cities `money` Elektro reach for, `most` and MAX_PLAN at most.
    """
    count, first = fill_growth(state, board, player, money, most, costs)
    firsts[0] = NOBODY
    for number in range(1, MAX_PLAN + 1):
        firsts[number] = first
        if number > count:
            costs[number] = money + 1
    if count == 0 or most < 2 or state.num_cities[player] == 0:
        return count
    table = np.empty((LINKS + MAX_PLAN, MAX_CITIES), np.int64)
    size = fill_candidates(state, board, player, money, table)
    most = min(int(most), MAX_PLAN, int(board.house_cap) - int(state.num_cities[player]), size)
    fill_least(state, board, size, most, table)
    depth, root = 0, first
    table[SPENT, 0] = 0
    while depth >= 0:
        place = next_to_try(table, size, depth, most, costs)
        if place == NOBODY:  # back to the city chosen before, which is left out from now on
            for other in range(size):
                if table[TRIED, other] > depth:
                    table[TRIED, other] = 0
            depth -= 1
            continue
        if depth == 0:
            root = int(table[CITY, place])
        table[TRIED, place] = depth + 1
        spent = int(table[SPENT, depth] + table[LINKS + depth, place] + table[PRICE, place])
        if spent < costs[depth + 1]:
            costs[depth + 1], firsts[depth + 1] = spent, root
        if depth + 1 < most:
            for other in range(size):
                link = int(board.zone_cost[state.zone, table[CITY, place], table[CITY, other]])
                table[LINKS + depth + 1, other] = min(link, int(table[LINKS + depth, other]))
            depth += 1
            table[SPENT, depth] = spent
    while count < most and costs[count + 1] <= money:
        count += 1
    return count
