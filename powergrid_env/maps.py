"""Map: cities, regions and connections, read from the two files of a folder and checked; its zones and their costs.

Cities and regions are indices in the order in which cities.csv first names them, costs are in Elektro.
"""

import csv
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env.constants import MAX_CITIES, MAX_REGIONS, NO_PATH

MAX_CONNECTION = 200  # Elektro

Edges = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Map:
    """What the two files say.

    Attributes:
        cities: city names.
        regions: region names.
        region_of: `(num_cities,)` int64, region of each city.
        points: `(num_cities, 2)` float64, x and y in 0..1, y down.
        edges: `(city_a, city_b, cost)`.
    """

    cities: tuple[str, ...]
    regions: tuple[str, ...]
    region_of: npt.NDArray[np.int64]
    points: npt.NDArray[np.float64]
    edges: Edges

    def hangs_together(self, zone: tuple[int, ...]) -> bool:
        """Is each region of a zone reached from each other one over shared borders inside it (R0.1)?"""
        borders = [(int(self.region_of[a]), int(self.region_of[b])) for a, b, _ in self.edges]
        return len(_reach(set(zone), borders)) == len(zone)

    def zones(self, size: int) -> list[tuple[int, ...]]:
        """All choices of `size` regions that hang together (R0.1)."""
        return [zone for zone in combinations(range(len(self.regions)), size) if self.hangs_together(zone)]

    def cheapest_paths(self, zone: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """`(num_cities, num_cities)`: cheapest connections that stay inside a zone (R4.3, R4.7), else NO_PATH."""
        inside = np.isin(self.region_of, zone)
        cost = np.full((len(self.cities), len(self.cities)), NO_PATH, np.int64)
        cost[inside, inside] = 0
        for a, b, price in self.edges:
            if inside[a] and inside[b]:
                cost[a, b] = cost[b, a] = price
        for via in np.flatnonzero(inside):  # Floyd-Warshall
            cost = np.minimum(cost, cost[:, via, None] + cost[None, via, :])
        return np.minimum(cost, NO_PATH)


def read_map(folder: Path) -> Map:
    """The map of a folder with cities.csv and edges.csv.

    Raises:
        ValueError: files that do not hold together; names file and line.
    """
    cities, region_names, points = _read_cities(folder / "cities.csv")
    regions = tuple(dict.fromkeys(region_names))
    region_of = np.array([regions.index(name) for name in region_names])
    return Map(cities, regions, region_of, points, _read_edges(folder / "edges.csv", cities))


def read_regions(folder: Path) -> tuple[str, ...]:
    """Region names of the cities.csv of a folder.

    Raises:
        ValueError: as `read_map`.
    """
    _, region_names, _ = _read_cities(folder / "cities.csv")
    return tuple(dict.fromkeys(region_names))


def _read_cities(path: Path) -> tuple[tuple[str, ...], list[str], npt.NDArray[np.float64]]:
    """Name, region and point of each city."""
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


def _read_edges(path: Path, cities: tuple[str, ...]) -> Edges:
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


def _rows(path: Path, header: list[str]) -> list[tuple[int, dict[str, str]]]:
    """Line number and columns of each row of a CSV file."""
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
