"""Checks of arguments: numbers, arrays of them, words, names, seeds, configs. A ValueError says what was given and is allowed."""

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env.config import GameConfig

MAX_SEED = 2**63


def refuse(name: str, value: object, allowed: str) -> ValueError:
    """The error of an argument or key: what was given and what is allowed."""
    return ValueError(f"{name} is {value!r}; allowed: {allowed}")


def whole_number(name: str, value: object, low: int, high: int | None) -> int:
    """The value, a whole number of Python or numpy from `low` to `high`, as an int.

    Raises:
        ValueError: it is none.
    """
    try:
        number = low - 1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]  # TypeError is the answer
    except TypeError:  # arrays of one number have `__index__`, too
        number = low - 1
    if number < low or (high is not None and number > high):
        upwards = f"a whole number from {low}" + (f" to {high}" if high is not None else "")
        raise refuse(name, value, str(low) if low == high else upwards)
    return number


def is_one(value: object) -> bool:
    """Is it one value, and not a list or an array of them?"""
    if isinstance(value, np.ndarray):
        return value.ndim == 0
    return isinstance(value, str) or not isinstance(value, Sequence)


def whole_numbers(
    name: str, values: npt.ArrayLike, count: int | None, high: int | None = None
) -> npt.NDArray[np.int64]:
    """`(count,)` int64, or as many as there are; contiguous, without a copy where that is possible.

    Raises:
        ValueError: another shape, no whole numbers, or with `high` one that is not from 0 to it.
    """
    wanted = f"({'k' if count is None else count},) whole numbers"
    try:
        given = np.asarray(values)
    except ValueError:  # lists of different lengths
        raise refuse(name, values, wanted) from None
    is_shaped = given.ndim == 1 if count is None else given.shape == (count,)
    if not is_shaped or (given.dtype.kind not in "iu" and given.size):
        raise ValueError(f"{name} is an array {given.shape} of {given.dtype}; allowed: {wanted}")
    if high is not None:
        wrong = given[(given < 0) | (given > np.uint64(high))]
        if len(wrong):
            raise ValueError(f"{name} has {wrong[0]}; allowed: 0 to {high}")
    return np.ascontiguousarray(given, np.int64)


def buffer(name: str, given: Any, shape: tuple[int, int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A new array, or the one given if results can be written straight into it.

    Raises:
        ValueError: they cannot.
    """
    if given is None:
        return np.empty(shape, dtype)
    wanted = f"an array {shape} of {np.dtype(dtype)}"
    if not isinstance(given, np.ndarray) or given.shape != shape or given.dtype != dtype:
        what = f"an array {given.shape} of {given.dtype}" if isinstance(given, np.ndarray) else repr(given)
        raise ValueError(f"{name} is {what}; allowed: {wanted}")
    if not (given.flags.c_contiguous and given.flags.writeable and given.flags.aligned):
        raise ValueError(f"{name} is not contiguous, aligned and writeable; allowed: {wanted} that is")
    return given


def check_choice(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """The value, if it is one of the words (or None) allowed.

    Raises:
        ValueError: it is not.
    """
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise refuse(name, value, ", ".join(map(str, allowed)))
    return value


def check_names(name: str, value: Any, num_players: int) -> list[str]:
    """Names of players or agents by seat.

    Raises:
        ValueError: no list of words, or not one per seat.
    """
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if not is_list or len(value) != num_players or not all(isinstance(word, str) for word in value):
        raise refuse(name, value, f"{num_players} names, one per seat")
    return list(value)


def check_seed(seed: object) -> int:
    """A seed as an int; None draws one.

    Raises:
        ValueError: not a whole number from 0 to 2**63 - 1.
    """
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    try:
        return whole_number("seed", seed, 0, MAX_SEED - 1)
    except ValueError:
        raise refuse("seed", seed, "a whole number from 0 to 2**63 - 1") from None


def make_config(
    config: GameConfig | None, fields: Mapping[str, Any], taker: Callable[..., Any] | None = None
) -> GameConfig:
    """The config given, or one made from keywords.

    Args:
        config: a config, or None.
        fields: keywords; fields of GameConfig where no config is given.
        taker: who was given them; its own parameters are allowed as well, and named when a keyword is unknown.

    Raises:
        ValueError: both given, an unknown field, or a field GameConfig refuses.
    """
    known = list(GameConfig.__dataclass_fields__)
    unknown = sorted(set(fields) - set(known))
    if unknown:
        own = inspect.signature(taker).parameters.values() if taker else ()
        own_names = [item.name for item in own if item.kind is not item.VAR_KEYWORD and item.name != "config"]
        raise ValueError(f"no setting {unknown[0]!r}; allowed: {', '.join([*own_names, *known])}")
    if config is None:
        return GameConfig(**fields)
    if fields:
        raise ValueError(f"config and {', '.join(fields)} given; allowed: a config or its fields as keywords")
    if not isinstance(config, GameConfig):
        raise refuse("config", config, "a GameConfig")
    return config
