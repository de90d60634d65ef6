"""Checks of the course of the game: phase, decision, whose turn it is, the auction, what is pending, the end.

Each check returns CLEAN, or the seat or plant that is wrong (0 where there is no such thing).
"""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.constants import (
    MAX_PLAYERS,
    NO_PLANT,
    NO_RUN,
    NOBODY,
    NUM_RUN,
    PASS,
    Decision,
    EndReason,
    Phase,
    Step3Card,
)
from powergrid_env.engine import verify
from powergrid_env.invariants_cards import CLEAN
from powergrid_env.reasons import Reason
from powergrid_env.rules import auction, plant_limit, trust_setup
from powergrid_env.rules.facts import hybrid_mixes, largest_supply
from powergrid_env.rules.plant_market import num_current, place_in_market
from powergrid_env.rulings import ScrapFuel

# ------------------------------------------------------------------------------------- phase and order


@rule
def belongs(decision: int, phase: int) -> bool:
    """Is this decision asked in this phase?"""
    if phase == Phase.TRUST_SETUP:
        return decision == Decision.PLACE.value
    if phase == Phase.START_CITIES:
        return decision == Decision.MARK.value
    if phase == Phase.AUCTION:
        return Decision.CHOOSE.value <= decision <= Decision.GIVE_UP.value
    if phase == Phase.RESOURCES:
        return decision == Decision.BUY.value
    if phase == Phase.BUILDING:
        return decision == Decision.BUILD.value
    if phase == Phase.BUREAUCRACY:
        return Decision.RUN.value <= decision <= Decision.BURN.value
    return decision == Decision.NONE.value


@rule
def out_of_range(state: Any, board: Any) -> int:
    """Phase, decision, Step, round, zone and player are such as there are."""
    if not 0 <= state.phase <= Phase.OVER or not belongs(int(state.decision), int(state.phase)):
        return 0
    if (state.phase == Phase.TRUST_SETUP and not board.trust) or (
        state.phase == Phase.START_CITIES and not board.start_cities
    ):
        return 0
    if not 1 <= state.step_number <= 3 or not 1 <= state.round_number <= board.max_rounds:
        return 0
    if not 0 <= state.zone < board.num_zones or not 0 <= state.step3 <= Step3Card.IN_FORCE:
        return 0
    over = state.phase == Phase.OVER
    if (state.player == NOBODY) != over or not NOBODY <= state.player < board.num_players:
        return 0
    for seat in range(board.num_players):
        if state.passed[seat] > 1 or state.bought[seat] > 1 or state.bidding[seat] > 1:
            return 0
    return 0 if state.trust_done > 1 or state.skip_market_update > 1 or state.uranium_stopped > 1 else CLEAN


@rule
def wrong_order(state: Any, board: Any) -> int:
    """The player order names every seat once (R1.1)."""
    seen = 0
    for place in range(MAX_PLAYERS):
        seat = int(state.order[place])
        if place >= board.num_players:
            if seat != NOBODY:
                return 0
        elif seat < 0 or seat >= board.num_players or seen >> seat & 1:
            return 0
        else:
            seen |= 1 << seat
    return CLEAN


@rule
def acting_seat(state: Any, board: Any, place: int) -> int:
    """Who acts as the `place`-th in this phase, from 0 (R0.11)."""
    if state.phase == Phase.RESOURCES or state.phase == Phase.BUILDING:
        return int(state.order[int(board.num_players) - 1 - place])
    return int(state.order[place])


@rule
def num_finished(state: Any, board: Any) -> int:
    """Seats that have finished the phase; before round 1 those that marked a start city."""
    finished = 0
    for seat in range(board.num_players):
        finished += int(state.passed[seat])
    if state.phase == Phase.START_CITIES:
        for city in range(board.num_cities):
            finished += int(state.start_markers[city] != NOBODY)
    return finished


@rule
def wrong_turn(state: Any, board: Any) -> int:
    """Who has finished acted before the others, and the next of them is to act (R0.11, RT.4, RS.1)."""
    finished = num_finished(state, board)
    if state.phase == Phase.AUCTION:
        return CLEAN
    if state.phase == Phase.OVER:
        return CLEAN if finished == 0 else 0
    if state.phase == Phase.TRUST_SETUP:
        placed = trust_setup.num_start_houses(state, board)
        right = (
            placed < board.trust_start_houses
            and state.player == state.order[trust_setup.place_to_act(placed)]
        )
        return CLEAN if right and board.trust and finished == 0 else int(state.player)
    if finished >= board.num_players or state.player != acting_seat(state, board, finished):
        return int(state.player)
    for place in range(finished):
        if state.phase != Phase.START_CITIES and not state.passed[acting_seat(state, board, place)]:
            return acting_seat(state, board, place)
    return CLEAN


# --------------------------------------------------------------------------------------------- auction


