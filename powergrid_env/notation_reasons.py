"""Why an action is illegal, in words: the rule that forbids it, with the numbers of the state.

`engine.verify` tells the rule; this file knows no rule of its own.
"""

from powergrid_env import engine
from powergrid_env.board import Board
from powergrid_env.constants import MAX_BUY, Resource
from powergrid_env.notation import (
    IllegalAction,
    action_table,
    current_market,
    due,
    money_text,
    parse,
    words,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules import auction, building, facts, plant_limit
from powergrid_env.state import State


def explain(state: State, board: Board, action: int | str) -> str | None:
    """None when an action, words or a row of the action table, is legal; else the rule that forbids it, with the numbers."""
    if isinstance(action, str):
        try:
            action = parse(state, board, action)
        except IllegalAction as error:
            return str(error)
    reason = Reason(int(engine.verify(state, board.record, action)))
    if reason == Reason.LEGAL:
        return None
    return f"{words(state, board, action)!r}: {_reason_text(state, board, action, reason)}"


def _reason_text(state: State, board: Board, action: int, reason: Reason) -> str:
    record, player = board.record, int(state.player)
    row = action_table(board).decode(action)[1]
    money = int(state.money[player])
    current = " ".join(map(str, current_market(state))) or "empty"
    match reason:
        case Reason.NOT_ASKED | Reason.R7_1_OVER:
            return due(state)
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
            return money_text(auction.least_bid(state) + int(record.raises[row]), money)
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
