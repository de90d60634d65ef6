"""The last round, solved: the plant, the fuel and the cities that supply most with the cash at hand (R7.2).

Sets of plants, the plant to be scrapped, the tokens and the cities (`growth.fill_cheapest`) are searched in full. What is
left open: rivals who act before oneself may change prices, tokens without room go by `production.give_up_action`, more
than MAX_PLAN cities are not planned, and a player without any city begins where `network.first_city` says.
"""

from typing import Any

from agents.scripted.fuel import UNAVAILABLE, needs_of_plant, needs_of_run, purchase_for
from agents.scripted.production import capacity
from powergrid_env._jit import rule
from powergrid_env.constants import NO_PLANT, NOBODY, Decision
from powergrid_env.rules.auction import minimum_bid
from powergrid_env.rules.facts import cities_of_plants
from powergrid_env.rules.plant_market import num_current


@rule
def num_useful(state: Any, board: Any, player: int) -> int:
    """New cities that could be of use at the decision asked, if they could be paid."""
    cities = capacity(state, board, player)
    if state.decision == Decision.CHOOSE:
        most = 0
        for place in range(num_current(state)):
            most = max(most, int(board.plant_cities[state.market[place]]))
        cities += most
    elif state.decision == Decision.BID:
        cities += 1
    elif state.decision == Decision.BUILD:
        cities = max(cities, int(board.end_cities))
    return cities - int(state.num_cities[player])


@rule
def run_with(state: Any, board: Any, player: int, run: int, plant: int) -> tuple[int, int]:
    """Cities and price of the missing fuel for a set of the plants owned and one more (NO_PLANT for none)."""
    need = needs_of_run(state, board, player, run)
    cities = cities_of_plants(state, board, player, run)
    if plant != NO_PLANT:
        more = needs_of_plant(board, plant)
        need = (need[0] + more[0], need[1] + more[1], need[2] + more[2], need[3] + more[3], need[4] + more[4])
        cities += int(board.plant_cities[plant])
    return cities, purchase_for(state, board, player, need)[0]


@rule
def is_kept(state: Any, board: Any, player: int, run: int, plant: int) -> bool:
    """Are the plants of a set still there once `plant` is bought (R2.30): is one left out if one has to go?"""
    owned = int(state.num_plants[player])
    return plant == NO_PLANT or owned < board.plant_limit or run != (1 << owned) - 1


@rule
def best_supply(
    state: Any, board: Any, player: int, plant: int, money: int, costs: Any, count: int
) -> tuple[int, int]:
    """Most cities supplied for `money` if the game ends after this round, and the least Elektro for that many.

    `plant` is one more plant, already paid, or NO_PLANT; `costs` and `count` are a plan of `growth.fill_cheapest`.
    """
    network = int(state.num_cities[player])
    best, least = -1, 0
    for run in range(1 << int(state.num_plants[player])):
        if not is_kept(state, board, player, run, plant):
            continue
        cities, fuel = run_with(state, board, player, run, plant)
        if fuel >= UNAVAILABLE or fuel > money:
            continue
        new = 0
        while new < count and network + new < cities and fuel + costs[new + 1] <= money:
            new += 1
        supplied = min(cities, network + new)
        if supplied > best or (supplied == best and fuel + costs[new] < least):
            best, least = supplied, fuel + int(costs[new])
    return best, least


@rule
def cost_to_supply(
    state: Any, board: Any, player: int, plant: int, wanted: int, costs: Any, count: int
) -> int:
    """Least Elektro for fuel and cities to supply `wanted` cities with one more plant; UNAVAILABLE if it cannot be done."""
    new = max(0, wanted - int(state.num_cities[player]))
    least = UNAVAILABLE
    if new > count:
        return least
    for run in range(1 << int(state.num_plants[player])):
        if is_kept(state, board, player, run, plant):
            cities, fuel = run_with(state, board, player, run, plant)
            if cities >= wanted:
                least = min(least, fuel + int(costs[new]))
    return least


@rule
def bid_limit(state: Any, board: Any, player: int, plant: int, costs: Any, count: int) -> int:
    """Highest price for a plant at which it still supplies a city more at the end than going without it, else 0."""
    money = int(state.money[player])
    wanted = 1 + best_supply(state, board, player, NO_PLANT, money, costs, count)[0]
    return max(0, money - cost_to_supply(state, board, player, plant, wanted, costs, count))


@rule
def place_to_nominate(state: Any, board: Any, player: int, costs: Any, count: int) -> int:
    """Place of the plant that at its minimum bid supplies most, then leaves most money; NOBODY to buy none."""
    money = int(state.money[player])
    supplied, spent = best_supply(state, board, player, NO_PLANT, money, costs, count)
    best, best_score = NOBODY, supplied * 10000 - spent
    for place in range(num_current(state)):
        plant = int(state.market[place])
        price = minimum_bid(state, plant)
        if price <= money:
            supplied, spent = best_supply(state, board, player, plant, money - price, costs, count)
            score = supplied * 10000 - spent - price
            if score > best_score:
                best, best_score = place, score
    return best


@rule
def run_to_plan(state: Any, board: Any, player: int, costs: Any, count: int) -> int:
    """The set of plants owned that supplies most, then leaves most money; while one has to go (R2.30), it is left out."""
    money, network, owned = (
        int(state.money[player]),
        int(state.num_cities[player]),
        int(state.num_plants[player]),
    )
    stays = 0  # bits of what cannot be left out
    for slot in range(owned):
        if owned > board.plant_limit and state.plants[player, slot] == state.new_plant:
            stays = 1 << slot
    best_run, best_score = 0, -(10**9)
    for run in range(1 << owned):
        cities, fuel = run_with(state, board, player, run, NO_PLANT)
        is_too_many = owned > board.plant_limit and (run | stays) == (1 << owned) - 1
        if is_too_many or fuel >= UNAVAILABLE or fuel > money:
            continue
        new = 0
        while new < count and network + new < cities and fuel + costs[new + 1] <= money:
            new += 1
        score = min(cities, network + new) * 10000 - fuel - int(costs[new])
        if score > best_score:
            best_run, best_score = run, score
    return best_run


@rule
def fuel_to_buy(
    state: Any, board: Any, player: int, costs: Any, count: int
) -> tuple[int, int, int, int, int]:
    """The purchase of the plan that supplies most for the least, as `fuel.purchase_for` gives it."""
    run = run_to_plan(state, board, player, costs, count)
    return purchase_for(state, board, player, needs_of_run(state, board, player, run))
