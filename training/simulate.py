"""Games between bots, kept with every decision."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from powergrid_env import Game, GameConfig
from powergrid_env._files import replacing
from powergrid_env.arguments import check_seed
from powergrid_env.batch import GameBatch

if TYPE_CHECKING:
    import pandas as pd

    from agents import Agent

GAMES_AT_ONCE = 256


def read_position(path: Path) -> dict[str, Any]:
    """A position from a .toml or .json file.

    Raises:
        ValueError: another ending, or text that cannot be read; names the file.
    """
    text = path.read_text("utf-8")
    try:
        if path.suffix == ".json":
            found = json.loads(text)
        elif path.suffix == ".toml":
            found = tomllib.loads(text)
        else:
            raise ValueError("allowed: a file that ends in .toml or .json")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}: a position is a table of keys and values")
    return found


def beginnings(
    config: GameConfig | None, games: int, seed: int, position: dict[str, Any] | None = None
) -> Iterator[Game]:
    """Games that have not begun: of `config` with seeds counted up, or all at a position whose hidden things differ."""
    for number in range(games):
        if position is not None:
            yield Game.from_position(position, seed=seed + number)
        else:
            yield Game(config, seed=seed + number)


def check_line_up(names: Sequence[str], seats: int) -> None:
    """Can these bots sit in turn around a table?

    Raises:
        ValueError: none, or more than seats.
    """
    if not 1 <= len(names) <= seats:
        raise ValueError(f"bots is {' '.join(names)!r}; allowed: 1 to {seats} names for {seats} players")


def stream(games: Iterable[Game], players: Sequence["Agent"], seed: int) -> Iterator[Game]:
    """Play games to their ends as they come, `GAMES_AT_ONCE` together.

    Game `g` seats the players in turn, from seat `g` on, so that all sit everywhere. Each game keeps its decisions and
    the names of its players, for a record.

    Raises:
        ValueError: a seed that is none, or more players than seats.
    """
    check_seed(seed)
    for place, agent in enumerate(players):
        agent.reset(seed + place)
    coming, begun = iter(games), 0
    while part := list(islice(coming, GAMES_AT_ONCE)):
        seats = part[0].config.players
        check_line_up([agent.name for agent in players], seats)
        turns = np.arange(begun, begun + len(part))
        sitting = (np.arange(seats)[None, :] - turns[:, None]) % seats % len(players)
        for game, row in zip(part, sitting, strict=True):
            game.names = [players[place].name for place in row]
        _play_out(part, players, sitting)
        begun += len(part)
        yield from part


def play(games: Iterable[Game], players: Sequence["Agent"], seed: int) -> list[Game]:
    """The games of `stream`, all of them."""
    return list(stream(games, players, seed))


def _play_out(games: Sequence[Game], players: Sequence["Agent"], seats: np.ndarray[Any, Any]) -> None:
    batch = GameBatch.from_games(games)
    while len(running := np.flatnonzero(batch.player >= 0)):
        to_act = seats[running, batch.player[running]]
        actions = np.zeros(len(running), np.int64)
        for place, agent in enumerate(players):
            asked = to_act == place
            if asked.any():
                actions[asked] = agent.act(batch, running[asked])
        for lane, action in zip(running, actions, strict=True):
            games[lane].play(int(action))
        batch.step(actions, running)


def outcomes(game: Game) -> list[tuple[Any, ...]]:
    """What a finished game brought, a row per seat, for `summary`."""
    result, names = game.result(), game.names
    assert result is not None
    assert names is not None
    return [
        (
            name,
            1 / len(result.winners) if seat in result.winners else 0.0,
            result.supplied[seat],
            result.money[seat],
            result.rounds,
            result.truncated,
        )
        for seat, name in enumerate(names)
    ]


def summary(rows: Sequence[tuple[Any, ...]]) -> "pd.DataFrame":
    """One row per bot: seats it had, win share, and what it ended with on average."""
    import pandas as pd

    columns = ["bot", "win_share", "supplied", "money", "rounds", "truncated"]
    by_bot = pd.DataFrame(rows, columns=columns).groupby("bot", sort=False)
    means = by_bot.mean().reset_index()
    means.insert(1, "seats", by_bot.size().to_numpy())
    return means.sort_values("win_share", ascending=False)


@contextmanager
def record_file(path: Path) -> Iterator[Callable[[Game], Any]]:
    """A file of records, one after another, written as games come; it appears when it is complete."""
    with replacing(path) as draft, open(draft, "w", encoding="utf-8") as file:
        yield lambda game: file.write(game.record() + "\n")
