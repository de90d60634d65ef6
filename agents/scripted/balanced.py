"""`balanced`: plants by their worth, fuel for what it will supply, cities it can supply, and a solved last round."""

from typing import Any, ClassVar

import numpy as np

from agents.scripted import endgame, outlook, stock, valuation
from agents.scripted.base import Parameter, ScriptedAgent
from agents.scripted.fuel import buy_purchase
from agents.scripted.growth import fill_cheapest
from agents.scripted.network import MAX_PLAN, build_action, city_to_mark, fill_growth
from agents.scripted.production import (
    best_mix,
    best_run,
    capacity,
    fuelled_capacity,
    give_up_action,
    scrap_place,
)
from agents.scripted.settings import GREED, OVERBUILD, PARAMETERS, RESERVE, SPOIL, STALL
from powergrid_env._jit import rule
from powergrid_env.constants import FIRST_BID, FIRST_NOMINATE, NOBODY, PASS, Decision, Step
from powergrid_env.rules.auction import can_afford_any, least_bid, minimum_bid
from powergrid_env.rules.facts import largest_network
from powergrid_env.rules.plant_market import num_current

FUEL_WHEN_RUNNING = 0.7  # tokens kept are bought again only in part


@rule
def next_city_price(state: Any, board: Any, player: int, costs: Any) -> int:
    """Price of the cheapest city, 0 where none can be built or paid."""
    count, _ = fill_growth(state, board, player, int(state.money[player]), 1, costs)
    return int(costs[count])


@rule
def choose(state: Any, board: Any, settings: Any, costs: Any) -> int:
    """Nominate the plant with the highest surplus over its minimum bid, or pass where none has any."""
    player = int(state.player)
    next_city = next_city_price(state, board, player, costs)
    best, best_surplus = PASS, 0.0
    if state.round_number == 1 and can_afford_any(state):  # R2.4: the least bad one
        best_surplus = -1e9
    for place in range(num_current(state)):
        plant = int(state.market[place])
        price = minimum_bid(state, plant)
        if price > state.money[player]:
            continue
        value = settings[GREED] * valuation.worth(state, board, player, plant, settings)
        spare = int(state.money[player]) - valuation.needed_after(
            state, board, player, plant, settings, next_city
        )
        surplus = min(value, float(spare)) - price
        if surplus > best_surplus:
            best, best_surplus = FIRST_NOMINATE + place, surplus
    return best


@rule
def own_limit(state: Any, board: Any, player: int, settings: Any, costs: Any) -> float:
    """Most that a player bids for the plant under the hammer."""
    plant = int(state.auction_plant)
    next_city = next_city_price(state, board, player, costs)
    return valuation.bid_limit(state, board, player, plant, settings, next_city)


@rule
def bid(state: Any, board: Any, settings: Any, costs: Any) -> int:
    """Raise by the least amount up to the limit; with `spoil`, also what another would pay more for."""
    player, price = int(state.player), least_bid(state)
    if price <= own_limit(state, board, player, settings, costs):
        return FIRST_BID
    if settings[SPOIL] > 0 and not board.hidden_money:
        theirs = own_limit(state, board, int(state.auction_bidder), settings, costs)
        if price < settings[SPOIL] * theirs - 1:
            return FIRST_BID
    return PASS


@rule
def wants_to_wait(state: Any, board: Any, player: int, settings: Any) -> bool:
    """Would the next city start Step 2 before one has the money for it (setting `stall`)?"""
    if state.step_number != Step.ONE or largest_network(state, board) >= board.step2_cities:
        return False
    return state.num_cities[player] + 1 == board.step2_cities and state.money[player] < 100 * settings[STALL]


