"""`powergrid tables`: tidy tables of recorded games."""

from pathlib import Path
from typing import Annotated

import typer


def tables(
    files: Annotated[list[Path], typer.Argument(help="Records, as `simulate --out` writes them.")],
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("tables"),
    format: Annotated[str, typer.Option(help="parquet or csv.")] = "parquet",  # noqa: A002 - the option's name
) -> None:
    """Write games, rounds, lots, bids, fuel_buys, builds, powering and standings: one row per bid, purchase, house ..."""
    from powergrid_env import record
    from powergrid_env.tables import read_records, write
    from training.commands.progress import bar

    total = 0
    for path in files:
        try:
            total += sum(1 for _ in record.split(path.read_text(encoding="utf-8")))
        except ValueError as error:  # no record in it, or no text at all
            raise ValueError(f"{path}: {error}") from None
    with bar("games", total) as on_done:
        counts = write(read_records(files), out, format, on_done)
    for name, rows in counts.items():
        print(f"{out / name}.{format}: {rows} rows")
