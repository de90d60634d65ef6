"""`powergrid simulate`: games between bots, as records or as a summary."""

from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Board, Edition, Games, Out, Players, Regions, Rulings, Seed, make_config


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
        Path | None, typer.Option("--from", help="Position to begin at, .toml or .json.")
    ] = None,
    out: Out = None,
) -> None:
    """Play games between bots; --out keeps every decision as records that `replay` and `tables` read."""
    from training import simulate as simulation
    from training.commands.frames import print_frame
    from training.commands.progress import bar
    from training.policies import make_agent

    if start is not None:
        fresh = simulation.beginnings(None, games, seed, simulation.read_position(start))
    else:
        fresh = simulation.beginnings(make_config(players, edition, board, regions, rulings), games, seed)
    agents = [make_agent(name, fresh[0].config) for name in bots.split()]
    with bar("games", games) as on_done:
        played = simulation.play(fresh, agents, seed, on_done)
    print_frame(simulation.summary(played))
    if out is not None:
        simulation.write_records(out, played)
        print(f"{len(played)} records in {out}")
