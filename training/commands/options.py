"""Options that several commands share, and the GameConfig they make."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from powergrid_env import GameConfig

Players = Annotated[int, typer.Option(help="Seats, 2 to 6.")]
Edition = Annotated[str, typer.Option(help="recharged or 2004.")]
Board = Annotated[str, typer.Option(help="germany, usa, or a folder with cities.csv and edges.csv.")]
Regions = Annotated[
    str, typer.Option(help='Regions of the zone, as "red blue cyan"; drawn by the seed if left out.')
]
Rulings = Annotated[
    str, typer.Option(help='Rulings other than those in force, as "fuel=pool tie_break=money".')
]
Seed = Annotated[int, typer.Option(min=0, help="Where all chance comes from.")]
Games = Annotated[int, typer.Option(min=1, help="How many games.")]


def parse_rulings(text: str) -> dict[str, Any]:
    """Rulings written `name=value name=value`.

    Raises:
        ValueError: a word without `=`.
    """
    rulings: dict[str, Any] = {}
    for item in text.replace(",", " ").split():
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"rulings is {text!r}; allowed: name=value, separated by blanks")
        rulings[name] = int(value) if value.lstrip("-").isdigit() else value
    return rulings


def make_config(
    players: int, edition: str, board: str, regions: str = "", rulings: str = "", **more: Any
) -> "GameConfig":
    """The config of the shared options.

    Raises:
        ValueError: names the field, what was given and what is allowed.
    """
    from powergrid_env import GameConfig
    from powergrid_env.board import make_board

    zone = tuple(regions.replace(",", " ").split()) or None
    config = GameConfig(
        players=players, edition=edition, board=board, regions=zone, rulings=parse_rulings(rulings), **more
    )
    make_board(config)  # regions that do not touch are found here, before any work
    return config
