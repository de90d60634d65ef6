"""R2.12, R4.12, R5.20-R5.22, R6.20-R6.27: the plants on display, the stack, and the Step 3 card."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import NO_PLANT, STEP_3_CARD, Phase, Step, Step3Card
from powergrid_env.rng import shuffle
from powergrid_env.rules.facts import largest_network, sort_in, take_out
from powergrid_env.rulings import ObsoletePlants

NUM_CURRENT = 4  # plants for sale in Steps 1 and 2 (R6.27)


@rule
def num_current(state: Any) -> int:
    """Plants that may be auctioned: the four lowest, in Step 3 all (R2.12, R6.26); never the Step 3 card (R2.14)."""
    plants = int(state.market_size)
    if state.step3 == Step3Card.IN_MARKET:
        plants -= 1
    return plants if state.step_number == Step.THREE else min(plants, NUM_CURRENT)


@rule
def add_to_market(state: Any, card: int) -> None:
    """Lay a card out and sort (R2.12)."""
    sort_in(state.market, state.market_size, card)
    state.market_size += 1


@rule
def take_from_market(state: Any, place: int) -> int:
    """Take the card at `place` off the display."""
    card = take_out(state.market, int(state.market_size), place)
    state.market_size -= 1
    return card


@rule
def place_in_market(state: Any, card: int) -> int:
    """Place of a card on display, -1 when it does not lie there."""
    for place in range(state.market_size):
        if state.market[place] == card:
            return place
    return -1


@rule
def draw_card(state: Any) -> int:
    """Draw the top card; NO_PLANT from an empty stack (R5.22). The Step 3 card has the rest shuffled (R6.20)."""
    if state.stack_size == 0:
        return NO_PLANT
    card = take_out(state.stack, int(state.stack_size), 0)
    state.stack_size -= 1
    if card == STEP_3_CARD:
        shuffle(state, state.stack, int(state.stack_size))
    return card


@rule
def put_under_stack(state: Any, card: int) -> None:
    """Put a card under the stack (R0.4, R5.20)."""
    state.stack[state.stack_size] = card
    state.stack_size += 1


@rule
def is_obsolete(state: Any, board: Any, card: int) -> bool:
    """Is a plant no larger than the largest network (R4.12, A15)?"""
    return bool(
        board.obsolete_plants == ObsoletePlants.LEAVE
        and card != NO_PLANT
        and card <= largest_network(state, board)
    )


@rule
def draw_replacement(state: Any, board: Any) -> int:
    """Draw a card; plants that are too small leave the game at once (R4.12)."""
    card = draw_card(state)
    while is_obsolete(state, board, card):
        card = draw_card(state)
    return card


@rule
def lay_out(state: Any, board: Any, card: int) -> None:
    """Put a drawn card where it belongs; NO_PLANT is no card (R5.22)."""
    if card == STEP_3_CARD:
        if state.phase == Phase.AUCTION:  # R6.21: lies as the highest plant until the phase ends
            state.step3 = Step3Card.IN_MARKET
            add_to_market(state, card)
        else:  # R6.22, R6.23: leaves with the lowest plant
            state.step3 = Step3Card.DRAWN
            shrink_for_step_3(state, board)
    elif card != NO_PLANT:
        add_to_market(state, card)


@rule
def replace_plant(state: Any, board: Any) -> None:
    """Draw one replacement and sort it in (R2.12)."""
    lay_out(state, board, draw_replacement(state, board))


@rule
def shrink_for_step_3(state: Any, board: Any) -> None:
    """The lowest plant leaves and is not replaced (R6.21-R6.23); in Step 1 all Step 2 changes come first (R6.25)."""
    if state.step_number == Step.ONE:
        remove_lowest(state)
        card = draw_replacement(state, board)
        if card != NO_PLANT:
            add_to_market(state, card)
    remove_lowest(state)


@rule
def remove_lowest(state: Any) -> None:
    """The lowest plant on display leaves the game; the Step 3 card is no plant."""
    if state.market_size > 0 and state.market[0] != STEP_3_CARD:
        take_from_market(state, 0)


@rule
def replace_lowest(state: Any, board: Any) -> None:
    """The lowest plant leaves the game and is replaced (R2.15, R5.21, R6.10)."""
    remove_lowest(state)
    replace_plant(state, board)


@rule
def remove_obsolete_plants(state: Any, board: Any) -> None:
    """Plants no larger than a network leave at once and are replaced (R4.12)."""
    while state.market_size > 0 and is_obsolete(state, board, int(state.market[0])):
        replace_lowest(state, board)


@rule
def update_market(state: Any, board: Any) -> None:
    """Part (d) of phase 5: R5.20 in Steps 1 and 2, R5.21 in Step 3."""
    if state.step_number == Step.THREE:
        replace_lowest(state, board)
    elif state.market_size > 0:
        put_under_stack(state, take_from_market(state, int(state.market_size) - 1))
        replace_plant(state, board)
