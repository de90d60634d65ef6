"""Python in a process of its own, for tests: what it prints."""

import os
import subprocess
import sys


def printed(*words: str, **environ: str) -> str:
    """What `python WORDS` prints, with warnings as errors; it has to end well."""
    quiet = {"POWERGRID_QUIET": "1", "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **quiet, **environ},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
