"""What plants do for their owner: which to run, which to scrap, which tokens to burn or to give up."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import MAX_INCOME_CITIES, NOBODY, NUM_RESOURCES, PASS, PlantKind, Resource
from powergrid_env.engine import verify
from powergrid_env.reasons import Reason
from powergrid_env.rules.facts import (
    cities_of_plants,
    cities_of_run,
    fuel_price,
    hybrid_mixes,
    num_for_sale_tokens,
)

SOLD_OUT = 9  # Elektro by which a token is valued whose row is empty
TINY = 0.01  # weight of fuel for a bot that saves it only where nothing else differs


@rule
def income(board: Any, cities: int) -> int:
    """Elektro for supplying so many cities (R5.6)."""
    return int(board.income[min(int(cities), MAX_INCOME_CITIES)])


@rule
def token_worth(state: Any, board: Any, resource: int) -> int:
    """What the next token of a resource costs now, in Elektro."""
    if num_for_sale_tokens(state, board, resource) == 0:
        return SOLD_OUT + int(board.price[resource, 1]) // 2
    return fuel_price(state, board, resource, 1)


@rule
def fuel_worth(state: Any, board: Any, plant: int) -> int:
    """Elektro that one run of a plant burns at the prices of now."""
    kind, burn = int(board.plant_kind[plant]), int(board.plant_burn[plant])
    if kind == PlantKind.HYBRID:
        coal, oil = (
            token_worth(state, board, Resource.COAL.value),
            token_worth(state, board, Resource.OIL.value),
        )
        return burn * min(coal, oil)
    if kind < NUM_RESOURCES:
        return burn * token_worth(state, board, kind)
    return 0


@rule
def capacity(state: Any, board: Any, player: int) -> int:
    """Cities that all plants of a player together can supply, whatever the network."""
    return cities_of_plants(state, board, player, (1 << int(state.num_plants[player])) - 1)


@rule
def fuelled_capacity(state: Any, board: Any, player: int) -> int:
    """Cities that can be supplied with the tokens owned, whatever the network."""
    best = 0
    for run in range(1 << int(state.num_plants[player])):
        cities = cities_of_plants(state, board, player, run)
        if cities > best:
            least, most = hybrid_mixes(state, board, player, run)
            if least <= most:
                best = cities
    return best


@rule
def best_run(state: Any, board: Any, player: int, fuel_weight: float) -> int:
    """The set of plants whose income, less the worth of what they burn, is highest (bits over the owned ones).

    `fuel_weight` says how much an Elektro of fuel counts against an Elektro of income.
    """
    best, best_score = 0, -1e9
    for run in range(1 << int(state.num_plants[player])):
        least, most = hybrid_mixes(state, board, player, run)
        if least > most:
            continue
        burnt = 0
        for slot in range(state.num_plants[player]):
            if run >> slot & 1:
                burnt += fuel_worth(state, board, int(state.plants[player, slot]))
        score = income(board, cities_of_run(state, board, player, run)) - fuel_weight * burnt
        if score > best_score:
            best, best_score = run, score
    return best


@rule
def best_mix(state: Any, board: Any, player: int) -> int:
    """Coal to burn in the hybrids of the pending run: as much as can be of the cheaper token."""
    least, most = hybrid_mixes(state, board, player, int(state.pending_run))
    coal, oil = token_worth(state, board, Resource.COAL.value), token_worth(state, board, Resource.OIL.value)
    return most if coal <= oil else least


@rule
def weakest_plant(state: Any, board: Any, player: int, kept: int) -> int:
    """Slot of the plant to do without: fewest cities, then dearest fuel, then lowest number.

    The new plant (`new_plant`), which may not be scrapped (R2.30), and those in `kept` (bits) are left out; NOBODY without
    another one.
    """
    weakest, weakest_score = NOBODY, 10**9
    for slot in range(state.num_plants[player]):
        plant = int(state.plants[player, slot])
        if plant == state.new_plant or kept >> slot & 1:
            continue
        score = int(board.plant_cities[plant]) * 1000 - fuel_worth(state, board, plant)
        if score < weakest_score:
            weakest, weakest_score = slot, score
    return weakest


@rule
def scrap_place(state: Any, board: Any, player: int, kept: int) -> int:
    """Row of the scrap block for the weakest plant not in `kept` (bits): its place among the old ones."""
    weakest = weakest_plant(state, board, player, kept)
    place = weakest
    for slot in range(weakest):
        if state.plants[player, slot] == state.new_plant:
            place -= 1
    return place


@rule
def give_up_action(state: Any, board: Any) -> int:
    """Keep what may be kept (R2.32); where coal and oil compete for room, the cheaper one goes."""
    if verify(state, board, PASS) == Reason.LEGAL:
        return PASS
    coal, oil = int(board.first_give_up) + Resource.COAL, int(board.first_give_up) + Resource.OIL
    if verify(state, board, coal) != Reason.LEGAL:
        return oil
    if verify(state, board, oil) != Reason.LEGAL:
        return coal
    cheaper_coal = token_worth(state, board, Resource.COAL.value) <= token_worth(
        state, board, Resource.OIL.value
    )
    return coal if cheaper_coal else oil
