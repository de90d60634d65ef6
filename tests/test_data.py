"""The data files, one group of tests per file. They read the files themselves, so that a mistake in the loader is no excuse."""

import csv
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import powergrid_env

DATA = Path(powergrid_env.__file__).parent / "data"
MAPS = ("germany", "germany_2004", "usa", "usa_2004")
FUELS = ("coal", "oil", "garbage", "uranium")
KINDS = {"coal", "oil", "garbage", "uranium", "hybrid", "eco", "fusion"}
LATE_PLANTS = [42, 44, 46, 50]

NUM_EDGES = {"germany": 83, "germany_2004": 83, "usa": 86, "usa_2004": 87}
REGION_BORDERS = {
    "germany": "cyan-brown cyan-red cyan-yellow brown-yellow red-yellow red-blue yellow-blue yellow-purple blue-purple",
    "usa": "purple-cyan purple-yellow purple-red cyan-red yellow-red yellow-brown yellow-green red-green brown-green",
}
NUM_ZONES = {"germany": {3: 13, 4: 12, 5: 6}, "usa": {3: 12, 4: 12, 5: 6}}  # ruling A1
KNOWN_COSTS = [  # the example of the rulebook, and where the two printings differ
    *(("germany", *row) for row in [
        ("Essen", "Duisburg", 0), ("Münster", "Dortmund", 2), ("Essen", "Düsseldorf", 2), ("Düsseldorf", "Aachen", 9),
        ("Essen", "Dortmund", 5), ("Mannheim", "Saarbrücken", 16), ("Mainz", "Frankfurt (Main)", 0), ("Stralsund", "Berlin", 15),
    ]),
    *(("germany_2004", *row) for row in [
        ("Essen", "Duisburg", 0), ("Münster", "Dortmund", 2), ("Essen", "Düsseldorf", 2), ("Düsseldorf", "Aachen", 9),
        ("Essen", "Dortmund", 4), ("Mannheim", "Saarbrücken", 11), ("Wiesbaden", "Frankfurt (Main)", 0), ("Torgelow", "Berlin", 15),
    ]),
    *(("usa", *row) for row in [
        ("Santa Fe", "Houston", 20), ("Omaha", "Chicago", 12), ("Knoxville", "Raleigh", 11), ("New York", "Philadelphia", 0),
    ]),
    *(("usa_2004", *row) for row in [
        ("Santa Fe", "Houston", 21), ("Omaha", "Chicago", 13), ("Cincinnati", "Raleigh", 15), ("Boise", "Cheyenne", 24),
        ("New York", "Philadelphia", 0),
    ]),
]  # fmt: skip
WEST_TO_EAST = {"germany": ("Aachen", "Dresden"), "usa": ("Seattle", "Boston")}
NORTH_TO_SOUTH = {"germany": ("Flensburg", "München"), "usa": ("Seattle", "San Diego")}


def rows(path: str) -> list[dict[str, str]]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    return [dict(zip(header, line, strict=True)) for line in lines]


@cache
def tables() -> dict:
    return tomllib.loads((DATA / "tables.toml").read_text(encoding="utf-8"))


@cache
def cities(board: str) -> dict[str, dict[str, str]]:
    return {row["city"]: row for row in rows(f"maps/{board}/cities.csv")}


@cache
def costs(board: str) -> dict[frozenset[str], int]:
    return {
        frozenset((row["city_a"], row["city_b"])): int(row["cost"]) for row in rows(f"maps/{board}/edges.csv")
    }


def region_borders(board: str) -> set[frozenset[str]]:
    regions = (frozenset(cities(board)[city]["region"] for city in edge) for edge in costs(board))
    return {pair for pair in regions if len(pair) == 2}


def is_connected(nodes: Iterable[str], edges: Iterable[frozenset[str]]) -> bool:
    nodes = set(nodes)
    reached: set[str] = set()
    todo = [min(nodes)]
    while todo:
        node = todo.pop()
        if node not in reached:
            reached.add(node)
            todo += [other for edge in edges if node in edge and edge <= nodes for other in edge]
    return reached == nodes


