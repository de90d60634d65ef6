"""The parts of a position, put into a state that has just been dealt: seats, Trust, houses, markers, tokens.

Each function reads its keys of a position, writes its fields of the state, and derives what is left out.
"""

from collections.abc import Sequence

import numpy as np

from powergrid_env.arguments import refuse, whole_number
from powergrid_env.board import Board
from powergrid_env.constants import (
    MAX_PLANTS,
    NOBODY,
    NUM_SPACES,
    TRUST,
    TRUST_PLANT_LIMIT,
    Resource,
)
from powergrid_env.layout import RESOURCES
from powergrid_env.notation import find_city
from powergrid_env.position_cards import as_plant
from powergrid_env.position_reader import Reader, as_list, check_different
from powergrid_env.rules import facts
from powergrid_env.rulings import NoYes
from powergrid_env.state import State

TRUST_WORD = "trust"
SEAT_KEYS = ("money", "plants", "fuel", "cities")
TRUST_KEYS = ("plants", "fuel", "start_cities", "blocked_cities", "houses")
MAX_MONEY = 1_000_000


# ------------------------------------------------------------------------------------ seats and the Trust


def put_seats(given: Reader, board: Board, state: State) -> list[list[int]]:
    """Money, plants and fuel of the seats; returns the cities of each."""
    record = board.record
    players = board.config.players
    tokens = record.tokens.tolist()
    entries = given.listed("seats", "mappings")
    if "seats" in given and len(entries) != players:
        raise ValueError(f"seats has {len(entries)} entries; allowed: {players}, one per player")
    cities: list[list[int]] = [[] for _ in range(players)]
    for seat, entry in enumerate(entries):
        reader = Reader(entry, f"seats[{seat}]", SEAT_KEYS)
        if "money" in reader:
            state.money[seat] = reader.integer("money", 0, 0, MAX_MONEY)
        if plants := _plants(reader, "plants", board, MAX_PLANTS):
            state.num_plants[seat] = len(plants)
            state.plants[seat, : len(plants)] = plants
            facts.refresh_fuel_capacity(state, record, seat)
        state.fuel[seat] = _fuel(reader, tokens)
        cities[seat] = _cities(reader, "cities", board)
    return cities


def put_trust(given: Reader, board: Board, state: State) -> tuple[list[int], list[int]]:
    """Plants and fuel of the Trust; returns its start cities and its blocked cities."""
    if "trust" not in given:
        return [], []
    if not board.config.trust:
        raise refuse("trust", given["trust"], "nothing, since the Trust does not play (RT.1)")
    reader = given.part("trust", TRUST_KEYS)
    plants = _plants(reader, "plants", board, TRUST_PLANT_LIMIT)
    state.trust_num_plants = len(plants)
    state.trust_plants[: len(plants)] = plants
    state.trust_fuel[:] = _fuel(reader, board.record.tokens.tolist())
    return _cities(reader, "start_cities", board), _cities(reader, "blocked_cities", board)


def _plants(reader: Reader, name: str, board: Board, most: int) -> list[int]:
    plants = reader.listed(name, "plant numbers")
    if len(plants) > most:
        raise refuse(reader.key(name), plants, f"at most {most} plants")
    return sorted(
        as_plant(f"{reader.key(name)}[{place}]", plant, board) for place, plant in enumerate(plants)
    )


def _fuel(reader: Reader, most: list[int]) -> list[int]:
    fuel = reader.part("fuel", RESOURCES)
    return [fuel.integer(name, 0, 0, most[row]) for row, name in enumerate(RESOURCES)]


def _cities(reader: Reader, name: str, board: Board) -> list[int]:
    found: list[int] = []
    for place, city in enumerate(reader.listed(name, "cities")):
        found.append(as_city(f"{reader.key(name)}[{place}]", city, board))
        if found[-1] in found[:-1]:
            raise ValueError(f"{reader.key(name)} names {city!r} twice; allowed: one house per city (R4.5)")
    return found


def as_city(key: str, value: object, board: Board) -> int:
    """Index of a city, however its name is spelled."""
    if not isinstance(value, str):
        raise refuse(key, value, "the name of a city")
    try:
        return find_city(board, value)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


# ---------------------------------------------------------------------------------------- zone and houses


def put_zone(given: Reader, board: Board, state: State, seed: int, cities: Sequence[int]) -> None:
    """The regions in play; left out, a zone that holds all cities named: the one dealt, else by the seed."""
    in_zone = board.record.in_zone
    fitting = np.flatnonzero(in_zone[: len(board.zones), cities].all(axis=1)).tolist()
    if "regions" in given:
        names = as_list("regions", given["regions"], "region names")
        check_different("regions", names)
        zones = [
            zone for zone, regions in enumerate(board.zones) if sorted(regions) == sorted(map(str, names))
        ]
        if not zones:
            size = len(board.zones[0])
            fixed = len(board.zones) == 1
            allowed = ", ".join(board.zones[0] if fixed else board.regions)
            raise refuse("regions", names, f"{size} touching regions of {allowed} (R0.1)")
        if zones[0] not in fitting:
            outside = next(city for city in cities if not in_zone[zones[0], city])
            raise refuse("regions", names, f"regions that hold {board.cities[outside]} as well (R4.7)")
        state.zone = zones[0]
    elif not fitting:
        raise ValueError("regions is left out, and no zone holds all cities named (R0.1, R4.7)")
    elif int(state.zone) not in fitting:
        state.zone = fitting[seed % len(fitting)]


