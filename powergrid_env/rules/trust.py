"""RT.6-RT.26: the Trust, third party of the two-player game. It acts by itself and is asked nothing."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import FIFTEEN, NUM_RESOURCES, TRUST, TRUST_PLANT_LIMIT, PlantKind, Resource
from powergrid_env.rules.facts import return_tokens, sort_in, take_out
from powergrid_env.rulings import NoYes, TrustPlantTiming, YesNo

# --------------------------------------------------------------------------------------------- phase 2


@rule
def is_plant_due(state: Any, board: Any) -> bool:
    """RT.12: after the first acquisition, or once the first human has passed the choice (A22)."""
    if not board.trust or state.trust_done:
        return False
    first, second = int(state.order[0]), int(state.order[1])
    if board.trust_plant_timing == TrustPlantTiming.WHEN_FIRST_HUMAN_IS_DONE:
        return bool(state.bought[first] or state.passed[first])
    return bool(state.bought[first] or state.bought[second] or state.passed[first])


@rule
def wants(state: Any, plant: int) -> bool:
    """RT.13: with three plants only one higher than its own lowest."""
    return bool(state.trust_num_plants < TRUST_PLANT_LIMIT or plant > state.trust_plants[0])


@rule
def take_plant(state: Any, board: Any, plant: int) -> None:
    """Take a plant free of charge (RT.6, RT.11); the lowest of four leaves the game (RT.13)."""
    sort_in(state.trust_plants, state.trust_num_plants, plant)
    state.trust_num_plants += 1
    if state.trust_num_plants > TRUST_PLANT_LIMIT:
        take_out(state.trust_plants, int(state.trust_num_plants), 0)
        state.trust_num_plants -= 1
    if plant == board.uranium_stop and board.trust_stops_uranium == NoYes.YES:  # RT.26, A26
        state.uranium_stopped = 1


# --------------------------------------------------------------------------------------------- phase 3


@rule
def take_token(state: Any, board: Any, resource: int) -> bool:
    """Take one token from the cheap end of the track, coal also from the coal storage (RT.18, A24)."""
    if state.track[resource] > 0:
        state.track[resource] -= 1
    elif resource == Resource.COAL and state.storage > 0 and board.trust_uses_coal_storage == YesNo.YES:
        state.storage -= 1
    else:
        return False
    state.trust_fuel[resource] += 1
    return True


@rule
def take_fuel(state: Any, board: Any) -> None:
    """RT.16: the tokens for one run of each plant, lowest plant first (RT.18)."""
    for slot in range(state.trust_num_plants):
        plant = state.trust_plants[slot]
        kind, burn = int(board.plant_kind[plant]), int(board.plant_burn[plant])
        if kind == PlantKind.HYBRID:  # RT.17: coal and oil in turn, coal first; if one is sold out, the other
            resource = Resource.COAL.value
            for _ in range(burn):
                if not take_token(state, board, resource):
                    take_token(state, board, 1 - resource)
                resource = 1 - resource
        elif kind < NUM_RESOURCES:
            for _ in range(burn):
                take_token(state, board, kind)


# ----------------------------------------------------------------------------------------- phases 4, 5


@rule
def block(state: Any, city: int) -> None:
    """RT.20: a Trust house on the 15-space of an empty city that a human has just connected."""
    if state.trust_houses > 0:
        state.city_spaces[city, FIFTEEN] = TRUST
        state.trust_houses -= 1


@rule
def return_fuel(state: Any, board: Any) -> None:
    """RT.23: its tokens go back after the income and before the resupply."""
    for resource in range(NUM_RESOURCES):
        return_tokens(state, board, resource, int(state.trust_fuel[resource]))
        state.trust_fuel[resource] = 0
