"""`powergrid rules`: a rule by its id, or the rulings in force."""

from typing import TYPE_CHECKING, Annotated

import typer

from training.commands.options import Board, Edition, Players, Rulings
from training.game_config import make_config

if TYPE_CHECKING:
    from rich.table import Table

    from powergrid_env import GameConfig


def rules(
    name: Annotated[str, typer.Argument(metavar="[ID]", help="A rule (R2.9) or a ruling (A7).")] = "",
    players: Players = 4,
    edition: Edition = "recharged",
    board: Board = "germany",
    rulings: Rulings = "",
) -> None:
    """Print a rule by its id, or all rulings in force for an edition, board and number of players."""
    from rich.console import Console
    from rich.markdown import Markdown

    from training import rulebook

    console = Console()
    if name:
        rule = rulebook.find(name)
        console.print(f"[dim]{rule.section}[/dim]")
        console.print(Markdown(rule.text))
        return
    console.print(_table(make_config(players, edition, board, rulings=rulings)))


def _table(config: "GameConfig") -> "Table":
    """All rulings of a config: the value in force, the entry to read or what set it, and what else it may be."""
    from rich import box
    from rich.table import Table

    from powergrid_env import rulings as known
    from training import rulebook

    title = f"Rulings: {config.edition}, {config.board}, {config.players} players"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("ruling", "in force", "see"):
        table.add_column(heading, no_wrap=True)
    table.add_column("or else", overflow="fold")
    for name in [*known.CHOICES, *known.NUMBERS]:
        see = next((rule.name for rule in rulebook.rules().values() if f"`{name} " in rule.text), "edition")
        in_force = str(known.spell(name, config.ruling(name)))
        table.add_row(name, in_force, "yours" if name in config.rulings else see, _others(name, in_force))
    table.add_row("trust", "yes" if config.trust else "no", "RT.1", "")
    return table


def _others(name: str, in_force: str) -> str:
    """What else a ruling may be."""
    from powergrid_env import rulings as known

    if name in known.CHOICES:
        return ", ".join(
            member.name.lower() for member in known.CHOICES[name] if member.name.lower() != in_force
        )
    numbers = sorted(known.NUMBERS[name])
    if len(numbers) > 4:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers if str(number) != in_force)
