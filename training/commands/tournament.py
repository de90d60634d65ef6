"""`powergrid tournament`: bots against each other, in blocks of one deck and all seats."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from training.commands.options import Board, Edition, Games, Players, Regions, Rulings, Seed
from training.game_config import make_config

if TYPE_CHECKING:
    import pandas as pd


def tournament(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT ...", help="Names of bots, or model files.")],
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    games: Games = 1000,
    seed: Seed = 0,
    processes: Annotated[int, typer.Option(min=1, help="How many share the work (bots by name only).")] = 1,
    seconds: Annotated[
        float | None, typer.Option(help="An agent that takes longer for a move forfeits the game.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Table of results, .csv or .parquet: a row per game and seat.")
    ] = None,
) -> None:
    """Rank bots: win share with a 95 % interval, and a Plackett-Luce rating. Killed, it goes on from --out."""
    from agents import arena
    from agents.arena.statistics import forfeits_in_words
    from training.by_name import make_agent
    from training.commands.frames import print_frame

    config = make_config(players, edition, board, regions, rulings)
    for name in bots:
        make_agent(name, config)
    entrants = [
        name if processes > 1 or not Path(name).exists() else make_agent(name, config) for name in bots
    ]
    results = arena.tournament(entrants, config, games, seed, out, seconds, processes, progress=True)
    title = f"{players} players, {edition}, {board}, par {1 / players:.2f}"
    print_frame(_short(arena.standings(results)), title)
    if forfeits := forfeits_in_words(results):
        print(forfeits)
    if out is not None:
        print(f"{len(results)} rows in {out}")


def _short(standings: "pd.DataFrame") -> "pd.DataFrame":
    """The columns that fit a terminal, intervals in one cell."""
    shown = standings[["agent", "games", "win_share"]].copy()
    shown["95 %"] = [
        f"{low:.2f} to {high:.2f}" for low, high in zip(standings.ci_low, standings.ci_high, strict=True)
    ]
    if "rating" in standings:
        from agents.arena.ratings import HIGH_ANCHOR, LOW_ANCHOR

        in_hundreds = {LOW_ANCHOR, HIGH_ANCHOR} <= set(standings["agent"])
        form = "z.0f" if in_hundreds else "z.1f"  # natural units
        shown["rating"] = [
            f"{row.rating:{form}} ({row.rating_low:{form}} to {row.rating_high:{form}})"
            for row in standings.itertuples()
        ]
    shown[["rank", "supplied"]] = standings[["rank", "supplied"]]
    if standings["forfeits"].any():
        shown["forfeits"] = standings["forfeits"]
    return shown
