"""R0: setup, in the order of R0.7: zone, player order, market and stack."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    NO_PATH,
    NO_RUN,
    NOBODY,
    NUM_PLANT_NUMBERS,
    NUM_RESOURCES,
    STEP_3_CARD,
    EndReason,
    PlantKind,
    Step,
    Step3Card,
)
from powergrid_env.rng import draw_below, shuffle
from powergrid_env.rules.facts import num_marked, sort_in, take_out
from powergrid_env.rules.plant_market import add_to_market, put_under_stack
from powergrid_env.rulings import CardsRemoved, OpeningMarket, StackTop


@rule
def clear(state: Any, board: Any) -> None:
    """An empty table: money, track and supply as at the start (RC.1, RC.4), nothing else."""
    state.money[:] = 0
    state.money[: board.num_players] = board.start_money
    state.auction_bid = 0
    state.step_number = Step.ONE
    state.round_number = 1
    state.end_reason = EndReason.RUNNING
    state.order[:] = NOBODY
    state.auction_chooser = NOBODY
    state.auction_plant = 0
    state.auction_bidder = NOBODY
    state.new_plant = 0
    state.give_up_left = 0
    state.pending_run = NO_RUN
    state.discount = 0
    state.num_plants[:] = 0
    state.plants[:] = 0
    state.fuel[:] = 0
    state.fuel_capacity[:] = 0
    state.num_cities[:] = 0
    state.supplied[:] = 0
    state.connection_cost[:] = NO_PATH
    state.market_size = 0
    state.market[:] = 0
    state.stack_size = 0
    state.stack[:] = 0
    state.num_removed = 0
    state.removed[:] = 0
    state.step3 = Step3Card.IN_STACK
    for resource in range(NUM_RESOURCES):
        state.track[resource] = board.track_start[resource]
        state.supply[resource] = board.tokens[resource] - board.track_start[resource]
    state.storage = 0
    state.trust_num_plants = 0
    state.trust_plants[:] = 0
    state.trust_fuel[:] = 0
    state.trust_houses = board.trust_houses if board.trust else 0
    state.city_spaces[:] = NOBODY
    state.start_markers[:] = NOBODY
    state.passed[:] = 0
    state.bought[:] = 0
    state.bidding[:] = 0
    state.trust_done = 0
    state.skip_market_update = 0
    state.uranium_stopped = 0


@rule
def deal(state: Any, board: Any) -> None:
    """R0.7: zone (R0.1, A1), player order (R0.2), market and stack (R0.4, R0.5)."""
    state.zone = draw_below(state, int(board.num_zones))
    for seat in range(board.num_players):
        state.order[seat] = seat
    shuffle(state, state.order, int(board.num_players))
    make_stack(state, board)


@rule
def remove_at_random(state: Any, first: int, last: int) -> None:
    """Take one of the cards `stack[first:last]` out of the game unseen (RC.7)."""
    card = take_from_stack(state, first + draw_below(state, last - first))
    sort_in(state.removed, state.num_removed, card)
    state.num_removed += 1


@rule
def make_stack(state: Any, board: Any) -> None:
    """R0.4 and R0.5: market, cards removed, stack, the Step 3 card below and one card on top."""
    # All plugs, shuffled, then all sockets; the market comes off the plugs.
    for wants_plug in range(1, -1, -1):
        for number in range(NUM_PLANT_NUMBERS):
            if board.plant_kind[number] != PlantKind.ABSENT and board.plant_is_plug[number] == wants_plug:
                put_under_stack(state, number)
        if wants_plug:
            shuffle(state, state.stack, int(state.stack_size))
    num_sockets = int(state.stack_size) - num_marked(board.plant_is_plug)
    for number in board.fixed_market:
        is_fixed = board.opening_market == OpeningMarket.FIXED
        add_to_market(state, take_from_stack(state, place_in_stack(state, number) if is_fixed else 0))
    # A fixed card that lies in the market cannot lie on top as well (a fixed top with a random market).
    is_fixed = board.stack_top == StackTop.FIXED
    top = take_from_stack(state, max(0, place_in_stack(state, board.fixed_top)) if is_fixed else 0)
    if board.cards_removed == CardsRemoved.BY_BACK:
        for _ in range(board.removed_plugs):
            remove_at_random(state, 0, int(state.stack_size) - num_sockets)
        for _ in range(board.removed_sockets):
            remove_at_random(state, int(state.stack_size) - num_sockets, int(state.stack_size))
            num_sockets -= 1
    else:
        for _ in range(board.removed_any):
            remove_at_random(state, 0, int(state.stack_size))
    shuffle(state, state.stack, int(state.stack_size))
    put_under_stack(state, STEP_3_CARD)
    put_on_top(state, top)


@rule
def place_in_stack(state: Any, card: int) -> int:
    """Place of a card in the stack, -1 when it is not there."""
    for place in range(state.stack_size):
        if state.stack[place] == card:
            return place
    return -1


@rule
def take_from_stack(state: Any, place: int) -> int:
    """Take the card at `place` out of the stack."""
    card = take_out(state.stack, int(state.stack_size), place)
    state.stack_size -= 1
    return card


@rule
def put_on_top(state: Any, card: int) -> None:
    """Put a card on top of the stack."""
    for place in range(state.stack_size, 0, -1):
        state.stack[place] = state.stack[place - 1]
    state.stack[0] = card
    state.stack_size += 1
