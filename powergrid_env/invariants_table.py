"""Checks of what lies on the table: cards, tokens, plants, houses, markers and the Trust.

Each check returns CLEAN, or the seat, city, card or resource that is wrong (0 where there is no such thing).
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import (
    HYBRID_ROOM,
    MAX_CITIES,
    MAX_MARKET,
    MAX_PLAYERS,
    NO_PATH,
    NO_PLANT,
    NOBODY,
    NUM_PLANT_NUMBERS,
    NUM_RESOURCES,
    NUM_SPACES,
    STEP_3_CARD,
    TRUST,
    Decision,
    Phase,
    PlantKind,
    Resource,
    Step,
    Step3Card,
)
from powergrid_env.rules import trust
from powergrid_env.rules.facts import has_house, has_room
from powergrid_env.rules.plant_market import is_obsolete, num_current, place_in_market
from powergrid_env.rulings import CheapPlant, DiscountCheck

CLEAN = -1
STEP_3_MARKET = 6  # plants on display in Step 3 (R6.27)
TEN, FIFTEEN, TWENTY = 0, 1, 2  # the house spaces (RC.6)


# ----------------------------------------------------------------------------------------------- cards


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
    """8 cards in Steps 1 and 2, 6 once the Step 3 card has left (R6.27); fewer behind an empty stack (R5.22)."""
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


# ---------------------------------------------------------------------------------------- tokens, plants


@rule
def lost_tokens(state: Any, board: Any) -> int:
    """Tokens of each kind sum to those of the box (RC.2); none is negative."""
    for resource in range(NUM_RESOURCES):
        total = int(state.track[resource]) + state.supply[resource] + state.trust_fuel[resource]
        least = min(state.track[resource], state.supply[resource], state.trust_fuel[resource])
        for seat in range(board.num_players):
            total += state.fuel[seat, resource]
            least = min(least, state.fuel[seat, resource])
        if resource == Resource.COAL:
            total += state.storage
            least = min(least, state.storage)
        if total != board.tokens[resource] or least < 0:
            return resource
    return CLEAN


@rule
def misplaced_coal(state: Any, board: Any) -> int:
    """With a coal storage there is no other supply of coal (RM.10), without one it is empty."""
    wrong = state.supply[Resource.COAL] if board.storage_price > 0 else state.storage
    return CLEAN if wrong == 0 else 0


@rule
def negative_money(state: Any, board: Any) -> int:
    """No credit (R2.9, R3.8, R4.8)."""
    for seat in range(board.num_players):
        if state.money[seat] < 0:
            return seat
    return CLEAN


@rule
def too_many_plants(state: Any, board: Any) -> int:
    """Plants ascending and within the limit; one more while its scrap is due (R2.30)."""
    for seat in range(board.num_players):
        more = state.decision == Decision.SCRAP and state.player == seat
        if state.num_plants[seat] > board.plant_limit + int(more):
            return seat
        if not is_ascending(state.plants[seat], state.num_plants[seat]):
            return seat
    return CLEAN


@rule
def wrong_fuel_capacity(state: Any, board: Any) -> int:
    """The room for fuel is that of the plants (R3.3)."""
    for seat in range(MAX_PLAYERS):
        room = np.zeros(HYBRID_ROOM + 1, np.int64)
        for slot in range(state.num_plants[seat]):
            plant = state.plants[seat, slot]
            if board.plant_kind[plant] <= PlantKind.HYBRID:
                room[board.plant_kind[plant]] += 2 * board.plant_burn[plant]
        for kind in range(HYBRID_ROOM + 1):
            if room[kind] != state.fuel_capacity[seat, kind]:
                return seat
    return CLEAN


@rule
def unstorable_fuel(state: Any, board: Any) -> int:
    """The plants of a seat can hold its tokens (R3.4), but for those that it is asked to give up (R2.32)."""
    for seat in range(board.num_players):
        fuel = state.fuel[seat]
        coal, oil = int(fuel[Resource.COAL]), int(fuel[Resource.OIL])
        if state.decision == Decision.GIVE_UP and state.player == seat:
            coal, oil = 0, 0
        if not has_room(state, seat, coal, oil, int(fuel[Resource.GARBAGE]), int(fuel[Resource.URANIUM])):
            return seat
    return CLEAN


@rule
def uranium_flowing(state: Any, board: Any) -> int:
    """Whoever owns the plant that stops the uranium has stopped it (RM.1)."""
    if board.uranium_stop == NO_PLANT:
        return 0 if state.uranium_stopped else CLEAN
    for seat in range(board.num_players):
        for slot in range(state.num_plants[seat]):
            if state.plants[seat, slot] == board.uranium_stop and not state.uranium_stopped:
                return seat
    return CLEAN


# ----------------------------------------------------------------------------------------------- houses


@rule
def wrong_house(state: Any, board: Any) -> int:
    """Houses stand in the zone (R4.7), of seats and a Trust that play, the Trust's never at 20 (RT.7)."""
    for city in range(MAX_CITIES):
        for space in range(NUM_SPACES):
            owner = state.city_spaces[city, space]
            if owner == NOBODY:
                continue
            if city >= board.num_cities or not board.in_zone[state.zone, city]:
                return city
            if owner == TRUST:
                if not board.trust or space == TWENTY:
                    return city
            elif owner < 0 or owner >= board.num_players:
                return city
    return CLEAN


