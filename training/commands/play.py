"""`powergrid play`: a game in the terminal against bots."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from training.commands.options import Board, Edition, Players, Regions, Rulings, Seed
from training.game_config import make_config

if TYPE_CHECKING:
    from training.table import Table

HELP = "a number of the list, or words such as 'bid 15', 'buy 3 oil', 'build Essen'; also: board, quit"


def play(
    opponents: Annotated[
        str, typer.Option(help="Bots of the other seats: one for all, or one for each.")
    ] = "face_value",
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Where the record goes when the game ends or you quit.")] = Path(
        "game.txt"
    ),
) -> None:
    """Play against bots. Every decision is numbered; words are understood too, and a refusal cites the rule."""
    from powergrid_env import Game
    from training.by_name import make_agent
    from training.evaluate import field_names
    from training.simulate import record_file
    from training.table import Table, ending

    config = make_config(players, edition, board, regions, rulings)
    if seat >= players:
        raise ValueError(f"seat is {seat}; allowed: 0 to {players - 1}")
    names = field_names(opponents.split(), players)
    bots = {name: make_agent(name, config) for name in dict.fromkeys(names)}
    agents = [bots[name] for name in names]
    table = Table(Game(config, seed=seed), [*agents[:seat], None, *agents[seat:]], seed)
    with record_file(out) as keep:  # opened first: a place that cannot be written is found before the game
        if _play(table):
            print(ending(table.game))
        keep(table.game)
    print(f"record in {out}")


def _play(table: "Table") -> bool:
    """Play until the game is over (True) or the person quits (False)."""
    from powergrid_env import IllegalAction
    from powergrid_env.render import render_ansi
    from training.table import options

    phase = ""
    while not table.game.over:
        if not table.waits_for_person:
            print(table.play(table.bot_answer()))
            continue
        if table.game.phase != phase:
            print(f"\n{render_ansi(table.game, viewer=table.game.player)}")
            phase = table.game.phase
        choices = options(table.game)
        print("  ".join(f"[{number}] {text}" for number, (_, text) in enumerate(choices, 1)))
        given = _ask(f"p{table.game.player} {table.game.decision}> ")
        match given.lower():
            case "quit":
                return False
            case "board":
                print(render_ansi(table.game, viewer=table.game.player))
            case "" | "?" | "help":
                print(HELP)
            case _:
                chosen = (
                    choices[int(given) - 1][0]
                    if given.isdigit() and 0 < int(given) <= len(choices)
                    else given
                )
                try:
                    print(table.play(chosen))
                except IllegalAction as error:
                    print(f"not possible: {error}")
    return True


def _ask(prompt: str) -> str:
    """What the person types; the end of the input counts as quitting."""
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        return "quit"
