"""Tidy tables from decision rows, as pandas frames: games rounds lots bids fuel_buys builds powering standings.

Keys are `game_id`, and `lot_id` within a game. Money is in Elektro, seats are numbers, `agent` is the name of the seat.
The columns are those auction research counts: every bid with its least amount, the cash before, who was still in, the
jump above the least raise, and who won and paid.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from powergrid_env import rewards
from powergrid_env.arguments import refuse
from powergrid_env.board import Board
from powergrid_env.constants import MAX_PLAYERS, NO_RUN, NOBODY, Decision, EndReason, Phase, Resource
from powergrid_env.layout import RESOURCES
from powergrid_env.rules import steps
from powergrid_env.state import States, make_states
from powergrid_env.tables.log import Played, log_game

Rows = npt.NDArray[Any]
"""Decision rows of log.py, `(k,)`."""
TABLES = ("games", "rounds", "lots", "bids", "fuel_buys", "builds", "powering", "standings")
TRUST_SEAT = -2  # `winner` of a lot that the Trust took
SEATS_OF_BITS = np.array(
    [
        " ".join(str(seat) for seat in range(MAX_PLAYERS) if bits >> seat & 1)
        for bits in range(1 << MAX_PLAYERS)
    ],
    dtype=object,
)
"""`still_in` of a decision row in words."""


def frames(games: Iterable[Played]) -> dict[str, pd.DataFrame]:
    """All tables of some games, by name.

    Raises:
        ValueError: something that is not Played, or a game with an action that cannot be played.
    """
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    for _, alike in groupby(_checked(games), key=lambda game: id(game.board)):
        for name, frame in _tables(list(alike)).items():
            parts[name].append(frame)
    return {
        name: pd.concat(found, ignore_index=True) if found else pd.DataFrame()
        for name, found in parts.items()
    }


def _checked(games: Iterable[Played]) -> Iterator[Played]:
    """The games, as they come."""
    if not isinstance(games, Iterable):
        raise refuse("games", games, "a list of Played")
    for place, game in enumerate(games):
        if not isinstance(game, Played):
            raise refuse(f"games[{place}]", game, "Played, such as Played.of(game)")
        yield game


def _tables(games: list[Played]) -> dict[str, pd.DataFrame]:
    """The tables of games of one board, all at once: pandas is slow by the frame, not by the row."""
    board = games[0].board
    logs, ends, first_lot = [], make_states(len(games)), 0
    for place, game in enumerate(games):
        log, ends[place] = log_game(game)
        log.game[:] = place
        log.lot_key[:] = np.where(log.lot >= 0, log.lot + first_lot, -1)
        first_lot += int(log.lot.max(initial=-1)) + 1
        logs.append(log)
    rows: Rows = np.concatenate(logs)
    lots = _lots(rows)
    tables = {
        "games": _games(games, rows, ends),
        "rounds": _rounds(rows, board),
        "lots": lots.drop(columns="lot_key"),
        "bids": _bids(rows, lots),
        "fuel_buys": _fuel_buys(rows),
        "builds": _builds(rows, board),
        "powering": _powering(rows),
        "standings": _standings(ends, board),
    }
    ids = np.array([game.game_id for game in games])
    agents = np.array([[*game.agents, "trust", "none"] for game in games], dtype=object)  # seats -2 and -1
    for name, table in tables.items():
        place = table.pop("game").to_numpy(int)
        table.insert(0, "game_id", ids[place])
        for column in ("player", "opener", "winner"):
            if column in table:
                label = "agent" if column == "player" else f"{column}_agent"
                table.insert(
                    int(table.columns.get_loc(column)) + 1, label, agents[place, table[column].to_numpy(int)]
                )
        tables[name] = table
    return tables


def _games(games: list[Played], rows: Rows, ends: States) -> pd.DataFrame:
    board = games[0].board
    config, seats = board.config, range(board.config.players)
    winners = [
        [
            seat
            for seat in seats
            if end.end_reason == EndReason.CITIES and steps.rank(end, board.record, seat) == 1
        ]
        for end in ends
    ]
    return pd.DataFrame(
        {
            "game": range(len(games)),
            "edition": config.edition,
            "board": config.board,
            "players": config.players,
            "regions": [" ".join(board.zones[zone]) for zone in ends["zone"]],
            "seed": pd.array([game.seed for game in games], dtype="Int64"),
            "agents": [" | ".join(game.agents) for game in games],
            "decisions": np.bincount(rows["game"], minlength=len(games)),
            "rounds": ends["round_number"],
            "step": ends["step_number"],
            "over": ends["phase"] == Phase.OVER,
            "reason": [EndReason(reason).name.lower() for reason in ends["end_reason"]],
            "winners": [" ".join(map(str, seats)) for seats in winners],
        }
    )


def _column(rows: Rows, name: str) -> Any:
    return np.asarray(rows[name])


def _where(rows: Rows, *names: str) -> dict[str, Any]:
    """Columns that say where a row belongs."""
    return {name: _column(rows, name) for name in ("game", "round", "step", *names)}


def _own_cash(rows: Rows) -> Any:
    """Elektro of the seat that decides, before."""
    return rows["cash_before"][np.arange(len(rows)), rows["player"]]


def _rounds(rows: Rows, board: Board) -> pd.DataFrame:
    """One row per round, as it stood at its first decision."""
    begins = rows[rows["phase"] >= Phase.AUCTION]
    first = begins[np.unique(begins["game"].astype(np.int64) << 32 | begins["round"], return_index=True)[1]]
    seats = board.config.players
    table: dict[str, Any] = _where(first)
    table["player_order"] = [" ".join(map(str, order[:seats])) for order in first["order"]]
    table["market"] = [" ".join(str(card) for card in market if card) for market in first["market"]]
    for resource in Resource:
        table[f"track_{RESOURCES[resource]}"] = first["track"][:, resource]
    table["cash_total"] = first["cash_before"][:, :seats].sum(axis=1)
    return pd.DataFrame(table)


def _lots(rows: Rows) -> pd.DataFrame:
    """One row per plant auctioned, and per plant the Trust took (`winner` -2, price 0)."""
    in_lot = rows[(rows["decision"] == Decision.BID) & (rows["lot"] >= 0)]
    sold = in_lot[in_lot["winner"] != NOBODY]
    opens = rows[(rows["decision"] == Decision.CHOOSE) & (rows["passes"] == 0)]
    opens = opens[np.isin(opens["lot_key"], sold["lot_key"])]
    bids = in_lot[(in_lot["passes"] == 0) & np.isin(in_lot["lot_key"], sold["lot_key"])]
    lot = np.searchsorted(sold["lot_key"], bids["lot_key"])
    table = pd.DataFrame(
        {
            "lot_key": _column(opens, "lot_key"),
            "lot_id": _column(opens, "lot"),
            **_where(opens, "plant", "minimum", "discounted"),
            "opener": _column(opens, "player"),
            "bidders": np.bitwise_count(opens["still_in"]).astype(np.int64),
            "num_bids": np.bincount(lot, minlength=len(sold)),
            "winner": _column(sold, "winner"),
            "price": _column(sold, "price"),
            "winner_cash": sold["cash_before"][np.arange(len(sold)), sold["winner"]],
        }
    )
    table["order_in_round"] = table.groupby(["game", "round"]).cumcount() + 1
    table["premium"] = (table["price"] - table["minimum"]) / table["minimum"]
    lost = bids[bids["player"] != sold["winner"][lot]]
    table["second_bid"] = (
        table["lot_key"].map(pd.Series(lost["bid"]).groupby(lost["lot_key"]).max()).astype("Int64")
    )
    takes = rows[rows["trust_plant"] != 0]
    if len(takes):
        trust = pd.DataFrame(0, index=range(len(takes)), columns=table.columns).astype(table.dtypes)
        for name, column in _where(takes).items():
            trust[name] = column
        trust["plant"], trust["winner"], trust["opener"] = _column(takes, "trust_plant"), TRUST_SEAT, NOBODY
        trust["lot_id"] = trust["lot_key"] = -1
        trust["second_bid"] = pd.NA
        table = pd.concat([table, trust], ignore_index=True)
    return table


def _bids(rows: Rows, lots: pd.DataFrame) -> pd.DataFrame:
    """One row per bid or drop-out."""
    asked = rows[rows["decision"] == Decision.BID]
    bid = np.where(asked["passes"] == 1, 0, asked["bid"])
    table = pd.DataFrame(
        {
            "lot_id": _column(asked, "lot"),
            "seq": _column(asked, "seq"),
            **_where(asked, "plant", "player"),
            "turn_pos": _column(asked, "position"),
            "action": np.where(asked["passes"] == 1, "pass", "bid"),
            "amount": bid,
            "min_allowed": _column(asked, "least"),
            "max_affordable": _own_cash(asked),
            "standing": _column(asked, "standing"),
            "jump": np.where(asked["passes"] == 1, 0, bid - asked["least"]),
            "opens": (asked["standing"] == 0).astype(np.int64),
            "cash_before": _own_cash(asked),
            "n_active": np.bitwise_count(asked["still_in"]).astype(np.int64),
            "still_in": SEATS_OF_BITS[asked["still_in"]],
        }
    )
    ends = lots[lots["winner"] != TRUST_SEAT].set_index("lot_key")
    key = pd.Series(asked["lot_key"])
    table["bid_seq"] = key.groupby(key).cumcount()
    table["winner"] = key.map(ends["winner"]).astype("Int64").fillna(NOBODY).astype(int)
    table["price"] = key.map(ends["price"]).astype("Int64")
    return table


def _fuel_buys(rows: Rows) -> pd.DataFrame:
    buys = rows[rows["resource"] >= 0]
    table = {
        "seq": _column(buys, "seq"),
        **_where(buys, "player"),
        "resource": np.array(RESOURCES, dtype=object)[buys["resource"]],
        "tokens": _column(buys, "tokens"),
        "price": _column(buys, "paid"),
        "track_before": buys["track"][np.arange(len(buys)), buys["resource"]],
        "cash_before": _own_cash(buys),
    }
    return pd.DataFrame(table)


def _builds(rows: Rows, board: Board) -> pd.DataFrame:
    builds = rows[rows["city"] >= 0]
    table = {
        "seq": _column(builds, "seq"),
        **_where(builds, "player"),
        "city": np.array(board.cities, dtype=object)[builds["city"]],
        "connection": _column(builds, "connection"),
        "space": builds["paid"] - builds["connection"],
        "price": _column(builds, "paid"),
        "cities": _column(builds, "cities"),
        "cash_before": _own_cash(builds),
    }
    return pd.DataFrame(table)


def _powering(rows: Rows) -> pd.DataFrame:
    powered = rows[rows["run"] != NO_RUN]
    table: dict[str, Any] = {"seq": _column(powered, "seq"), **_where(powered, "player")}
    table["plants_run"] = [
        " ".join(str(plant) for slot, plant in enumerate(plants) if plant and run >> slot & 1)
        for plants, run in zip(powered["plants"], powered["run"], strict=True)
    ]
    for name in ("supplied", "cities", "income"):
        table[name] = _column(powered, name)
    for resource in Resource:
        table[f"burnt_{RESOURCES[resource]}"] = powered["burnt"][:, resource]
    table["cash_after"] = powered["cash_after"][np.arange(len(powered)), powered["player"]]
    return pd.DataFrame(table)


def _standings(ends: States, board: Board) -> pd.DataFrame:
    """One row per game and seat; ranks and rewards only of games that are over."""
    seats = board.config.players
    shares, paid = np.zeros((len(ends), seats), np.float32), np.zeros((len(ends), seats), np.float32)
    ranks = np.zeros((len(ends), seats), np.int64)
    for place, end in enumerate(ends):
        rewards.win_shares(end, board.record, shares[place])
        rewards.fill_rewards(end, board.record, paid[place])
        ranks[place] = [steps.rank(end, board.record, seat) for seat in range(seats)]
    over = np.repeat(ends["phase"] == Phase.OVER, seats)
    return pd.DataFrame(
        {
            "game": np.repeat(np.arange(len(ends)), seats),
            "player": np.tile(np.arange(seats), len(ends)),
            "rank": pd.arrays.IntegerArray(ranks.ravel(), ~over),
            "win_share": shares.ravel().astype(float),
            "supplied": ends["supplied"][:, :seats].ravel(),
            "money": ends["money"][:, :seats].ravel(),
            "cities": ends["num_cities"][:, :seats].ravel(),
            "plants": [
                " ".join(str(plant) for plant in plants if plant)
                for plants in ends["plants"][:, :seats].reshape(-1, ends["plants"].shape[2]).tolist()
            ],
            "reward": paid.ravel().astype(float),
        }
    )
