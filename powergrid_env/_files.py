"""Files that appear whole: what is killed or finds the disk full while it writes leaves the file as it was."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A draft to write to, beside `path` and with its ending; it takes the place of `path` when the block ends well.

    The folder is made if it is not there, and a place that cannot be written is found before the block begins. A device or a
    pipe is written to as it is.

    Raises:
        OSError: it cannot be written; names `path`, which is as it was.
    """
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield path
        return
    draft = path.with_name(f".part-{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        draft.touch()
        yield draft
        with open(draft, "rb+") as file:
            os.fsync(file.fileno())  # else a power cut may leave the new name with nothing in it
        draft.replace(path)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(draft), draft):
            raise  # of something else, or with words of its own
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
