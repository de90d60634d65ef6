"""GameConfig: everything that is fixed before the first card is dealt."""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from powergrid_env import rulings as ruling_names
from powergrid_env.constants import MAX_RAISES, Reward

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
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        for name in ("players", "max_rounds"):
            if hasattr(getattr(self, name), "__index__") and not isinstance(getattr(self, name), bool):
                put(name, int(getattr(self, name)))
        if not _is_int(self.players) or not 2 <= self.players <= 6:
            raise _refuse("players", self.players, "2 to 6")
        if self.edition not in editions():
            raise _refuse("edition", self.edition, ", ".join(editions()))
        known = tables()["edition"][self.edition]["maps"]
        if not isinstance(self.board, (str, Path)) or not (
            self.board in known or (Path(self.board) / "cities.csv").is_file()
        ):
            raise _refuse(
                "board", self.board, f"{', '.join(known)}, or a folder with cities.csv and edges.csv"
            )
        put("board", str(self.board))
        if self.deck not in DECKS:
            raise _refuse("deck", self.deck, ", ".join(DECKS))
        self._check_regions(put)
        for name in ("start_cities", "skip_forced"):
            if not isinstance(getattr(self, name), bool):
                raise _refuse(name, getattr(self, name), "True or False")
        edition = tables()["edition"][self.edition]
        if self.trust not in (None, True, False) or (
            self.trust and not (edition["two_player_trust"] and self.players == 2)
        ):
            raise _refuse(
                "trust", self.trust, "None, False; True only with 2 players in the recharged edition (RT.1)"
            )
        put(
            "trust",
            bool(edition["two_player_trust"] and self.players == 2)
            if self.trust is None
            else bool(self.trust),
        )
        if self.start_cities and self.edition == "2004":
            raise _refuse("start_cities", True, "False in the 2004 edition (section 11 is Recharged only)")
        if self.money not in ("public", "hidden"):
            raise _refuse("money", self.money, "public, hidden")
        self._check_raises(put)
        if not _is_int(self.max_rounds) or not 1 <= self.max_rounds <= MAX_ROUNDS_CAP:
            raise _refuse("max_rounds", self.max_rounds, f"1 to {MAX_ROUNDS_CAP}")
        rewards = [reward.name.lower() for reward in Reward]
        if self.reward not in rewards:
            raise _refuse("reward", self.reward, ", ".join(rewards))
        if not isinstance(self.rulings, Mapping):
            raise _refuse("rulings", self.rulings, "a mapping from the name of a ruling to its value")
        spelled = {
            name: ruling_names.spell(name, ruling_names.parse(name, self.rulings[name]))
            for name in sorted(self.rulings)
        }
        put("rulings", MappingProxyType(spelled))

    def _check_regions(self, put: Any) -> None:
        if self.regions is None:
            return
        names = region_names(self.edition, self.board)
        needed = tables()["common"]["regions_used"][self.players - 2]
        given = self.regions
        if (
            isinstance(given, str)
            or not isinstance(given, Sequence)
            or not all(isinstance(name, str) for name in given)
        ):
            raise _refuse("regions", given, f"a list of {needed} of {', '.join(names)}")
        chosen = tuple(sorted(set(given), key=lambda name: names.index(name) if name in names else -1))
        unknown = [name for name in chosen if name not in names]
        if unknown or len(given) != needed or len(chosen) != needed:
            raise _refuse(
                "regions",
                tuple(given),
                f"{needed} different ones of {', '.join(names)} for {self.players} players",
            )
        put("regions", chosen)

    def _check_raises(self, put: Any) -> None:
        allowed = "ascending whole numbers from 0, at most 100, or 'all' for 0..100"
        raises = (
            tuple(range(MAX_RAISES)) if isinstance(self.raises, str) and self.raises == "all" else self.raises
        )
        if (
            isinstance(raises, str)
            or not isinstance(raises, Sequence)
            or not raises
            or not all(map(_is_int, raises))
        ):
            raise _refuse("raises", self.raises, allowed)
        raises = tuple(int(step) for step in raises)
        if raises[0] != 0 or list(raises) != sorted(set(raises)) or raises[-1] >= MAX_RAISES:
            raise _refuse("raises", self.raises, allowed)
        put("raises", raises)

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
        recharged_rules = edition["discount_token"]
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
                rules = tables()["map_rules"].get(self.board, {}) if recharged_rules else {}
                return "yes" if "coal_storage_price" in rules else "no"
            case "uranium_stop":
                rules = tables()["map_rules"].get(self.board, {}) if recharged_rules else {}
                return rules.get("uranium_refill_stops_after_plant", 0)
            case _:  # plant_limit, step2_cities, end_cities
                return edition[name][self.players - 2]

    def board_folder(self) -> Path:
        """Folder that holds cities.csv and edges.csv."""
        return board_folder(self.edition, self.board)


def _rebuild(values: dict[str, Any]) -> GameConfig:
    return GameConfig(**values)


def board_folder(edition: str, board: str) -> Path:
    """Folder of a named board in an edition, or the folder itself."""
    folder = tables()["edition"][edition]["maps"].get(board)
    return DATA / "maps" / folder if folder else Path(board)


def region_names(edition: str, board: str) -> list[str]:
    """Region names in the order in which cities.csv first names them."""
    with open(board_folder(edition, board) / "cities.csv", encoding="utf-8", newline="") as handle:
        return list(dict.fromkeys(row["region"] for row in csv.DictReader(handle) if row.get("region")))
