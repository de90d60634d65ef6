"""Decision rows: a game replayed by the compiled engine into one row per decision, the raw matter of all tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env import engine, record
from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.arguments import check_names, refuse
from powergrid_env.board import Board
from powergrid_env.constants import (
    FIRST_BID,
    FIRST_NOMINATE,
    MAX_BUY,
    MAX_MARKET,
    MAX_PLAYERS,
    NO_PLANT,
    NO_RUN,
    NOBODY,
    NUM_RESOURCES,
    PASS,
    Decision,
)
from powergrid_env.game import Game
from powergrid_env.rules import auction, building, facts
from powergrid_env.state import State, States

FIELDS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("game", (), "place of the game among those logged together"),
    ("seq", (), "decision of the game, from 0"),
    ("round", (), "round"),
    ("step", (), "Step"),
    ("phase", (), "Phase"),
    ("decision", (), "Decision"),
    ("player", (), "seat that decided"),
    ("position", (), "its place in the player order, from 1"),
    ("action", (), "action id"),
    ("passes", (), "1 when the action is a pass"),
    ("cash_before", (MAX_PLAYERS,), "Elektro of each seat before"),
    ("cash_after", (MAX_PLAYERS,), "Elektro of each seat after"),
    ("order", (MAX_PLAYERS,), "seats in player order, then -1"),
    ("market", (MAX_MARKET,), "cards on display before, ascending, then 0"),
    ("track", (NUM_RESOURCES,), "tokens on the track before"),
    ("lot", (), "number of the auction, from 0; -1 outside auctions"),
    ("lot_key", (), "the same, counted through all games logged together"),
    ("plant", (), "plant nominated, under the hammer, or scrapped, else 0"),
    ("minimum", (), "minimum bid of that plant"),
    ("discounted", (), "1 under the discount token"),
    ("still_in", (), "seats still bidding, as bits"),
    ("bid", (), "amount bid, 0 for a pass"),
    ("least", (), "least amount that could be bid"),
    ("standing", (), "standing bid before, 0 before the opening"),
    ("winner", (), "seat that took the plant through this decision, else -1"),
    ("price", (), "what it paid"),
    ("trust_plant", (), "plant the Trust took through this decision, else 0"),
    ("resource", (), "resource bought, else -1"),
    ("tokens", (), "tokens bought"),
    ("paid", (), "Elektro paid for fuel or a house"),
    ("city", (), "city connected, else -1"),
    ("connection", (), "cost of the connection"),
    ("run", (), "plants run, as bits over the owned; -1 unless the income was taken"),
    ("supplied", (), "cities supplied"),
    ("income", (), "Elektro taken"),
    ("burnt", (NUM_RESOURCES,), "tokens burnt"),
    ("cities", (), "cities of the network after"),
    ("plants", (MAX_PLAYERS,), "plants of the seat that decided, before, ascending, then 0"),
)
"""Name, shape and meaning of every field of a decision row; all int32."""

ROW_DTYPE = np.dtype([(name, np.int32, shape) for name, shape, _ in FIELDS])
Rows = np.recarray[Any, Any]


@dataclass(frozen=True)
class Played:
    """A game as the tables take it.

    Attributes:
        game_id: key in all tables.
        board: the Board.
        start: `(1,)` state it began at.
        actions: `(k,)` int64 action ids.
        agents: name of the agent or person at each seat.
        seed: None for a game that began at a position.
        stood: `(k,)` states before each action, where the stack was hidden and its cards told one by one.
    """

    game_id: int
    board: Board
    start: States
    actions: npt.NDArray[np.int64]
    agents: Sequence[str]
    seed: int | None = None
    stood: States | None = None

    @classmethod
    def of(cls, game: Game, game_id: int = 0, agents: Sequence[str] | None = None) -> "Played":
        """A `game`, finished or not, as `game_id`; `agents` by default the names of its record, else "p0", "p1" ...

        Raises:
            ValueError: no Game, or not one agent per seat.
        """
        if not isinstance(game, Game):
            raise refuse("game", game, "a Game")
        names = agents if agents is not None else game.names
        if names is None:
            names = [f"p{seat}" for seat in range(game.config.players)]
        names = check_names("agents", names, game.config.players)
        actions = np.array(game._actions, np.int64)
        stood = None
        if game._draws is not None:
            stood = np.concatenate([past._states.copy() for past, _ in record.walk(game)]).view(np.recarray)
        return cls(game_id, game.board, game._start, actions, tuple(names), game.seed, stood)


@rule
def log_decision(state: Any, board: Any, action: int, row: Any) -> int:
    """Play an action and fill its row, all but `seq` and `lot`; returns 0 or the Reason that forbids it."""
    player = int(state.player)
    decision = int(state.decision)
    first = block_of(board, decision)[0]
    row.round, row.step, row.phase, row.decision = (
        state.round_number,
        state.step_number,
        state.phase,
        decision,
    )
    row.player, row.action = player, action
    row.position = facts.position_in_order(state, board, player) + 1
    row.passes = action == PASS
    row.cash_before[:] = state.money
    row.order[:] = state.order
    row.market[:] = state.market
    row.track[:] = state.track
    row.plants[: len(state.plants[player])] = state.plants[player]
    row.resource, row.city, row.winner, row.run = -1, -1, NOBODY, NO_RUN
    before_auction(state, board, action, row)
    if decision == Decision.BUY and action != PASS:
        row.resource, row.tokens = (action - first) // MAX_BUY, (action - first) % MAX_BUY + 1
    if decision == Decision.BUILD and action != PASS:
        row.city = action - first
        row.connection = facts.connection_cost(state, player, int(row.city))
        row.paid = building.price(state, board, player, int(row.city))
    run = int(state.pending_run) if decision == Decision.BURN else action - first
    fuel = state.fuel[player].copy()
    plant, bidder, standing = int(state.auction_plant), int(state.auction_bidder), int(state.auction_bid)
    had = state.trust_plants.copy()
    if decision == Decision.RUN or decision == Decision.BURN:
        row.supplied = facts.cities_of_run(state, board, player, run)

    reason = engine.step(state, board, action)

    row.cash_after[:] = state.money
    row.cities = state.num_cities[player]
    if plant != NO_PLANT and state.auction_plant == NO_PLANT:
        row.winner = bidder if action == PASS else player
        row.price = standing if action == PASS else row.bid
    for slot in range(state.trust_num_plants):
        if not (had == state.trust_plants[slot]).any():
            row.trust_plant = state.trust_plants[slot]
    if row.resource >= 0:
        row.paid = row.cash_before[player] - row.cash_after[player]
    if decision == Decision.BURN or (decision == Decision.RUN and state.pending_run == NO_RUN):
        row.run = run
        row.income = row.cash_after[player] - row.cash_before[player]
        row.burnt[:] = fuel - state.fuel[player]
    else:
        row.supplied = 0
    return reason


@rule
def before_auction(state: Any, board: Any, action: int, row: Any) -> None:
    """The auction part of a row."""
    if state.decision == Decision.CHOOSE and action != PASS:
        row.plant = state.market[action - FIRST_NOMINATE]
        for seat in range(board.num_players):
            row.still_in |= int(auction.takes_part(state, seat)) << seat
    if state.decision == Decision.BID:
        row.plant = state.auction_plant
        row.least, row.standing = auction.least_bid(state), state.auction_bid
        for seat in range(board.num_players):
            row.still_in |= int(state.bidding[seat]) << seat
        if action != PASS:
            row.bid = row.least + board.raises[action - FIRST_BID]
    if row.plant != NO_PLANT:
        row.minimum = auction.minimum_bid(state, int(row.plant))
        row.discounted = row.plant == state.discount


@rule
def log_actions(states: Any, boards: Any, actions: Any, rows: Any) -> int:
    """Play `actions` `(k,)` from `states` `(1,)` into `rows` `(k,)`; returns how many could be played."""
    for seq in range(len(actions)):
        if log_decision(states[0], boards[0], actions[seq], rows[seq]) != 0:
            return seq
    return len(actions)


def log_game(game: Played) -> tuple[Rows, State]:
    """Decision rows of a game `(k,)`, and the state at its end.

    Raises:
        ValueError: an action that cannot be played there.
    """
    rows = np.zeros(len(game.actions), ROW_DTYPE).view(np.recarray)
    states = game.start.copy()
    played = 0
    if game.stood is None:
        played = log_actions(states, game.board.records, game.actions, rows)
    else:
        for seq, action in enumerate(game.actions):
            states[:] = game.stood[seq]
            played += log_actions(states, game.board.records, np.array([action]), rows[seq : seq + 1])
    if played < len(rows):
        raise ValueError(
            f"game {game.game_id}: action {game.actions[played]} of decision {played} cannot be played"
        )
    rows.seq[:] = np.arange(len(rows))
    opens = (rows.decision == Decision.CHOOSE) & (rows.passes == 0)
    rows.lot[:] = np.where(rows.plant != NO_PLANT, np.cumsum(opens) - 1, -1)
    return rows, states[0]
