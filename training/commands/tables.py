"""`powergrid tables`: records as tidy tables."""

from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Seed


def tables(
    files: Annotated[list[Path], typer.Argument(help="Files of records.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    form: Annotated[str, typer.Option("--format", help="parquet or csv.")] = "parquet",
    valuations: Annotated[
        int,
        typer.Option(
            min=0, help="Rollouts per price for a table of what each lot was worth; 0 leaves it out."
        ),
    ] = 0,
    seed: Seed = 0,
) -> None:
    """Turn records into tables, a row per bid, lot, purchase, house, income and standing."""
    from agents.progress import bar
    from powergrid_env.tables import read_records, write

    games = list(read_records(files))
    with bar("tables", len(games)) as on_done:
        rows = write(games, out, form, on_done)
    if valuations:
        rows["valuations"] = _valuations(files, out, form, valuations, seed)
    print("\n".join(f"{name}.{form}: {count} rows" for name, count in rows.items()))
    print(f"{len(games)} games in {out}")


def _valuations(files: list[Path], out: Path, form: str, rollouts: int, seed: int) -> int:
    """Write the table `valuations`; its number of rows."""
    import pandas as pd

    from agents.progress import bar
    from agents.study import valuations
    from powergrid_env import record
    from powergrid_env.tables import TableWriter

    games = [
        record.read(text, line) for path in files for line, text in record.split(path.read_text("utf-8"))
    ]
    parts = []
    with bar("valuations", len(games)) as on_done:
        for number, game in enumerate(games):
            parts.append(valuations([game], rollouts=rollouts, seed=seed).assign(game_id=number))
            on_done(1)
    frame = pd.concat(parts, ignore_index=True)
    with TableWriter(out, form) as writer:
        writer.write({"valuations": frame})
    return len(frame)
