"""Whether a state is consistent: one list of checks, compiled for millions of states, in words for one.

A consistent state need not be reachable, but every reachable state is consistent: `first_problem` is 0 and
`problems` is empty after every step of a game.
"""

from enum import IntEnum
from typing import Any

from powergrid_env import invariants_cards as cards
from powergrid_env import invariants_table as table
from powergrid_env import invariants_turn as turn
from powergrid_env._jit import rule
from powergrid_env.board import Board
from powergrid_env.invariants_words import describe
from powergrid_env.state import State

CLEAN = cards.CLEAN


class Check(IntEnum):
    """Codes of `first_problem`, in the order asked; those behind CARDS rely on the ones before."""

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
        return cards.unpadded(state, board)
    if check == Check.ORDER:
        return turn.wrong_order(state, board)
    if check == Check.CARDS:
        return cards.repeated_card(state, board)
    if check == Check.MARKET_SORTED:
        return cards.unsorted_market(state, board)
    if check == Check.MARKET_SIZE:
        return cards.wrong_market_size(state, board)
    if check == Check.STEP_3_CARD:
        return cards.misplaced_step_3_card(state, board)
    if check == Check.OBSOLETE:
        return cards.obsolete_plant(state, board)
    if check == Check.DISCOUNT:
        return cards.misplaced_discount(state, board)
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


@rule(seconds=15)
def first_problem(state: Any, board: Any) -> int:
    """The first Check that finds something wrong, 0 when the state is consistent."""
    for check in range(Check.RANGE.value, Check.STUCK.value + 1):
        if finding(state, board, check) != CLEAN:
            return check
    return 0


def problems(state: State, board: Board) -> list[str]:
    """What is wrong with a state, in words: the part of it, what is allowed, the rule."""
    record = board.record
    first = first_problem(state, record)
    if first == 0:
        return []
    found = []
    for check in Check:
        offender = int(finding(state, record, check.value)) if check >= first else CLEAN
        if offender != CLEAN:
            found.append(describe(check.name, offender, state, board))
            if check <= Check.CARDS:  # what comes after relies on these
                break
    return found