@rule
def wrong_auction(state: Any, board: Any) -> int:
    """Nobody has both bought and passed; the first in order who has done neither chooses (R2.2)."""
    in_phase = state.phase == Phase.AUCTION
    if state.trust_done and not (in_phase and board.trust):
        return 0
    for seat in range(board.num_players):
        if state.bought[seat] and (state.passed[seat] or not in_phase):
            return seat
    if in_phase and state.new_plant == NO_PLANT:
        chooser = auction.next_to_choose(state, board)
        right = chooser != NOBODY and (state.decision != Decision.CHOOSE or state.player == chooser)
        return CLEAN if right else int(state.player)
    return CLEAN


@rule
def wrong_lot(state: Any, board: Any) -> int:
    """The plant under the hammer is for sale, the bid could be made, the next bidder is asked (R2.5-R2.9)."""
    bidding = 0
    for seat in range(board.num_players):
        bidding += int(state.bidding[seat])
        if state.bidding[seat] and not auction.takes_part(state, seat):
            return int(state.auction_plant)
    chooser, bidder, plant = int(state.auction_chooser), int(state.auction_bidder), int(state.auction_plant)
    if plant == NO_PLANT:
        free = chooser == NOBODY and bidder == NOBODY and state.auction_bid == 0 and bidding == 0
        return CLEAN if free and state.decision != Decision.BID else 0
    place = place_in_market(state, plant)
    if place < 0 or place >= num_current(state) or state.decision != Decision.BID:
        return plant
    if chooser != auction.next_to_choose(state, board):
        return plant
    if bidder == NOBODY:
        for seat in range(board.num_players):
            if auction.takes_part(state, seat) != (state.bidding[seat] == 1):
                return plant
        right = state.auction_bid == 0 and state.player == chooser
        return CLEAN if right and auction.minimum_bid(state, plant) <= state.money[chooser] else plant
    if bidder < 0 or bidder >= board.num_players or not state.bidding[bidder] or bidding < 2:
        return plant
    right = auction.minimum_bid(state, plant) <= state.auction_bid <= state.money[bidder]
    return CLEAN if right and state.player == auction.next_bidder(state, board, bidder) else plant


@rule
def wrong_new_plant(state: Any, board: Any) -> int:
    """While scrap or give up is due the buyer owns the new plant and has a choice (R2.30, R2.32)."""
    plant = int(state.new_plant)
    asked = state.decision == Decision.SCRAP or state.decision == Decision.GIVE_UP
    if state.give_up_left != 0 and (
        board.scrap_fuel != ScrapFuel.CHOOSE or state.decision != Decision.GIVE_UP
    ):
        return plant
    if plant == NO_PLANT or not asked:
        return CLEAN if asked == (plant != NO_PLANT) else plant
    player = int(state.player)
    owned = False
    for slot in range(state.num_plants[player]):
        owned = owned or state.plants[player, slot] == plant
    if not owned or not state.bought[player]:
        return plant
    if state.decision == Decision.SCRAP:
        return CLEAN if state.num_plants[player] == board.plant_limit + 1 else plant
    coal, oil, lost = plant_limit.overflow(state, player)
    if lost > 0:
        return CLEAN if coal > 0 and oil > 0 and lost < coal + oil else plant
    return CLEAN if state.give_up_left > 0 and state.fuel[player, 0] + state.fuel[player, 1] > 0 else plant


# ---------------------------------------------------------------------------------- bureaucracy, the end


@rule
def wrong_run(state: Any, board: Any) -> int:
    """While burn is due the hybrids of the run can burn more than one mix (R5.3)."""
    run = int(state.pending_run)
    if run == NO_RUN or state.decision != Decision.BURN:
        return CLEAN if (run == NO_RUN) == (state.decision != Decision.BURN) else 0
    player = int(state.player)
    if not 0 <= run < NUM_RUN or run >> int(state.num_plants[player]) > 0:
        return player
    least, most = hybrid_mixes(state, board, player, run)
    return CLEAN if least < most else player


@rule
def wrong_end(state: Any, board: Any) -> int:
    """Cities supplied and the reason are set at the end only (R7.2)."""
    over = state.phase == Phase.OVER
    if over != (state.end_reason == EndReason.CITIES or state.end_reason == EndReason.MAX_ROUNDS):
        return 0
    for seat in range(board.num_players):
        if state.supplied[seat] != (largest_supply(state, board, seat) if over else 0):
            return seat
    return CLEAN


@rule
def stuck(state: Any, board: Any) -> int:
    """Somebody can move until the game is over."""
    if state.phase == Phase.OVER or verify(state, board, PASS) == Reason.LEGAL:
        return CLEAN
    first, behind = block_of(board, int(state.decision))
    for action in range(first, behind):
        if verify(state, board, action) == Reason.LEGAL:
            return CLEAN
    return int(state.player)
