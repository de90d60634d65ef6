"""`ScriptedAgent`: a compiled bot as an agent, with numbers as parameters that have a range and a meaning."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from agents.base import Actions, Lanes
from powergrid_env.plain import plain, plain_board
from powergrid_env.rng import first_word

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch


@dataclass(frozen=True)
class Parameter:
    """A number that shapes how a bot plays.

    Attributes:
        name: as it is written after the colon of the bot's name.
        default: its value when it is left out.
        low, high: the range allowed, both ends included.
        meaning: what it does, with its unit.
    """

    name: str
    default: float
    low: float
    high: float
    meaning: str


class ScriptedAgent:
    """Runs `act_all` over the lanes; a subclass names the bot and says which function that is.

    A scripted bot answers by position and seed alone, so neither the lanes asked together nor their order matter.

    Args:
        **values: parameters by name.

    Attributes:
        bot: name without parameters.
        parameters: those it takes, with the defaults of this bot.
        act_all: compiled `(states, boards, lanes, settings, word, actions)`; writes `actions` `(L,)` int64.
        settings: `(len(parameters),)` float64, the values in the order of `parameters`.

    Raises:
        ValueError: an unknown parameter or a value out of range.
    """

    bot: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    act_all: ClassVar[Callable[..., None]]

    def __init__(self, **values: float) -> None:
        self.settings = np.array([parameter.default for parameter in self.parameters], dtype=np.float64)
        known = [parameter.name for parameter in self.parameters]
        changed = []
        for key, value in values.items():
            if key not in known:
                raise ValueError(f"{self.bot} has no parameter {key!r}; known: {', '.join(known) or 'none'}")
            place = known.index(key)
            self.settings[place] = _in_range(self.bot, self.parameters[place], value)
            changed.append(f"{key}={self.settings[place]:g}")
        self.name = f"{self.bot}:{','.join(changed)}" if changed else self.bot
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Take chance from `seed`."""
        self.word = first_word(seed)

    def act(self, batch: "GameBatch", lanes: Lanes) -> Actions:
        """One legal action per lane."""
        actions = np.empty(len(lanes), dtype=np.int64)
        asked = np.asarray(lanes, dtype=np.int64)
        states, boards = plain(batch.states), plain_board(batch.board)
        type(self).act_all(states, boards, asked, self.settings, self.word, actions)
        return actions

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def _in_range(bot: str, parameter: Parameter, value: Any) -> float:
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not is_number or not parameter.low <= value <= parameter.high:
        allowed = f"{parameter.low:g} to {parameter.high:g}"
        raise ValueError(f"{bot}: {parameter.name} is {value!r}; allowed: {allowed} ({parameter.meaning})")
    return float(value)
