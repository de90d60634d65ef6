"""Checks of the cards: padding, market, stack, the Step 3 card, the discount token.

Each check returns CLEAN, or the seat or card that is wrong (0 where there is no such thing).
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import (
    MAX_MARKET,
    MAX_PLAYERS,
    NO_PLANT,
    NUM_PLANT_NUMBERS,
    STEP_3_CARD,
    Phase,
    PlantKind,
    Step,
    Step3Card,
)
from powergrid_env.rules.plant_market import is_obsolete, num_current, place_in_market
from powergrid_env.rulings import CheapPlant, DiscountCheck

CLEAN = -1
STEP_3_MARKET = 6  # plants on display in Step 3 (R6.27)


@rule
def is_padded(cards: Any, size: int) -> bool:
    """Do `size` cards stand first, and zeros behind them?"""
    if size < 0 or size > len(cards):
        return False
    padded = True
    for place in range(len(cards)):
        padded = padded and (cards[place] != NO_PLANT) == (place < size)
    return padded


@rule
def is_ascending(cards: Any, size: int) -> bool:
    """Are the first `size` cards in strictly ascending order?"""
    ascending = True
    for place in range(1, size):
        ascending = ascending and cards[place - 1] < cards[place]
    return ascending


@rule
def unpadded(state: Any, board: Any) -> int:
    """Lists are as long as their sizes say, with zeros behind; absent seats have nothing."""
    if not (is_padded(state.market, state.market_size) and is_padded(state.stack, state.stack_size)):
        return 0
    if not (
        is_padded(state.removed, state.num_removed) and is_padded(state.trust_plants, state.trust_num_plants)
    ):
        return 0
    for seat in range(MAX_PLAYERS):
        if not is_padded(state.plants[seat], state.num_plants[seat]):
            return seat
        if seat >= board.num_players:
            if state.money[seat] or state.num_plants[seat] or state.num_cities[seat] or state.supplied[seat]:
                return seat
            if state.passed[seat] or state.bought[seat] or state.bidding[seat] or state.fuel[seat].any():
                return seat
    return CLEAN


@rule
def note_cards(seen: Any, board: Any, cards: Any, size: int, on_table: bool) -> int:
    """Mark `cards[:size]` in `seen`; returns one that was seen before or cannot lie here, else CLEAN."""
    for place in range(size):
        card = int(cards[place])
        if card < 0 or card > STEP_3_CARD or seen[card]:
            return card
        known = on_table if card == STEP_3_CARD else board.plant_kind[card] != PlantKind.ABSENT
        if not known:
            return card
        seen[card] = 1
    return CLEAN


@rule
def repeated_card(state: Any, board: Any) -> int:
    """Every card is in one place only, and is a card of the deck."""
    seen = np.zeros(NUM_PLANT_NUMBERS, np.uint8)
    card = note_cards(seen, board, state.market, int(state.market_size), True)
    if card == CLEAN:
        card = note_cards(seen, board, state.stack, int(state.stack_size), True)
    if card == CLEAN:
        card = note_cards(seen, board, state.removed, int(state.num_removed), False)
    if card == CLEAN:
        card = note_cards(seen, board, state.trust_plants, int(state.trust_num_plants), False)
    for seat in range(board.num_players):
        if card == CLEAN:
            card = note_cards(seen, board, state.plants[seat], int(state.num_plants[seat]), False)
    return card


@rule
def unsorted_market(state: Any, board: Any) -> int:
    """Market and removed cards are ascending (R2.12)."""
    ordered = is_ascending(state.market, state.market_size) and is_ascending(state.removed, state.num_removed)
    return CLEAN if ordered else 0


@rule
def full_market(state: Any) -> int:
    """Cards on display where the stack is not empty (R6.27); one less while a replacement is due (R2.13)."""
    full = (
        STEP_3_MARKET if state.step3 == Step3Card.DRAWN or state.step3 == Step3Card.IN_FORCE else MAX_MARKET
    )
    return full - int(state.new_plant != NO_PLANT)


@rule
def wrong_market_size(state: Any, board: Any) -> int:
    """8 cards, 6 once the Step 3 card has left (R6.27); fewer beside an empty stack (R5.22)."""
    missing = full_market(state) - int(state.market_size)
    return CLEAN if missing == 0 or (missing > 0 and state.stack_size == 0) else 0


@rule
def misplaced_step_3_card(state: Any, board: Any) -> int:
    """The Step 3 card is where `step3` says (R6.20-R6.24)."""
    in_stack = False
    for place in range(state.stack_size):
        in_stack = in_stack or state.stack[place] == STEP_3_CARD
    in_market = place_in_market(state, STEP_3_CARD) >= 0
    if in_stack != (state.step3 == Step3Card.IN_STACK) or in_market != (state.step3 == Step3Card.IN_MARKET):
        return 0
    if in_market and state.phase != Phase.AUCTION:  # R6.21
        return 0
    drawn = state.step3 == Step3Card.DRAWN  # R6.22, R6.23
    if drawn and (
        state.phase == Phase.AUCTION or state.phase == Phase.RESOURCES or state.step_number == Step.THREE
    ):
        return 0
    if state.skip_market_update and not (drawn and state.phase == Phase.BUREAUCRACY):  # R6.24
        return 0
    return CLEAN if (state.step3 == Step3Card.IN_FORCE) == (state.step_number == Step.THREE) else 0


@rule
def obsolete_plant(state: Any, board: Any) -> int:
    """2004: no plant on display is as small as a network (R4.12)."""
    return (
        int(state.market[0])
        if state.market_size > 0 and is_obsolete(state, board, int(state.market[0]))
        else CLEAN
    )


@rule
def misplaced_discount(state: Any, board: Any) -> int:
    """The token lies on a plant of the current market, in phase 2 only (R2.20-R2.23).

    With the ruling discount_check = first_only smaller plants may have pushed it into the future market.
    """
    if state.discount == NO_PLANT:
        return CLEAN
    place = place_in_market(state, int(state.discount))
    size = num_current(state) if board.discount_check == DiscountCheck.EACH else int(state.market_size)
    allowed = board.cheap_plant == CheapPlant.DISCOUNT and state.phase == Phase.AUCTION and 0 <= place < size
    return CLEAN if allowed and state.discount != STEP_3_CARD else int(state.discount)
