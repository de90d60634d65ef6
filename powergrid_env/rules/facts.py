"""What several phases ask and do: seats, plants, storage, prices, spaces, connections, and what plants can run.

Costs are in Elektro, fuel in tokens, cities are row indices, plants are card numbers.
"""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    HYBRID_ROOM,
    NO_PLANT,
    NOBODY,
    PlantKind,
    Resource,
)
from powergrid_env.rulings import Fuel, LateStart, UsaStorage

# ----------------------------------------------------------------------------------------- seats


@rule
def next_seat(board: Any, seat: int) -> int:
    """Next seat clockwise."""
    return (int(seat) + 1) % int(board.num_players)


@rule
def position_in_order(state: Any, board: Any, seat: int) -> int:
    """Place of a seat in the player order, from 0."""
    for position in range(board.num_players):
        if state.order[position] == seat:
            return position
    return NOBODY


@rule
def last_unfinished(state: Any, board: Any) -> int:
    """Seat to act in reverse order (R0.11): the last in order that has not finished, else NOBODY."""
    for position in range(board.num_players - 1, -1, -1):
        seat = int(state.order[position])
        if not state.passed[seat]:
            return seat
    return NOBODY


@rule
def num_marked(flags: Any) -> int:
    """How many flags are set."""
    number = 0
    for flag in flags:
        number += int(flag != 0)
    return number


# ---------------------------------------------------------------------------------------- plants


@rule
def highest_plant(state: Any, player: int) -> int:
    """Highest plant number owned, 0 without a plant (R1.1, R1.4)."""
    owned = int(state.num_plants[player])
    return int(state.plants[player, owned - 1]) if owned > 0 else NO_PLANT


@rule
def sort_in(cards: Any, size: int, card: int) -> None:
    """Put `card` into the ascending list `cards[:size]`."""
    place = int(size)
    while place > 0 and cards[place - 1] > card:
        cards[place] = cards[place - 1]
        place -= 1
    cards[place] = card


@rule
def take_out(cards: Any, size: int, place: int) -> int:
    """Take entry `place` out of the list `cards[:size]`, close the gap, return the card."""
    card = int(cards[place])
    for index in range(place, size - 1):
        cards[index] = cards[index + 1]
    cards[size - 1] = NO_PLANT
    return card


@rule
def refresh_fuel_capacity(state: Any, board: Any, player: int) -> None:
    """Room on a player's plants: twice the burn number of each (R3.3)."""
    room = state.fuel_capacity[player]
    room[:] = 0
    for slot in range(state.num_plants[player]):
        plant = state.plants[player, slot]
        kind = int(board.plant_kind[plant])
        if kind <= PlantKind.HYBRID:
            room[kind] += 2 * board.plant_burn[plant]


# --------------------------------------------------------------------------------------- storage


@rule
def has_room(state: Any, player: int, coal: int, oil: int, garbage: int, uranium: int) -> bool:
    """Can a player's plants as a whole store these tokens (R3.4)?"""
    room = state.fuel_capacity[player]
    on_hybrids = max(0, coal - room[Resource.COAL.value]) + max(0, oil - room[Resource.OIL.value])
    return bool(
        garbage <= room[Resource.GARBAGE.value]
        and uranium <= room[Resource.URANIUM.value]
        and on_hybrids <= room[HYBRID_ROOM]
    )


@rule
def return_tokens(state: Any, board: Any, resource: int, amount: int) -> None:
    """Tokens leave a plant for the supply (R2.31, R5.5), coal for the storage where there is one (RM.12)."""
    if resource == Resource.COAL and board.storage_price > 0:
        state.storage += amount
    else:
        state.supply[resource] += amount


# ---------------------------------------------------------------------------------------- prices


@rule
def num_for_sale_tokens(state: Any, board: Any, resource: int) -> int:
    """Tokens that can be bought now: the row (R3.7), and the coal storage behind it (RM.11)."""
    tokens = int(state.track[resource])
    if resource == Resource.COAL:
        tokens += int(state.storage)
    return tokens


@rule
def num_from_track(state: Any, board: Any, resource: int, amount: int) -> int:
    """How many of `amount` tokens come from the track; the rest comes from the coal storage (RM.11).

    With the ruling usa_storage = always (A29) the storage serves before track spaces of the same price.
    """
    on_track = int(state.track[resource])
    if board.usa_storage == UsaStorage.ALWAYS and resource == Resource.COAL and state.storage > 0:
        cheaper = on_track
        while cheaper > 0 and board.price[resource, on_track - cheaper + 1] >= board.storage_price:
            cheaper -= 1
        return max(min(int(amount), cheaper), int(amount) - int(state.storage))
    return min(int(amount), on_track)


@rule
def fuel_price(state: Any, board: Any, resource: int, amount: int) -> int:
    """Price of `amount` tokens, cheapest spaces first (R3.5), the coal storage last (RM.11)."""
    from_track = num_from_track(state, board, resource, amount)
    on_track = int(state.track[resource])
    price = int(board.track_value[resource, on_track]) - int(
        board.track_value[resource, on_track - from_track]
    )
    return price + (int(amount) - from_track) * int(board.storage_price)


# ---------------------------------------------------------------------------------------- cities


