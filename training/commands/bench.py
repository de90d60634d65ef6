"""`powergrid bench`: how fast every layer is."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from training.bench import Change

SLOWER = 1  # exit code when something got slower than in the report compared with


def bench(
    parts: Annotated[
        str,
        typer.Option(
            help='What to measure, as "batch environments"; all but learning and counts if left out.'
        ),
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each figure; the median counts.")] = 5,
    seconds: Annotated[float, typer.Option(help="Length of each measurement.")] = 1.0,
    threads: Annotated[
        int | None, typer.Option(min=1, help="For the figures with several threads; all if left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="File for the report as JSON.")] = None,
    compare: Annotated[
        Path | None, typer.Option(help="Older report; exit code 1 when something got slower.")
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="Part by which a figure may get worse before it counts.")
    ] = 0.2,
    plot: Annotated[
        Path | None, typer.Option(help="Picture of speed by number of games (needs the part growth).")
    ] = None,
) -> None:
    """Measure speed: batch, environments, public ones beside them, first use, memory, profile, learning."""
    from powergrid_env._files import replacing
    from training import bench as benchmark

    chosen = parts.replace(",", " ").split() or None
    if plot is not None and chosen is not None and "growth" not in chosen:
        raise ValueError(f"parts is {parts!r}; allowed with --plot: parts with growth among them")
    before = benchmark.load(compare) if compare is not None else None
    if before is not None:
        benchmark.compare(before, before, tolerance)  # refuses a wrong tolerance before the work
    with ExitStack() as stack:
        report_file, picture = (
            stack.enter_context(replacing(path)) if path is not None else None for path in (out, plot)
        )
        report = benchmark.run(
            chosen,
            repeats,
            seconds,
            threads,
            on_done=lambda measure: print(
                f"{measure.name}: {measure.value:,.4g} {measure.unit}", file=sys.stderr
            ),
        )
        if as_json:
            print(json.dumps(report, indent=1))
        else:
            _print(benchmark.table(report))
        if report_file is not None:
            benchmark.save(report, report_file)
        if picture is not None:
            benchmark.plot(report, picture)
    if before is not None and _print_changes(benchmark.compare(before, report, tolerance)):
        raise typer.Exit(SLOWER)


def _print(rows: list[tuple[str, str, str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table("measured", "median", "least to most", box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _print_changes(changes: "list[Change]") -> bool:
    """Print what changed since the older report; whether something got slower."""
    for change in changes:
        mark = "slower" if change.is_worse else "      "
        print(
            f"{mark} {change.name}: {change.before:,.4g} to {change.after:,.4g} {change.unit}",
            file=sys.stderr,
        )
    return any(change.is_worse for change in changes)
