"""The table of results: a row per game and seat, from games that are over; reading and writing it."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agents.arena.schedule import Block
from powergrid_env._files import replacing
from powergrid_env.batch import GameBatch
from powergrid_env.constants import EndReason
from powergrid_env.rules.steps import rank

COLUMNS = (
    ("version", "version of powergrid-env"),
    ("edition", "edition of the rules"),
    ("board", "board"),
    ("players", "seats"),
    ("config", "all fields of GameConfig, JSON"),
    ("seed", "seed of the tournament"),
    ("block", "block of one line-up and one deck, from 0"),
    ("game", "game, from 0 throughout the tournament"),
    ("game_seed", "seed of the game"),
    ("seat", "seat, from 0"),
    ("agent", "agent with its parameters"),
    ("rank", "place, 1 best, ties share; those who forfeit come last"),
    ("win_share", "part of the win, 0 to 1; 0 for all in a truncated game"),
    ("supplied", "cities supplied at the end"),
    ("cities", "cities in the network"),
    ("money", "Elektro at the end"),
    ("rounds", "rounds played"),
    ("end", "cities (R7.1) or max_rounds (truncated)"),
    ("forfeit", "why the agent forfeited, else empty"),
)
"""Columns and their meaning."""


def rows_of(
    batch: GameBatch,
    played: list[tuple[Block, int, tuple[int, ...]]],
    names: list[str],
    forfeits: npt.NDArray[Any],
    seed: int,
) -> "pd.DataFrame":
    """Rows of all games of a batch that is over.

    Args:
        batch: the games.
        played: per lane the block, the number of the game, and the entrant in each seat.
        names: agents by entrant.
        forfeits: `(N, P)`, "" or a reason.
        seed: seed of the tournament.
    """
    config, states, seats = batch.config, batch.states, batch.config.players
    ranks = np.array([placed(states[lane], seats, forfeits[lane], batch) for lane in range(len(states))])
    wins = (ranks == 1) & (states["end_reason"] == EndReason.CITIES)[:, None]
    shares = wins / np.maximum(1, wins.sum(axis=1, keepdims=True))
    blocks = [block for block, _, _ in played]

    def each(values: Any) -> npt.NDArray[Any]:
        """A value per game, for each of its rows."""
        return np.repeat(np.asarray(values), seats)

    def by_seat(field: str) -> npt.NDArray[np.int64]:
        """A field of the states, row by row."""
        return states[field][:, :seats].ravel().astype(np.int64)

    return pd.DataFrame(
        {
            "version": version("powergrid-env"),
            "edition": config.edition,
            "board": config.board,
            "players": seats,
            "config": json.dumps(config.to_dict(), sort_keys=True),
            "seed": seed,
            "block": each([block.number for block in blocks]),
            "game": each([game for _, game, _ in played]),
            "game_seed": each([block.game_seed for block in blocks]),
            "seat": np.tile(np.arange(seats), len(states)),
            "agent": [names[entrant] for _, _, sitting in played for entrant in sitting],
            "rank": ranks.ravel(),
            "win_share": shares.ravel(),
            "supplied": by_seat("supplied"),
            "cities": by_seat("num_cities"),
            "money": by_seat("money"),
            "rounds": each(states["round_number"].astype(np.int64)),
            "end": each([EndReason(reason).name.lower() for reason in states["end_reason"]]),
            "forfeit": forfeits.ravel(),
        },
        columns=[name for name, _ in COLUMNS],
    )


def placed(state: Any, seats: int, forfeits: npt.NDArray[Any], batch: GameBatch) -> list[int]:
    """Ranks of the seats by R7.3, those who forfeited behind all others."""
    ranks = [int(rank(state, batch.board.record, seat)) for seat in range(seats)]
    order = [(bool(forfeits[seat]), ranks[seat]) for seat in range(seats)]
    return [1 + sum(other < mine for other in order) for mine in order]


def write_results(results: "pd.DataFrame", path: str | Path) -> None:
    """Write the table as .csv or .parquet.

    Raises:
        ValueError: another ending.
    """
    path = Path(path)
    check_path("out", path)
    with replacing(path) as draft:
        if path.suffix == ".csv":
            results.to_csv(draft, index=False)
        else:
            results.to_parquet(draft, index=False)


def read_results(path: str | Path) -> "pd.DataFrame":
    """Read a table that `write_results` wrote.

    Raises:
        ValueError: no such file, or it holds no table of results.
    """
    path = Path(path)
    check_path("results", path)
    if not path.is_file():
        raise ValueError(f"results: no file {path}")
    try:
        results = pd.read_csv(path, keep_default_na=False) if path.suffix == ".csv" else pd.read_parquet(path)
    except ValueError as error:  # those of pandas and pyarrow
        raise ValueError(f"{path}: no table of results ({error})") from None
    missing = [name for name, _ in COLUMNS if name not in results.columns]
    if missing:
        raise ValueError(f"{path}: no table of results, columns are missing: {', '.join(missing)}")
    if results.empty:
        raise ValueError(f"{path}: a table of results without a game")
    return results


def check_path(name: str, path: Path) -> None:
    """Refuse names of files that are no tables; `name` is what the path was given as."""
    if path.suffix not in (".csv", ".parquet"):
        raise ValueError(f"{name} is {str(path)!r}; allowed: a name that ends in .csv or .parquet")
