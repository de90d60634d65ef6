"""Slow, plain restatements of what the rules compute cleverly: paths, fuel layouts, the largest supply."""

import heapq
from functools import cache

from powergrid_env.constants import NO_PATH, PlantKind, Resource

Plant = tuple[int, int, int]
"""Kind, tokens burnt per run, cities supplied."""


def connection_costs(board, zone, network):
    """Cheapest connection from a network to every city, by Dijkstra over the cities of the zone (R4.3, R4.7)."""
    inside = set(board.zones[zone])
    region = [board.regions[int(board.record.city_region[city])] for city in range(len(board.cities))]
    links = {city: [] for city in range(len(board.cities))}
    for a, b, cost in board.edges:
        if region[a] in inside and region[b] in inside:
            links[a].append((b, cost))
            links[b].append((a, cost))
    best = dict.fromkeys(network, 0)
    queue = [(0, city) for city in network]
    while queue:
        cost, city = heapq.heappop(queue)
        for other, price in links[city]:
            if cost + price < best.get(other, NO_PATH):
                best[other] = cost + price
                heapq.heappush(queue, (cost + price, other))
    return [best.get(city, NO_PATH) for city in range(len(board.cities))]


def hybrid_coal(plants, fuel, run):
    """Numbers of coal the hybrids of a run may burn, by laying out every token in every way (R5.4).

    Args:
        plants: the plants owned.
        fuel: coal, oil, garbage, uranium owned.
        run: indices of the plants run.
    """
    for resource in (Resource.GARBAGE, Resource.URANIUM):
        if sum(plants[slot][1] for slot in run if plants[slot][0] == resource) > fuel[resource]:
            return []

    @cache
    def can_lay_out(slot, coal, oil, hybrid_coal_left):
        if slot == len(plants):
            return coal == oil == hybrid_coal_left == 0
        kind, burn, _ = plants[slot]
        runs = slot in run
        if kind == PlantKind.COAL:
            return any(
                can_lay_out(slot + 1, coal - held, oil, hybrid_coal_left)
                for held in range(burn if runs else 0, min(coal, 2 * burn) + 1)
            )
        if kind == PlantKind.OIL:
            return any(
                can_lay_out(slot + 1, coal, oil - held, hybrid_coal_left)
                for held in range(burn if runs else 0, min(oil, 2 * burn) + 1)
            )
        if kind == PlantKind.HYBRID:
            return any(
                can_lay_out(slot + 1, coal - c, oil - o, hybrid_coal_left - burnt)
                for c in range(min(coal, 2 * burn) + 1)
                for o in range(min(oil, 2 * burn - c) + 1)
                for burnt in (range(burn + 1) if runs else (0,))
                if burnt <= hybrid_coal_left and (not runs or (c >= burnt and o >= burn - burnt))
            )
        return can_lay_out(slot + 1, coal, oil, hybrid_coal_left)

    mixed = sum(plants[slot][1] for slot in run if plants[slot][0] == PlantKind.HYBRID)
    return [coal for coal in range(mixed + 1) if can_lay_out(0, fuel[0], fuel[1], coal)]


def can_store(plants, fuel):
    """Can the plants hold the tokens at all, by trying every split of coal and oil (R3.3)?"""
    room = {kind: sum(2 * burn for owned, burn, _ in plants if owned == kind) for kind in PlantKind}
    return (
        fuel[2] <= room[PlantKind.GARBAGE]
        and fuel[3] <= room[PlantKind.URANIUM]
        and any(
            coal <= room[PlantKind.COAL]
            and oil <= room[PlantKind.OIL]
            and fuel[0] - coal + fuel[1] - oil <= room[PlantKind.HYBRID]
            for coal in range(fuel[0] + 1)
            for oil in range(fuel[1] + 1)
        )
    )


def largest_supply(plants, fuel, num_cities):
    """Most cities that can be supplied, over every set of plants (R7.2)."""
    best = 0
    for bits in range(1 << len(plants)):
        run = tuple(slot for slot in range(len(plants)) if bits >> slot & 1)
        if hybrid_coal(plants, fuel, run):
            best = max(best, min(num_cities, sum(plants[slot][2] for slot in run)))
    return best
