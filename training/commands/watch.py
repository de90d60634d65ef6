"""`powergrid watch`: a game between bots, move by move."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Board, Edition, Players, Regions, Rulings, Seed
from training.game_config import make_config


def watch(
    bots: Annotated[str, typer.Option(help="Bots, in turn around the table.")] = "face_value random",
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    seed: Seed = 0,
    pause: Annotated[float, typer.Option(min=0, help="Seconds between two decisions.")] = 0.2,
    out: Annotated[Path | None, typer.Option(help="File for the record of the game.")] = None,
) -> None:
    """Watch bots play: the board at each phase, and every decision in words."""
    from powergrid_env import Game
    from powergrid_env.render import render_ansi
    from training.by_name import make_agent
    from training.simulate import check_line_up, record_file
    from training.table import Table, ending

    config = make_config(players, edition, board, regions, rulings)
    names = bots.split()
    check_line_up(names, players)
    made = {name: make_agent(name, config) for name in dict.fromkeys(names)}
    table = Table(Game(config, seed=seed), [made[names[seat % len(names)]] for seat in range(players)], seed)
    phase = ""
    with ExitStack() as stack:
        keep = stack.enter_context(record_file(out)) if out else None
        while not table.game.over:
            if table.game.phase != phase:
                print(f"\n{render_ansi(table.game)}")
                phase = table.game.phase
            print(table.play(table.bot_answer()), flush=True)
            time.sleep(pause)
        print(f"\n{render_ansi(table.game)}\n{ending(table.game)}")
        if keep:
            keep(table.game)
    if out:
        print(f"record in {out}")
