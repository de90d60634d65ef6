"""`powergrid imitate`: teach a network to play as a bot does, as a start for `powergrid train --warm-start`."""

from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Board, Edition, Players, Regions, Rulings, Seed
from training.game_config import make_config


def imitate(
    out: Annotated[Path, typer.Option(help="Model file to write, that --warm-start and evaluate read.")],
    teacher: Annotated[str, typer.Option(help="Bot to follow.")] = "balanced",
    decisions: Annotated[
        int, typer.Option(min=1, help="Decisions to learn from, each seen once.")
    ] = 2_000_000,
    kind: Annotated[
        str, typer.Option(help="Of network, flat or entities, as of `powergrid train`.")
    ] = "flat",
    network: Annotated[str, typer.Option(help="Hidden layers, as of `powergrid train`.")] = "128 128",
    activation: Annotated[str, typer.Option(help="tanh or relu.")] = "tanh",
    learning_rate: Annotated[float, typer.Option(help="Step of Adam at the start.")] = 1e-3,
    data: Annotated[
        Path | None, typer.Option(help="Folder that keeps the data set as .npz files, one a pass.")
    ] = None,
    players: Players = 3,
    edition: Edition = "recharged",
    board: Board = "germany",
    regions: Regions = "",
    rulings: Rulings = "",
    games: Annotated[
        int, typer.Option(min=1, help="Games played for one pass, some 500 decisions each.")
    ] = 512,
    seed: Seed = 1,
) -> None:
    """Teach a network what a bot plays, first in the bot's games, then in games where the network sits as well."""
    from training.by_name import make_bot
    from training.settings import TrainSettings

    config = make_config(players, edition, board, regions, rulings)
    checked = TrainSettings(
        kind=kind, network=network, activation=activation, learning_rate=learning_rate, steps=decisions
    )
    asked = make_bot(teacher, config)
    import torch

    from agents.learned import models
    from agents.learned.networks import make_policy
    from agents.progress import bar
    from powergrid_env._files import replacing
    from powergrid_env.board import make_board
    from training.imitation import imitate as teach

    shape = {"kind": kind, "layers": checked.layers, "activation": activation}
    torch.manual_seed(seed)
    policy = make_policy(make_board(config), shape)
    last: dict[str, float] = {}
    # The file is opened first: a place that cannot be written is found before the work.
    with replacing(out) as draft, bar(f"following {teacher}", decisions) as on_done:

        def on_pass(shown: int, found: dict[str, float]) -> None:
            on_done(shown)
            last.update(found)

        teach(
            policy,
            config,
            asked,
            decisions,
            seed,
            games,
            learning_rate=learning_rate,
            keep=data,
            on_pass=on_pass,
        )
        about = {"decisions": decisions, "teacher": teacher, "config": config.to_dict(), "seed": seed}
        models.save_policy(policy, draft, make_board(config), shape, **about)
    print(f"{out}: plays as {teacher} does in {last['agreement']:.1%} of the decisions of the last pass")
    print(
        f"next: powergrid evaluate {out}  ·  powergrid train --warm-start {out} --kind {kind} "
        f"--network '{network}' --activation {activation}"
    )
