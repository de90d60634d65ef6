"""Whether a state is consistent: one list of checks, compiled for millions of states, and in words for one.

A consistent state need not be reachable, but every reachable state is consistent: `first_problem` is 0 and `problems`
is empty after every step of a game.
"""

from enum import IntEnum
from typing import Any

from powergrid_env import invariants_table as table
from powergrid_env import invariants_turn as turn
from powergrid_env._jit import rule
from powergrid_env.board import Board
from powergrid_env.constants import NOBODY, STEP_3_CARD, Decision, Phase, Resource
from powergrid_env.rules import auction, plant_market
from powergrid_env.state import State

CLEAN = table.CLEAN


class Check(IntEnum):
    """Codes of `first_problem`, in the order in which they are asked; the others rely on those up to CARDS."""

    RANGE = 1
    PADDING = 2
    ORDER = 3
    CARDS = 4
    MARKET_SORTED = 5
    MARKET_SIZE = 6
    STEP_3_CARD = 7
    OBSOLETE = 8
    DISCOUNT = 9
    TOKENS = 10
    STORAGE = 11
    MONEY = 12
    PLANTS = 13
    FUEL_CAPACITY = 14
    FUEL = 15
    URANIUM = 16
    HOUSES = 17
    SECOND_HOUSE = 18
    OPEN_SPACES = 19
    NETWORK = 20
    CONNECTIONS = 21
    MARKERS = 22
    TRUST_HOUSES = 23
    TRUST_PLANTS = 24
    TRUST_FUEL = 25
    TURN = 26
    AUCTION = 27
    LOT = 28
    NEW_PLANT = 29
    RUN = 30
    END = 31
    STUCK = 32


@rule
def finding(state: Any, board: Any, check: int) -> int:
    """What a check finds wrong: a seat, city, card or resource, or 0; CLEAN when nothing is."""
    if check == Check.RANGE:
        return turn.out_of_range(state, board)
    if check == Check.PADDING:
        return table.unpadded(state, board)
    if check == Check.ORDER:
        return turn.wrong_order(state, board)
    if check == Check.CARDS:
        return table.repeated_card(state, board)
    if check == Check.MARKET_SORTED:
        return table.unsorted_market(state, board)
    if check == Check.MARKET_SIZE:
        return table.wrong_market_size(state, board)
    if check == Check.STEP_3_CARD:
        return table.misplaced_step_3_card(state, board)
    if check == Check.OBSOLETE:
        return table.obsolete_plant(state, board)
    if check == Check.DISCOUNT:
        return table.misplaced_discount(state, board)
    if check == Check.TOKENS:
        return table.lost_tokens(state, board)
    if check == Check.STORAGE:
        return table.misplaced_coal(state, board)
    if check == Check.MONEY:
        return table.negative_money(state, board)
    if check == Check.PLANTS:
        return table.too_many_plants(state, board)
    if check == Check.FUEL_CAPACITY:
        return table.wrong_fuel_capacity(state, board)
    if check == Check.FUEL:
        return table.unstorable_fuel(state, board)
    if check == Check.URANIUM:
        return table.uranium_flowing(state, board)
    if check == Check.HOUSES:
        return table.wrong_house(state, board)
    if check == Check.SECOND_HOUSE:
        return table.second_house(state, board)
    if check == Check.OPEN_SPACES:
        return table.house_on_closed_space(state, board)
    if check == Check.NETWORK:
        return table.wrong_network_size(state, board)
    if check == Check.CONNECTIONS:
        return table.wrong_connection_cost(state, board)
    if check == Check.MARKERS:
        return table.wrong_marker(state, board)
    if check == Check.TRUST_HOUSES:
        return table.wrong_trust_houses(state, board)
    if check == Check.TRUST_PLANTS:
        return table.wrong_trust_plants(state, board)
    if check == Check.TRUST_FUEL:
        return table.wrong_trust_fuel(state, board)
    if check == Check.TURN:
        return turn.wrong_turn(state, board)
    if check == Check.AUCTION:
        return turn.wrong_auction(state, board)
    if check == Check.LOT:
        return turn.wrong_lot(state, board)
    if check == Check.NEW_PLANT:
        return turn.wrong_new_plant(state, board)
    if check == Check.RUN:
        return turn.wrong_run(state, board)
    if check == Check.END:
        return turn.wrong_end(state, board)
    return turn.stuck(state, board)


