"""What learning sets for the whole process, and what a call has to leave as it was."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch.distributions import Distribution


@contextmanager
def learning(threads: int) -> Iterator[None]:
    """Torch on so many threads and without checks of its distributions; what was set before comes back afterwards.

    So does the chance of torch, numpy and random, which stable-baselines3 seeds.
    """
    before, checks = torch.get_num_threads(), Distribution._validate_args
    chance, numpy_chance = random.getstate(), np.random.get_state()  # noqa: NPY002  # SB3 seeds it
    torch.set_num_threads(threads)
    Distribution.set_default_validate_args(False)  # they cost a tenth of an update
    try:
        with torch.random.fork_rng(devices=()):
            yield
    finally:
        torch.set_num_threads(before)
        Distribution.set_default_validate_args(checks)
        random.setstate(chance)
        np.random.set_state(numpy_chance)  # noqa: NPY002  # as above
