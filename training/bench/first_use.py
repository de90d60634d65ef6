"""What a fresh process pays: time until its first step, compiling or with everything compiled before; memory."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

FIRST_STEP = """
import time
begin = time.perf_counter()
from powergrid_env import Game
game = Game(players=4, seed=1)
game.play(game.legal_actions()[0])
game.action_mask()
game.observation()
print(time.perf_counter() - begin)
"""

TRAINING = """
import time
begin = time.perf_counter()
from training.sb3_vec_env import make_vec_env
from training.settings import TrainSettings
settings = TrainSettings()
env = make_vec_env(settings.config(), 16, lambda rng: rng.choice(settings.opponent_names, settings.players - 1).tolist(), 1)
env.reset()
for _ in range(50):
    env.step(env.games.batch.random_actions())
print(time.perf_counter() - begin)
"""

MEMORY = """
import os
from pathlib import Path
from powergrid_env import GameBatch

def used():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

batch = GameBatch(players=4, num_games=64, seed=1)
masks = batch.masks()
batch.step(batch.random_actions())
before = used()
batch = GameBatch(players=4, num_games=100_000, seed=1)
masks = batch.masks()
batch.step(batch.random_actions())
print((used() - before) / 1e6)
"""


def _run(script: str, environ: Mapping[str, str]) -> float:
    """The number that a script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "POWERGRID_QUIET": "1", **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"a process of its own failed:\n{done.stderr}")
    return float(done.stdout.split()[-1])


def cold_and_warm(script: str, repeats: int) -> tuple[float, list[float]]:
    """Seconds with nothing compiled, and of some processes behind it; in a cache that is thrown away."""
    with tempfile.TemporaryDirectory() as cache:
        environ = {"NUMBA_CACHE_DIR": cache}
        cold = _run(script, environ)
        return cold, [_run(script, environ) for _ in range(repeats)]


def memory() -> float | None:
    """MB by which a process grows with 100,000 games, their masks and a step; None where the system does not tell."""
    return _run(MEMORY, {}) if Path("/proc/self/statm").exists() else None