def country(board: str) -> str:
    return board.removesuffix("_2004")


# --- plants.csv


def test_plants_are_the_42_cards_of_the_deck():
    assert [int(row["number"]) for row in rows("plants.csv")] == [*range(3, 41), *LATE_PLANTS]


def test_plants_come_in_the_known_kinds():
    kinds = Counter(row["kind"] for row in rows("plants.csv"))
    assert kinds == {"coal": 9, "oil": 8, "garbage": 6, "uranium": 6, "hybrid": 5, "eco": 7, "fusion": 1}


@pytest.mark.parametrize("plant", rows("plants.csv"), ids=lambda row: row["number"])
def test_plant_is_plausible(plant):
    assert list(plant) == ["number", "kind", "fuel", "cities", "back"]
    assert (plant["fuel"] == "0") == (plant["kind"] in ("eco", "fusion"))
    assert 0 <= int(plant["fuel"]) <= 3
    assert 1 <= int(plant["cities"]) <= 7
    assert plant["back"] == ("plug" if int(plant["number"]) <= 15 else "socket")


@pytest.mark.parametrize(
    ("number", "kind", "fuel", "num_cities"),
    [(5, "hybrid", 2, 1), (14, "garbage", 2, 2), (33, "eco", 0, 4), (39, "uranium", 1, 6)],
)
def test_plant_cards_known_by_heart(number, kind, fuel, num_cities):
    [plant] = [row for row in rows("plants.csv") if row["number"] == str(number)]
    assert (plant["kind"], int(plant["fuel"]), int(plant["cities"])) == (kind, fuel, num_cities)


# --- plants_new.csv


def test_new_plants_are_42_cards():
    assert [int(row["number"]) for row in rows("plants_new.csv")] == [
        *range(1, 17),
        *range(19, 41),
        *LATE_PLANTS,
    ]


@pytest.mark.parametrize("plant", rows("plants_new.csv"), ids=lambda row: row["number"])
def test_new_plant_is_plausible(plant):
    assert list(plant) == ["number", "kind", "fuel", "cities"]
    assert plant["kind"] in KINDS
    assert (plant["fuel"] == "0") == (plant["kind"] == "eco")
    assert 1 <= int(plant["cities"]) <= 8


# --- maps/*/cities.csv


@pytest.mark.parametrize("board", MAPS)
def test_cities_are_42_in_six_regions_of_seven(board):
    table = rows(f"maps/{board}/cities.csv")
    assert list(table[0]) == ["city", "region", "x", "y"]
    assert len(table) == len(cities(board)) == 42
    assert sorted(Counter(row["region"] for row in table).values()) == [7] * 6


@pytest.mark.parametrize("board", MAPS)
def test_cities_have_a_point_each_with_north_up(board):
    points = {city: (float(row["x"]), float(row["y"])) for city, row in cities(board).items()}
    assert all(0 <= part <= 1 for point in points.values() for part in point)
    assert len(set(points.values())) == 42
    west, east = WEST_TO_EAST[country(board)]
    assert points[west][0] < points[east][0]
    north, south = NORTH_TO_SOUTH[country(board)]
    assert points[north][1] < points[south][1]


def test_cities_agree_between_the_printings_but_for_the_renamed_ones():
    assert cities("germany").keys() - cities("germany_2004").keys() == {"Stralsund", "Mainz"}
    assert cities("germany_2004").keys() - cities("germany").keys() == {"Torgelow", "Wiesbaden"}
    assert cities("usa") == cities("usa_2004")


# --- maps/*/edges.csv


@pytest.mark.parametrize("board", MAPS)
def test_edges_join_two_known_cities_once(board):
    table = rows(f"maps/{board}/edges.csv")
    assert list(table[0]) == ["city_a", "city_b", "cost"]
    assert len(table) == len(costs(board)) == NUM_EDGES[board]
    assert all(len(edge) == 2 and edge <= cities(board).keys() for edge in costs(board))
    assert all(0 <= cost <= 28 for cost in costs(board).values())


@pytest.mark.parametrize("board", MAPS)
def test_edges_connect_all_cities(board):
    assert is_connected(cities(board), costs(board))


