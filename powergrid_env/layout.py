"""The observation by name: its pieces, where they lie in the flat vector, what 1.0 stands for, and a printed form.

`PIECES` below is the one declaration; observation.py fills what it declares. Sizes depend on the number of cities alone,
so that a policy can be tried on another board of that size, in another edition, with another number of players.
"""

import hashlib
from collections import namedtuple
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from powergrid_env.board import Board
from powergrid_env.constants import (
    MAX_MARKET,
    MAX_PLAYERS,
    MAX_STACK,
    NUM_PLANT_NUMBERS,
    Decision,
    Phase,
    PlantKind,
    Resource,
    Step3Card,
)

__all__ = ["VERSION", "Piece", "describe", "digest", "layout", "layout_table", "observation_size", "views"]

VERSION = 0
"""Moves when a number of the observation changes its meaning; saved models carry it."""

# What 1.0 stands for. What is larger shows as 1.0.
MONEY = 400  # Elektro
SMALL_MONEY = 50  # Elektro, for the differences that decide an early auction
BID = 100  # Elektro
ROUNDS = 60
CITIES = 22  # of a network: all houses of a player
OUTPUT = 32  # cities, supplied by four plants
BURN, SUPPLY, NUMBER = 3, 8, 50  # of a plant: tokens per run, cities per run, its number
TOKENS = (24, 24, 24, 12)  # in the game (RC.2)
ROOM = 24  # tokens that four plants store
FUEL_PRICE = 16  # Elektro, the dearest space of the track
RESUPPLY = 9  # tokens
SPACE_PRICE = 20  # Elektro, the dearest space of a city
CONNECTION = 100  # Elektro
TRUST_HOUSES = 16
PLANT_LIMIT = 4
CARDS = MAX_STACK

KINDS = tuple(kind.name.lower() for kind in PlantKind if kind != PlantKind.ABSENT)
RESOURCES = tuple(resource.name.lower() for resource in Resource)
SEATS = ("self", *(f"+{place}" for place in range(1, MAX_PLAYERS)))
NUM_SLOTS = 4  # plants of a seat, the new one of R2.30 not counted
NUM_TRUST_SLOTS = 3

LABELS: dict[str, tuple[str, ...]] = {
    "phase": tuple(phase.name.lower() for phase in Phase),
    "decision": tuple(decision.name.lower() for decision in Decision),
    "step": ("1", "2", "3"),
    "card": tuple(place.name.lower() for place in Step3Card),
    "players": tuple(str(players) for players in range(2, MAX_PLAYERS + 1)),
    "rule": (
        "trust",
        "start_cities",
        "discount",
        "obsolete_plants",
        "coal_storage",
        "uranium_stop",
        "hidden_money",
    ),
    "seat": SEATS,
    "owner": (*SEATS, "trust"),
    "position": tuple(str(position + 1) for position in range(MAX_PLAYERS)),
    "slot": tuple(str(slot + 1) for slot in range(NUM_SLOTS)),
    "trust_slot": tuple(str(slot + 1) for slot in range(NUM_TRUST_SLOTS)),
    "feature": (*KINDS, "burn", "cities", "number"),
    "place": tuple(str(place + 1) for place in range(MAX_MARKET)),
    "resource": RESOURCES,
    "room": (*RESOURCES, "hybrid"),
    "back": ("plug", "socket"),
    "number": tuple(str(number) for number in range(NUM_PLANT_NUMBERS)),
}
"""Names along each axis, except `city`: those are the board's."""

FEATURE_SCALE = (1,) * len(KINDS) + (BURN, SUPPLY, NUMBER)

