"""Fuel: the tokens that a set of plants still needs for one run, and what they cost.

Needs and purchases are tuples of tokens: coal, oil, garbage, uranium, and for needs the hybrids' tokens, either kind.
"""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import MAX_BUY, NO_PATH, NOBODY, NUM_RESOURCES, PASS, PlantKind, Resource
from powergrid_env.reasons import Reason
from powergrid_env.rules import resources
from powergrid_env.rules.facts import fuel_price, num_for_sale_tokens

UNAVAILABLE = NO_PATH  # price of fuel that nobody sells


@rule
def needs_of_plant(board: Any, plant: int) -> tuple[int, int, int, int, int]:
    """Tokens of one run of a plant."""
    kind, burn = int(board.plant_kind[plant]), int(board.plant_burn[plant])
    return (
        burn if kind == PlantKind.COAL else 0,
        burn if kind == PlantKind.OIL else 0,
        burn if kind == PlantKind.GARBAGE else 0,
        burn if kind == PlantKind.URANIUM else 0,
        burn if kind == PlantKind.HYBRID else 0,
    )


@rule
def needs_of_run(state: Any, board: Any, player: int, run: int) -> tuple[int, int, int, int, int]:
    """Tokens of one run of a set of plants, bits over the owned ones."""
    coal = oil = garbage = uranium = mixed = 0
    for slot in range(state.num_plants[player]):
        if run >> slot & 1:
            need = needs_of_plant(board, int(state.plants[player, slot]))
            coal += need[0]
            oil += need[1]
            garbage += need[2]
            uranium += need[3]
            mixed += need[4]
    return coal, oil, garbage, uranium, mixed


@rule
def price_of(state: Any, board: Any, resource: int, amount: int) -> int:
    """Price of so many tokens, UNAVAILABLE when fewer are for sale."""
    if amount == 0:
        return 0
    if amount > num_for_sale_tokens(state, board, resource):
        return UNAVAILABLE
    return fuel_price(state, board, resource, amount)


@rule
def purchase_for(state: Any, board: Any, player: int, need: Any) -> tuple[int, int, int, int, int]:
    """The cheapest purchase that, with the tokens owned, covers a need.

    Returns:
        its price in Elektro (UNAVAILABLE or more when it cannot be had), then tokens of the four resources.
    """
    owned = state.fuel[player]
    coal = max(0, need[0] - int(owned[Resource.COAL.value]))
    oil = max(0, need[1] - int(owned[Resource.OIL.value]))
    garbage = max(0, need[2] - int(owned[Resource.GARBAGE.value]))
    uranium = max(0, need[3] - int(owned[Resource.URANIUM.value]))
    spare = max(0, int(owned[Resource.COAL.value]) - need[0]) + max(
        0, int(owned[Resource.OIL.value]) - need[1]
    )
    cost = price_of(state, board, Resource.GARBAGE.value, garbage) + price_of(
        state, board, Resource.URANIUM.value, uranium
    )
    coal_cost, oil_cost = (
        price_of(state, board, Resource.COAL.value, coal),
        price_of(state, board, Resource.OIL.value, oil),
    )
    for _ in range(need[4] - spare):  # the hybrids' tokens, one by one, of the cheaper kind
        with_coal = price_of(state, board, Resource.COAL.value, coal + 1)
        with_oil = price_of(state, board, Resource.OIL.value, oil + 1)
        if with_coal - coal_cost <= with_oil - oil_cost:
            coal, coal_cost = coal + 1, with_coal
        else:
            oil, oil_cost = oil + 1, with_oil
    return cost + coal_cost + oil_cost, coal, oil, garbage, uranium


@rule
def buy_action(state: Any, board: Any, resource: int, wanted: int) -> int:
    """Row that buys as many of `wanted` tokens as one action and the rules allow, PASS when none."""
    for amount in range(min(int(wanted), MAX_BUY), 0, -1):
        action = int(board.first_buy) + resource * MAX_BUY + amount - 1
        if resources.verify(state, board, action) == Reason.LEGAL:
            return action
    return PASS


@rule
def buy_purchase(state: Any, board: Any, purchase: Any) -> int:
    """First action of a purchase, dearest row first as it is the scarcest; PASS when all is bought."""
    best, dearest = PASS, NOBODY
    for resource in range(NUM_RESOURCES):
        wanted = purchase[resource + 1]
        if wanted > 0:
            action = buy_action(state, board, resource, wanted)
            price = fuel_price(state, board, resource, 1) if action != PASS else NOBODY
            if price > dearest:
                best, dearest = action, price
    return best
