"""The game's own random generator: splitmix64, its state in `State.rng`.

Plain integers masked to 64 bits, so that compiled and uncompiled code draw the same numbers.
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule

MASK = 0xFFFFFFFFFFFFFFFF
GAMMA = 0x9E3779B97F4A7C15  # what a state moves by, one draw after the other


@rule
def scramble(word: int) -> int:
    """Output function of splitmix64 on a 64-bit word."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


@rule
def below(word: int, bound: int) -> int:
    """A number in `0 .. bound-1` made of a word; the bias, below bound / 2**32, is far from measurable."""
    return int((np.int64(scramble(word) >> 32) * bound) >> 32)


@rule
def draw_below(state: Any, bound: int) -> int:
    """The game's next number in `0 .. bound-1`."""
    word = (int(state.rng) + GAMMA) & MASK
    state.rng = word
    return below(word, bound)


@rule
def shuffle(state: Any, cards: Any, size: int) -> None:
    """Shuffle the first `size` entries of `cards` in place (Fisher-Yates)."""
    for last in range(size - 1, 0, -1):
        other = draw_below(state, last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


def first_word(seed: int) -> np.uint64:
    """First state of the generator for a seed, by `numpy.random.SeedSequence`."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
