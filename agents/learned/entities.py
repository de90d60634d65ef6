"""Where an observation speaks of which seat, city and plant, and which actions belong to them.

The observation names its pieces by axes (layout.py): all numbers about one city make a row here, and so do those about a
seat, a place of the plant market, and a plant wherever it lies.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from powergrid_env.actions import ActionTable
from powergrid_env.board import Board
from powergrid_env.layout import layout, observation_size

Indices = npt.NDArray[np.int64]


class Entities(NamedTuple):
    """Where an observation speaks of what, as indices into it, and which actions belong to it.

    Attributes:
        general: `(G,)` the numbers that belong to none of the others, the advice among them.
        seats: `(6, S)` a row per seat, the observer first.
        places: `(8, M)` a row per place of the plant market, without the plant there.
        cities: `(C, K)` a row per city.
        plants: `(R, 9)` a row per plant: those of the seats, of the places, and others.
        seat_plants, place_plants: first row of theirs among `plants`.
        nominate, build: first action of the places for sale and of the cities.
        num_actions: `A`.
        advice: first of the advisor's `A` numbers, behind the observation; 0 without an advisor.
    """

    general: Indices
    seats: Indices
    places: Indices
    cities: Indices
    plants: Indices
    seat_plants: int
    place_plants: int
    nominate: int
    build: int
    num_actions: int
    advice: int


def entities(board: Board, advised: bool) -> Entities:
    """The entities of a board's observation and action table, with or without advice behind it."""
    rows: dict[str, list[Indices]] = {"": [], "seat": [], "place": [], "city": [], "feature": []}
    plant_rows: dict[str, int] = {}
    for piece in layout(board):
        where = np.arange(piece.slice.start, piece.slice.stop).reshape(piece.shape)
        if "city" in piece.axes:
            rows["city"].append(where.reshape(-1, piece.shape[-1]).T)
        elif "feature" in piece.axes:
            plant_rows[piece.name] = sum(map(len, rows["feature"]))
            rows["feature"].append(where.reshape(-1, piece.shape[-1]))
        elif piece.axes and piece.axes[0] in ("seat", "place"):
            rows[piece.axes[0]].append(where.reshape(piece.shape[0], -1))
        else:
            rows[""].append(where.reshape(-1))
    table = ActionTable(board)
    size = observation_size(board)
    if advised:
        rows[""].append(np.arange(size, size + table.count))
    return Entities(
        general=np.concatenate(rows[""]),
        seats=np.concatenate(rows["seat"], axis=1),
        places=np.concatenate(rows["place"], axis=1),
        cities=np.concatenate(rows["city"], axis=1),
        plants=np.concatenate(rows["feature"]),
        seat_plants=plant_rows["plants"],
        place_plants=plant_rows["market"],
        nominate=table.encode("nominate"),
        build=table.encode("city"),
        num_actions=table.count,
        advice=size if advised else 0,
    )
