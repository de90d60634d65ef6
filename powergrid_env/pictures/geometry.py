"""Geometry of a map: where cities, names, costs and regions are drawn, without overlaps. Once per board.

A city is drawn as a block: three house spaces in a row, the name under them. Blocks begin where cities.csv
puts the city and are pushed apart until none overlaps; connected ones leave room for the cost between them.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env.board import Board
from powergrid_env.config import tables
from powergrid_env.pictures.svg import text_width

Point = tuple[float, float]
Array = npt.NDArray[np.float64]

NAME_SIZE = 12.5
SLOT = 17
"""Pitch of the house spaces, in pixels."""
ROW = 3 * SLOT + 1
"""Width of the three spaces."""
ABOVE, BELOW = 10.0, 24.0
"""Height of a block above and below the middle of the spaces."""
COST_RADIUS = 9.5
REACH = 90.0
"""How far the ground of a region reaches around its cities."""
GAP, COST_GAP = 5.0, 2 * COST_RADIUS + 2
DEFAULT_ASPECT = 1.2
HOMEWARD = 300
"""Turns in which cities are also pulled to where the data puts them; as many without that follow."""


@dataclass(frozen=True)
class Link:
    """A connection: its path, bent round other cities where it must be, and where its cost stands."""

    ends: tuple[int, int]
    cost: int
    bend: Point
    label: Point


@dataclass(frozen=True)
class Geometry:
    """Everything in pixels, x to the right, y down.

    Attributes:
        width: of the map.
        height: of the map.
        cities: middle of the three house spaces, by city.
        cells: ground of each city, a polygon.
        links: the connections, in the order of `board.edges`.
        regions: where the name of each region stands.
    """

    width: float
    height: float
    cities: tuple[Point, ...]
    cells: tuple[tuple[Point, ...], ...]
    links: tuple[Link, ...]
    regions: tuple[Point, ...]


def aspect(board: Board) -> float:
    """Width over height of a map: the hint of tables.toml, for other boards a plain one."""
    return float(tables()["map_aspect"].get(board.config.board_folder().name, DEFAULT_ASPECT))


@lru_cache(maxsize=64)
def geometry(board: Board, width: float) -> Geometry:
    """The geometry of a board's map, `width` pixels wide."""
    height = width / aspect(board)
    half = np.array([max(ROW, text_width(name, NAME_SIZE, bold=True)) / 2 for name in board.cities])
    points = _spread(board, half, width, height)
    blocks = _blocks(points, half)
    links = _links(board, points, blocks)
    regions = _region_labels(board, points, blocks, links, width, height)
    cells = tuple(_cell(points, city, width, height) for city in range(len(points)))
    return Geometry(width, height, _tuples(points), cells, links, regions)


def _tuples(points: Array) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


def _blocks(points: Array, half: Array) -> Array:
    """`(C, 4)` left, top, right, bottom of each city's block."""
    x, y = points.T
    return np.stack([x - half, y - ABOVE, x + half, y + BELOW], axis=1)


def _spread(board: Board, half: Array, width: float, height: float) -> Array:
    """Places near those of cities.csv at which no two blocks overlap; `(C, 2)`."""
    home = board.points * (width, height)
    low = np.stack([half + 3, np.full(len(half), ABOVE + 3)], axis=1)
    high = np.array([width, height]) - np.stack([half + 3, np.full(len(half), BELOW + 3)], axis=1)
    gap = np.full((len(half), len(half)), GAP)
    for a, b, _ in board.edges:
        gap[a, b] = gap[b, a] = COST_GAP
    need_x = half[:, None] + half[None, :] + gap
    need_y = ABOVE + BELOW + gap
    row = np.arange(len(half))
    tie = 1e-9 * (row[:, None] - row[None, :])  # cities at one spot go apart as well
    points = np.clip(home, low, high)
    for turn in range(2 * HOMEWARD):
        apart = points[:, None, :] - points[None, :, :]
        over_x = need_x - np.abs(apart[..., 0])
        over_y = need_y - np.abs(apart[..., 1])
        clash = (over_x > 0) & (over_y > 0)
        np.fill_diagonal(clash, False)
        if not clash.any() and turn > HOMEWARD:
            break
        sideways = np.where(clash & (over_x < over_y), over_x, 0) * np.sign(apart[..., 0] + tie)
        upright = np.where(clash & (over_x >= over_y), over_y, 0) * np.sign(apart[..., 1] + tie)
        push = np.stack([sideways.sum(1), upright.sum(1)], axis=1)
        pull = 0.03 * (home - points) if turn < HOMEWARD else 0.0
        points = np.clip(points + 0.3 * push + pull, low, high)
    return points


# ------------------------------------------------------------------------------------------ connections


def curve(a: Any, bend: Any, b: Any, steps: int = 33) -> Array:
    """`(steps, 2)` points of the quadratic curve from `a` to `b` with control point `bend`."""
    t = np.linspace(0, 1, steps)[:, None]
    points: Array = (1 - t) ** 2 * np.asarray(a) + 2 * t * (1 - t) * np.asarray(bend) + t**2 * np.asarray(b)
    return points


