"""A pandas frame as a table in the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def print_frame(frame: "pd.DataFrame", title: str = "") -> None:
    """Print a frame: numbers with two decimals, columns named as they are but with blanks."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in frame.columns:
        is_number = frame[name].dtype.kind in "iuf"
        table.add_column(
            str(name).replace("_", " "), justify="right" if is_number else "left", overflow="fold"
        )
    for row in frame.itertuples(index=False):
        table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row))
    Console().print(table)
