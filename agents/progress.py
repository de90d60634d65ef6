"""A progress bar on stderr, so that stdout keeps what may be piped on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str, total: int, done: int = 0, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar that grows by what its function is called with; none where stderr is no terminal and no notebook.

    Args:
        what: text before the bar.
        total: units until it is full.
        done: units at the start.
        shown: False does without a bar, and without rich.
    """
    if not shown:
        yield lambda units: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = not (console.is_terminal or console.is_jupyter)
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda units: progress.advance(task, units)
