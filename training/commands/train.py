"""`powergrid train`: train a bidder against bots and show how it does."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from training.settings import TrainSettings

if TYPE_CHECKING:
    from training.train import Run

RESUMED = "Folder of a run to go on with, exactly where its last checkpoint stands; of the other options only --steps counts."
TABLE_FIELDS = ("random", "face_value", "balanced")


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `(settings, given, resume)` one option for each field of TrainSettings, and --resume."""

    def wrapper(context: typer.Context, resume: str, **values: Any) -> None:
        given = {name for name in values if context.get_parameter_source(name).name == "COMMANDLINE"}
        command(values, given, resume)

    options = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for item in fields(TrainSettings):
        option = Annotated[item.type, typer.Option(help=item.metadata["help"])]
        options.append(
            inspect.Parameter(
                item.name, inspect.Parameter.KEYWORD_ONLY, default=item.default, annotation=option
            )
        )
    option = Annotated[str, typer.Option(metavar="RUN", help=RESUMED)]
    options.append(inspect.Parameter("resume", inspect.Parameter.KEYWORD_ONLY, default="", annotation=option))
    wrapper.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {option.name: option.annotation for option in options}
    wrapper.__name__, wrapper.__doc__ = command.__name__, command.__doc__
    return wrapper


@with_settings
def train(values: dict[str, Any], given: set[str], resume: str) -> None:
    """Train a bidder against bots, and show its win share against some of them, beside an untrained policy."""
    settings = _resumed(values, given, resume) if resume else TrainSettings(**values)
    settings.config()  # a wrong game is refused before torch is loaded, which takes seconds
    from training.train import train as run_training

    run = run_training(settings, resume=bool(resume))
    done, seconds = run.model.num_timesteps, run.seconds
    print(
        f"{done:,} decisions in {run.curves.games:,} games, {seconds:.0f} s; model, settings and curves in {run.folder}"
    )
    if settings.games:
        _print_table(run)
    print(f"next: powergrid evaluate {run.folder}  ·  powergrid play --opponents {run.folder}")


def _resumed(values: dict[str, Any], given: set[str], resume: str) -> TrainSettings:
    """The settings of the run, with the steps of the command line."""
    from dataclasses import replace
    from pathlib import Path

    from training.settings import read_run

    others = sorted(given - {"steps"})
    if others:
        raise ValueError(
            f"--resume keeps the settings of the run; allowed beside it: --steps, not --{others[0]}"
        )
    before, _ = read_run(Path(resume))
    return replace(before, out=resume, steps=values["steps"] if "steps" in given else before.steps)


def _print_table(run: "Run") -> None:
    """Win shares over games not used in training, of the trained and of an untrained policy."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from agents.progress import bar
    from training.evaluate import against

    others, par = run.config.players - 1, 1 / run.config.players
    title = f"Win share over {run.settings.games} games not trained on, with 95 % interval (par {par:.2f})"
    caption = "the trained network plays its likeliest action, the untrained one draws"
    table = Table("against", "trained", "untrained", title=title, caption=caption, box=box.SIMPLE_HEAD)
    for field in TABLE_FIELDS:
        with bar(f"evaluating against {field}", 2 * run.settings.games) as on_done:
            found = [
                against(agent, [field], run.config, run.settings.games, run.settings.seed, on_done=on_done)
                for agent in (run.trained_agent(), run.untrained_agent())
            ]
        table.add_row(
            f"{others} {field}", *(f"{one.share:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in found)
        )
    Console().print(table)
