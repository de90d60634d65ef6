"""Checks of what a batch is given: numbers, arrays of them, and buffers. They raise a ValueError that says what is allowed."""

import contextlib
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def whole_number(name: str, value: object, low: int, high: int | None) -> int:
    """The value as an int.

    Raises:
        ValueError: it is none, or not from `low` to `high`; names the argument.
    """
    number = low - 1
    if not isinstance(value, bool):
        with contextlib.suppress(TypeError):
            number = operator.index(value)  # type: ignore[arg-type]
    if number < low or (high is not None and number > high):
        allowed = f"{low} to {high}" if high is not None else f"a whole number from {low}"
        raise ValueError(f"{name} is {value!r}; allowed: {allowed}")
    return number


def is_one(value: object) -> bool:
    """Is it one value, and not a list or an array of them?"""
    if isinstance(value, np.ndarray):
        return value.ndim == 0
    return isinstance(value, str) or not isinstance(value, Sequence)


def whole_numbers(
    name: str, values: npt.ArrayLike, count: int, high: int | None = None
) -> npt.NDArray[np.int64]:
    """`(count,)` int64, contiguous; without a copy where that is possible.

    Raises:
        ValueError: another shape, no whole numbers, or with `high` one that is not from 0 to it; names the argument.
    """
    try:
        given = np.asarray(values)
    except ValueError:  # lists of different lengths
        raise ValueError(f"{name} is {values!r}; allowed: ({count},) whole numbers") from None
    if given.shape != (count,) or (given.dtype.kind not in "iu" and count):
        wanted = f"({count},) whole numbers"
        raise ValueError(f"{name} is an array {given.shape} of {given.dtype}; allowed: {wanted}")
    if high is not None:
        wrong = given[(given < 0) | (given > np.uint64(high))]
        if len(wrong):
            raise ValueError(f"{name} has {wrong[0]}; allowed: 0 to {high}")
    return np.ascontiguousarray(given, np.int64)


def buffer(name: str, given: Any, shape: tuple[int, int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A new array, or the one given if results can be written straight into it.

    Raises:
        ValueError: they cannot; names the argument.
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