# Name, axes, what 1.0 stands for (one number, or one for each entry of the last axis; 1 for flags), meaning.
# Seats are relative: the observer first, then clockwise; those not in the game are 0.
PIECES: tuple[tuple[str, str, int | tuple[int, ...], str], ...] = (
    ("phase", "phase", 1, "phase of the round"),
    ("decision", "decision", 1, "what the player to act is asked"),
    ("to_act", "seat", 1, "the player to act; none when the game is over"),
    ("step", "step", 1, "Step in force (R6)"),
    ("step3_card", "card", 1, "where the Step 3 card is; on display its features are 0"),
    ("round", "", ROUNDS, "round, from 1"),
    ("rounds_left", "", ROUNDS, "rounds left to the safety cap (R7.4)"),
    ("players", "players", 1, "number of players"),
    ("plant_limit", "", PLANT_LIMIT, "plants a player may keep (R2.30)"),
    ("step2_cities", "", CITIES, "cities of a network that start Step 2 (R6.10)"),
    ("end_cities", "", CITIES, "cities of a network that end the game (R7.1)"),
    ("rules", "rule", 1, "rules that not every game has (RULES.md, section 13)"),
    ("order", "seat position", 1, "place in the player order (R1.1)"),
    ("passed", "seat", 1, "auction: passed the choice (R2.3); other phases: finished"),
    ("bought", "seat", 1, "bought a plant in this phase 2 (R2.1)"),
    ("money", "seat", MONEY, "Elektro; of others 0 when money is hidden (RI.3)"),
    ("small_money", "seat", SMALL_MONEY, "the same on a finer scale"),
    ("plants", "seat slot feature", FEATURE_SCALE, "plants owned, ascending, besides `new_plant`"),
    ("fuel", "seat resource", TOKENS, "tokens on the plants"),
    ("room", "seat room", ROOM, "tokens the plants can store; hybrid room is shared by coal and oil (R3.3)"),
    ("cities", "seat", CITIES, "cities in the network"),
    ("output", "seat", OUTPUT, "cities all plants supply together, whatever fuel and network"),
    ("can_supply", "seat", CITIES, "most cities that could be supplied now (R7.2)"),
    ("new_plant", "feature", FEATURE_SCALE, "plant just bought, while an old one is scrapped (R2.30)"),
    ("give_up_left", "", ROOM, "tokens that may still be given up by wish (A10)"),
    ("pending_run", "slot", 1, "plants that run while their hybrid mix is asked (R5.3)"),
    ("market", "place feature", FEATURE_SCALE, "plants on display, ascending"),
    ("for_sale", "place", 1, "is in the current market (R2.14)"),
    ("discount", "place", 1, "lies under the discount token (R2.20)"),
    ("minimum", "place", NUMBER, "minimum bid in Elektro of plants for sale (R2.5)"),
    ("auction_plant", "feature", FEATURE_SCALE, "plant under the hammer"),
    ("auction_bid", "", BID, "standing bid in Elektro"),
    ("least_bid", "", BID, "least amount that may be bid now, in Elektro (R2.7)"),
    ("auction_chooser", "seat", 1, "who chose the plant (R2.2)"),
    ("auction_bidder", "seat", 1, "whose bid stands"),
    ("bidding", "seat", 1, "still in the running auction (R2.7)"),
    ("track", "resource", TOKENS, "tokens on the resource track"),
    ("fuel_price", "resource", FUEL_PRICE, "price of the next token in Elektro, 0 without one (R3.5)"),
    ("supply", "resource", TOKENS, "tokens in the supply"),
    ("storage", "", TOKENS[0], "coal in the USA coal storage (RM.10)"),
    ("resupply", "resource", RESUPPLY, "tokens the next resupply brings at most (R5.10, RM.1)"),
    ("uranium_stopped", "", 1, "no more uranium resupply (RM.1)"),
    ("cards_left", "", CARDS, "cards in the stack, the Step 3 card included"),
    ("cards_to_come", "", CARDS, "cards above the Step 3 card; once that has come, the whole stack"),
    ("top_back", "back", 1, "back of the top card, where cards have backs (RI.1)"),
    ("chance", "number", 1, "chance that a plant is among `cards_to_come`"),
    ("under_stack", "number", 1, "plants known to lie under the Step 3 card (R5.20, A30)"),
    ("trust_plants", "trust_slot feature", FEATURE_SCALE, "plants of the Trust, ascending"),
    ("trust_fuel", "resource", TOKENS, "tokens of the Trust"),
    ("trust_houses", "", TRUST_HOUSES, "houses in the Trust's supply"),
    ("trust_done", "", 1, "the Trust has had its turn in this phase 2 (RT.11)"),
    ("zone", "city", 1, "is in the zone (R0.1)"),
    ("houses", "owner city", 1, "has a house of that owner"),
    ("space_price", "city", SPACE_PRICE, "price of the lowest free open space in Elektro, 0 without one"),
    ("connection", "seat city", CONNECTION, "cheapest connection from the network in Elektro (R4.3)"),
    ("connect_price", "city", CONNECTION, "connection and space for `self` in Elektro, else 0"),
    ("can_connect", "city", 1, "`self` may connect it now, turn and money aside (R4, RS)"),
    ("marker", "city", 1, "a start marker lies there (RS.1)"),
    ("own_marker", "city", 1, "it is the marker of `self`"),
)


class Piece(NamedTuple):
    """A named part of the observation.

    Attributes:
        name: as in `PIECES`.
        slice: where it lies in the flat vector.
        shape: of the part; `()` for a single number.
        meaning: in words.
        scale: what 1.0 stands for, one number or one for each entry of the last axis; 1 for flags and chances.
        axes: name of each axis of `shape`, a key of `LABELS` or "city".
    """

    name: str
    slice: slice
    shape: tuple[int, ...]
    meaning: str
    scale: int | tuple[int, ...]
    axes: tuple[str, ...]