@rule
def has_house(state: Any, player: int, city: int) -> bool:
    """Does the player own a house in the city (R4.5)?"""
    spaces = state.city_spaces[city]
    return bool(spaces[0] == player or spaces[1] == player or spaces[2] == player)


@rule
def is_empty(state: Any, city: int) -> bool:
    """Is there no house at all in the city?"""
    spaces = state.city_spaces[city]
    return bool(spaces[0] == NOBODY and spaces[1] == NOBODY and spaces[2] == NOBODY)


@rule
def lowest_open_space(state: Any, city: int) -> int:
    """Index of the lowest free space open in this Step (R4.4), NOBODY when there is none."""
    for space in range(state.step_number):
        if state.city_spaces[city, space] == NOBODY:
            return space
    return NOBODY


@rule
def connection_cost(state: Any, player: int, city: int) -> int:
    """Cheapest cost of joining `city` to the player's network, in Elektro (R4.3).

    Returns 0 for a first city (R4.2) and NO_PATH when no route stays inside the zone (R4.7).
    """
    if state.num_cities[player] == 0:
        return 0
    return int(state.connection_cost[player, city])


@rule
def may_start_in(state: Any, board: Any, city: int) -> bool:
    """May a network start here as far as R4.2 goes (ruling late_start, A12)?"""
    return bool(board.late_start == LateStart.LOWEST_FREE_SPACE or is_empty(state, city))


@rule
def refresh_connection_costs(state: Any, board: Any, player: int, city: int) -> None:
    """A new house: every connection may start from it as well (R4.6)."""
    best = state.connection_cost[player]
    from_city = board.zone_cost[state.zone, city]
    for other in range(board.num_cities):
        if from_city[other] < best[other]:
            best[other] = from_city[other]


@rule
def largest_network(state: Any, board: Any) -> int:
    """Cities of the largest network (R4.12, R6.10, R7.1); the Trust has none (RT.8)."""
    largest = 0
    for player in range(board.num_players):
        largest = max(largest, int(state.num_cities[player]))
    return largest


# ------------------------------------------------------------------------------------ production


@rule
def hybrid_mixes(state: Any, board: Any, player: int, run: int) -> tuple[int, int]:
    """Least and most coal that the hybrids of a run may burn; least > most when the run is impossible.

    `run` is a set of plants, bits over the owned ones. With `b` the tokens all hybrids of the run burn, a
    layout (R5.4) exists for `k` coal exactly if the coal on hybrids, max(k, coal - coal room), and the oil on
    hybrids, max(b - k, oil - oil room), fit together into the hybrid room, and what is left feeds the coal and
    oil plants run. With the ruling fuel = pool (A16) only the tokens are counted.
    """
    coal, oil = int(state.fuel[player, Resource.COAL.value]), int(state.fuel[player, Resource.OIL.value])
    burnt_coal = burnt_oil = burnt_garbage = burnt_uranium = burnt_mixed = 0
    for slot in range(state.num_plants[player]):
        if run >> slot & 1:
            plant = state.plants[player, slot]
            kind, burn = board.plant_kind[plant], int(board.plant_burn[plant])
            if kind == PlantKind.COAL:
                burnt_coal += burn
            elif kind == PlantKind.OIL:
                burnt_oil += burn
            elif kind == PlantKind.GARBAGE:
                burnt_garbage += burn
            elif kind == PlantKind.URANIUM:
                burnt_uranium += burn
            elif kind == PlantKind.HYBRID:
                burnt_mixed += burn
    if (
        burnt_garbage > state.fuel[player, Resource.GARBAGE.value]
        or burnt_uranium > state.fuel[player, Resource.URANIUM.value]
    ):
        return 1, 0
    if burnt_coal > coal or burnt_oil > oil:
        return 1, 0
    least = max(0, burnt_mixed - (oil - burnt_oil))
    most = min(burnt_mixed, coal - burnt_coal)
    if board.fuel == Fuel.OWN_PLANT and burnt_mixed > 0:
        room = state.fuel_capacity[player]
        coal_over = max(0, coal - int(room[Resource.COAL.value]))
        oil_over = max(0, oil - int(room[Resource.OIL.value]))
        least = max(least, burnt_mixed + coal_over - int(room[HYBRID_ROOM]))
        most = min(most, int(room[HYBRID_ROOM]) - oil_over)
    return least, most


@rule
def cities_of_plants(state: Any, board: Any, player: int, run: int) -> int:
    """Cities that a set of plants, bits over the owned ones, can supply, whatever the network and the fuel."""
    cities = 0
    for slot in range(state.num_plants[player]):
        if run >> slot & 1:
            cities += int(board.plant_cities[state.plants[player, slot]])
    return cities


@rule
def cities_of_run(state: Any, board: Any, player: int, run: int) -> int:
    """Cities a set of plants supplies, not more than the network has (R5.1)."""
    return min(cities_of_plants(state, board, player, run), int(state.num_cities[player]))


@rule
def largest_supply(state: Any, board: Any, player: int) -> int:
    """Largest number of cities the player can supply with the plants and tokens owned (R7.2)."""
    best = 0
    for run in range((1 << int(state.num_plants[player])) - 1, 0, -1):
        if best == state.num_cities[player]:
            break  # no run supplies more than the network
        cities = cities_of_run(state, board, player, run)
        if cities > best:
            least, most = hybrid_mixes(state, board, player, run)
            if least <= most:
                best = cities
    return best
