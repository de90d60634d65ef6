"""What a plant is worth to a player, and how much may be bid for it, in Elektro.

Worth is the income that it adds over the next rounds, cities growing at the usual pace, less the fuel it burns, plus
something for plants large enough to stay. A bid leaves fuel and the next city payable, and it does not exceed what the
best other plant on sale would make up for.
"""

from typing import Any

from agents.scripted.fuel import needs_of_run, purchase_for
from agents.scripted.outlook import PACE, rounds_left
from agents.scripted.production import capacity, fuel_worth, income, weakest_plant
from agents.scripted.settings import FUEL, GREED, KEEP, RESERVE
from powergrid_env._jit import rule
from powergrid_env.constants import NO_PLANT
from powergrid_env.rules.auction import minimum_bid
from powergrid_env.rules.plant_market import num_current

HORIZON = 4  # rounds after which one would have bought another plant anyway
PATIENCE = 0.9  # weight of income a round later
SMALL = 3  # cities of a plant that will not stay to the end
SECOND_BEST = 0.7  # part of the best other plant's surplus that one counts on


@rule
def leaving_plant(state: Any, board: Any, player: int) -> int:
    """The plant that a further one would push out, NO_PLANT while there is room (R2.30)."""
    if state.num_plants[player] < board.plant_limit:
        return NO_PLANT
    return int(state.plants[player, weakest_plant(state, board, player, 0)])


@rule
def share_run(cities: float, others: int, plant_cities: int) -> float:
    """Part of a plant's cities that is needed to supply `cities` after the others."""
    if plant_cities == 0:
        return 0.0
    return min(1.0, max(0.0, (cities - others) / plant_cities))


@rule
def income_between(board: Any, cities: float, old: int, new: int) -> float:
    """Income that capacity `new` brings above capacity `old` with so many cities, part cities included."""
    low, high = min(cities, float(old)), min(cities, float(new))
    return pay(board, high) - pay(board, low)


@rule
def pay(board: Any, cities: float) -> float:
    """Income, linear between whole cities."""
    whole = int(cities)
    low = income(board, whole)
    return low + (cities - whole) * (income(board, whole + 1) - low)


@rule
def worth(state: Any, board: Any, player: int, plant: int, settings: Any) -> float:
    """Elektro that owning the plant is worth to the player."""
    end = int(board.end_cities)
    old = capacity(state, board, player)
    left = leaving_plant(state, board, player)
    rest = old - (int(board.plant_cities[left]) if left != NO_PLANT else 0)
    cities = int(board.plant_cities[plant])
    new = rest + cities
    burnt = fuel_worth(state, board, plant)
    saved = fuel_worth(state, board, left) if left != NO_PLANT else 0
    rounds = rounds_left(state, board)
    total, weight = 0.0, 1.0
    network = float(state.num_cities[player])
    for _ in range(min(HORIZON, rounds - 1)):
        network = min(network + PACE, float(end))
        total += weight * income_between(board, network, old, new)
        fuel = burnt * share_run(network, rest, cities)
        if left != NO_PLANT:
            fuel -= saved * share_run(network, rest, old - rest)
        total -= weight * settings[FUEL] * fuel
        weight *= PATIENCE
    total += settings[KEEP] * max(0, cities - SMALL) * min(1.0, (min(new, end) - min(old, end)) / 2.0)
    return total


@rule
def surplus_elsewhere(state: Any, board: Any, player: int, plant: int, settings: Any) -> float:
    """What the best other plant on sale is worth above its minimum bid."""
    best = 0.0
    for place in range(num_current(state)):
        other = int(state.market[place])
        price = minimum_bid(state, other)
        if other != plant and price <= state.money[player]:
            best = max(best, settings[GREED] * worth(state, board, player, other, settings) - price)
    return best


@rule
def needed_after(state: Any, board: Any, player: int, plant: int, settings: Any, next_city: int) -> int:
    """Elektro that should be left once the plant is bought: fuel for what the network takes, the next city, the reserve."""
    need_cities = int(state.num_cities[player]) + 1
    have = int(board.plant_cities[plant])
    own = 0
    for slot in range(int(state.num_plants[player]) - 1, -1, -1):  # highest plants first
        if have < need_cities:
            own |= 1 << slot
            have += int(board.plant_cities[state.plants[player, slot]])
    fuel = purchase_for(state, board, player, needs_of_run(state, board, player, own))[0]
    return (
        int(settings[RESERVE])
        + next_city
        + min(fuel, int(state.money[player]))
        + fuel_worth(state, board, plant)
    )


@rule
def bid_limit(state: Any, board: Any, player: int, plant: int, settings: Any, next_city: int) -> float:
    """Most that the player would bid for the plant."""
    value = settings[GREED] * worth(state, board, player, plant, settings)
    value -= SECOND_BEST * surplus_elsewhere(state, board, player, plant, settings)
    spare = int(state.money[player]) - needed_after(state, board, player, plant, settings, next_city)
    return min(value, float(spare))