def _inside(points: Array, blocks: Array, margin: float) -> npt.NDArray[np.bool_]:
    """`(points, blocks)`: does the point lie in the block, or within `margin` of it?"""
    x, y = points[:, None, 0], points[:, None, 1]
    return (
        (x > blocks[:, 0] - margin)
        & (x < blocks[:, 2] + margin)
        & (y > blocks[:, 1] - margin)
        & (y < blocks[:, 3] + margin)
    )


def _links(board: Board, points: Array, blocks: Array) -> tuple[Link, ...]:
    """Straight where that meets no other city, else the least bend so; then a free spot for each cost."""
    curves: list[Array] = []
    bends: list[Array] = []
    for a, b, _ in board.edges:
        others = np.delete(blocks, [a, b], axis=0)
        start, end = points[a], points[b]
        across = np.array([start[1] - end[1], end[0] - start[0]])
        tries = [
            (start + end) / 2 + across * amount
            for amount in (0, 0.12, -0.12, 0.24, -0.24, 0.4, -0.4, 0.6, -0.6)
        ]
        hits = [int(_inside(curve(start, bend, end), others, 3).sum()) for bend in tries]
        best = int(np.argmin(hits))
        bends.append(tries[best])
        curves.append(curve(start, tries[best], end))
    labels: list[Array] = []
    for index, path in enumerate(curves):
        others = np.concatenate([other for place, other in enumerate(curves) if place != index])
        candidates = path[4:-4]
        trouble = 4.0 * np.abs(np.linspace(-1, 1, len(candidates)))
        trouble += 60.0 * _inside(candidates, blocks, COST_RADIUS).sum(1)
        trouble += 2.0 * (_distances(candidates, others) < COST_RADIUS).sum(1)
        if labels:
            trouble += 60.0 * (_distances(candidates, np.array(labels)) < 2 * COST_RADIUS + 1).sum(1)
        labels.append(candidates[int(np.argmin(trouble))])
    return tuple(
        Link((a, b), cost, *_tuples(np.array([bend, label])))
        for (a, b, cost), bend, label in zip(board.edges, bends, labels, strict=True)
    )


def _distances(one: Array, other: Array) -> Array:
    return np.hypot(one[:, None, 0] - other[None, :, 0], one[:, None, 1] - other[None, :, 1])


# ---------------------------------------------------------------------------------------------- regions


def _cell(points: Array, city: int, width: float, height: float) -> tuple[Point, ...]:
    """What lies nearer to a city than to any other, as far as REACH and inside the map."""
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    middle = points[city] + (0, (BELOW - ABOVE) / 2)
    shape = middle + REACH * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    shape = np.clip(shape, 1, (width - 1, height - 1))
    for other in range(len(points)):
        if other != city and np.hypot(*(points[other] - points[city])) < 2 * REACH + ABOVE + BELOW:
            towards = points[other] - points[city]
            shape = _cut(
                shape,
                towards,
                float(towards @ (points[other] + points[city])) / 2
                + float(towards @ (0, (BELOW - ABOVE) / 2)),
            )
    return _tuples(shape)


def _cut(shape: Array, normal: Array, limit: float) -> Array:
    """The part of a convex polygon with `normal @ point <= limit`."""
    kept: list[Array] = []
    for here, there in pairwise([*shape, shape[0]]):
        over_here, over_there = normal @ here - limit, normal @ there - limit
        if over_here <= 0:
            kept.append(here)
        if over_here * over_there < 0:
            kept.append(here + (there - here) * over_here / (over_here - over_there))
    return np.array(kept)


def _region_labels(
    board: Board, points: Array, blocks: Array, links: tuple[Link, ...], width: float, height: float
) -> tuple[Point, ...]:
    """For the name of each region a free spot on its ground, the freest first."""
    region_of = board.record.city_region[: len(points)]
    grid = np.stack(
        np.meshgrid(np.arange(40, width - 40, 12), np.arange(14, height - 8, 10)), axis=-1
    ).reshape(-1, 2)
    middles = points + (0, (BELOW - ABOVE) / 2)
    gaps = _distances(grid, middles)
    nearest = gaps.argmin(1)
    costs = np.array([link.label for link in links])
    lines = np.concatenate(
        [curve(points[link.ends[0]], link.bend, points[link.ends[1]], 12) for link in links]
    )
    room = np.minimum(_distances(grid, costs).min(1) - COST_RADIUS, 60)
    room = np.minimum(room, _distances(grid, lines).min(1) + 12)
    spots = []
    for region, name in enumerate(board.regions):
        wide = text_width(name, 13) / 2 + 4
        free = room - 200 * _inside_wide(grid, blocks, wide, 10).any(1)
        free -= 0.35 * gaps.min(1) + 500 * (region_of[nearest] != region) + 500 * (gaps.min(1) > REACH - 14)
        spots.append(grid[int(np.argmax(free))])
    return _tuples(np.array(spots, np.float64))


def _inside_wide(points: Array, blocks: Array, wide: float, high: float) -> npt.NDArray[np.bool_]:
    """`(points, blocks)`: does a label around the point touch the block?"""
    return _inside(points, blocks + np.array([-wide, -high, wide, high]), 0)
