"""Buying fuel: what the plants will run with this round, and some for the next where it is cheap."""

from typing import Any

from agents.scripted.fuel import UNAVAILABLE, buy_action, buy_purchase, needs_of_run, purchase_for
from agents.scripted.network import fill_growth
from agents.scripted.production import capacity, income, token_worth
from agents.scripted.settings import HOARD, OVERBUILD, RESERVE
from powergrid_env._jit import rule
from powergrid_env.constants import NUM_RESOURCES, PASS, PlantKind, Resource
from powergrid_env.rules.facts import cities_of_plants

CITY_WORTH = 4.0  # Elektro of later income for which a city is preferred to fuel


@rule
def plan(state: Any, board: Any, player: int, costs: Any, count: int) -> tuple[int, int]:
    """The set of plants to run this round and the new cities to build, by income less fuel.

    `costs` and `count` are a plan of `network.fill_growth`.
    """
    money, network = int(state.money[player]), int(state.num_cities[player])
    best_run, best_new, best_score = 0, 0, -1e9
    for run in range(1 << int(state.num_plants[player])):
        fuel = purchase_for(state, board, player, needs_of_run(state, board, player, run))[0]
        if fuel >= UNAVAILABLE or fuel > money:
            continue
        new = 0
        while new < count and fuel + costs[new + 1] <= money:
            new += 1
        supplied = min(cities_of_plants(state, board, player, run), network + new)
        score = income(board, supplied) - fuel + CITY_WORTH * new
        if score > best_score:
            best_run, best_new, best_score = run, new, score
    return best_run, best_new


@rule
def demand(state: Any, board: Any, resource: int) -> float:
    """Tokens of a resource that the plants of all players burn in a round, hybrids counted half."""
    tokens = 0.0
    for player in range(board.num_players):
        for slot in range(state.num_plants[player]):
            plant = int(state.plants[player, slot])
            if board.plant_kind[plant] == resource:
                tokens += board.plant_burn[plant]
            elif board.plant_kind[plant] == PlantKind.HYBRID and resource <= Resource.OIL:
                tokens += board.plant_burn[plant] / 2
    return tokens


@rule
def price_next_round(state: Any, board: Any, resource: int) -> float:
    """Price to expect for a token next round: half of the demand of this and of the next round are met by then."""
    step = int(state.step_number) - 1
    resupply = int(board.resupply[step, resource])
    if resource == Resource.URANIUM and state.uranium_stopped:
        resupply = 0
    left = int(state.track[resource] + resupply - demand(state, board, resource))
    return float(board.price[resource, max(1, min(left, int(board.tokens[resource])))])


@rule
def hoard(state: Any, board: Any, player: int, settings: Any, spare: int) -> int:
    """Buy one token to be stored, where it is cheaper now than next round; PASS where none is."""
    for resource in range(NUM_RESOURCES):
        price = token_worth(state, board, resource)
        if price <= spare and price < settings[HOARD] * price_next_round(state, board, resource):
            action = buy_action(state, board, resource, 1)
            if action != PASS:
                return action
    return PASS


@rule
def buy(state: Any, board: Any, player: int, settings: Any, costs: Any) -> int:
    """The next purchase, PASS when all is bought."""
    money, network = int(state.money[player]), int(state.num_cities[player])
    wanted = capacity(state, board, player) + int(settings[OVERBUILD]) - network
    count, _ = fill_growth(state, board, player, money, wanted, costs)
    run, new = plan(state, board, player, costs, count)
    action = buy_purchase(
        state, board, purchase_for(state, board, player, needs_of_run(state, board, player, run))
    )
    if action != PASS:
        return action
    return hoard(state, board, player, settings, money - int(costs[new]) - int(settings[RESERVE]))
