"""`powergrid simulate`: games between bots, as records or as a summary."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.options import Board, Edition, Games, Players, Regions, Rulings, Seed
from training.game_config import make_config


def simulate(
    bots: Annotated[
        str, typer.Option(help="Bots, in turn around the table; who begins moves on from game to game.")
    ] = ("random"),
    players: Players = 4,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    games: Games = 100,
    seed: Seed = 0,
    start: Annotated[
        Path | None,
        typer.Option("--from", help="Position to begin at, .toml or .json; it says what is played."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for the records of the games.")] = None,
    tables: Annotated[Path | None, typer.Option(help="Folder for tables of the games, as Parquet.")] = None,
) -> None:
    """Play games between bots; --out keeps every decision as records, --tables a row per bid, purchase, house ..."""
    from contextlib import ExitStack

    from agents.progress import bar
    from powergrid_env.tables import Played, write
    from training import simulate as simulation
    from training.by_name import make_agent
    from training.commands.frames import print_frame

    if start is not None:
        position = simulation.read_position(start)
        fresh = simulation.beginnings(None, games, seed, position)
        config = next(simulation.beginnings(None, 1, seed, position)).config
    else:
        config = make_config(players, edition, board, regions, rulings)
        fresh = simulation.beginnings(config, games, seed)
    names = bots.split()
    simulation.check_line_up(names, config.players)
    agents = [make_agent(name, config) for name in names]
    rows: list[tuple[Any, ...]] = []
    with ExitStack() as stack:
        on_done = stack.enter_context(bar("games", games))
        keep = stack.enter_context(simulation.record_file(out)) if out else None

        def played() -> Iterator[Played]:
            for number, game in enumerate(simulation.stream(fresh, agents, seed)):
                rows.extend(simulation.outcomes(game))
                if keep:
                    keep(game)
                on_done(1)
                yield Played.of(game, number)

        if tables:
            write(played(), tables)
        else:
            deque(played(), maxlen=0)
    print_frame(simulation.summary(rows))
    if out:
        print(f"{games} records in {out}")
    if tables:
        print(f"tables of {games} games in {tables}")
