"""R2.1-R2.24: phase 2, the auction. Decisions `choose` and `bid`; `scrap` and `give_up` stand in plant_limit.py."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    FIRST_BID,
    FIRST_NOMINATE,
    NO_PLANT,
    NOBODY,
    NUM_NOMINATE,
    PASS,
    STEP_3_CARD,
    Decision,
    Phase,
    Step3Card,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules import plant_limit, trust
from powergrid_env.rules.facts import (
    next_seat,
    num_marked,
    position_in_order,
    refresh_fuel_capacity,
    sort_in,
)
from powergrid_env.rules.order import determine_order
from powergrid_env.rules.plant_market import (
    draw_replacement,
    lay_out,
    num_current,
    place_in_market,
    replace_lowest,
    replace_plant,
    shrink_for_step_3,
    take_from_market,
)
from powergrid_env.rules.steps import start_step_3
from powergrid_env.rulings import BiddingOrder, CheapPlant, DiscountCheck, Unsold

# ------------------------------------------------------------------------------------------- the phase


@rule
def begin(state: Any, board: Any) -> None:
    """The discount token goes on the lowest plant of the current market (R2.20); position 1 chooses (R2.2)."""
    state.phase = Phase.AUCTION
    state.passed[:] = 0
    state.bought[:] = 0
    state.trust_done = 0
    if board.cheap_plant == CheapPlant.DISCOUNT and num_current(state) > 0:
        state.discount = state.market[0]
    ask_next_choice(state, board)


@rule
def takes_part(state: Any, player: int) -> bool:
    """Has the player neither bought nor passed a choice this phase (R2.1, R2.3, R2.7)?"""
    return not (state.bought[player] or state.passed[player])


@rule
def next_to_choose(state: Any, board: Any) -> int:
    """R2.2: the first in order who still takes part, else NOBODY."""
    for position in range(board.num_players):
        player = int(state.order[position])
        if takes_part(state, player):
            return player
    return NOBODY


@rule
def ask_next_choice(state: Any, board: Any) -> None:
    """R2.2: the next player chooses; nobody left ends the phase."""
    state.decision = Decision.CHOOSE
    state.player = next_to_choose(state, board)


@rule
def is_over(state: Any) -> bool:
    """Everybody has bought or passed (R2.2)."""
    return bool(state.player == NOBODY)


@rule
def end(state: Any, board: Any) -> None:
    """R2.24 or R2.15, then the Step 3 card drawn in this phase (R6.21, A31), then R1.3 in round 1."""
    if board.unsold == Unsold.LOWEST_LEAVES:
        if num_marked(state.bought) == 0:  # R2.15
            replace_lowest(state, board)
    elif state.discount != NO_PLANT:  # R2.24: unsold under the token
        leave_market(state, int(state.discount))
        replace_plant(state, board)
    state.discount = NO_PLANT  # R2.22
    if state.step3 == Step3Card.IN_MARKET:
        take_from_market(state, place_in_market(state, STEP_3_CARD))
        shrink_for_step_3(state, board)
        start_step_3(state)
    if state.round_number == 1:
        determine_order(state, board)
    state.bought[:] = 0
    state.trust_done = 0


@rule(inline=True)
def verify(state: Any, board: Any, action: int) -> int:
    """The rule that forbids the action, 0 when it is legal."""
    if state.decision == Decision.CHOOSE:
        return verify_choice(state, board, action)
    if state.decision == Decision.BID:
        return verify_bid(state, board, action)
    return plant_limit.verify(state, board, action)


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Carry out a legal action."""
    if state.decision == Decision.CHOOSE:
        choose(state, board, action)
    elif state.decision == Decision.BID:
        bid(state, board, action)
    elif plant_limit.apply(state, board, action):
        finish_acquisition(state, board)


# -------------------------------------------------------------------------------- R2.2-R2.6: the choice


@rule
def minimum_bid(state: Any, plant: int) -> int:
    """R2.5: the plant's number; 1 under the discount token (R2.20)."""
    return 1 if plant == state.discount else int(plant)


@rule
def can_afford_any(state: Any) -> bool:
    """Is there a plant whose minimum the player to act can pay (R2.4, R2.6)?"""
    for place in range(num_current(state)):
        if minimum_bid(state, int(state.market[place])) <= state.money[state.player]:
            return True
    return False


@rule(inline=True)
def verify_choice(state: Any, board: Any, action: int) -> int:
    """R2.2 to R2.6, R2.14."""
    if action == PASS:  # R2.4: no passing in round 1
        return Reason.R2_4 if state.round_number == 1 and can_afford_any(state) else Reason.LEGAL
    place = int(action) - FIRST_NOMINATE
    if place < 0 or place >= NUM_NOMINATE:
        return Reason.NOT_ASKED
    if place >= num_current(state):
        return Reason.R2_14
    if minimum_bid(state, int(state.market[place])) > state.money[state.player]:
        return Reason.R2_6_MONEY
    return Reason.LEGAL


