"""Agents by name: the entry-point group `powergrid_env.agents`, and names with parameters after a colon.

`balanced:reserve=12,greed=0.4` calls the factory that the group lists as `balanced` with these two keywords. What
stands without a key goes to the first parameter of the factory, as in `policy:runs/first/model.zip`.
"""

import inspect
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agents.base import Agent

GROUP = "powergrid_env.agents"


def names() -> list[str]:
    """Names of all agents that are installed, our own and those of other packages, in order of the alphabet."""
    return sorted(_points())


def make(text: str) -> Agent:
    """The agent that a name with parameters stands for.

    Args:
        text: a name, or `name:key=value,key=value`.

    Raises:
        ValueError: an unknown name or parameter, or a value that is not allowed; says which are.
    """
    if not isinstance(text, str):
        raise ValueError(f"agent is {text!r}; allowed: the name of an agent, with parameters after a colon")
    name, _, rest = text.partition(":")
    points = _points()
    if name not in points:
        raise ValueError(f"agent is {text!r}; known: {', '.join(sorted(points))}")
    factory = points[name].load()
    return factory(**_keywords(name, factory, rest))  # type: ignore[no-any-return]


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _keywords(name: str, factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """The parameters written in `text`, checked against the factory's signature."""
    parameters = inspect.signature(factory).parameters
    named = [
        key for key, item in parameters.items() if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL)
    ]
    takes_any = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
    keywords: dict[str, Any] = {}
    for item in text.split(",") if text else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not (equals and key.isidentifier()):
            if keywords or not named:
                raise ValueError(f"{name}: {item!r} is no parameter; write key=value, separated by commas")
            key, value = named[0], item.strip()
        if key in keywords:
            raise ValueError(f"{name}: parameter {key} is given twice")
        if key not in named and not takes_any:
            raise ValueError(f"{name} has no parameter {key!r}; known: {', '.join(named) or 'none'}")
        keywords[key] = _value(value)
    missing = [
        key for key in named if parameters[key].default is inspect.Parameter.empty and key not in keywords
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
