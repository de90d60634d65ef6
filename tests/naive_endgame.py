"""The last round in slow, plain words: every plant, scrap, set of plants run, token and set of cities is tried (R7.2)."""

from dataclasses import dataclass
from itertools import combinations

from powergrid_env.constants import PlantKind, Resource

Plant = tuple[int, int, int]
"""Kind, tokens burnt per run, cities supplied."""


@dataclass(frozen=True)
class LastRound:
    """What a player has and can buy.

    Attributes:
        money: Elektro owned.
        plants: those owned, at most `plant_limit`.
        fuel: coal, oil, garbage, uranium owned.
        token_prices: of each of the four, the prices of the tokens for sale, cheapest first.
        network: number of cities owned.
        spaces: price of the space in each city that can be built.
        links: price of the connection from the network to each of them, without other new cities.
        between: prices of the connections between them.
    """

    money: int
    plants: tuple[Plant, ...]
    plant_limit: int
    fuel: tuple[int, ...]
    token_prices: tuple[tuple[int, ...], ...]
    network: int
    spaces: dict[int, int]
    links: dict[int, int]
    between: dict[tuple[int, int], int]


def city_costs(game, most):
    """Least price of 0, 1, ... new cities, `most` at most and as far as money reaches: all sets, in every order."""
    sets, costs = {frozenset(): 0}, [0]
    for _ in range(most):
        larger = {}
        for owned, spent in sets.items():
            for city, space in game.spaces.items():
                if city not in owned:
                    link = min([game.links[city], *(game.between[other, city] for other in owned)])
                    price, joined = spent + space + link, owned | {city}
                    if price <= game.money and price < larger.get(joined, game.money + 1):
                        larger[joined] = price
        if not larger:
            break
        costs.append(min(larger.values()))
        sets = larger
    return costs


def fuel_cost(game, run):
    """Least price of the tokens missing for a run, None when they cannot be bought; hybrids' coal and oil in every mix."""
    need = [sum(burn for kind, burn, _ in run if kind == resource) for resource in Resource]
    mixed = sum(burn for kind, burn, _ in run if kind == PlantKind.HYBRID)
    prices = []
    for coal in range(mixed + 1):
        wanted = [need[0] + coal, need[1] + mixed - coal, need[2], need[3]]
        missing = [max(0, tokens - owned) for tokens, owned in zip(wanted, game.fuel, strict=True)]
        if all(tokens <= len(row) for tokens, row in zip(missing, game.token_prices, strict=True)):
            prices.append(
                sum(sum(row[:tokens]) for tokens, row in zip(missing, game.token_prices, strict=True))
            )
    return min(prices, default=None)


def runs(game, bought):
    """Cities and price of the tokens of everything that could run, once `bought` is there and one too many is scrapped."""
    kept = [game.plants]
    if bought is not None:
        room = game.plant_limit - 1
        kept = [(*rest, bought) for rest in combinations(game.plants, min(room, len(game.plants)))]
    found = set()
    for plants in kept:
        for size in range(len(plants) + 1):
            for run in combinations(plants, size):
                price = fuel_cost(game, run)
                if price is not None:
                    found.add((sum(cities for _, _, cities in run), price))
    return found


def best_supply(game, costs, bought=None, price=0):
    """Most cities supplied when `bought` costs `price`, and the least Elektro for tokens and cities."""
    plans = [
        (-min(cities, game.network + new), fuel + cost)
        for cities, fuel in runs(game, bought)
        for new, cost in enumerate(costs)
        if fuel + cost <= game.money - price
    ]
    supplied, spent = min(plans)
    return -supplied, spent


def bid_limit(game, costs, plant):
    """Highest price at which a plant supplies a city more than none does, 0 when there is none."""
    supplied, _ = best_supply(game, costs)
    left = [
        game.money - fuel - cost
        for cities, fuel in runs(game, plant)
        for new, cost in enumerate(costs)
        if min(cities, game.network + new) > supplied
    ]
    return max([0, *left])