@rule
def first_problem(state: Any, board: Any) -> int:
    """The first Check that finds something wrong, 0 when the state is consistent."""
    for check in range(Check.RANGE.value, Check.STUCK.value + 1):
        if finding(state, board, check) != CLEAN:
            return check
    return 0


def problems(state: State, board: Board) -> list[str]:
    """What is wrong with a state, in words that name the part of it, the rule and what is allowed; empty when nothing is."""
    record = board.record
    first = first_problem(state, record)
    if first == 0:
        return []
    found = []
    for check in Check:
        offender = int(finding(state, record, check.value)) if check >= first else CLEAN
        if offender != CLEAN:
            found.append(describe(check, offender, state, board))
            if check <= Check.CARDS:  # what comes after relies on these
                break
    return found


def describe(check: Check, found: int, state: State, board: Board) -> str:
    """A finding in words."""
    record = board.record
    match check:
        case Check.RANGE:
            names = ("phase", "decision", "player", "step_number", "round_number", "zone", "step3")
            values = ", ".join(f"{name} {int(state[name])}" for name in names)
            return f"state: {values}; allowed: a decision of the phase, a seat to act until the game is over (R0.10)"
        case Check.PADDING:
            return f"state: zeros inside a list or values behind it, at seat {found}; allowed: nothing behind the last"
        case Check.ORDER:
            return f"order is {state.order.tolist()}; allowed: each of the seats 0 to {board.config.players - 1} once (R1.1)"
        case Check.CARDS:
            return f"card {_card(found)} is named twice or not in the deck {board.config.deck!r}; allowed: each card once (RC.9)"
        case Check.MARKET_SORTED:
            return f"market is {_market(state)}; allowed: ascending numbers (R2.12)"
        case Check.MARKET_SIZE:
            return (
                f"market has {int(state.market_size)} cards; allowed: {int(table.full_market(state))} with step {int(state.step_number)}"
                f" and step3 {_place(state)!r}, fewer only with an empty stack (R6.27)"
            )
        case Check.STEP_3_CARD:
            return (
                f"step3 is {_place(state)!r} in step {int(state.step_number)}; allowed: where the card lies; market only in the auction, drawn"
                " only in building and bureaucracy (with skip_market_update in bureaucracy), in_force in step 3 (R6.20)"
            )
        case Check.OBSOLETE:
            return f"market has plant {found}; allowed: plants above the largest network's number of cities (R4.12)"
        case Check.DISCOUNT:
            current = state.market[: plant_market.num_current(state)].tolist()
            return f"discount is {found}; allowed: in the auction a plant of the current market {current} (R2.20)"
        case Check.TOKENS:
            name = Resource(found).name.lower()
            return f"{name} on track, supply, storage and plants is not {int(record.tokens[found])} in all (RC.2)"
        case Check.STORAGE:
            return f"storage is {int(state.storage)}, supply.coal {int(state.supply[0])}; allowed: one of them (RM.10)"
        case Check.MONEY:
            return f"seats[{found}].money is {int(state.money[found])}; allowed: from 0 (RI.4)"
        case Check.PLANTS:
            plants = state.plants[found, : state.num_plants[found]].tolist()
            return f"seats[{found}].plants is {plants}; allowed: at most {int(record.plant_limit)}, ascending (R2.30)"
        case Check.FUEL_CAPACITY:
            return f"fuel_capacity of seat {found} is not that of its plants (R3.3)"
        case Check.FUEL:
            fuel = dict(
                zip((resource.name.lower() for resource in Resource), state.fuel[found].tolist(), strict=True)
            )
            plants = state.plants[found, : state.num_plants[found]].tolist()
            return f"seats[{found}].fuel is {fuel}; allowed: what its plants {plants} burn and store (R3.2, R3.4)"
        case Check.URANIUM:
            stop = int(record.uranium_stop)
            return f"uranium_stopped is {bool(state.uranium_stopped)}; allowed: true once plant {stop} is bought (0: never) (RM.1)"
        case Check.HOUSES:
            return (
                f"{_city(found, board)}: a house outside the zone or of nobody who plays there (R4.7, RT.7)"
            )
        case Check.SECOND_HOUSE:
            return f"{_city(found, board)}: two houses of one owner; allowed: one (R4.5)"
        case Check.OPEN_SPACES:
            owners = state.city_spaces[found].tolist()
            return (
                f"{_city(found, board)}: houses on its spaces are {owners}; allowed: in step {int(state.step_number)} the {int(state.step_number)}"
                " cheapest, lowest first (R4.4)"
            )
        case Check.NETWORK:
            return f"seats[{found}].cities has {int(state.num_cities[found])}; allowed: as many as houses, at most {int(record.house_cap)} (R4.10)"
        case Check.CONNECTIONS:
            return f"connection_cost of seat {found} is not that of its network (R4.3)"
        case Check.MARKERS:
            return f"start_markers: {_city(found, board)}; allowed: one per seat, in cities of the zone without a house (RS.1)"
        case Check.TRUST_HOUSES:
            return f"trust.houses is {int(state.trust_houses)}; allowed: {int(record.trust_houses)} with those on the board (RT.1)"
        case Check.TRUST_PLANTS:
            return f"trust.plants is {state.trust_plants.tolist()}; allowed: at most three, ascending (RT.1)"
        case Check.TRUST_FUEL:
            return f"trust.fuel is {state.trust_fuel.tolist()}; allowed: one run of its plants, from phase 3 to 5 (RT.16, RT.23)"
        case Check.TURN:
            return f"player is {int(state.player)}, acted {state.passed.tolist()}; allowed: one after the other (R0.11)"
        case Check.AUCTION:
            return (
                f"auction: bought {state.bought.tolist()}, passed {state.passed.tolist()}, player {int(state.player)}; allowed: not both, "
                "and the first in order without either chooses (R2.2)"
            )
        case Check.LOT:
            return f"auction: {_lot(state, board)}"
        case Check.NEW_PLANT:
            return (
                f"pending.new_plant is {found}; allowed: a plant just bought by seat {int(state.player)}, with more than"
                f" {int(record.plant_limit)} plants, or coal and oil that compete for room (R2.30, R2.32)"
            )
        case Check.RUN:
            return f"pending.run is {int(state.pending_run)}; allowed: plants whose hybrids can burn several mixes (R5.3)"
        case Check.END:
            return f"supplied is {state.supplied.tolist()}; allowed: at the end what each can supply, before that 0 (R7.2)"
        case _:
            return f"seat {found} has no legal action in phase {Phase(state.phase).name.lower()}"


