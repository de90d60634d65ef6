"""Actions, cities and cards in words. `words` and `parse` are inverse for every legal action."""

import difflib
import unicodedata
from functools import lru_cache

from powergrid_env import engine
from powergrid_env.actions import ActionTable
from powergrid_env.board import Board
from powergrid_env.constants import (
    FIRST_BID,
    FIRST_NOMINATE,
    MAX_BUY,
    NUM_BURN,
    PASS,
    STEP_3_CARD,
    Decision,
    Phase,
    Resource,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules import auction, plant_limit, plant_market
from powergrid_env.state import State

VERBS = {Decision.PLACE: "place", Decision.MARK: "mark", Decision.BUILD: "build"}
FORMS = {
    Decision.PLACE: "place CITY",
    Decision.MARK: "mark CITY",
    Decision.CHOOSE: "nominate PLANT, pass",
    Decision.BID: "bid ELEKTRO, pass",
    Decision.SCRAP: "scrap PLANT",
    Decision.GIVE_UP: "give up coal, give up oil",
    Decision.BUY: "buy NUMBER RESOURCE, pass",
    Decision.BUILD: "build CITY, pass",
    Decision.RUN: "run PLANT ..., run none",
    Decision.BURN: "burn NUMBER coal",
}
STEP_3_WORD = "step3"
STEP_3_PLACES = ("stack", "market", "drawn", "in_force")
"""Words for each Step3Card, where the Step 3 card is."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class IllegalAction(ValueError):  # noqa: N818 - a public name; "error" would say no more
    """An action that cannot be played here; the message cites the rule and the numbers."""


@lru_cache(maxsize=64)
def action_table(board: Board) -> ActionTable:
    """The action table of a board."""
    return ActionTable(board)


# ---------------------------------------------------------------------------------- cards and cities


def card_word(card: int) -> str:
    """A card in words: the number of a plant, or `step3`."""
    return STEP_3_WORD if card == STEP_3_CARD else str(card)


def fold(text: str) -> str:
    """Lower case, single spaces, umlauts as ae, oe, ue."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().translate(UMLAUTS).split())


@lru_cache(maxsize=64)
def _city_names(board: Board) -> dict[str, int]:
    names: dict[str, int] = {}
    for city, name in enumerate(board.cities):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        names.setdefault(fold(plain), city)
    names.update({fold(name): city for city, name in enumerate(board.cities)})
    return names


def find_city(board: Board, name: str) -> int:
    """Index of a city, whatever the case, spaces or spelling of umlauts.

    Raises:
        ValueError: no such city; names the closest ones.
    """
    names = _city_names(board)
    if fold(name) in names:
        return names[fold(name)]
    close = [board.cities[names[key]] for key in difflib.get_close_matches(fold(name), names, n=3)]
    hint = f"; did you mean {' or '.join(dict.fromkeys(close))}?" if close else ""
    raise ValueError(f"no city {name!r} on this board{hint}")


# -------------------------------------------------------------------------------------------- words


def words(state: State, board: Board, action: int) -> str:
    """An action in words, such as `bid 15` or `buy 3 oil`.

    Rows that mean nothing in this state (the fourth plant of a market of three) are described as rows.
    """
    table = action_table(board)
    block, row = table.decode(action)
    player = int(state.player)
    match block:
        case "pass":
            return "pass"
        case "nominate" if row < plant_market.num_current(state):
            return f"nominate {int(state.market[row])}"
        case "bid" if state.auction_plant:
            return f"bid {auction.least_bid(state) + int(board.record.raises[row])}"
        case "scrap" if state.new_plant and row < state.num_plants[player] - 1:
            return f"scrap {int(state.plants[player, plant_limit.slot_of_old_plant(state, player, row)])}"
        case "give_up":
            return f"give up {Resource(row).name.lower()}"
        case "buy":
            return f"buy {row % MAX_BUY + 1} {Resource(row // MAX_BUY).name.lower()}"
        case "city":
            return f"{VERBS.get(Decision(state.decision), 'build')} {board.cities[row]}"
        case "run" if player >= 0 and not row >> int(state.num_plants[player]):
            plants = [str(int(state.plants[player, slot])) for slot in range(4) if row >> slot & 1]
            return " ".join(["run", *plants]) if plants else "run none"
        case "burn":
            return f"burn {row} coal"
    return table.describe(action)


def parse(state: State, board: Board, text: str) -> int:
    """Action id of words; any case and spacing, ASCII for umlauts, `buy oil` for one.

    Raises:
        IllegalAction: words that are no action of this state; says why. An action that the words name but a
            rule forbids is returned: `explain` tells the rule.
    """
    match fold(text).split():
        case ["pass"]:
            return PASS
        case ["nominate", plant] if _is_number(plant):
            return FIRST_NOMINATE + _place_of(current_market(state), plant, f"nominate {plant}", state)
        case ["bid", amount] if _is_number(amount):
            return _parse_bid(state, board, int(amount))
        case ["scrap", plant] if _is_number(plant):
            old = [number for number in _owned(state) if number != state.new_plant]
            return int(board.record.first_scrap) + _place_of(old, plant, f"scrap {plant}", state)
        case ["give", "up", resource] if resource in ("coal", "oil"):
            return int(board.record.first_give_up) + Resource[resource.upper()]
        case ["buy", resource] if resource.upper() in Resource.__members__:
            return int(board.record.first_buy) + Resource[resource.upper()] * MAX_BUY
        case ["buy", amount, resource] if resource.upper() in Resource.__members__ and _is_number(amount):
            if not 1 <= int(amount) <= MAX_BUY:
                raise IllegalAction(
                    f"{text.strip()!r}: 1 to {MAX_BUY} tokens can be bought at once; buy again for more"
                )
            return int(board.record.first_buy) + Resource[resource.upper()] * MAX_BUY + int(amount) - 1
        case ["build" | "place" | "mark" as verb, *name] if name:
            if VERBS.get(Decision(state.decision)) != verb:
                raise IllegalAction(f"{text.strip()!r}: {due(state)}")
            try:
                return int(board.record.first_city) + find_city(board, " ".join(name))
            except ValueError as error:
                raise IllegalAction(f"{text.strip()!r}: {error}") from None
        case ["run", "none"]:
            return int(board.record.first_run)
        case ["run", *plants] if plants and all(map(_is_number, plants)):
            return int(board.record.first_run) + sum(
                1 << _place_of(_owned(state), plant, f"run {plant}", state) for plant in sorted(set(plants))
            )
        case ["burn", amount, *coal] if _is_number(amount) and coal in ([], ["coal"]):
            if int(amount) >= NUM_BURN:
                raise IllegalAction(f"{text.strip()!r}: R5.3: hybrids burn at most {NUM_BURN - 1} tokens")
            return int(board.record.first_burn) + int(amount)
    raise IllegalAction(f"{text.strip()!r} is no action; {due(state)}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 30


def current_market(state: State) -> list[int]:
    """The cards that may be auctioned now (R2.14)."""
    return [int(card) for card in state.market[: plant_market.num_current(state)]]


def _owned(state: State) -> list[int]:
    player = max(0, int(state.player))
    return [int(plant) for plant in state.plants[player, : state.num_plants[player]]]


def _place_of(plants: list[int], number: str, text: str, state: State) -> int:
    if int(number) in plants:
        return plants.index(int(number))
    listed = " ".join(map(str, plants)) or "none"
    decision = Decision(state.decision)
    if text.startswith("nominate") and decision == Decision.CHOOSE:
        future = [int(card) for card in state.market[: state.market_size] if card != STEP_3_CARD]
        where = "lies in the future market" if int(number) in future else "is not on offer"
        raise IllegalAction(f"{text!r}: R2.14: plant {number} {where}; current market: {listed}")
    if text.startswith("scrap") and decision == Decision.SCRAP:
        raise IllegalAction(f"{text!r}: R2.30: you may scrap one of your old plants: {listed}")
    if text.startswith("run") and decision == Decision.RUN:
        raise IllegalAction(f"{text!r}: R5.1: you own no plant {number}; your plants: {listed}")
    raise IllegalAction(f"{text!r}: {due(state)}")


def _parse_bid(state: State, board: Board, amount: int) -> int:
    if state.decision != Decision.BID:
        raise IllegalAction(f"'bid {amount}': {due(state)}")
    least, money = auction.least_bid(state), int(state.money[state.player])
    raises = [int(step) for step in board.record.raises[: board.record.num_raises]]
    if amount < least:
        rule = "R2.5: the minimum" if state.auction_bidder < 0 else "R2.7: the least bid"
        raise IllegalAction(f"'bid {amount}': {rule} for plant {int(state.auction_plant)} is {least}")
    if amount > money:
        raise IllegalAction(f"'bid {amount}': {money_text(amount, money)}")
    if amount - least in raises:
        return FIRST_BID + raises.index(amount - least)
    if engine.verify(state, board.record, FIRST_BID + len(raises) - 1) == Reason.R2_11:
        raise IllegalAction(f"'bid {amount}': R2.11: only you are left, the plant costs exactly {least}")
    raise IllegalAction(
        f"'bid {amount}': not in the table of raises; bids here: "
        f"{', '.join(str(least + step) for step in raises if least + step <= money)} (see GameConfig.raises)"
    )


def money_text(amount: int, money: int) -> str:
    """That a bid is more than its bidder owns."""
    return f"R2.9: a bid of {amount}, but you own {money} Elektro"


def due(state: State) -> str:
    """What is asked now, and of whom."""
    if state.phase == Phase.OVER:
        return "R7.1: the game is over"
    decision, phase = Decision(state.decision), Phase(state.phase)
    return f"R0.10: {phase.name.lower()} now asks player {int(state.player)} for: {FORMS[decision]}"
