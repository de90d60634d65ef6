"""Tables as files: games in, CSV or Parquet out, a bounded number of games in memory."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from powergrid_env import record
from powergrid_env.arguments import check_choice, refuse
from powergrid_env.tables.frames import TABLES, frames
from powergrid_env.tables.log import Played

FORMATS = ("parquet", "csv")
CHUNK = 256
"""Games whose rows are in memory at a time."""


def read_records(paths: Iterable[Path | str]) -> Iterator[Played]:
    """The games of record files, each checked line by line; `game_id` counts through all files.

    Raises:
        ValueError: no list, a file that cannot be read or a record that cannot be; names the file and the line.
    """
    if isinstance(paths, (str, Path)):
        raise refuse("paths", paths, "a list of files")
    game_id = 0
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise ValueError(f"{path}: {(error.strerror or str(error)).lower()}") from None
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: cannot be read as text ({error})") from None
        try:
            for line, part in record.split(text):
                yield Played.of(record.read(part, line), game_id)
                game_id += 1
        except record.RecordError as error:
            raise ValueError(f"{path}: {error}") from None


class TableWriter:
    """Writes tables into a folder as they come; the files appear, whole, when the `with` block ends well.

    Args:
        folder: made if it is not there; tables of that name in it are replaced.
        format: "parquet" or "csv".

    Raises:
        ValueError: an unknown format.
    """

    def __init__(self, folder: Path | str, format: str = "parquet") -> None:  # noqa: A002 - as pandas calls it
        self.folder, self.format = Path(folder), check_choice("format", format, FORMATS)
        self._writers: dict[str, pq.ParquetWriter] = {}

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._draft = Path(tempfile.mkdtemp(prefix=".tables-", dir=self.folder))
        return self

    def write(self, tables: dict[str, pd.DataFrame]) -> None:
        """Append the rows of some games."""
        for name, frame in tables.items():
            path = self._draft / f"{name}.{self.format}"
            if self.format == "csv":
                frame.to_csv(path, mode="a", header=not path.exists(), index=False)
                continue
            table = pa.Table.from_pandas(frame, preserve_index=False)
            if name not in self._writers:
                self._writers[name] = pq.ParquetWriter(path, table.schema)
            self._writers[name].write_table(table.cast(self._writers[name].schema))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and error.errno and error.filename is None:
            error.filename = str(self.folder)
        try:
            for writer in self._writers.values():
                with contextlib.suppress(OSError) if kind else contextlib.nullcontext():
                    writer.close()  # writes the end of the file, which a full disk refuses again
            if kind is None:
                for path in self._draft.iterdir():
                    path.replace(self.folder / path.name)
        finally:
            shutil.rmtree(self._draft, ignore_errors=True)


def write(
    games: Iterable[Played],
    folder: Path | str,
    format: str = "parquet",  # noqa: A002 - as pandas calls it
    progress: Callable[[int], Any] = lambda done: None,
) -> dict[str, int]:
    """Write all tables of some games into a folder.

    Args:
        games: as they come; `CHUNK` of them are in memory at a time.
        folder: where `games.parquet`, `bids.parquet` ... appear.
        format: "parquet" or "csv".
        progress: told the number of games of each chunk.

    Returns:
        Rows by table.

    Raises:
        ValueError: an unknown format, or a game that cannot be.
    """
    counts = dict.fromkeys(TABLES, 0)
    stream = iter(games)
    with TableWriter(folder, format) as writer:
        while chunk := list(islice(stream, CHUNK)):
            tables = frames(chunk)
            for name, frame in tables.items():
                counts[name] += len(frame)
            writer.write(tables)
            progress(len(chunk))
    return counts