def put_houses(
    given: Reader,
    board: Board,
    state: State,
    networks: list[list[int]],
    trust_cities: tuple[list[int], list[int]],
) -> None:
    """Houses on spaces: the Trust's, then seats in seat order on the lowest free, or as `spaces` says."""
    record = board.record
    spaces = [[NOBODY] * NUM_SPACES for _ in board.cities]
    for space, cities in enumerate(trust_cities):
        for city in cities:
            spaces[city][space] = TRUST
    for seat, cities in enumerate(networks):
        for city in cities:
            if NOBODY not in spaces[city]:
                raise ValueError(f"seats[{seat}].cities: no space is left in {board.cities[city]} (R4.4)")
            spaces[city][spaces[city].index(NOBODY)] = seat
            facts.refresh_connection_costs(state, record, seat, city)
        state.num_cities[seat] = len(cities)
    for name, owners in given.entries("spaces", "from city to the owners of its spaces"):
        city = as_city("spaces", name, board)
        spaces[city] = _owners(f"spaces.{name}", owners, board, spaces[city])
    state.city_spaces[: len(spaces)] = spaces
    if board.config.trust:
        houses = int(record.trust_houses) - sum(len(cities) for cities in trust_cities)
        if houses < 0:
            raise ValueError(
                f"trust has {-houses} houses too many; allowed: {int(record.trust_houses)} (RT.1)"
            )
        state.trust_houses = given.part("trust", TRUST_KEYS).integer("houses", houses, houses, houses)


def _owners(key: str, value: object, board: Board, houses: list[int]) -> list[int]:
    """Owners of a city's houses, from the cheapest space up; they must be those who have a house there."""
    owners = [
        TRUST if name == TRUST_WORD else whole_number(f"{key}[{place}]", name, 0, board.config.players - 1)
        for place, name in enumerate(as_list(key, value, "owners"))
    ]
    if sorted(owners) != sorted(owner for owner in houses if owner != NOBODY):
        raise refuse(key, value, "an order of those whom seats and trust give a house there")
    return owners + [NOBODY] * (NUM_SPACES - len(owners))


def put_markers(given: Reader, board: Board, state: State) -> None:
    """The start markers (RS.1), one of each seat at most; none where they are left out."""
    markers = given.entries("start_markers", "from city to seat")
    if markers and not board.config.start_cities:
        raise refuse("start_markers", dict(markers), "nothing, since start_cities is off")
    for name, seat in markers:
        city = as_city("start_markers", name, board)
        state.start_markers[city] = whole_number(f"start_markers.{name}", seat, 0, board.config.players - 1)


# ---------------------------------------------------------------------------------------------- the tokens


def put_tokens(given: Reader, board: Board, state: State) -> None:
    """Track, supply and coal storage: what is left out follows from conservation (RC.2), then from RC.4."""
    record = board.record
    track, supply = given.part("track", RESOURCES), given.part("supply", RESOURCES)
    at_start = record.track_start.tolist()
    on_plants = (state.fuel.sum(axis=0) + state.trust_fuel).tolist()
    for row, (name, tokens) in enumerate(zip(RESOURCES, record.tokens.tolist(), strict=True)):
        left = tokens - on_plants[row]
        if left < 0:
            raise ValueError(f"seats have {on_plants[row]} {name}; allowed: {tokens} in all (RC.2)")
        stored = row == Resource.COAL and record.storage_price > 0  # RM.10: there is no other supply of coal
        home, key = (given, "storage") if stored else (supply, name)
        on_track = left - home.integer(key, left - min(at_start[row], left), 0, left)
        on_track = track.integer(name, on_track, 0, left)
        rest = home.integer(key, left - on_track, left - on_track, left - on_track)
        state.track[row] = on_track
        state.supply[row] = supply.integer(name, 0, 0, 0) if stored else rest
        state.storage = rest if stored else state.storage
    if record.storage_price == 0:
        given.integer("storage", 0, 0, 0)
    holders = [int(plant) for plant in state.plants[state.plants > 0]]
    if record.trust_stops_uranium == NoYes.YES:
        holders += [int(plant) for plant in state.trust_plants[state.trust_plants > 0]]
    stopped = int(record.uranium_stop) in holders  # 0 where no plant stops it
    state.uranium_stopped = given.flag("uranium_stopped", stopped)