def _card(card: int) -> str:
    return "step3" if card == STEP_3_CARD else str(card)


def _market(state: State) -> list[str]:
    return [_card(card) for card in state.market[: state.market_size].tolist()]


def _place(state: State) -> str:
    return ("stack", "market", "drawn", "in_force")[state.step3]


def _city(city: int, board: Board) -> str:
    return board.cities[city] if city < len(board.cities) else f"city {city}"


def _lot(state: State, board: Board) -> str:
    """What is wrong with a running auction."""
    plant, bid, bidder = int(state.auction_plant), int(state.auction_bid), int(state.auction_bidder)
    current = state.market[: plant_market.num_current(state)].tolist()
    if plant not in current:
        return f"plant is {plant}; allowed: one of the current market {current} (R2.14)"
    if state.decision != Decision.BID:
        return (
            f"plant {plant} is under the hammer while the decision is {Decision(state.decision).name.lower()}"
        )
    least, payer = (
        auction.minimum_bid(state, plant),
        bidder if bidder != NOBODY else int(state.auction_chooser),
    )
    money = int(state.money[payer])
    if not least <= max(bid, least) <= money or 0 < bid < least:
        return f"bid is {bid or least}; allowed: {least} to the {money} Elektro of seat {payer} (R2.5, R2.9)"
    taking_part = [seat for seat in range(board.config.players) if state.bidding[seat]]
    return (
        f"chooser {int(state.auction_chooser)}, bidder {bidder}, taking_part {taking_part}, player {int(state.player)}; allowed: the first in"
        " order who has neither bought nor passed opens, those who have done neither take part, two at least, and the next of them"
        " is asked (R2.2, R2.7)"
    )