@rule
def build(state: Any, board: Any, settings: Any, costs: Any, firsts: Any, count: int) -> int:
    """Build what can be supplied, some more where money is plenty, and end the game only to win it.

    `costs`, `firsts` and `count` are a plan as `growth.fill_cheapest` makes it.
    """
    player = int(state.player)
    money, cities, end = int(state.money[player]), int(state.num_cities[player]), int(board.end_cities)
    fuelled = fuelled_capacity(state, board, player)
    if largest_network(state, board) >= end:
        return build_action(state, board, int(firsts[min(count, max(0, fuelled - cities))]))
    if cities + count >= end:
        new = max(end, min(fuelled, cities + count)) - cities
        supplied = min(fuelled, cities + new)
        if outlook.beats_all(state, board, player, supplied, money - int(costs[new])):
            return build_action(state, board, int(firsts[new]))
        if cities + 1 >= end:
            return PASS
    if count == 0 or wants_to_wait(state, board, player, settings):
        return PASS
    if cities < fuelled:
        return build_action(state, board, int(firsts[min(count, fuelled - cities, end - 1 - cities)]))
    if (
        cities < capacity(state, board, player) + settings[OVERBUILD]
        and money - costs[1] >= settings[RESERVE]
    ):
        return build_action(state, board, int(firsts[1]))
    return PASS


@rule
def decide_spending(state: Any, board: Any, settings: Any) -> int:
    """The answer to a decision about plants, fuel or cities."""
    player, decision = int(state.player), int(state.decision)
    if decision == Decision.BID:
        if state.auction_bidder == NOBODY:
            return FIRST_BID
        if least_bid(state) > state.money[player]:
            return PASS
    costs, firsts = np.empty(MAX_PLAN + 1, np.int64), np.empty(MAX_PLAN + 1, np.int64)
    count = 0
    if outlook.may_be_last_round(state, board, player):
        useful = endgame.num_useful(state, board, player)
        count = fill_cheapest(state, board, player, int(state.money[player]), useful, costs, firsts)
        if decision == Decision.CHOOSE:
            place = endgame.place_to_nominate(state, board, player, costs, count)
            return PASS if place == NOBODY else FIRST_NOMINATE + place
        if decision == Decision.BID:
            limit = endgame.bid_limit(state, board, player, int(state.auction_plant), costs, count)
            return FIRST_BID if least_bid(state) <= limit else PASS
        if decision == Decision.SCRAP:
            kept = endgame.run_to_plan(state, board, player, costs, count)
            return int(board.first_scrap) + scrap_place(state, board, player, kept)
        if decision == Decision.BUY:
            return buy_purchase(state, board, endgame.fuel_to_buy(state, board, player, costs, count))
    elif decision == Decision.CHOOSE:
        return choose(state, board, settings, costs)
    elif decision == Decision.BID:
        return bid(state, board, settings, costs)
    elif decision == Decision.SCRAP:
        return int(board.first_scrap) + scrap_place(state, board, player, 0)
    elif decision == Decision.BUY:
        return stock.buy(state, board, player, settings, costs)
    else:
        count, first = fill_growth(state, board, player, int(state.money[player]), MAX_PLAN, costs)
        firsts[0] = NOBODY
        for number in range(1, count + 1):
            firsts[number] = first
    return build(state, board, settings, costs, firsts, count)


@rule
def decide(state: Any, board: Any, settings: Any) -> int:
    """The answer to the decision asked."""
    if state.decision == Decision.RUN:
        return int(board.first_run) + best_run(state, board, int(state.player), FUEL_WHEN_RUNNING)
    if state.decision == Decision.BURN:
        return int(board.first_burn) + best_mix(state, board, int(state.player))
    if state.decision == Decision.GIVE_UP:
        return give_up_action(state, board)
    if state.decision == Decision.MARK or state.decision == Decision.PLACE:
        return city_to_mark(state, board)
    return decide_spending(state, board, settings)


@rule(seconds=30)
def act_all(states: Any, boards: Any, lanes: Any, settings: Any, word: int, actions: Any) -> None:
    """Decide in every lane."""
    for index in range(len(lanes)):
        actions[index] = decide(states[lanes[index]], boards[0], settings)


class BalancedAgent(ScriptedAgent):
    """Plays for the end without neglecting the round: the yardstick of the ladder."""

    bot = "balanced"
    parameters: ClassVar[tuple[Parameter, ...]] = PARAMETERS
    act_all = act_all
