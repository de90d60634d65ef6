"""`powergrid plot`: pictures of tables, runs, tournaments and benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

KINDS = "prices, learning, ladder, throughput"


def plot(
    kind: Annotated[str, typer.Argument(help=f"What to draw: {KINDS}.")],
    source: Annotated[
        Path,
        typer.Argument(
            help="prices: folder of `tables`; learning: folder of a run; ladder: results of `tournament --out`; "
            "throughput: report of `bench --out`."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Picture to write, .png, .svg or .pdf.")] = Path("plot.png"),
) -> None:
    """Draw prices by plant and round, a learning curve, a ladder with intervals, or throughput by number of games."""
    if out.suffix not in (".png", ".svg", ".pdf"):
        raise ValueError(f"out is {out}; allowed: a file that ends in .png, .svg or .pdf")
    match kind:
        case "prices":
            import pandas as pd

            from training import plots

            path = source / "lots.parquet"
            lots = pd.read_parquet(path) if path.exists() else pd.read_csv(source / "lots.csv")
            plots.prices(lots, out)
        case "learning":
            from training import plots

            plots.learning_curve(source, out)
        case "ladder":
            from agents import arena
            from agents.arena.statistics import plot_standings

            plot_standings(arena.standings(arena.read_results(source), with_ratings=False), str(out))
        case "throughput":
            from training import bench

            bench.plot(bench.load(source), out)
        case _:
            raise ValueError(f"kind is {kind!r}; allowed: {KINDS}")
    print(out)
