"""`face_value`: pays minimum bids only, and otherwise does the obvious.

It nominates what it can use, never bids above the minimum, buys fuel for one run and builds the cheapest city it can
supply, or any when it does not know what to do with its money.
"""

from typing import Any

import numpy as np

from agents.scripted.base import ScriptedAgent
from agents.scripted.fuel import UNAVAILABLE, buy_purchase, needs_of_run, purchase_for
from agents.scripted.network import MAX_PLAN, build_action, city_to_mark, fill_growth
from agents.scripted.production import (
    TINY,
    best_mix,
    best_run,
    fuelled_capacity,
    give_up_action,
    scrap_place,
    weakest_plant,
)
from powergrid_env._jit import rule
from powergrid_env.constants import FIRST_BID, FIRST_NOMINATE, NOBODY, PASS, Decision
from powergrid_env.rules.auction import can_afford_any, minimum_bid
from powergrid_env.rules.facts import cities_of_plants
from powergrid_env.rules.plant_market import num_current

PLENTY = 250  # Elektro with which a city is built that cannot be supplied, so that a game without fuel comes to an end


@rule
def gain(state: Any, board: Any, player: int, plant: int) -> int:
    """Cities by which a plant raises what the player can supply, the weakest plant leaving if it has to."""
    cities = int(board.plant_cities[plant])
    if state.num_plants[player] < board.plant_limit:
        return cities
    weakest = int(state.plants[player, weakest_plant(state, board, player, 0)])
    return cities - int(board.plant_cities[weakest])


@rule
def choose(state: Any, board: Any) -> int:
    """Nominate the affordable plant that helps most, if any does; a plant it must buy and cannot use is the cheapest."""
    player = int(state.player)
    best, best_gain = PASS, 0
    for place in range(num_current(state)):
        plant = int(state.market[place])
        price = minimum_bid(state, plant)
        helps = gain(state, board, player, plant)
        if price <= state.money[player] and helps > best_gain:
            best, best_gain = FIRST_NOMINATE + place, helps
    if best == PASS and state.round_number == 1 and can_afford_any(state):
        return FIRST_NOMINATE
    return best


@rule
def buy(state: Any, board: Any, player: int) -> int:
    """Fuel for one run of all plants, or of as many as money and market allow."""
    best, best_cities = 0, -1
    for run in range(1 << int(state.num_plants[player])):
        price = purchase_for(state, board, player, needs_of_run(state, board, player, run))[0]
        cities = cities_of_plants(state, board, player, run)
        if price < UNAVAILABLE and price <= state.money[player] and cities > best_cities:
            best, best_cities = run, cities
    return buy_purchase(
        state, board, purchase_for(state, board, player, needs_of_run(state, board, player, best))
    )


@rule
def decide(state: Any, board: Any) -> int:
    """The answer to the decision asked."""
    player = int(state.player)
    if state.decision == Decision.CHOOSE:
        return choose(state, board)
    if state.decision == Decision.BID:
        return FIRST_BID if state.auction_bidder == NOBODY else PASS
    if state.decision == Decision.SCRAP:
        return int(board.first_scrap) + scrap_place(state, board, player, 0)
    if state.decision == Decision.GIVE_UP:
        return give_up_action(state, board)
    if state.decision == Decision.BUY:
        return buy(state, board, player)
    if state.decision == Decision.BUILD:
        if (
            fuelled_capacity(state, board, player) <= state.num_cities[player]
            and state.money[player] < PLENTY
        ):
            return PASS
        costs = np.empty(MAX_PLAN + 1, np.int64)
        _, city = fill_growth(state, board, player, int(state.money[player]), 1, costs)
        return build_action(state, board, city)
    if state.decision == Decision.RUN:
        return int(board.first_run) + best_run(state, board, player, TINY)
    if state.decision == Decision.BURN:
        return int(board.first_burn) + best_mix(state, board, player)
    return city_to_mark(state, board)


@rule(seconds=20)
def act_all(states: Any, boards: Any, lanes: Any, settings: Any, word: int, actions: Any) -> None:
    """Decide in every lane."""
    for index in range(len(lanes)):
        actions[index] = decide(states[lanes[index]], boards[0])


class FaceValueAgent(ScriptedAgent):
    """Pays minimum bids only; takes no chances and no parameters."""

    bot = "face_value"
    act_all = act_all
