"""Who sits in the other seats: agents by name, from the entry-point group `powergrid_env.agents`, or as objects.

A name may carry parameters, `balanced:reserve=12,greed=0.4`: keywords of the factory that the group lists as `balanced`.
Anybody's package may add to the group. `powergrid_env` itself imports none of them.
"""

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from powergrid_env.arguments import whole_numbers

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch

GROUP = "powergrid_env.agents"


@runtime_checkable
class Agent(Protocol):
    """Answers for the player to act, in many games at once.

    Attributes:
        name: how tables and records call it, parameters included.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Forget everything and take all chance from `seed` from here on."""

    def act(self, batch: "GameBatch", lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """One legal action id per lane `(k,)`, for the player to act there."""


Opponents = str | Agent | Sequence[str | Agent]
"""A name or an agent for all other seats, or one for each, clockwise from the learner's."""
DrawOpponents = Callable[[np.random.Generator], Opponents]
"""Draws the opponents of one game."""


def names() -> list[str]:
    """Names in the group, in order of the alphabet."""
    return sorted(_points())


def make(text: str) -> Agent:
    """The agent that a name with parameters stands for.

    Raises:
        ValueError: an unknown name or parameter, or a value that is not allowed; says which are.
    """
    if not isinstance(text, str):
        raise ValueError(f"agent is {text!r}; allowed: the name of an agent, with parameters after a colon")
    name, _, parameters = text.partition(":")
    points = _points()
    if name.strip() not in points:
        raise ValueError(f"agent is {text!r}; known: {', '.join(sorted(points))}")
    factory = _load(points[name.strip()])
    return factory(**_keywords(name, factory, parameters))  # type: ignore[no-any-return]


def resolve_opponents(opponents: Opponents, num: int, made: dict[str, Agent] | None = None) -> list[Agent]:
    """The agents of `num` other seats, in the order of seats clockwise from the learner's.

    Equal names share one agent, so that it is asked once for all its games.

    Args:
        opponents: a name or an agent for all of them, or one for each.
        num: how many other seats there are.
        made: agents made of names before, which are taken again; new ones are added.

    Raises:
        ValueError: an unknown name or parameter, something that is no agent, or too few or too many.
    """
    made = {} if made is None else made
    if isinstance(opponents, (str, Agent)):
        return [_agent(opponents, made)] * num
    if not isinstance(opponents, Sequence):
        raise ValueError(f"opponents is {opponents!r}; allowed: a name, an agent, or a list of {num}")
    if len(opponents) != num:
        raise ValueError(
            f"opponents has {len(opponents)} entries; allowed: {num}, one for each other seat, or one for all"
        )
    return [_agent(opponent, made) for opponent in opponents]


def ask(agent: Agent, batch: "GameBatch", lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The answers of an agent, `(k,)` whole numbers, legal or not.

    Raises:
        ValueError: it gave something else; names the agent.
    """
    return whole_numbers(f"answer of opponent {agent.name}", agent.act(batch, lanes), len(lanes))


def _agent(given: object, made: dict[str, Agent]) -> Agent:
    if isinstance(given, str):
        if given not in made:
            try:
                made[given] = make(given)
            except ValueError as error:
                raise ValueError(f"opponents: {error}") from None
        return made[given]
    if not isinstance(given, Agent) or isinstance(given, type):
        raise ValueError(
            f"opponents has {given!r}; allowed: the name of an agent, or an object with name, reset and act"
        )
    return given


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _load(point: EntryPoint) -> Callable[..., Any]:
    """The factory of an entry point.

    Raises:
        ValueError: its module or the name in it is not there.
        ImportError: the module needs another one that is not installed.
    """
    try:
        factory: Callable[..., Any] = point.load()
    except (ModuleNotFoundError, AttributeError) as error:
        missing = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
        if missing and not f"{point.module}.".startswith(f"{missing}."):
            raise
        raise ValueError(f"agent {point.name!r} cannot be loaded from {point.value}: {error}") from None
    return factory


def _keywords(name: str, factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """The parameters written in `text`, checked against the factory's signature.

    What stands first without a key goes to the first parameter, as in `policy:runs/first/model.zip`.
    """
    parameters = inspect.signature(factory).parameters
    known = [
        key for key, item in parameters.items() if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL)
    ]
    takes_any = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
    keywords: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key.isidentifier()):
            if keywords or not known:
                raise ValueError(f"{name}: {part!r} is no parameter; write key=value, separated by commas")
            key, value = known[0], part.strip()
        if key in keywords:
            raise ValueError(f"{name}: parameter {key} is given twice")
        if key not in known and not takes_any:
            raise ValueError(f"{name} has no parameter {key!r}; known: {', '.join(known) or 'none'}")
        keywords[key] = _value(value)
    missing = [
        key for key in known if parameters[key].default is inspect.Parameter.empty and key not in keywords
    ]
    if missing:
        raise ValueError(f"{name} needs {', '.join(missing)}: {name}:{missing[0]}=...")
    return keywords


def _value(text: str) -> int | float | str:
    """A number where the text is one, else the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
