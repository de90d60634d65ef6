"""Reader: a part of a position, read key by key; a refusal names the key, the value and what is allowed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from powergrid_env.arguments import check_choice, refuse, whole_number


def as_list(key: str, value: object, what: str) -> list[Any]:
    """A list or tuple."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise refuse(key, value, f"a list of {what}")
    return list(value)


def check_different(key: str, values: Sequence[Any]) -> None:
    """Refuses a value that a list names twice."""
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ValueError(f"{key} names {value!r} twice; allowed: once")


class Reader:
    """A mapping inside a position. A key whose value is None (null in JSON) reads as left out.

    Args:
        values: the mapping.
        path: its key in the position, "" for the position itself.
        known: keys it may have.

    Attributes:
        names: the keys that are there, with a value or None.

    Raises:
        ValueError: no mapping, or an unknown key.
    """

    def __init__(self, values: object, path: str, known: Sequence[str]) -> None:
        if not isinstance(values, Mapping):
            raise refuse(path or "position", values, f"a mapping with some of {', '.join(known)}")
        self._path = path
        self.names = tuple(values)
        for name in self.names:
            if name not in known:
                raise ValueError(f"{self.key(name)} is no key; known: {', '.join(known)}")
        self._values = {name: value for name, value in values.items() if value is not None}

    def key(self, name: object) -> str:
        """The full name of a key, for messages."""
        return f"{self._path}.{name}" if self._path else f"{name}"

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a key, as it was given."""
        return self._values.get(name, default)

    def part(self, name: str, known: Sequence[str]) -> "Reader":
        """The mapping under a key; an empty one where it is left out."""
        return Reader(self.get(name, {}), self.key(name), known)

    def entries(self, name: str, what: str) -> list[tuple[str, Any]]:
        """Pairs of a mapping whose keys are free, such as city names; none where it is left out."""
        values = self.get(name, {})
        if not isinstance(values, Mapping):
            raise refuse(self.key(name), values, f"a mapping {what}")
        return list(values.items())

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number."""
        return whole_number(self.key(name), self[name], low, high) if name in self else default

    def flag(self, name: str, default: bool) -> bool:
        """True or False."""
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise refuse(self.key(name), value, "true or false")
        return value

    def word(self, name: str, default: str, allowed: Sequence[str]) -> str:
        """One of the words allowed."""
        return str(check_choice(self.key(name), self.get(name, default), allowed))

    def listed(self, name: str, what: str) -> list[Any]:
        """A list; an empty one where it is left out."""
        return as_list(self.key(name), self.get(name, []), what)

    def integers(self, name: str, what: str, low: int, high: int) -> list[int]:
        """A list of different whole numbers, in the order given."""
        values = self.listed(name, what)
        numbers = [
            whole_number(f"{self.key(name)}[{place}]", value, low, high) for place, value in enumerate(values)
        ]
        check_different(self.key(name), numbers)
        return numbers