@lru_cache(maxsize=64)
def _layout(num_cities: int) -> tuple[Piece, ...]:
    pieces = []
    start = 0
    for name, text, scale, meaning in PIECES:
        axes = tuple(text.split())
        shape = tuple(num_cities if axis == "city" else len(LABELS[axis]) for axis in axes)
        pieces.append(Piece(name, slice(start, start + prod(shape)), shape, meaning, scale, axes))
        start += prod(shape)
    return tuple(pieces)


def _starts(num_cities: int) -> npt.NDArray[np.int64]:
    return np.array([piece.slice.start for piece in _layout(num_cities)])


_Offsets: Any = namedtuple("_Offsets", [name for name, *_ in PIECES])  # type: ignore[misc]
AT: Any = _Offsets(*map(int, _starts(0)))
ROW: Any = _Offsets(*map(int, _starts(1) - _starts(0)))
"""For compiled code: the piece `zone` begins at `AT.zone + ROW.zone * num_cities`; `ROW` is 0 without cities before."""


def layout(board: Board) -> tuple[Piece, ...]:
    """The pieces of an observation, in the order of the vector, without gaps."""
    return _layout(len(board.cities))


def observation_size(board: Board) -> int:
    """Numbers `D` of an observation."""
    return int(layout(board)[-1].slice.stop)


def digest(board: Board) -> str:
    """Hex digest of the layout: saved models are refused where it differs."""
    rows = [(piece.name, piece.slice.start, piece.shape, piece.scale, piece.axes) for piece in layout(board)]
    return hashlib.sha256(repr((VERSION, LABELS, rows)).encode()).hexdigest()[:16]


def views(observation: npt.NDArray[Any], board: Board) -> dict[str, npt.NDArray[Any]]:
    """The pieces by name, as views on the observation.

    Args:
        observation: `(..., D)`; leading axes stay, so a batch gives `(N, *shape)`.
        board: the board it was made on.

    Raises:
        ValueError: the last axis is not `D`.
    """
    size = observation_size(board)
    if observation.ndim == 0 or observation.shape[-1] != size:
        raise ValueError(f"observation has shape {observation.shape}; allowed: (..., {size})")
    lead = observation.shape[:-1]
    return {piece.name: observation[..., piece.slice].reshape(lead + piece.shape) for piece in layout(board)}


def describe(observation: npt.NDArray[Any], board: Board) -> str:
    """One observation `(D,)` for reading: a line per piece, in Elektro, tokens and names; "-" where all is 0.

    Raises:
        ValueError: another shape.
    """
    if observation.ndim != 1:
        raise ValueError(f"observation has shape {observation.shape}; allowed: ({observation_size(board)},)")
    parts = views(observation, board)
    return "\n".join(
        f"{piece.name:<16}{_words(piece, parts[piece.name], board) or '-'}" for piece in layout(board)
    )


def _words(piece: Piece, values: npt.NDArray[Any], board: Board) -> str:
    """Names and numbers of what is not 0."""
    if not values.any():
        return ""
    units = values * np.array(piece.scale)
    if not piece.axes:
        return "yes" if piece.scale == 1 else f"{units:.4g}"
    if piece.axes == ("feature",):
        *kind, burn, cities, number = units
        return f"{number:.4g} ({KINDS[int(np.argmax(kind))]}, burns {burn:.4g}, supplies {cities:.4g})"
    labels = board.cities if piece.axes[0] == "city" else LABELS[piece.axes[0]]
    if len(piece.axes) == 1:
        all_flags = piece.scale == 1 and set(values.tolist()) <= {0, 1}
        words = [
            label if all_flags else f"{label} {unit:.4g}"
            for label, unit in zip(labels, units, strict=True)
            if unit
        ]
        return ", ".join(words)
    inner = piece._replace(axes=piece.axes[1:], shape=piece.shape[1:])
    rows = [(label, _words(inner, row, board)) for label, row in zip(labels, values, strict=True)]
    separator = ", " if inner.axes == ("feature",) else "; "
    return separator.join(f"{label}: {words}" for label, words in rows if words)


def layout_table(board: Board) -> str:
    """The layout as a Markdown table."""
    lines = ["| piece | index | shape | axes | 1.0 is | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    for piece in layout(board):
        scale = "; ".join(map(str, piece.scale)) if isinstance(piece.scale, tuple) else str(piece.scale)
        index = f"{piece.slice.start}-{piece.slice.stop - 1}" if piece.axes else str(piece.slice.start)
        shape = " x ".join(map(str, piece.shape)) or "1"
        cells = (f"`{piece.name}`", index, shape, ", ".join(piece.axes), scale, piece.meaning)
        lines.append(f"| {' | '.join(cells)} |")
    axes = [f"* `{axis}`: {', '.join(labels)}" for axis, labels in LABELS.items() if len(labels) < MAX_STACK]
    return "\n".join(
        [
            *lines,
            "",
            "Entries along the axes:",
            "",
            *axes,
            "* `number`: 0 to 51",
            "* `city`: as in cities.csv",
        ]
    )
