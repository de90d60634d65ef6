"""GameConfig: everything that is fixed before the first card is dealt."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from powergrid_env import rulings as ruling_names
from powergrid_env.constants import MAX_RAISES, Reward
from powergrid_env.maps import read_regions

DATA = Path(str(files("powergrid_env"))) / "data"
DECKS = {"base": "plants.csv", "new": "plants_new.csv"}
DEFAULT_RAISES = (0, 1, 2, 3, 5, 10, 20, 40)
MAX_ROUNDS_CAP = 1000


@cache
def tables() -> dict[str, Any]:
    """The number tables of data/tables.toml (sources in data/SOURCES.md)."""
    with open(DATA / "tables.toml", "rb") as handle:
        return tomllib.load(handle)


def editions() -> list[str]:
    """Names of the editions."""
    return list(tables()["edition"])


def _refuse(name: str, value: object, allowed: str) -> ValueError:
    return ValueError(f"{name} is {value!r}; allowed: {allowed}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class GameConfig:
    """A way to play; checked when made, immutable and hashable.

    Args:
        players: 2 to 6. Two in the Recharged edition play against the Trust (section 10).
        edition: "recharged" or "2004".
        board: "germany", "usa", or a folder with cities.csv and edges.csv.
        deck: "base", or "new" for The New Power Plants (one source, unverified).
        regions: region names of cities.csv that make the zone (R0.1); None draws them by the seed.
        trust: None decides by edition and players; False gives two players without it.
        start_cities: the default starting cities of section 11 (Recharged only).
        money: "public" or "hidden", what observations show of the others' money (RI.3).
        raises: Elektro above the least bid, one bid action each, ascending from 0 and at most 100; "all" is 0..100.
        max_rounds: safety cap, 1 to 1000; a game that meets it is truncated (R7.4).
        reward: "win", "rank" or "margin".
        skip_forced: play every decision that has a single answer at once.
        rulings: flags of RULES.md section 14 and rows of section 13 by name (see rulings.py).

    Raises:
        ValueError: names the field, what was given and what is allowed.
    """

    players: int = 4
    edition: str = "recharged"
    board: str = "germany"
    deck: str = "base"
    regions: tuple[str, ...] | None = None
    trust: bool | None = None
    start_cities: bool = False
    money: str = "public"
    raises: tuple[int, ...] | str = DEFAULT_RAISES
    max_rounds: int = 60
    reward: str = "win"
    skip_forced: bool = False
    rulings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("players", "max_rounds"):
            value = getattr(self, name)
            if hasattr(value, "__index__") and not isinstance(value, bool):
                self._put(name, int(value))
        if not _is_int(self.players) or not 2 <= self.players <= 6:
            raise _refuse("players", self.players, "2 to 6")
        self._check_word("edition", editions())
        self._check_board()
        self._check_word("deck", DECKS)
        self._check_regions()
        for name in ("start_cities", "skip_forced"):
            if not isinstance(getattr(self, name), bool):
                raise _refuse(name, getattr(self, name), "True or False")
        self._check_trust()
        if self.start_cities and self.edition == "2004":
            raise _refuse("start_cities", True, "False in the 2004 edition (section 11 is Recharged only)")
        self._check_word("money", ("public", "hidden"))
        self._check_raises()
        if not _is_int(self.max_rounds) or not 1 <= self.max_rounds <= MAX_ROUNDS_CAP:
            raise _refuse("max_rounds", self.max_rounds, f"1 to {MAX_ROUNDS_CAP}")
        self._check_word("reward", [reward.name.lower() for reward in Reward])
        self._check_rulings()

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_word(self, name: str, allowed: Iterable[str]) -> None:
        value = getattr(self, name)
        if not isinstance(value, str) or value not in allowed:
            raise _refuse(name, value, ", ".join(allowed))

    def _check_board(self) -> None:
        known = tables()["edition"][self.edition]["maps"]
        is_text = isinstance(self.board, (str, Path))
        if not is_text or not (self.board in known or _is_map_folder(self.board)):
            allowed = f"{', '.join(known)}, or a folder with cities.csv and edges.csv"
            raise _refuse("board", self.board, allowed)
        self._put("board", str(self.board))

    def _check_regions(self) -> None:
        if self.regions is None:
            return
        names = read_regions(self.board_folder())
        needed = tables()["common"]["regions_used"][self.players - 2]
        given = self.regions
        is_list = isinstance(given, Sequence) and not isinstance(given, str)
        if not is_list or not all(isinstance(name, str) for name in given):
            raise _refuse("regions", given, f"a list of {needed} of {', '.join(names)}")
        chosen = tuple(name for name in names if name in given)
        if len(given) != needed or len(chosen) != needed:
            allowed = f"{needed} different ones of {', '.join(names)} for {self.players} players"
            raise _refuse("regions", tuple(given), allowed)
        self._put("regions", chosen)

    def _check_trust(self) -> None:
        official = bool(tables()["edition"][self.edition]["two_player_trust"] and self.players == 2)
        if not (self.trust is None or isinstance(self.trust, bool)) or (self.trust and not official):
            allowed = "None, False; True only with 2 players in the recharged edition (RT.1)"
            raise _refuse("trust", self.trust, allowed)
        self._put("trust", official if self.trust is None else self.trust)

    def _check_raises(self) -> None:
        given: Any = self.raises
        if isinstance(given, str):
            given = range(MAX_RAISES) if given == "all" else None
        steps = list(given) if isinstance(given, Sequence) and all(map(_is_int, given)) else []
        if steps[:1] != [0] or steps != sorted(set(steps)) or steps[-1] >= MAX_RAISES:
            allowed = "ascending whole numbers from 0, at most 100, or 'all' for 0..100"
            raise _refuse("raises", self.raises, allowed)
        self._put("raises", tuple(int(step) for step in steps))

    def _check_rulings(self) -> None:
        if not isinstance(self.rulings, Mapping) or not all(isinstance(name, str) for name in self.rulings):
            raise _refuse("rulings", self.rulings, "a mapping from the name of a ruling to its value")
        spelled = {
            name: ruling_names.spell(name, ruling_names.parse(name, self.rulings[name]))
            for name in sorted(self.rulings)
        }
        self._put("rulings", MappingProxyType(spelled))

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameConfig) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        plain = tuple(getattr(self, item.name) for item in fields(self) if item.name != "rulings")
        return (*plain, tuple(self.rulings.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.to_dict(),))

    def to_dict(self) -> dict[str, Any]:
        """Every field as plain data, fit for TOML, JSON and `GameConfig(**...)`."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["rulings"] = dict(self.rulings)
        if values["raises"] == tuple(range(MAX_RAISES)):
            values["raises"] = "all"
        return values

    def ruling(self, name: str) -> int:
        """The number behind a ruling in force: as set, else by the edition, else the default (section 14)."""
        if name in self.rulings:
            return ruling_names.parse(name, self.rulings[name])
        if name in ruling_names.EDITION_ROWS:
            return ruling_names.parse(name, self._edition_row(name))
        return ruling_names.DEFAULTS[name]

    def _edition_row(self, name: str) -> Any:
        edition = tables()["edition"][self.edition]
        # Map rules came with the discount token: 2004 has none (RM.3, RM.14).
        map_rules = tables()["map_rules"].get(self.board, {}) if edition["discount_token"] else {}
        match name:
            case "opening_market":
                return "random" if "random_plug" in edition["market_open"] else "fixed"
            case "stack_top":
                return "random_plug" if "random_plug" in edition["market_open"] else "fixed"
            case "cards_removed":
                return "by_back" if "removed_plug" in edition else "of_all"
            case "garbage_start" | "uranium_start":
                return edition["initial_tokens"][name.removesuffix("_start")]
            case "cheap_plant":
                return "discount" if edition["discount_token"] else "none"
            case "unsold":
                return "discounted_leaves" if edition["discount_token"] else "lowest_leaves"
            case "obsolete_plants":
                return "leave" if edition["obsolete_plants_removed"] else "stay"
            case "step3_card_phases":
                return "phases_2_4_5" if edition["obsolete_plants_removed"] else "phases_2_5"
            case "tie_break":
                return "money_then_cities" if "cities_in_network" in edition["tie_breaks"] else "money"
            case "coal_storage":
                return "yes" if "coal_storage_price" in map_rules else "no"
            case "uranium_stop":
                return map_rules.get("uranium_refill_stops_after_plant", 0)
            case _:  # plant_limit, step2_cities, end_cities
                return edition[name][self.players - 2]

    def board_folder(self) -> Path:
        """Folder that holds cities.csv and edges.csv."""
        folder = tables()["edition"][self.edition]["maps"].get(self.board)
        return DATA / "maps" / folder if folder else Path(self.board)


def _is_map_folder(path: str | Path) -> bool:
    try:
        return (Path(path) / "cities.csv").is_file()
    except (OSError, ValueError):  # a name that no file can have, or no right to look
        return False


def _rebuild(values: dict[str, Any]) -> GameConfig:
    return GameConfig(**values)
