"""Faults from outside, for tests: a full disk, and a process that is killed while it writes."""

import contextlib
import random
import resource
import signal
import subprocess
import sys
import time


@contextlib.contextmanager
def full_disk(room=200):
    """No file grows beyond `room` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder):
    """Names of what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


LOOP = """
import sys
from pathlib import Path
path = Path(sys.argv[1])
write(path, 0)
print("begun", flush=True)
version = 0
while True:
    version = 1 - version
    write(path, version)
"""


def killed(writer, path, times):
    """The path, each time after a process that writes it over and over was killed."""
    dice = random.Random(path.name)
    for _ in range(times):
        child = subprocess.Popen(
            [sys.executable, "-c", writer + LOOP, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout.readline() == "begun\n"
        time.sleep(dice.uniform(0, 0.2))
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        child.stdout.close()
        yield path