@pytest.mark.parametrize("board", MAPS)
def test_edges_cross_the_known_region_borders(board):
    assert region_borders(board) == {
        frozenset(pair.split("-")) for pair in REGION_BORDERS[country(board)].split()
    }


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("board", MAPS)
def test_edges_connect_every_contiguous_zone_within_itself(board, size):
    regions = sorted({row["region"] for row in cities(board).values()})
    borders = region_borders(board)
    zones = [zone for zone in combinations(regions, size) if is_connected(zone, borders)]
    assert len(zones) == NUM_ZONES[country(board)][size]
    for zone in zones:
        inside = [city for city, row in cities(board).items() if row["region"] in zone]
        assert is_connected(inside, costs(board)), zone


@pytest.mark.parametrize(("board", "city_a", "city_b", "cost"), KNOWN_COSTS)
def test_edge_costs_known_from_the_rulebook_and_the_printings(board, city_a, city_b, cost):
    assert costs(board)[frozenset((city_a, city_b))] == cost


# --- tables.toml


def test_tables_common_numbers():
    common = tables()["common"]
    assert common["player_counts"] == [2, 3, 4, 5, 6]
    assert common["starting_money"] == 50
    assert common["houses_per_player"] == 22
    assert common["regions_used"] == [3, 3, 4, 5, 5]
    assert common["city_slot_costs"] == [10, 15, 20]


def test_tables_income_rises_ever_more_slowly_from_10_to_150():
    income = tables()["common"]["income"]
    assert (len(income), income[0], income[20]) == (21, 10, 150)
    raises = [after - before for before, after in pairwise(income)]
    assert raises == sorted(raises, reverse=True)
    assert min(raises) > 0


@pytest.mark.parametrize(("fuel", "tokens"), [("coal", 24), ("oil", 24), ("garbage", 24), ("uranium", 12)])
def test_tables_resource_market_holds_all_tokens_at_rising_prices(fuel, tokens):
    market = tables()["market"][fuel]
    assert tables()["tokens"][fuel] == tokens == len(market["prices"]) * market["per_space"]
    assert market["prices"] == sorted(set(market["prices"]))


@pytest.mark.parametrize("step", ["step1", "step2", "step3"])
def test_tables_refill_never_shrinks_with_more_players(step):
    refills = [tables()["refill"][str(players)][step] for players in range(2, 7)]
    assert all(len(refill) == len(FUELS) for refill in refills)
    for fewer, more in pairwise(refills):
        assert all(low <= high for low, high in zip(fewer, more, strict=True))


@pytest.mark.parametrize("edition", ["recharged", "2004"])
def test_tables_edition_is_complete(edition):
    numbers = tables()["edition"][edition]
    assert all(len(numbers[key]) == 5 for key in ("step2_cities", "end_cities", "plant_limit"))
    for fuel in FUELS:
        market, fill = tables()["market"][fuel], numbers["initial_fill"][fuel]
        assert set(fill) <= set(market["prices"])
        assert len(fill) * market["per_space"] == numbers["initial_tokens"][fuel]
    assert all((DATA / "maps" / folder / "edges.csv").is_file() for folder in numbers["maps"].values())


def test_tables_thresholds_and_removed_cards():
    recharged, old = tables()["edition"]["recharged"], tables()["edition"]["2004"]
    assert recharged["step2_cities"] == [7, 7, 7, 7, 6]
    assert old["step2_cities"] == [10, 7, 7, 7, 6]
    assert recharged["end_cities"] == [18, 17, 17, 15, 14]
    assert old["end_cities"] == [21, 17, 17, 15, 14]
    assert (recharged["removed_plug"], recharged["removed_socket"]) == ([1, 2, 1, 0, 0], [5, 6, 3, 0, 0])
    assert old["removed_random"] == [8, 8, 4, 0, 0]
    plug_cards_left = (
        sum(row["back"] == "plug" for row in rows("plants.csv")) - 9
    )  # 8 in the market, 1 on the stack
    assert max(recharged["removed_plug"]) <= plug_cards_left
