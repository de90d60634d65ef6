"""Seeds of the lanes of a batch: numpy's `SeedSequence` as a rule, so that a lane can begin its next game by itself.

Everything in a lane follows from the seed of its first game. Word 0 of a seed starts the game's own generator, as
`rng.first_word` does; the words below start the generators that belong to the lane and not to the game.
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.rng import GAMMA, MASK, below, scramble

GAME_WORD = 0
NEXT_SEED_WORD = 1  # draws the seeds of the games that follow in the lane
ACTION_WORD = 2  # draws random actions

LOW = 0xFFFFFFFF
POOL = 4  # words of 32 bits


@rule
def nth_word(seed: int, place: int) -> int:
    """`SeedSequence(seed).generate_state(place + 1, uint64)[place]` for a seed of up to 63 bits.

    >>> int(nth_word(7, 0)) == int(np.random.SeedSequence(7).generate_state(1, np.uint64)[0])
    True
    """
    # Entropy is hashed into a pool, every word of the pool is mixed into every other, and words are hashed out of it.
    pool = np.zeros(POOL, np.int64)
    factor = 0x43B0D7E5
    for word in range(POOL):
        entropy = (int(seed) >> 32 * word) & LOW if word < 2 else 0
        mixed = ((entropy ^ factor) * ((factor * 0x931E8875) & LOW)) & LOW
        factor = (factor * 0x931E8875) & LOW
        pool[word] = mixed ^ (mixed >> 16)
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                mixed = ((int(pool[source]) ^ factor) * ((factor * 0x931E8875) & LOW)) & LOW
                factor = (factor * 0x931E8875) & LOW
                mixed = (0xCA01F9DD * int(pool[target]) - 0x4973F715 * (mixed ^ (mixed >> 16))) & LOW
                pool[target] = mixed ^ (mixed >> 16)
    factor = 0x8B51F9DD
    low = high = 0
    for word in range(2 * place + 2):
        mixed = int(pool[word % POOL]) ^ factor
        factor = (factor * 0x58F38DED) & LOW
        mixed = (mixed * factor) & LOW
        low, high = high, mixed ^ (mixed >> 16)
    return np.uint64(low) | (np.uint64(high) << np.uint64(32))  # type: ignore[return-value]


@rule
def advance(words: Any, lane: int) -> int:
    """Moves a lane's generator, whose state is in `words` `(N,)` uint64, on by one; returns that state."""
    word = (int(words[lane]) + GAMMA) & MASK
    words[lane] = word
    return word


@rule
def next_below(words: Any, lane: int, bound: int) -> int:
    """A number in `0 .. bound-1` from a lane's generator."""
    return below(advance(words, lane), bound)


@rule
def next_seed(words: Any, lane: int) -> int:
    """The seed of a lane's next game, 63 bits."""
    return int(np.int64(scramble(advance(words, lane)) >> 1))
