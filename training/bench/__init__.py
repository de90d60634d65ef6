"""`powergrid bench`: how fast every layer is, beside public environments measured in the same run.

`run` gives a report of plain data that can be written as JSON; `table` prints it, `compare` finds what got slower since
another one, `plot` draws decisions per second against the number of games.
"""

from training.bench.report import Change, compare, load, plot, ratios, save, table
from training.bench.runner import PARTS, run

__all__ = ["PARTS", "Change", "compare", "load", "plot", "ratios", "run", "save", "table"]