@rule
def choose(state: Any, board: Any, action: int) -> None:
    """Open the bidding for a plant, or pass and leave the phase (R2.3)."""
    if action == PASS:
        state.passed[state.player] = 1
        let_trust_take(state, board)
        ask_next_choice(state, board)
        return
    state.auction_plant = state.market[int(action) - FIRST_NOMINATE]
    state.auction_chooser = state.player
    for player in range(board.num_players):
        state.bidding[player] = takes_part(state, player)
    state.decision = Decision.BID


# ------------------------------------------------------------------------------------ R2.6-R2.11: bidding


@rule
def least_bid(state: Any) -> int:
    """Least amount that may be bid now: the minimum, or one more than the standing bid (R2.5, R2.7)."""
    if state.auction_bidder == NOBODY:
        return minimum_bid(state, int(state.auction_plant))
    return int(state.auction_bid) + 1


@rule
def next_bidder(state: Any, board: Any, player: int) -> int:
    """Who bids after `player`: clockwise, or in player order (R2.7, A5); the player itself when nobody is left."""
    position = position_in_order(state, board, player)
    seat = player
    for _ in range(board.num_players):
        if board.bidding_order == BiddingOrder.PLAYER_ORDER:
            position = (position + 1) % int(board.num_players)
            seat = int(state.order[position])
        else:
            seat = next_seat(board, seat)
        if state.bidding[seat]:
            return seat
    return player


@rule(inline=True)
def verify_bid(state: Any, board: Any, action: int) -> int:
    """R2.6 to R2.11 for a pass or a row of the bid block."""
    if action == PASS:  # R2.6: the chooser opens
        return Reason.R2_6_OPEN if state.auction_bidder == NOBODY else Reason.LEGAL
    row = int(action) - FIRST_BID
    if row < 0 or row >= board.num_raises:
        return Reason.NOT_ASKED
    if least_bid(state) + int(board.raises[row]) > state.money[state.player]:
        return Reason.R2_9
    if board.raises[row] > 0 and next_bidder(state, board, int(state.player)) == state.player:
        return Reason.R2_11
    return Reason.LEGAL


@rule
def bid(state: Any, board: Any, action: int) -> None:
    """Raise, or drop out of this auction for good; the last one left takes the plant (R2.7)."""
    player = int(state.player)
    if action == PASS:
        state.bidding[player] = 0
        player = next_bidder(state, board, player)
        if player != state.auction_bidder:
            state.player = player
            return
    else:
        state.auction_bid = least_bid(state) + int(board.raises[int(action) - FIRST_BID])
        state.auction_bidder = player
        state.player = next_bidder(state, board, player)
        if state.player != player:
            return
    acquire(state, board, player)


# -------------------------------------------------------------- R2.12, R2.13, R2.20-R2.23: the acquisition


@rule
def acquire(state: Any, board: Any, player: int) -> None:
    """Pay, take the plant, and scrap if over the limit (R2.13)."""
    plant = int(state.auction_plant)
    state.player = player
    state.money[player] -= state.auction_bid
    sort_in(state.plants[player], state.num_plants[player], plant)
    state.num_plants[player] += 1
    refresh_fuel_capacity(state, board, player)
    state.bought[player] = 1
    if plant == board.uranium_stop:  # RM.1
        state.uranium_stopped = 1
    leave_market(state, plant)
    state.auction_plant = NO_PLANT
    state.auction_bid = 0
    state.auction_chooser = NOBODY
    state.auction_bidder = NOBODY
    state.bidding[:] = 0
    if state.num_plants[player] > board.plant_limit:
        state.new_plant = plant
        state.decision = Decision.SCRAP
    else:
        finish_acquisition(state, board)


@rule
def leave_market(state: Any, plant: int) -> None:
    """A plant is taken off the display; with it goes the token, for the rest of the phase (R2.21)."""
    take_from_market(state, place_in_market(state, plant))
    if plant == state.discount:
        state.discount = NO_PLANT


@rule
def is_replacement_checked(state: Any, board: Any) -> bool:
    """Is this replacement compared with the discounted plant (R2.23, A9)?"""
    if board.discount_check == DiscountCheck.EACH:
        return True
    return bool(num_marked(state.bought) + state.trust_done == 1)


@rule
def replace_taken_plant(state: Any, board: Any) -> None:
    """R2.12, and R2.23: the first card lower than the discounted plant leaves the game, and the token with it."""
    card = draw_replacement(state, board)
    if card != NO_PLANT and card < state.discount and is_replacement_checked(state, board):
        state.discount = NO_PLANT
        replace_plant(state, board)
    else:
        lay_out(state, board, card)


@rule
def finish_acquisition(state: Any, board: Any) -> None:
    """Replacement, the Trust if due, the next choice (R2.10, R2.13)."""
    state.new_plant = NO_PLANT
    state.give_up_left = 0
    replace_taken_plant(state, board)
    let_trust_take(state, board)
    ask_next_choice(state, board)


@rule
def let_trust_take(state: Any, board: Any) -> None:
    """RT.11: once per phase the Trust takes the highest plant of the current market."""
    if not trust.is_plant_due(state, board):
        return
    state.trust_done = 1
    place = num_current(state) - 1
    if place >= 0 and trust.wants(state, int(state.market[place])):
        plant = int(state.market[place])
        leave_market(state, plant)
        trust.take_plant(state, board, plant)
        replace_taken_plant(state, board)  # RT.14