@rule
def second_house(state: Any, board: Any) -> int:
    """At most one house of a player in a city (R4.5)."""
    for city in range(board.num_cities):
        ten, fifteen, twenty = state.city_spaces[city]
        if (ten != NOBODY and ten in (fifteen, twenty)) or (fifteen != NOBODY and fifteen == twenty):
            return city
    return CLEAN


@rule
def house_on_closed_space(state: Any, board: Any) -> int:
    """Players build on the lowest free space open in the Step (R4.3, R4.4)."""
    for city in range(board.num_cities):
        for space in range(NUM_SPACES):
            owner = state.city_spaces[city, space]
            if owner != NOBODY and owner != TRUST:
                if space >= state.step_number or (space > 0 and state.city_spaces[city, space - 1] == NOBODY):
                    return city
    return CLEAN


@rule
def wrong_network_size(state: Any, board: Any) -> int:
    """The number of cities is counted right and within the cap (R4.10)."""
    for seat in range(board.num_players):
        cities = 0
        for city in range(board.num_cities):
            cities += int(has_house(state, seat, city))
        if cities != state.num_cities[seat] or cities > board.house_cap:
            return seat
    return CLEAN


@rule
def wrong_connection_cost(state: Any, board: Any) -> int:
    """Every connection cost is that of the cheapest way from the network (R4.3)."""
    cost = np.zeros(MAX_CITIES, np.int16)
    for seat in range(MAX_PLAYERS):
        cost[:] = NO_PATH
        for city in range(board.num_cities):
            if seat < board.num_players and has_house(state, seat, city):
                for other in range(board.num_cities):
                    cost[other] = min(cost[other], board.zone_cost[state.zone, city, other])
        for city in range(MAX_CITIES):
            if cost[city] != state.connection_cost[seat, city]:
                return seat
    return CLEAN


@rule
def wrong_marker(state: Any, board: Any) -> int:
    """Start markers lie in cities of the zone without a house of a player, one of each seat at most (RS.1, RS.2)."""
    seen = np.zeros(MAX_PLAYERS, np.uint8)
    for city in range(MAX_CITIES):
        seat = int(state.start_markers[city])
        if seat == NOBODY:
            continue
        if not board.start_cities or city >= board.num_cities or not board.in_zone[state.zone, city]:
            return city
        if seat < 0 or seat >= board.num_players or seen[seat] or state.city_spaces[city, TEN] != NOBODY:
            return city
        seen[seat] = 1
    return CLEAN


# ------------------------------------------------------------------------------------------------ Trust


@rule
def wrong_trust_houses(state: Any, board: Any) -> int:
    """The Trust's houses on the board and in its supply are all it has (RT.1)."""
    houses = int(state.trust_houses)
    for city in range(board.num_cities):
        for space in range(NUM_SPACES):
            houses += int(state.city_spaces[city, space] == TRUST)
    right = houses == (board.trust_houses if board.trust else 0) and state.trust_houses >= 0
    return CLEAN if right else 0


@rule
def wrong_trust_plants(state: Any, board: Any) -> int:
    """At most three plants of the Trust, ascending (RT.1, RT.13); none where it does not play."""
    most = trust.MAX_PLANTS if board.trust else 0
    right = state.trust_num_plants <= most and is_ascending(state.trust_plants, state.trust_num_plants)
    return CLEAN if right else 0


@rule
def wrong_trust_fuel(state: Any, board: Any) -> int:
    """From phase 3 to 5 the Trust has tokens for one run of its plants, else none (RT.16, RT.23)."""
    room = np.zeros(HYBRID_ROOM + 1, np.int64)
    if state.phase >= Phase.RESOURCES:
        for slot in range(state.trust_num_plants):
            plant = state.trust_plants[slot]
            if board.plant_kind[plant] <= PlantKind.HYBRID:
                room[board.plant_kind[plant]] += board.plant_burn[plant]
    for resource in range(Resource.GARBAGE, Resource.URANIUM + 1):
        if state.trust_fuel[resource] > room[resource]:
            return resource
    coal = max(0, state.trust_fuel[Resource.COAL] - room[Resource.COAL])
    oil = max(0, state.trust_fuel[Resource.OIL] - room[Resource.OIL])
    return CLEAN if coal + oil <= room[HYBRID_ROOM] else 0
