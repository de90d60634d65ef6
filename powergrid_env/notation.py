"""Actions in words: `words`, `parse` and `explain`.

`words` and `parse` are inverse for every legal action. `explain` says which rule forbids an action, with the
numbers of the state; it asks `engine.verify` and knows no rule of its own.
"""

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
from powergrid_env.rules import auction, building, facts, plant_limit, plant_market
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
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class IllegalAction(ValueError):  # noqa: N818 - a public name; "error" would say no more
    """An action that cannot be played here; the message cites the rule and the numbers."""


@lru_cache(maxsize=64)
def action_table(board: Board) -> ActionTable:
    """The action table of a board."""
    return ActionTable(board)


# ------------------------------------------------------------------------------------------- cities


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
            return FIRST_NOMINATE + _place_of(_market(state), plant, f"nominate {plant}", state, board)
        case ["bid", amount] if _is_number(amount):
            return _parse_bid(state, board, int(amount))
        case ["scrap", plant] if _is_number(plant):
            old = [number for number in _owned(state) if number != state.new_plant]
            return int(board.record.first_scrap) + _place_of(old, plant, f"scrap {plant}", state, board)
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
                raise IllegalAction(f"{text.strip()!r}: {_due(state)}")
            try:
                return int(board.record.first_city) + find_city(board, " ".join(name))
            except ValueError as error:
                raise IllegalAction(f"{text.strip()!r}: {error}") from None
        case ["run", "none"]:
            return int(board.record.first_run)
        case ["run", *plants] if plants and all(map(_is_number, plants)):
            return int(board.record.first_run) + sum(
                1 << _place_of(_owned(state), plant, f"run {plant}", state, board)
                for plant in sorted(set(plants))
            )
        case ["burn", amount, *coal] if _is_number(amount) and coal in ([], ["coal"]):
            if int(amount) >= NUM_BURN:
                raise IllegalAction(f"{text.strip()!r}: R5.3: hybrids burn at most {NUM_BURN - 1} tokens")
            return int(board.record.first_burn) + int(amount)
    raise IllegalAction(f"{text.strip()!r} is no action; {_due(state)}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 30


def _market(state: State) -> list[int]:
    return [int(card) for card in state.market[: plant_market.num_current(state)]]


def _owned(state: State) -> list[int]:
    player = max(0, int(state.player))
    return [int(plant) for plant in state.plants[player, : state.num_plants[player]]]


def _place_of(plants: list[int], number: str, text: str, state: State, board: Board) -> int:
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
    raise IllegalAction(f"{text!r}: {_due(state)}")


def _parse_bid(state: State, board: Board, amount: int) -> int:
    if state.decision != Decision.BID:
        raise IllegalAction(f"'bid {amount}': {_due(state)}")
    least, money = auction.least_bid(state), int(state.money[state.player])
    raises = [int(step) for step in board.record.raises[: board.record.num_raises]]
    if amount < least:
        rule = "R2.5: the minimum" if state.auction_bidder < 0 else "R2.7: the least bid"
        raise IllegalAction(f"'bid {amount}': {rule} for plant {int(state.auction_plant)} is {least}")
    if amount > money:
        raise IllegalAction(f"'bid {amount}': {_money_text(amount, money)}")
    if amount - least in raises:
        return FIRST_BID + raises.index(amount - least)
    if engine.verify(state, board.record, FIRST_BID + len(raises) - 1) == Reason.R2_11:
        raise IllegalAction(f"'bid {amount}': R2.11: only you are left, the plant costs exactly {least}")
    raise IllegalAction(
        f"'bid {amount}': not in the table of raises; bids here: "
        f"{', '.join(str(least + step) for step in raises if least + step <= money)} (see GameConfig.raises)"
    )


def _money_text(amount: int, money: int) -> str:
    return f"R2.9: a bid of {amount}, but you own {money} Elektro"


def _due(state: State) -> str:
    """What is asked now."""
    if state.phase == Phase.OVER:
        return "R7.1: the game is over"
    decision, phase = Decision(state.decision), Phase(state.phase)
    return f"R0.10: {phase.name.lower()} now asks player {int(state.player)} for: {FORMS[decision]}"


# ------------------------------------------------------------------------------------------ explain


def explain(state: State, board: Board, action: int | str) -> str | None:
    """None when the action is legal, else the rule that forbids it, with the numbers."""
    if isinstance(action, str):
        try:
            action = parse(state, board, action)
        except IllegalAction as error:
            return str(error)
    if not 0 <= action < board.record.num_actions:
        return f"action is {action}; allowed: 0 to {int(board.record.num_actions) - 1}"
    reason = Reason(int(engine.verify(state, board.record, action)))
    if reason == Reason.LEGAL:
        return None
    return f"{words(state, board, action)!r}: {_reason_text(state, board, action, reason)}"


def _reason_text(state: State, board: Board, action: int, reason: Reason) -> str:
    record, player = board.record, int(state.player)
    row = action_table(board).decode(action)[1]
    money = int(state.money[player])
    current = " ".join(map(str, _market(state))) or "empty"
    match reason:
        case Reason.NOT_ASKED | Reason.R7_1_OVER:
            return _due(state)
        case Reason.R2_4:
            return "R2.4: everybody must buy a plant in round 1; choose one"
        case Reason.R2_14:
            return f"R2.14: no such plant; current market: {current}"
        case Reason.R2_6_MONEY:
            plant = int(state.market[row])
            return f"R2.6: plant {plant} costs at least {auction.minimum_bid(state, plant)}, but you own {money} Elektro"
        case Reason.R2_6_OPEN:
            return f"R2.6: you chose plant {int(state.auction_plant)} and must open the bidding"
        case Reason.R2_9:
            return _money_text(auction.least_bid(state) + int(record.raises[row]), money)
        case Reason.R2_11:
            return f"R2.11: only you are left, the plant costs exactly {auction.least_bid(state)}"
        case Reason.R2_30:
            return f"R2.30: you have {int(state.num_plants[player]) - 1} old plants to scrap from"
        case Reason.R2_30_MUST:
            return f"R2.30: you hold {int(state.num_plants[player])} plants, {int(record.plant_limit)} are allowed; scrap one"
        case Reason.R2_32:
            return "R2.32: none of your tokens of that kind competes for room"
        case Reason.R2_32_MUST:
            return f"R2.32: {plant_limit.overflow(state, player)[2]} tokens cannot be stored; give up coal or oil"
    return _later_reason_text(state, board, row, reason)


def _later_reason_text(state: State, board: Board, row: int, reason: Reason) -> str:
    record, player = board.record, int(state.player)
    money = int(state.money[player])
    name = board.cities[row] if row < len(board.cities) else ""
    resource, amount = row // MAX_BUY, row % MAX_BUY + 1
    fuel = Resource(resource).name.lower() if resource < len(Resource) else ""
    match reason:
        case Reason.R3_2:
            return f"R3.2: none of your plants burns {fuel}"
        case Reason.R3_4:
            held = ", ".join(f"{int(state.fuel[player, kind])} {kind.name.lower()}" for kind in Resource)
            return f"R3.4: your plants cannot store {amount} more {fuel}; they hold {held}"
        case Reason.R3_7:
            return f"R3.7: only {facts.num_for_sale_tokens(state, record, resource)} {fuel} can be bought now"
        case Reason.R3_8:
            price = facts.fuel_price(state, record, resource, amount)
            return f"R3.8: {amount} {fuel} cost {price}, but you own {money} Elektro"
        case Reason.R4_2:
            return f"R4.2: a network starts in an empty city, and {name} is not"
        case Reason.R4_4:
            return f"R4.4: no house space of {name} is free and open in Step {int(state.step_number)}"
        case Reason.R4_5:
            return f"R4.5: you already own a house in {name}"
        case Reason.R4_7_ZONE:
            return f"R4.7: {name} lies outside the zone: {', '.join(board.zones[state.zone])}"
        case Reason.R4_8:
            price = building.price(state, record, player, row)
            return f"R4.8: {name} costs {price}, but you own {money} Elektro"
        case Reason.R4_10:
            return f"R4.10: you have built all your {int(record.house_cap)} houses"
        case Reason.RS_1:
            return f"RS.1: {name} is marked or holds a house; mark an empty city"
        case Reason.RS_1_MUST:
            return "RS.1: everybody marks a start city"
        case Reason.RS_2:
            return "RS.2: a network starts in a marked city"
        case Reason.RS_3:
            return f"RS.3: {name} is kept for a start until Step 2"
        case Reason.RT_4_EMPTY:
            return f"RT.4: {name} already holds a Trust house"
        case Reason.RT_4_NEXT:
            return f"RT.4: {name} is not joined by one connection to a city with a Trust house"
        case Reason.RT_4_MUST:
            return "RT.4: the six start houses of the Trust must be placed"
        case Reason.R5_1:
            return f"R5.1: you own {int(state.num_plants[player])} plants"
        case Reason.R5_1_MUST:
            return "R5.1: say which plants run: run PLANT ..., or run none"
        case Reason.R5_2:
            return "R5.2: no layout of your tokens feeds all these plants (R5.4)"
        case Reason.R5_3_MUST:
            return "R5.3: say how many of the hybrids' tokens are coal"
        case _:
            least, most = facts.hybrid_mixes(state, record, player, int(state.pending_run))
            return f"R5.4: the hybrids can burn {least} to {most} coal"
