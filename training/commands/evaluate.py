"""`powergrid evaluate`: how strong a model or bot is against fields of bots."""

from enum import StrEnum
from typing import Annotated

import typer

from training.commands.options import (
    Board,
    Edition,
    Games,
    Players,
    Regions,
    Rulings,
    Seed,
)
from training.game_config import make_config


class Role(StrEnum):
    """Who is asked about: one of ours among others, or many of ours with one other among them."""

    FOCAL = "focal"
    RESIDENT = "resident"


def evaluate(
    agent: Annotated[
        str, typer.Argument(metavar="MODEL-OR-BOT", help="model.zip, a run's folder, or a bot's name.")
    ],
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            help="A field: one bot for all other seats, or one for each. Give the option again for more fields."
        ),
    ] = None,
    role: Annotated[
        Role, typer.Option(help="focal: one of ours among opponents; resident: one opponent among ours.")
    ] = (Role.FOCAL),
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    games: Games = 2000,
    seed: Seed = 0,
) -> None:
    """Measure the win share of a model or bot, over seats and decks nobody trained on, with a 95 % interval."""
    from agents.progress import bar
    from training import evaluate as evaluation
    from training.by_name import make_agent

    config = make_config(players, edition, board, regions, rulings)
    asked = make_agent(agent, config)
    for field in opponents or ["random", "face_value"]:
        with bar(f"{agent} against {field}", games) as on_done:
            resident = role is Role.RESIDENT
            found = evaluation.against(asked, field.split(), config, games, seed, resident, on_done)
        print(f"{found.field}: {found}")
