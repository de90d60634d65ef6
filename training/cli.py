"""`powergrid`, the console command: each command is a file in training/commands."""

from importlib.metadata import version
from typing import Annotated

import typer

from training.commands.bench import bench
from training.commands.errors import OneLineErrors
from training.commands.evaluate import evaluate
from training.commands.export import export
from training.commands.imitate import imitate
from training.commands.play import play
from training.commands.plot import plot
from training.commands.replay import replay
from training.commands.rules import rules
from training.commands.simulate import simulate
from training.commands.tables import tables
from training.commands.tournament import tournament
from training.commands.train import train
from training.commands.value import value
from training.commands.watch import watch

app = typer.Typer(
    name="powergrid",
    cls=OneLineErrors,
    add_completion=False,
    pretty_exceptions_enable=False,
)

EXAMPLES = {
    train: "powergrid train --players 4 --opponents 'balanced random' --steps 3000000 --out runs/first",
    evaluate: "powergrid evaluate runs/first --opponents balanced --opponents 'balanced random'",
    export: "powergrid export runs/first --out first.zip",
    imitate: "powergrid imitate --teacher balanced --decisions 2000000 --out runs/imitation.zip",
    tournament: "powergrid tournament random face_value balanced --games 600 --out results.csv",
    simulate: "powergrid simulate --bots 'random balanced' --games 200 --out games.txt",
    replay: "powergrid replay games.txt --game 3",
    tables: "powergrid tables games.txt --out tables --format csv",
    value: "powergrid value position.toml --plant 20 --rollouts 400",
    plot: "powergrid plot prices tables --out prices.png",
    play: "powergrid play --opponents 'balanced face_value'",
    watch: "powergrid watch --bots 'balanced random' --pause 0.5",
    bench: "powergrid bench --parts 'batch environments' --json",
    rules: "powergrid rules R2.9",
}
for command, example in EXAMPLES.items():
    app.command(epilog=f"Example: {example}")(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"powergrid-env {version('powergrid-env')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version, as for a citation."
        ),
    ] = False,
) -> None:
    """Power Grid for reinforcement learning: train, measure, play and study bidders."""


def main() -> None:
    """The console script."""
    app(prog_name="powergrid")
