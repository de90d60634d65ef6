"""What Game calls of the compiled engine. A file of its own, so that an edit of words, records or positions compiles nothing anew.

`states` `(1,)` is the game, `boards` `(1,)` its board.
"""

from typing import Any

from powergrid_env import engine, observation
from powergrid_env._jit import rule
from powergrid_env.reasons import Reason


@rule(seconds=20)
def reset(states: Any, boards: Any, word: Any) -> None:
    """Begin a game; `word` uint64 starts its generator."""
    engine.reset(states[0], boards[0], word)


@rule(seconds=20)
def step(states: Any, boards: Any, action: int) -> bool:
    """Play an action id; False when it is illegal, the state being untouched."""
    # Handing out a Reason would take 5 us.
    return bool(engine.step(states[0], boards[0], action) == Reason.LEGAL)


@rule
def fill_mask(states: Any, boards: Any, mask: Any) -> int:
    """Legal actions into `mask` `(A,)` int8; how many there are."""
    return engine.fill_mask(states[0], boards[0], mask)


@rule
def observe(states: Any, boards: Any, player: int, out: Any) -> None:
    """What seat `player` sees, into `out` `(D,)` float32."""
    observation.observe(states[0], boards[0], player, out)
