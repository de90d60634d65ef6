"""State: one game as one numpy record, declared once.

`P` is MAX_PLAYERS seats (absent seats stay as made), `C` MAX_CITIES, `R` the four resources coal, oil,
garbage, uranium. Money is in Elektro, fuel in tokens, plants are card numbers (0 none), cities are row
indices of cities.csv. Everything is canonical: two games that stand alike have equal bytes.
"""

import hashlib
from typing import Any

import numpy as np

from powergrid_env.constants import (
    HYBRID_ROOM,
    MAX_CITIES,
    MAX_MARKET,
    MAX_PLANTS,
    MAX_PLAYERS,
    MAX_REMOVED,
    MAX_STACK,
    NUM_RESOURCES,
    NUM_SPACES,
    TRUST_PLANT_LIMIT,
)

P, C, R = MAX_PLAYERS, MAX_CITIES, NUM_RESOURCES

FIELDS: tuple[tuple[str, type, tuple[int, ...], str], ...] = (
    ("rng", np.uint64, (), "state of the game's own random generator"),
    ("money", np.int32, (P,), "Elektro of each seat"),
    ("auction_bid", np.int32, (), "standing bid in Elektro, 0 before the opening bid (R2.6)"),
    ("phase", np.int16, (), "Phase"),
    ("decision", np.int16, (), "Decision asked of `player`"),
    ("player", np.int16, (), "seat to act, NOBODY when the game is over"),
    ("step_number", np.int16, (), "Step in force, 1 to 3"),
    ("round_number", np.int16, (), "round, from 1"),
    ("end_reason", np.int16, (), "EndReason"),
    ("zone", np.int16, (), "row of the board's zone tables (R0.1)"),
    ("order", np.int16, (P,), "seats in player order, first to last, then NOBODY (R1.1)"),
    ("auction_chooser", np.int16, (), "seat that nominated, NOBODY between auctions (R2.2)"),
    ("auction_plant", np.int16, (), "plant under the hammer, 0 between auctions"),
    ("auction_bidder", np.int16, (), "seat of the standing bid, NOBODY before the opening bid"),
    ("new_plant", np.int16, (), "plant just bought while scrap or give up is due (R2.30), else 0"),
    ("give_up_left", np.int16, (), "tokens that may still be given up by wish (ruling scrap_fuel = choose)"),
    (
        "pending_run",
        np.int16,
        (),
        "plants run, as bits over the owned ones, while their hybrid mix is due, else NO_RUN",
    ),
    ("discount", np.int16, (), "plant under the discount token, 0 put aside (R2.20)"),
    ("num_plants", np.int16, (P,), "plants owned"),
    ("plants", np.int16, (P, MAX_PLANTS), "plants owned, ascending, then 0"),
    ("fuel", np.int16, (P, R), "tokens on the plants of each seat"),
    (
        "fuel_capacity",
        np.int16,
        (P, HYBRID_ROOM + 1),
        "room for coal, oil, garbage, uranium on pure plants, and hybrid room (R3.3)",
    ),
    ("num_cities", np.int16, (P,), "cities in the network"),
    ("supplied", np.int16, (P,), "cities supplied at the end (R7.2), 0 before"),
    (
        "connection_cost",
        np.int16,
        (P, C),
        "cheapest connection from the network to each city (R4.3), NO_PATH without one",
    ),
    ("market_size", np.int16, (), "cards on display, the Step 3 card included"),
    ("market", np.int16, (MAX_MARKET,), "cards on display, ascending, then 0"),
    ("stack_size", np.int16, (), "cards in the stack, the Step 3 card included"),
    ("stack", np.int16, (MAX_STACK,), "cards from the top, then 0"),
    ("num_removed", np.int16, (), "cards taken out unseen at setup"),
    ("removed", np.int16, (MAX_REMOVED,), "those cards, ascending, then 0"),
    ("step3", np.int16, (), "Step3Card: where the Step 3 card is"),
    ("track", np.int16, (R,), "tokens on the resource track"),
    ("supply", np.int16, (R,), "tokens in the supply"),
    ("storage", np.int16, (), "coal in the USA coal storage (RM.10)"),
    ("trust_num_plants", np.int16, (), "plants of the Trust"),
    # The new plant as well, before the lowest leaves (RT.13).
    ("trust_plants", np.int16, (TRUST_PLANT_LIMIT + 1,), "plants of the Trust, ascending, then 0"),
    ("trust_fuel", np.int16, (R,), "tokens of the Trust"),
    ("trust_houses", np.int16, (), "houses left in the Trust's supply (RT.5)"),
    ("city_spaces", np.int8, (C, NUM_SPACES), "owner of the 10, 15 and 20 space: seat, TRUST or NOBODY"),
    ("start_markers", np.int8, (C,), "seat whose start marker lies in the city (RS.1), else NOBODY"),
    ("passed", np.uint8, (P,), "auction: has passed the choice (R2.3); other phases: has finished"),
    ("bought", np.uint8, (P,), "has bought a plant in this phase 2 (R2.1)"),
    ("bidding", np.uint8, (P,), "still in the running auction (R2.7)"),
    ("trust_done", np.uint8, (), "the Trust has had its turn in this phase 2 (RT.11)"),
    ("skip_market_update", np.uint8, (), "part (d) of this phase 5 is skipped (R6.24)"),
    ("uranium_stopped", np.uint8, (), "no more uranium resupply (RM.1)"),
)
"""Name, dtype, shape and meaning of every field."""

_BARE = sum(np.dtype((kind, shape)).itemsize for _, kind, shape, _ in FIELDS)
# Fields descend in size and the record ends on 8 bytes: no padding, whose bytes no copy would keep.
STATE_DTYPE = np.dtype(
    [*((name, kind, shape) for name, kind, shape, _ in FIELDS), ("reserved", np.uint8, (-_BARE % 8,))],
    align=True,
)
RECORD_DTYPE = np.dtype((np.record, STATE_DTYPE))
"""The dtype of every array of states: one object, for compiled code knows it by identity (plain.py)."""
States = np.recarray[Any, Any]
"""A structured array `(N,)` of games; one element is a `State`."""
State = Any
"""One game: an element of `States`, a view on its memory."""


def make_states(num_games: int) -> States:
    """`num_games` zeroed states as a structured array `(N,)`; `engine.reset` makes games of them."""
    return np.zeros(num_games, RECORD_DTYPE).view(np.recarray)


def digest(state: State) -> str:
    """Hex digest of the state's bytes: equal exactly for games that stand alike and go on alike."""
    return hashlib.sha256(state.tobytes()).hexdigest()[:32]
