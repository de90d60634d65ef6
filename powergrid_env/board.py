"""Board: one read-only record with everything the rules ask of the box, made from a GameConfig.

`Board.record` is what the compiled rules get. Editions, maps and the flags of RULES.md are fields of it;
no rule asks for the name of a map or an edition.
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env import rulings
from powergrid_env.config import DATA, DECKS, GameConfig, tables
from powergrid_env.constants import (
    MAX_CITIES,
    MAX_INCOME_CITIES,
    MAX_MARKET,
    MAX_RAISES,
    MAX_REGIONS,
    MAX_TOKENS,
    MAX_ZONES,
    NO_PATH,
    NUM_BURN,
    NUM_BUY,
    NUM_GIVE_UP,
    NUM_NOMINATE,
    NUM_PLANT_NUMBERS,
    NUM_RESOURCES,
    NUM_RUN,
    NUM_SCRAP,
    NUM_SPACES,
    PASS,
    PlantKind,
    Resource,
    Reward,
)
from powergrid_env.maps import Edges, Map, read_map

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
    ("fixed_market", np.int16, (MAX_MARKET,), "the opening market where it is fixed (R0.5)"),
    ("fixed_top", np.int16, (), "the card on top of the stack where it is fixed (R0.5)"),
    ("removed_plugs", np.int16, (), "plugs taken out at setup (RC.7)"),
    ("removed_sockets", np.int16, (), "sockets taken out at setup (RC.7)"),
    ("removed_any", np.int16, (), "cards of the whole stack taken out at setup (RC.7, 2004)"),
    ("start_money", np.int32, (), "Elektro at the start (RC.1)"),
    ("track_start", np.int16, (R,), "tokens on the track at the start (RC.4)"),
    ("tokens", np.int16, (R,), "tokens in the game (RC.2)"),
    ("price", np.int16, (R, MAX_TOKENS + 1), "price of the next token with so many on the track (RC.3)"),
    ("track_value", np.int32, (R, MAX_TOKENS + 1), "price of all tokens with so many on the track (R3.5)"),
    ("resupply", np.int16, (3, R), "tokens by Step (RC.8, with the Trust RT.24)"),
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
    edges: Edges
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
    terrain = read_map(config.board_folder())
    num_cities = len(terrain.cities)
    zones = _zones(config, terrain)

    records = np.zeros(1, RECORD_DTYPE).view(np.recarray)
    record = records[0]
    record.num_players = config.players
    record.num_cities = num_cities
    record.num_zones = len(zones)
    record.city_region[:num_cities] = terrain.region_of
    for a, b, _ in terrain.edges:
        record.adjacent[a, b] = record.adjacent[b, a] = 1
    record.zone_cost[:] = NO_PATH
    for z, zone in enumerate(zones):
        record.zone_regions[z, list(zone)] = 1
        record.in_zone[z, :num_cities] = np.isin(terrain.region_of, zone)
        record.zone_cost[z, :num_cities, :num_cities] = terrain.cheapest_paths(zone)
    _fill_deck(record, config)
    _fill_tables(record, config)
    _fill_action_rows(record, config)
    records.flags.writeable = False
    names = tuple(tuple(terrain.regions[region] for region in zone) for zone in zones)
    return Board(config, records, terrain.cities, terrain.regions, terrain.edges, terrain.points, names)


def action_blocks(record: Any) -> dict[str, slice]:
    """Rows of each block of the action table, by name, in table order (actions.py)."""
    sizes = {
        "pass": 1,
        "nominate": NUM_NOMINATE,
        "bid": int(record.num_raises),
        "scrap": NUM_SCRAP,
        "give_up": NUM_GIVE_UP,
        "buy": NUM_BUY,
        "city": int(record.num_cities),
        "run": NUM_RUN,
        "burn": NUM_BURN,
    }
    blocks: dict[str, slice] = {}
    row = PASS
    for name, size in sizes.items():
        blocks[name] = slice(row, row + size)
        row += size
    return blocks


def _zones(config: GameConfig, terrain: Map) -> list[tuple[int, ...]]:
    """Contiguous choices of regions (R0.1), or the one that is fixed."""
    if config.regions is not None:
        zone = tuple(terrain.regions.index(name) for name in config.regions)
        if not terrain.hangs_together(zone):
            raise ValueError(
                f"regions is {config.regions}; allowed: regions that hang together through shared borders (R0.1)"
            )
        return [zone]
    size = tables()["common"]["regions_used"][config.players - 2]
    if len(terrain.regions) < size:
        raise ValueError(
            f"board: {len(terrain.regions)} regions; {config.players} players need {size} (RC.7)"
        )
    zones = terrain.zones(size)
    if not 1 <= len(zones) <= MAX_ZONES:
        raise ValueError(
            f"board: {len(zones)} zones of {size} regions; allowed: 1 to {MAX_ZONES}, or fix `regions`"
        )
    return zones


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
    box, common = tables(), tables()["common"]
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
    resupply_row = config.ruling("trust_resupply_row") if config.trust else config.players
    for step in (1, 2, 3):
        record.resupply[step - 1] = box["refill"][str(resupply_row)][f"step{step}"]
    for name in rulings.CHOICES:
        record[name] = config.ruling(name)
    for name in ("plant_limit", "step2_cities", "end_cities", "uranium_stop"):
        record[name] = config.ruling(name)
    record.house_cap = config.ruling("house_cap") or MAX_CITIES
    if record.coal_storage:
        # Brought by the map or, to any map, by the ruling: then it is the storage of the USA (RM.11).
        map_rules = box["map_rules"]
        record.storage_price = (map_rules["usa"] | map_rules.get(config.board, {}))["coal_storage_price"]
    record.trust = config.trust
    record.trust_houses = box["trust"]["houses"]
    record.trust_start_houses = box["trust"]["start_houses"]
    record.start_cities = config.start_cities
    record.max_rounds = config.max_rounds
    record.skip_forced = config.skip_forced
    record.reward = Reward[config.reward.upper()]
    record.hidden_money = config.money == "hidden"


def _fill_action_rows(record: Any, config: GameConfig) -> None:
    """The raises, and the rows of the blocks that stand behind them."""
    record.num_raises = len(config.raises)
    record.raises[: len(config.raises)] = config.raises
    blocks = action_blocks(record)
    for block in ("scrap", "give_up", "buy", "city", "run", "burn"):
        record[f"first_{block}"] = blocks[block].start
    record.num_actions = blocks["burn"].stop
