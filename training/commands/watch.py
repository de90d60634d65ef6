"""`powergrid watch`: a game between bots, move by move."""

import time
from typing import Annotated

import typer

from training.commands.options import Board, Edition, Out, Players, Regions, Rulings, Seed, make_config


def watch(
    bots: Annotated[str, typer.Option(help="Bots, in turn around the table.")] = "face_value random",
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    seed: Seed = 0,
    pause: Annotated[float, typer.Option(min=0, help="Seconds between two decisions.")] = 0.2,
    out: Out = None,
) -> None:
    """Watch bots play: the board at each phase, and every decision in words."""
    from powergrid_env import Game
    from powergrid_env.render import render_ansi
    from training.by_name import make_agent
    from training.table import Table, ending

    config = make_config(players, edition, board, regions, rulings)
    names = bots.split()
    if not 1 <= len(names) <= players:
        raise ValueError(f"bots is {bots!r}; allowed: 1 to {players} names for {players} players")
    made = {name: make_agent(name, config) for name in dict.fromkeys(names)}
    table = Table(Game(config, seed=seed), [made[names[seat % len(names)]] for seat in range(players)], seed)
    phase = ""
    while not table.game.over:
        if table.game.phase != phase:
            print(f"\n{render_ansi(table.game)}")
            phase = table.game.phase
        print(table.play(table.bot_answer()), flush=True)
        time.sleep(pause)
    print(f"\n{render_ansi(table.game)}\n{ending(table.game)}")
    if out is not None:
        table.save(out)
        print(f"record in {out}")
