"""Wheel and sdist: each installs into an empty environment and works there, without the checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOOP = """
import gymnasium
import powergrid_env

assert not powergrid_env.__file__.startswith(ROOT), powergrid_env.__file__
env = gymnasium.make("PowerGrid-v0", players=3, board="usa", illegal_action="raise")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
print("rounds", info["result"]["rounds"])
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A folder with the wheel and the sdist it was built from, as `make wheel` builds them."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


def run(*words, cwd):
    """What a program prints; in an environment that knows nothing of the checkout."""
    hidden = ("PYTHON", "NUMBA_", "POWERGRID_", "VIRTUAL_ENV")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files_of(package):
    """Names of the files of a package archive that get installed."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            names = archive.namelist()
    else:
        with tarfile.open(package) as archive:
            names = [name.partition("/")[2] for name in archive.getnames()]
    return {name for name in names if name.startswith(("powergrid_env/", "agents/", "training/"))}


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_package_holds_every_file_of_the_repository_that_runs(dist, kind):
    (package,) = dist.glob(kind)
    tracked = run("git", "-C", ROOT, "ls-files", "powergrid_env", "agents", "training", cwd=dist).split()
    assert len(tracked) > 150
    assert set(tracked) <= files_of(package)


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_package_works_in_an_empty_environment(dist, kind, tmp_path):
    (package,) = dist.glob(kind)
    run(sys.executable, "-m", "venv", "empty", cwd=tmp_path)
    programs = tmp_path / "empty" / "bin"
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt")
    run(*pip, f"{package}[tables]", cwd=tmp_path)
    powergrid = programs / "powergrid"
    told = run(
        powergrid, "simulate", "--bots", "random balanced", "--games", 4, "--out", "games.txt", cwd=tmp_path
    )
    assert "4 records in games.txt" in told
    assert "4 records in games.txt, every decision checked" in run(
        powergrid, "replay", "games.txt", "--html", "game.html", "--picture", "game.png", cwd=tmp_path
    )
    assert "No bid above the money owned" in run(powergrid, "rules", "R2.9", cwd=tmp_path)
    loop = LOOP.replace("ROOT", repr(str(ROOT)))
    assert run(programs / "python", "-W", "error", "-c", loop, cwd=tmp_path).startswith("rounds ")
