"""The observation: all that a player may know (RI.1), as numbers from 0 to 1 in the pieces that layout.py declares.

Nothing hidden goes in: of the stack and of the cards taken out at setup only what hidden.py calls known. A "row" is a seat
as the observer sees it: 0 the observer, then clockwise.
"""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    MAX_PLAYERS,
    NO_PATH,
    NO_PLANT,
    NO_RUN,
    NOBODY,
    NUM_RESOURCES,
    NUM_SPACES,
    TRUST,
    PlantKind,
    Step3Card,
)
from powergrid_env.hidden import has_backs, has_plug_back, is_top_known, num_face_down, num_plug_backs
from powergrid_env.layout import (
    AT,
    BID,
    BURN,
    CARDS,
    CITIES,
    CONNECTION,
    FUEL_PRICE,
    MONEY,
    NUM_SLOTS,
    NUMBER,
    OUTPUT,
    PLANT_LIMIT,
    RESUPPLY,
    ROOM,
    ROUNDS,
    ROW,
    SMALL_MONEY,
    SPACE_PRICE,
    SUPPLY,
    TOKENS,
    TRUST_HOUSES,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules.auction import least_bid, minimum_bid
from powergrid_env.rules.building import price, verify_city
from powergrid_env.rules.bureaucracy import resupply_due
from powergrid_env.rules.facts import (
    fuel_price,
    largest_supply,
    lowest_open_space,
    num_for_sale_tokens,
)
from powergrid_env.rules.plant_market import num_current
from powergrid_env.rulings import CheapPlant, ObsoletePlants

NUM_ROOMS = NUM_RESOURCES + 1
NUM_KINDS = PlantKind.ABSENT.value
NUM_FEATURES = NUM_KINDS + 3


@rule
def observe(state: Any, board: Any, player: int, out: Any) -> None:
    """Fill `out` `(D,)` float32 with what seat `player` sees, whoever is to act."""
    for index in range(len(out)):
        out[index] = 0
    show_decision(state, board, player, out)
    show_rules(board, out)
    show_seats(state, board, player, out)
    show_market(state, board, out)
    show_auction(state, board, player, out)
    show_fuel(state, board, out)
    show_stack(state, board, out)
    if board.trust:
        show_trust(state, board, out)
    show_cities(state, board, player, out)
    show_connections(state, board, player, out)
    if board.start_cities:
        show_markers(state, board, player, out)


@rule
def share(amount: int, scale: int) -> float:
    """An amount as a part of what 1.0 stands for, at most 1."""
    return min(1.0, amount * (1.0 / scale))


@rule
def row_of(board: Any, player: int, seat: int) -> int:
    """Row of a seat: 0 the observer, then clockwise."""
    row = int(seat) - player
    return row if row >= 0 else row + int(board.num_players)


@rule
def mark(board: Any, player: int, seat: int, out: Any, start: int) -> None:
    """Set the flag of a seat's row; nobody sets none."""
    if seat != NOBODY:
        out[start + row_of(board, player, seat)] = 1


@rule
def show_plant(board: Any, plant: int, out: Any, start: int) -> None:
    """The features of a plant; none for NO_PLANT and the Step 3 card."""
    kind = int(board.plant_kind[plant])
    if kind < NUM_KINDS:
        out[start + kind] = 1
        out[start + NUM_KINDS] = share(int(board.plant_burn[plant]), BURN)
        out[start + NUM_KINDS + 1] = share(int(board.plant_cities[plant]), SUPPLY)
        out[start + NUM_KINDS + 2] = share(int(plant), NUMBER)


@rule
def show_decision(state: Any, board: Any, player: int, out: Any) -> None:
    """Where the round stands, and what is asked of whom."""
    out[AT.phase + state.phase] = 1
    out[AT.decision + state.decision] = 1
    mark(board, player, int(state.player), out, AT.to_act)
    out[AT.step + state.step_number - 1] = 1
    out[AT.step3_card + state.step3] = 1
    out[AT.round] = share(int(state.round_number), ROUNDS)
    out[AT.rounds_left] = share(int(board.max_rounds) - int(state.round_number), ROUNDS)
    show_plant(board, int(state.new_plant), out, AT.new_plant)
    out[AT.give_up_left] = share(int(state.give_up_left), ROOM)
    if state.pending_run != NO_RUN:
        for slot in range(NUM_SLOTS):
            out[AT.pending_run + slot] = state.pending_run >> slot & 1


@rule
def show_rules(board: Any, out: Any) -> None:
    """The numbers and switches in which boards and editions differ; `rules` in the order of LABELS."""
    out[AT.players + board.num_players - 2] = 1
    out[AT.plant_limit] = share(int(board.plant_limit), PLANT_LIMIT)
    out[AT.step2_cities] = share(int(board.step2_cities), CITIES)
    out[AT.end_cities] = share(int(board.end_cities), CITIES)
    out[AT.rules] = board.trust
    out[AT.rules + 1] = board.start_cities
    out[AT.rules + 2] = board.cheap_plant == CheapPlant.DISCOUNT
    out[AT.rules + 3] = board.obsolete_plants == ObsoletePlants.LEAVE
    out[AT.rules + 4] = board.storage_price > 0
    out[AT.rules + 5] = board.uranium_stop != NO_PLANT
    out[AT.rules + 6] = board.hidden_money


@rule
def show_seats(state: Any, board: Any, player: int, out: Any) -> None:
    """What lies before each player."""
    for position in range(board.num_players):
        row = row_of(board, player, int(state.order[position]))
        out[AT.order + row * MAX_PLAYERS + position] = 1
    for seat in range(board.num_players):
        row = row_of(board, player, seat)
        out[AT.passed + row] = state.passed[seat]
        out[AT.bought + row] = state.bought[seat]
        if row == 0 or not board.hidden_money:
            out[AT.money + row] = share(int(state.money[seat]), MONEY)
            out[AT.small_money + row] = share(int(state.money[seat]), SMALL_MONEY)
        slot = output = 0
        for place in range(state.num_plants[seat]):
            plant = int(state.plants[seat, place])
            output += int(board.plant_cities[plant])
            if plant != state.new_plant:
                show_plant(board, plant, out, AT.plants + (row * NUM_SLOTS + slot) * NUM_FEATURES)
                slot += 1
        for resource in range(NUM_RESOURCES):
            out[AT.fuel + row * NUM_RESOURCES + resource] = share(
                int(state.fuel[seat, resource]), TOKENS[resource]
            )
        for room in range(NUM_ROOMS):
            out[AT.room + row * NUM_ROOMS + room] = share(int(state.fuel_capacity[seat, room]), ROOM)
        out[AT.cities + row] = share(int(state.num_cities[seat]), CITIES)
        out[AT.output + row] = share(output, OUTPUT)
        out[AT.can_supply + row] = share(largest_supply(state, board, seat), CITIES)


@rule
def show_market(state: Any, board: Any, out: Any) -> None:
    """The plants on display."""
    for place in range(state.market_size):
        plant = int(state.market[place])
        show_plant(board, plant, out, AT.market + place * NUM_FEATURES)
        out[AT.discount + place] = plant == state.discount
        if place < num_current(state):
            out[AT.for_sale + place] = 1
            out[AT.minimum + place] = share(minimum_bid(state, plant), NUMBER)


@rule
def show_auction(state: Any, board: Any, player: int, out: Any) -> None:
    """The running auction."""
    if state.auction_plant == NO_PLANT:
        return
    show_plant(board, int(state.auction_plant), out, AT.auction_plant)
    out[AT.auction_bid] = share(int(state.auction_bid), BID)
    out[AT.least_bid] = share(least_bid(state), BID)
    mark(board, player, int(state.auction_chooser), out, AT.auction_chooser)
    mark(board, player, int(state.auction_bidder), out, AT.auction_bidder)
    for seat in range(board.num_players):
        out[AT.bidding + row_of(board, player, seat)] = state.bidding[seat]


@rule
def show_fuel(state: Any, board: Any, out: Any) -> None:
    """The track, and what is behind it."""
    for resource in range(NUM_RESOURCES):
        out[AT.track + resource] = share(int(state.track[resource]), TOKENS[resource])
        if num_for_sale_tokens(state, board, resource) > 0:
            out[AT.fuel_price + resource] = share(fuel_price(state, board, resource, 1), FUEL_PRICE)
        out[AT.supply + resource] = share(int(state.supply[resource]), TOKENS[resource])
        out[AT.resupply + resource] = share(resupply_due(state, board, resource), RESUPPLY)
    out[AT.storage] = share(int(state.storage), TOKENS[0])
    out[AT.uranium_stopped] = state.uranium_stopped


@rule
def show_stack(state: Any, board: Any, out: Any) -> None:
    """What is known of the cards that lie face down (RI.1, RI.2)."""
    out[AT.cards_left] = share(int(state.stack_size), CARDS)
    to_come = num_face_down(state)
    out[AT.cards_to_come] = share(to_come, CARDS)
    if has_backs(board) and to_come > 0:
        out[AT.top_back + (0 if has_plug_back(board, int(state.stack[0])) else 1)] = 1
    for place in range(to_come + 1, state.stack_size):
        out[AT.under_stack + int(state.stack[place])] = 1
    known = 1 if is_top_known(state, board) else 0
    if known:
        out[AT.chance + int(state.stack[0])] = 1
    # Of the other cards, never seen, all that look alike have the same chance.
    cards, removed = state.stack[known:], state.removed
    size, num_removed = to_come - known, int(state.num_removed) if state.step3 == Step3Card.IN_STACK else 0
    plugs, removed_plugs = num_plug_backs(board, cards, size), num_plug_backs(board, removed, num_removed)
    plug_chance = plugs / max(1, plugs + removed_plugs)
    other_chance = (size - plugs) / max(1, size - plugs + num_removed - removed_plugs)
    for place in range(size):
        card = int(cards[place])
        out[AT.chance + card] = plug_chance if has_plug_back(board, card) else other_chance
    for place in range(num_removed):
        card = int(removed[place])
        out[AT.chance + card] = plug_chance if has_plug_back(board, card) else other_chance


@rule
def show_trust(state: Any, board: Any, out: Any) -> None:
    """The third party of the two-player game (section 10)."""
    for slot in range(state.trust_num_plants):
        show_plant(board, int(state.trust_plants[slot]), out, AT.trust_plants + slot * NUM_FEATURES)
    for resource in range(NUM_RESOURCES):
        out[AT.trust_fuel + resource] = share(int(state.trust_fuel[resource]), TOKENS[resource])
    out[AT.trust_houses] = share(int(state.trust_houses), TRUST_HOUSES)
    out[AT.trust_done] = state.trust_done


@rule
def show_cities(state: Any, board: Any, player: int, out: Any) -> None:
    """The map: what is in play, who has a house where, the price of the next space."""
    num_cities = int(board.num_cities)
    zone = AT.zone + ROW.zone * num_cities
    houses = AT.houses + ROW.houses * num_cities
    space_price = AT.space_price + ROW.space_price * num_cities
    for city in range(num_cities):
        if board.in_zone[state.zone, city]:
            out[zone + city] = 1
            space = lowest_open_space(state, city)
            if space != NOBODY:
                out[space_price + city] = share(int(board.space_price[space]), SPACE_PRICE)
    for city in range(num_cities):
        for space in range(NUM_SPACES):
            owner = int(state.city_spaces[city, space])
            if owner != NOBODY:
                row = TRUST if owner == TRUST else row_of(board, player, owner)
                out[houses + row * num_cities + city] = 1


@rule
def show_connections(state: Any, board: Any, player: int, out: Any) -> None:
    """What connecting costs: every seat the way to each city, the observer all in all."""
    num_cities = int(board.num_cities)
    connection = AT.connection + ROW.connection * num_cities
    connect_price = AT.connect_price + ROW.connect_price * num_cities
    can_connect = AT.can_connect + ROW.can_connect * num_cities
    in_zone = board.in_zone[state.zone]
    for seat in range(board.num_players):
        if state.num_cities[seat] > 0:  # a first city has no connection to pay (R4.2)
            start = connection + row_of(board, player, seat) * num_cities
            row = out[start : start + num_cities]
            cost = state.connection_cost[seat]
            for city in range(num_cities):
                row[city] = share(cost[city], CONNECTION) * in_zone[city]
    for city in range(num_cities):
        if verify_city(state, board, player, city) == Reason.LEGAL:
            total = price(state, board, player, city)
            if total != NO_PATH:
                out[can_connect + city] = 1
                out[connect_price + city] = share(total, CONNECTION)


@rule
def show_markers(state: Any, board: Any, player: int, out: Any) -> None:
    """The start markers (RS.1)."""
    num_cities = int(board.num_cities)
    for city in range(num_cities):
        if state.start_markers[city] != NOBODY:
            out[AT.marker + ROW.marker * num_cities + city] = 1
            out[AT.own_marker + ROW.own_marker * num_cities + city] = state.start_markers[city] == player
