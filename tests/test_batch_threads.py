"""GameBatch compiled: threads change nothing and are left alone, one program per loop, the same bytes uncompiled."""

import hashlib
import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from powergrid_env import kernels
from powergrid_env.batch import GameBatch
from tests.lanes import a_batch, digests
from tests.processes import printed


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")
def test_number_of_threads_changes_nothing_and_is_set_at_any_time(monkeypatch):
    monkeypatch.setattr("powergrid_env.batch.WORTH_THREADS", 20)  # so that single lanes are reset by one
    one, two = a_batch(50, max_rounds=5), a_batch(50, max_rounds=5, num_threads=2)
    threads_before = numba.get_num_threads()
    for number in range(400):
        if number == 250:
            two.num_threads = 1
        actions = one.random_actions()
        assert np.array_equal(actions, two.random_actions())
        assert all(map(np.array_equal, one.step(actions), two.step(actions)))
    assert digests(one) == digests(two)
    assert np.array_equal(one.observe(), two.observe())
    assert numba.get_num_threads() == threads_before


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2 or numba.config.DISABLE_JIT, reason="one thread")
def test_threads_sleep_while_they_wait_and_the_environment_is_left_alone():
    code = (
        "import os\nfrom powergrid_env import GameBatch\n"
        "GameBatch(players=3, num_games=512, seed=1, num_threads=2).masks()\n"
        "print(os.environ.get('OMP_WAIT_POLICY'), os.environ.get('GOMP_SPINCOUNT'))\n"
    )
    clean = {name: value for name, value in os.environ.items() if name not in kernels.WAITING}
    clean["OMP_DISPLAY_ENV"] = "TRUE"
    for given, policy in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "active"}, "ACTIVE")):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=clean | given
        )
        assert done.stdout.split() == [given.get("OMP_WAIT_POLICY", "None"), "None"], done.stderr
        if "OPENMP DISPLAY ENVIRONMENT" in done.stderr:  # another threading layer may serve
            assert f"OMP_WAIT_POLICY = '{policy}'" in done.stderr


def test_one_thread_starts_no_threading_layer():
    code = (
        "import numba, powergrid_env\nfrom powergrid_env.batch import GameBatch\n"
        "batch = GameBatch(players=3, num_games=4, seed=1)\nbatch.masks(); batch.observe()\n"
        "batch.step(batch.random_actions())\n"
        "try:\n    print(numba.threading_layer())\nexcept ValueError:\n    print('none')\n"
    )
    assert printed("-c", code).strip() == "none"


def course():
    """All that a batch says while its games end and begin anew."""
    batch = GameBatch(players=3, num_games=3, seed=1, max_rounds=1, skip_forced=True)
    ended = 0
    for _ in range(60):
        rewards, terminated, truncated = batch.step(batch.random_actions())
        said = (batch.states, batch.seeds, rewards, terminated, truncated, batch.masks(), batch.observe())
        yield " ".join(hashlib.sha256(values.tobytes()).hexdigest() for values in said)
        ended += len(batch.ended)
    assert ended > 3


@pytest.mark.nojit
def test_uncompiled_plays_the_same():
    assert printed("-m", "tests.test_batch_threads", NUMBA_DISABLE_JIT="1").splitlines() == list(course())


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_one_compiled_signature_per_loop():
    batch = a_batch(4)
    batch.step(batch.random_actions())
    batch.step(batch.random_actions([1, 2]).astype(np.int16), [1, 2])
    other = GameBatch(
        players=6, board="usa", edition="2004", num_games=np.int64(2), seed=np.arange(2, dtype=np.uint32)
    )
    other.masks(out=np.zeros((2, other.num_actions), np.int8))
    other.observe(out=np.zeros((2, other.observation_size), np.float32))
    other.step(np.asfortranarray(other.random_actions()))
    other.reset(np.array([1], np.uint16))
    loops = [
        "find_bad_lane",
        "draw_seeds",
        "begin_games",
        "fill_masks",
        "observe",
        "draw_actions",
        "verify",
        "step",
    ]
    for name in [*loops, "start_generators"]:
        assert len(kernels.compiled(getattr(kernels, name), False).signatures) == 1, name


if __name__ == "__main__":
    print("\n".join(course()))
