"""How `powergrid` fails: a user's mistake is one line on stderr and exit code 2, never a traceback."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

MISTAKE = 2
STOPPED = 130  # as shells say it of Ctrl-C
OURS = ("powergrid_env", "agents", "training")


class OneLineErrors(TyperGroup):
    """All commands of the program, with its way to fail.

    What the engine, the bots and the file system refuse comes as ValueError or OSError with a message made for people;
    a missing extra as ImportError. `POWERGRID_TRACEBACK=1` shows where it came from.
    """

    def main(self, args: Sequence[str] | None = None, **options: Any) -> Any:
        """Run a command line; always leaves by SystemExit, but for `standalone_mode=False`."""
        given = list(sys.argv[1:] if args is None else args)
        if not options.pop("standalone_mode", True):
            return super().main(given, standalone_mode=False, **options)
        try:
            code = super().main(given or ["--help"], standalone_mode=False, **options)
        except typer.Abort as stop:
            # Typer's word for the end of the input, and its older versions' for Ctrl-C as well.
            code = MISTAKE if isinstance(stop.__cause__, EOFError) else STOPPED
            if code == MISTAKE:
                print("powergrid: the input ended where an answer was asked for", file=sys.stderr)
        except Exception as error:
            message = _message(error)
            if message is None or os.environ.get("POWERGRID_TRACEBACK", "0") not in ("", "0"):
                raise
            print(f"powergrid: {message}", file=sys.stderr)
            sys.exit(MISTAKE)
        if code == STOPPED:
            print("powergrid: stopped", file=sys.stderr)
        sys.exit(code if isinstance(code, int) else 0)


def _message(error: Exception) -> str | None:
    """One line for a mistake of the user; None for what only a programmer can mend."""
    if hasattr(error, "format_message"):  # typer: an unknown command or option, a value of the wrong type
        return _one_line(error.format_message())
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] not in OURS:
        return f"{error.name} is not installed; install the extra that has it: pip install 'powergrid-env[train]'"
    if isinstance(error, OSError) and error.errno:
        name = str(error.filename or "file")
        return f"{name if name.isprintable() else repr(name)}: {os.strerror(error.errno).lower()}"
    if isinstance(error, (ValueError, OSError)):
        return _one_line(str(error))
    return None


def _one_line(text: str) -> str:
    return " ".join(text.split())
