"""Board: one read-only record with everything the rules ask of the box, made from a GameConfig.

`Board.record` is what the compiled rules get. Editions, maps and the flags of RULES.md are fields of it;
no rule asks for the name of a map or an edition.
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env import rulings
from powergrid_env.config import DATA, DECKS, GameConfig, tables
from powergrid_env.constants import (
    FIRST_BID,
    MAX_CITIES,
    MAX_INCOME_CITIES,
    MAX_RAISES,
    MAX_REGIONS,
    MAX_TOKENS,
    MAX_ZONES,
    NO_PATH,
    NUM_BURN,
    NUM_BUY,
    NUM_GIVE_UP,
    NUM_PLANT_NUMBERS,
    NUM_RESOURCES,
    NUM_RUN,
    NUM_SCRAP,
    NUM_SPACES,
    PlantKind,
    Resource,
    Reward,
)

MAX_CONNECTION = 200
R, C, Z = NUM_RESOURCES, MAX_CITIES, MAX_ZONES

FIELDS: tuple[tuple[str, type, tuple[int, ...], str], ...] = (
    ("num_players", np.int16, (), "seats, 2 to 6"),
    ("num_cities", np.int16, (), "cities of the board"),
    ("num_zones", np.int16, (), "contiguous zones of the right size, or 1 when the regions are fixed (R0.1)"),
    ("in_zone", np.uint8, (Z, C), "is the city in the zone"),
    (
        "zone_cost",
        np.int16,
        (Z, C, C),
        "cheapest connection between two cities inside the zone (R4.3, R4.7), else NO_PATH",
    ),
    ("adjacent", np.uint8, (C, C), "are two cities joined by one connection (RT.4)"),
    ("city_region", np.int16, (C,), "region of each city"),
    ("zone_regions", np.uint8, (Z, MAX_REGIONS), "is the region in the zone"),
    ("plant_kind", np.int16, (NUM_PLANT_NUMBERS,), "PlantKind by plant number"),
    ("plant_burn", np.int16, (NUM_PLANT_NUMBERS,), "tokens burnt per run"),
    ("plant_cities", np.int16, (NUM_PLANT_NUMBERS,), "cities supplied per run"),
    ("plant_is_plug", np.uint8, (NUM_PLANT_NUMBERS,), "has a plug back (RC.9)"),
    ("fixed_market", np.int16, (8,), "the opening market where it is fixed (R0.5)"),
    ("fixed_top", np.int16, (), "the card on top of the stack where it is fixed (R0.5)"),
    ("removed_plugs", np.int16, (), "plugs taken out at setup (RC.7)"),
    ("removed_sockets", np.int16, (), "sockets taken out at setup (RC.7)"),
    ("removed_any", np.int16, (), "cards of the whole stack taken out at setup (RC.7, 2004)"),
    ("start_money", np.int32, (), "Elektro at the start (RC.1)"),
    ("track_start", np.int16, (R,), "tokens on the track at the start (RC.4)"),
    ("tokens", np.int16, (R,), "tokens in the game (RC.2)"),
    ("price", np.int16, (R, MAX_TOKENS + 1), "price of the next token with so many on the track (RC.3)"),
    ("track_value", np.int32, (R, MAX_TOKENS + 1), "price of all tokens with so many on the track (R3.5)"),
    ("resupply", np.int16, (3, R), "tokens by Step (RC.8)"),
    ("income", np.int32, (MAX_INCOME_CITIES + 1,), "Elektro by cities supplied (RC.5)"),
    ("space_price", np.int16, (NUM_SPACES,), "price of the house spaces (RC.6)"),
    ("plant_limit", np.int16, (), "plants a player may keep (R2.30)"),
    ("step2_cities", np.int16, (), "cities that start Step 2 (R6.10)"),
    ("end_cities", np.int16, (), "cities that end the game (R7.1)"),
    ("house_cap", np.int16, (), "houses of a player (R4.10)"),
    ("num_raises", np.int16, (), "bid actions"),
    ("raises", np.int16, (MAX_RAISES,), "Elektro above the least bid"),
    ("first_scrap", np.int16, (), "first row of the scrap block of the action table"),
    ("first_give_up", np.int16, (), "first row of the give-up block"),
    ("first_buy", np.int16, (), "first row of the buy block"),
    ("first_city", np.int16, (), "first row of the city block"),
    ("first_run", np.int16, (), "first row of the run block"),
    ("first_burn", np.int16, (), "first row of the burn block"),
    ("num_actions", np.int16, (), "rows of the action table"),
    ("trust", np.uint8, (), "the Trust plays (section 10)"),
    ("trust_houses", np.int16, (), "houses of the Trust (RT.1)"),
    ("trust_start_houses", np.int16, (), "houses it starts with (RT.4)"),
    ("trust_resupply", np.int16, (3, R), "resupply with the Trust by Step (RT.24)"),
    ("start_cities", np.uint8, (), "default starting cities (section 11)"),
    ("storage_price", np.int16, (), "price of coal from the storage, 0 without one (RM.11)"),
    ("uranium_stop", np.int16, (), "plant whose purchase ends the uranium resupply, 0 none (RM.1)"),
    ("max_rounds", np.int16, (), "safety cap, no rule (R7.4)"),
    ("skip_forced", np.uint8, (), "play single-answer decisions at once"),
    ("reward", np.int16, (), "Reward paid at the end"),
    ("hidden_money", np.uint8, (), "observations do not show others' money (RI.3)"),
    *((name, np.int16, (), f"ruling {name}, a member of rulings.CHOICES") for name in rulings.CHOICES),
)
"""Name, dtype, shape and meaning of every field."""

BOARD_DTYPE = np.dtype([(name, kind, shape) for name, kind, shape, _ in FIELDS], align=True)
RECORD_DTYPE = np.dtype((np.record, BOARD_DTYPE))
"""The dtype of every board: one object, for compiled code knows it by identity (plain.py)."""


@dataclass(frozen=True, eq=False)
class Board:
    """A board with its names.

    Attributes:
        config: the GameConfig it was made from.
        record: read-only record for the compiled rules; `records` is the same as an array of length 1.
        cities: city names, in the order of cities.csv.
        regions: region names, in the order in which cities.csv first names them.
        edges: `(city_a, city_b, cost)` as indices and Elektro.
        points: `(num_cities, 2)` float64, x and y in 0..1, y down.
        zones: region names of each zone table.
    """

    config: GameConfig
    records: Any
    cities: tuple[str, ...]
    regions: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]
    points: npt.NDArray[np.float64]
    zones: tuple[tuple[str, ...], ...]

    @property
    def record(self) -> Any:
        """The record handed to the rules."""
        return self.records[0]


@lru_cache(maxsize=64)
def make_board(config: GameConfig) -> Board:
    """The board of a config; equal configs share one.

    Raises:
        ValueError: a custom board that does not hold together; names file and line.
    """
    folder = config.board_folder()
    cities, city_regions, points = _read_cities(folder / "cities.csv")
    regions = tuple(dict.fromkeys(city_regions))
    edges = _read_edges(folder / "edges.csv", cities)
    region_of = np.array([regions.index(name) for name in city_regions])
    zones = _zones(config, regions, region_of, edges)

    records = np.zeros(1, RECORD_DTYPE).view(np.recarray)
    record = records[0]
    record.num_players = config.players
    record.num_cities = len(cities)
    record.num_zones = len(zones)
    record.city_region[: len(cities)] = region_of
    for a, b, _ in edges:
        record.adjacent[a, b] = record.adjacent[b, a] = 1
    record.zone_cost[:] = NO_PATH
    for z, zone in enumerate(zones):
        inside = np.isin(region_of, zone)
        record.zone_regions[z, list(zone)] = 1
        record.in_zone[z, : len(cities)] = inside
        record.zone_cost[z, : len(cities), : len(cities)] = _cheapest_paths(len(cities), edges, inside)
    _fill_deck(record, config)
    _fill_tables(record, config)
    _fill_action_rows(record, config, len(cities))
    records.flags.writeable = False
    names = tuple(tuple(regions[region] for region in zone) for zone in zones)
    return Board(config, records, cities, regions, edges, points, names)


def _rows(path: Path, header: list[str]) -> list[tuple[int, dict[str, str]]]:
    if not path.is_file():
        raise ValueError(f"board: no file {path}")
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            reader = csv.DictReader(handle)
            if reader.fieldnames != header:
                raise ValueError(f"{path}:1: header is {reader.fieldnames}; allowed: {header}")
            rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: not a CSV file in UTF-8 ({error})") from None
    for line, row in rows:
        if None in row or None in row.values():
            raise ValueError(f"{path}:{line}: a row needs {len(header)} columns: {', '.join(header)}")
    return rows


def _number(path: Path, line: int, name: str, text: str, low: float, high: float, kind: type) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        raise ValueError(f"{path}:{line}: {name} is {text!r}; allowed: {low} to {high}")
    return value


def _read_cities(path: Path) -> tuple[tuple[str, ...], list[str], npt.NDArray[np.float64]]:
    cities: list[str] = []
    regions: list[str] = []
    points: list[tuple[float, float]] = []
    for line, row in _rows(path, ["city", "region", "x", "y"]):
        if not row["city"] or row["city"] in cities:
            raise ValueError(f"{path}:{line}: city {row['city']!r} is empty or named twice")
        if not row["region"]:
            raise ValueError(f"{path}:{line}: city {row['city']!r} has no region")
        cities.append(row["city"])
        regions.append(row["region"])
        points.append(
            (_number(path, line, "x", row["x"], 0, 1, float), _number(path, line, "y", row["y"], 0, 1, float))
        )
    if not 2 <= len(cities) <= MAX_CITIES:
        raise ValueError(f"{path}: {len(cities)} cities; allowed: 2 to {MAX_CITIES}")
    if len(set(regions)) > MAX_REGIONS:
        raise ValueError(f"{path}: {len(set(regions))} regions; allowed: at most {MAX_REGIONS}")
    return tuple(cities), regions, np.array(points)


def _read_edges(path: Path, cities: tuple[str, ...]) -> tuple[tuple[int, int, int], ...]:
    index = {name: city for city, name in enumerate(cities)}
    edges: dict[frozenset[int], tuple[int, int, int]] = {}
    for line, row in _rows(path, ["city_a", "city_b", "cost"]):
        for name in (row["city_a"], row["city_b"]):
            if name not in index:
                raise ValueError(f"{path}:{line}: unknown city {name!r}")
        a, b = index[row["city_a"]], index[row["city_b"]]
        if a == b:
            raise ValueError(f"{path}:{line}: {row['city_a']} is joined to itself")
        if frozenset((a, b)) in edges:
            raise ValueError(f"{path}:{line}: {row['city_a']}-{row['city_b']} stands twice")
        edges[frozenset((a, b))] = (a, b, _number(path, line, "cost", row["cost"], 0, MAX_CONNECTION, int))
    reached = _reach(set(range(len(cities))), [(a, b) for a, b, _ in edges.values()])
    if len(reached) < len(cities):
        lost = next(name for city, name in enumerate(cities) if city not in reached)
        raise ValueError(f"{path}: the cities do not hang together; no way from {cities[0]} to {lost}")
    return tuple(edges.values())


def _reach(nodes: set[int], pairs: list[tuple[int, int]]) -> set[int]:
    """Nodes that hang together with the smallest one."""
    seen: set[int] = set()
    todo = [min(nodes)]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(b if a == node else a for a, b in pairs if node in (a, b) and {a, b} <= nodes)
    return seen


def _zones(
    config: GameConfig,
    regions: tuple[str, ...],
    region_of: npt.NDArray[Any],
    edges: tuple[tuple[int, int, int], ...],
) -> list[tuple[int, ...]]:
    """Contiguous choices of regions (R0.1), or the one that is fixed."""
    borders = [(int(region_of[a]), int(region_of[b])) for a, b, _ in edges if region_of[a] != region_of[b]]
    size = tables()["common"]["regions_used"][config.players - 2]
    if config.regions is not None:
        zone = tuple(regions.index(name) for name in config.regions)
        if len(_reach(set(zone), borders)) < len(zone):
            raise ValueError(
                f"regions is {config.regions}; allowed: regions that hang together through shared borders (R0.1)"
            )
        return [zone]
    if len(regions) < size:
        raise ValueError(f"board: {len(regions)} regions; {config.players} players need {size} (RC.7)")
    zones = [
        zone for zone in combinations(range(len(regions)), size) if len(_reach(set(zone), borders)) == size
    ]
    if not 1 <= len(zones) <= MAX_ZONES:
        raise ValueError(
            f"board: {len(zones)} zones of {size} regions; allowed: 1 to {MAX_ZONES}, or fix `regions`"
        )
    return zones


def _cheapest_paths(
    num_cities: int, edges: tuple[tuple[int, int, int], ...], inside: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """All-pairs cheapest connections over cities inside the zone (Floyd-Warshall)."""
    cost = np.full((num_cities, num_cities), NO_PATH, np.int64)
    cost[inside, inside] = 0
    for a, b, price in edges:
        if inside[a] and inside[b]:
            cost[a, b] = cost[b, a] = min(price, cost[a, b])
    for via in np.flatnonzero(inside):
        cost = np.minimum(cost, cost[:, via, None] + cost[None, via, :])
    return np.minimum(cost, NO_PATH)


def _fill_deck(record: Any, config: GameConfig) -> None:
    record.plant_kind[:] = PlantKind.ABSENT
    with open(DATA / DECKS[config.deck], encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    for row in rows:
        number = int(row["number"])
        kind = "eco" if row["kind"] == "fusion" else row["kind"]
        record.plant_kind[number] = PlantKind[kind.upper()]
        record.plant_burn[number] = int(row["fuel"])
        record.plant_cities[number] = int(row["cities"])
    numbers = [int(row["number"]) for row in rows]
    plugs = (
        [int(row["number"]) for row in rows if row["back"] == "plug"] if "back" in rows[0] else numbers[:13]
    )
    record.plant_is_plug[plugs] = 1
    opening = tables()["edition"]["2004"]["market_open"]
    if config.deck == "base":
        record.fixed_market[:] = opening["fixed_current"] + opening["fixed_future"]
        record.fixed_top = opening["top_of_stack"]
    else:  # data/SOURCES.md: 1-8 in the market, 11 on top
        record.fixed_market[:] = numbers[:8]
        record.fixed_top = 11


def _fill_tables(record: Any, config: GameConfig) -> None:
    common, box = tables()["common"], tables()
    seat_row = config.players - 2
    recharged, classic = box["edition"]["recharged"], box["edition"]["2004"]
    record.removed_plugs = recharged["removed_plug"][seat_row]
    record.removed_sockets = recharged["removed_socket"][seat_row]
    record.removed_any = classic["removed_random"][seat_row]
    record.start_money = common["starting_money"]
    record.income[:] = common["income"]
    record.space_price[:] = common["city_slot_costs"]
    for resource in Resource:
        name = resource.name.lower()
        market, tokens = box["market"][name], box["tokens"][name]
        spaces = [price for price in market["prices"] for _ in range(market["per_space"])]
        record.tokens[resource] = tokens
        for left in range(1, tokens + 1):
            record.price[resource, left] = spaces[tokens - left]
            record.track_value[resource, left] = sum(spaces[tokens - left :])
        record.track_start[resource] = box["edition"][config.edition]["initial_tokens"][name]
    record.track_start[Resource.GARBAGE] = config.ruling("garbage_start")
    record.track_start[Resource.URANIUM] = config.ruling("uranium_start")
    trust_row = str(config.ruling("trust_resupply_row"))
    for step in (1, 2, 3):
        record.resupply[step - 1] = box["refill"][str(config.players)][f"step{step}"]
        record.trust_resupply[step - 1] = box["refill"][trust_row][f"step{step}"]
    for name in rulings.CHOICES:
        record[name] = config.ruling(name)
    for name in ("plant_limit", "step2_cities", "end_cities", "uranium_stop"):
        record[name] = config.ruling(name)
    record.house_cap = config.ruling("house_cap") or MAX_CITIES
    record.storage_price = box["map_rules"]["usa"]["coal_storage_price"] if record.coal_storage else 0
    record.trust = config.trust
    record.trust_houses = box["trust"]["houses"]
    record.trust_start_houses = box["trust"]["start_houses"]
    record.start_cities = config.start_cities
    record.max_rounds = config.max_rounds
    record.skip_forced = config.skip_forced
    record.reward = Reward[config.reward.upper()]
    record.hidden_money = config.money == "hidden"


def _fill_action_rows(record: Any, config: GameConfig, num_cities: int) -> None:
    """Row numbers of the blocks behind `raises` (DESIGN of the table: actions.py)."""
    record.num_raises = len(config.raises)
    record.raises[: len(config.raises)] = config.raises
    row = FIRST_BID + len(config.raises)
    blocks = (
        ("scrap", NUM_SCRAP),
        ("give_up", NUM_GIVE_UP),
        ("buy", NUM_BUY),
        ("city", num_cities),
        ("run", NUM_RUN),
        ("burn", NUM_BURN),
    )
    for block, size in blocks:
        record[f"first_{block}"] = row
        row += size
    record.num_actions = row
