"""Options that several commands share."""

from typing import Annotated

import typer

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
