"""The settings a ruling hangs on: every `flag:` of RULES.md and the rows of its section 13, by name.

Member 0 of each enumeration is the default of RULES.md section 14. Rows of section 13 have no default
here: the edition sets them, and `rulings` may override each.
"""

from enum import IntEnum


class BiddingOrder(IntEnum):
    """A5: who bids after whom (R2.7)."""

    SEAT = 0
    PLAYER_ORDER = 1


class DiscountCheck(IntEnum):
    """A9: which replacements are compared with the discounted plant (R2.23)."""

    EACH = 0
    FIRST_ONLY = 1


class ScrapFuel(IntEnum):
    """A10: may tokens of a scrapped plant be given up although there is room (R2.32)."""

    KEEP_MAX = 0
    CHOOSE = 1


class LateStart(IntEnum):
    """A12: where a network may start after Step 1 (R4.2)."""

    LOWEST_FREE_SPACE = 0
    EMPTY_ONLY = 1


class Fuel(IntEnum):
    """A16: must a plant hold what it burns (R5.4)."""

    OWN_PLANT = 0
    POOL = 1


class Step3AtStep2Update(IntEnum):
    """A18: part (d) of the phase 5 in which the Step 3 card replaced a plant for Step 2 (R6.24)."""

    SKIP = 0
    PERFORM = 1


class Step3BeforeStep2Resupply(IntEnum):
    """A19: the column used when the Step 3 card comes up in phase 5 of Step 1 (R6.25)."""

    AS_IT_HAPPENED = 0
    STEP2 = 1


class TrustPlantTiming(IntEnum):
    """A22: when the Trust takes its plant (RT.12)."""

    AFTER_FIRST_ACQUISITION = 0
    WHEN_FIRST_HUMAN_IS_DONE = 1


class YesNo(IntEnum):
    """A switch whose default is yes."""

    YES = 0
    NO = 1


class NoYes(IntEnum):
    """A switch whose default is no."""

    NO = 0
    YES = 1


class StartCityChoice(IntEnum):
    """A27: which marked city a network may start in (RS.2)."""

    ANY_MARKED = 0
    OWN = 1


class UsaStorage(IntEnum):
    """A29: coal from the storage only behind an empty row, or always (RM.11)."""

    TRACK_EMPTY = 0
    ALWAYS = 1


class OpeningMarket(IntEnum):
    """Section 13: the opening market (R0.4, R0.5)."""

    RANDOM = 0
    FIXED = 1


class StackTop(IntEnum):
    """Section 13: the card put on top of the stack at setup."""

    RANDOM_PLUG = 0
    FIXED = 1


class CardsRemoved(IntEnum):
    """Section 13: plugs and sockets removed apart, or cards of the whole stack (RC.7)."""

    BY_BACK = 0
    OF_ALL = 1


class CheapPlant(IntEnum):
    """Section 13: the discount token (R2.20)."""

    DISCOUNT = 0
    NONE = 1


class Unsold(IntEnum):
    """Section 13: which plant leaves after phase 2 (R2.24, R2.15)."""

    DISCOUNTED_LEAVES = 0
    LOWEST_LEAVES = 1


class ObsoletePlants(IntEnum):
    """Section 13: plants no larger than a network (R4.12)."""

    STAY = 0
    LEAVE = 1


class Step3CardPhases(IntEnum):
    """Section 13: whether the Step 2 replacement counts as phase 5 (R6.24) or phase 4 (R6.11)."""

    PHASES_2_5 = 0
    PHASES_2_4_5 = 1


class TieBreak(IntEnum):
    """Section 13: what decides between equal supplies (R7.3)."""

    MONEY = 0
    MONEY_THEN_CITIES = 1


CHOICES: dict[str, type[IntEnum]] = {
    "bidding_order": BiddingOrder,
    "discount_check": DiscountCheck,
    "scrap_fuel": ScrapFuel,
    "late_start": LateStart,
    "fuel": Fuel,
    "step3_at_step2_update": Step3AtStep2Update,
    "step3_before_step2_resupply": Step3BeforeStep2Resupply,
    "trust_plant_timing": TrustPlantTiming,
    "trust_uses_coal_storage": YesNo,
    "trust_stops_uranium": NoYes,
    "start_city_choice": StartCityChoice,
    "usa_storage": UsaStorage,
    "opening_market": OpeningMarket,
    "stack_top": StackTop,
    "cards_removed": CardsRemoved,
    "cheap_plant": CheapPlant,
    "unsold": Unsold,
    "obsolete_plants": ObsoletePlants,
    "step3_card_phases": Step3CardPhases,
    "tie_break": TieBreak,
    "coal_storage": NoYes,
}
"""Rulings that are a choice of words, and their enumeration."""

NUMBERS: dict[str, tuple[int, ...]] = {
    "house_cap": (22, 20, 0),
    "trust_resupply_row": (2, 3),
    "garbage_start": (9, 6, 0, 3, 12, 15, 18, 21, 24),
    "uranium_start": tuple(range(2, 13)) + (0, 1),
    "plant_limit": (3, 4),
    "step2_cities": tuple(range(1, 23)),
    "end_cities": tuple(range(1, 23)),
    "uranium_stop": (0, *range(3, 51)),
}
"""Rulings that are a number, and the numbers allowed; 0 means none."""

EDITION_ROWS = (
    "opening_market stack_top cards_removed garbage_start uranium_start cheap_plant unsold obsolete_plants "
    "step3_card_phases plant_limit step2_cities end_cities tie_break coal_storage uranium_stop"
).split()
"""Rulings that are rows of RULES.md section 13: the edition sets them where `rulings` does not."""

DEFAULTS: dict[str, int] = {
    **{name: 0 for name in CHOICES if name not in EDITION_ROWS},
    **{name: numbers[0] for name, numbers in NUMBERS.items() if name not in EDITION_ROWS},
}
"""Default of each ruling that no edition sets."""


def parse(name: str, value: object) -> int:
    """The number behind a ruling given in words (or as a number).

    Raises:
        ValueError: an unknown ruling or a value it does not allow; names what is allowed.
    """
    if name in CHOICES:
        words = {member.name.lower(): int(member) for member in CHOICES[name]}
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if isinstance(value, str) and value.lower() in words:
            return words[value.lower()]
        raise ValueError(f"rulings[{name!r}] is {value!r}; allowed: {', '.join(words)}")
    if name in NUMBERS:
        number = 0 if value in ("none", "never") else value
        if isinstance(number, int) and not isinstance(number, bool) and number in NUMBERS[name]:
            return number
        raise ValueError(
            f"rulings[{name!r}] is {value!r}; allowed: {', '.join(map(str, sorted(NUMBERS[name])))} (0 is none)"
        )
    raise ValueError(f"rulings has no {name!r}; known: {', '.join(sorted([*CHOICES, *NUMBERS]))}")


def spell(name: str, number: int) -> str | int:
    """The words of a ruling, the inverse of `parse`."""
    return CHOICES[name](number).name.lower() if name in CHOICES else number
