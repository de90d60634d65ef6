"""Every piece of the observation said again, plainly and slowly: from the state, the config and the box.

What connecting is allowed and costs is found by doing it: in a copy of the game in which it is the observer's turn to
build, with more money than anything costs.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from powergrid_env import engine, layout
from powergrid_env.board import Board
from powergrid_env.config import tables
from powergrid_env.constants import STEP_3_CARD, TRUST, Decision, Phase, PlantKind, Step3Card
from powergrid_env.state import make_states
from tests import naive

RICH = 20_000


def expected(state: Any, board: Board, player: int) -> dict[str, Any]:
    """What each piece should hold, in units of its scale, not cut at 1; NaN where anything will do."""
    config, box = board.config, tables()
    seats = [(player + turn) % config.players for turn in range(config.players)]
    market = [int(card) for card in state.market[: state.market_size]]
    num_current = (
        len(market)
        if state.step_number == 3
        else min(4, len([card for card in market if card < STEP_3_CARD]))
    )
    owned = {seat: [int(plant) for plant in state.plants[seat] if plant] for seat in seats}
    running = state.auction_plant != 0
    step, trust_row = int(state.step_number), config.ruling("trust_resupply_row")
    refill = box["refill"][str(trust_row if config.trust else config.players)][f"step{step}"]
    storage_price = 8 if config.ruling("coal_storage") else 0
    zone = [name in board.zones[state.zone] for name in _regions(board)]

    def by_seat(value: Any) -> list[Any]:
        return [value(seat) for seat in seats]

    def is_seat(wanted: int) -> list[int]:
        return by_seat(lambda seat: int(seat == wanted))

    def is_shown(seat: int) -> bool:
        return seat == player or config.money == "public"

    stack = [int(card) for card in state.stack[: state.stack_size]]
    to_come = stack[: stack.index(STEP_3_CARD)] if STEP_3_CARD in stack else stack
    pieces = {
        "phase": _flags(len(Phase), state.phase),
        "decision": _flags(len(Decision), state.decision),
        "to_act": is_seat(int(state.player)),
        "step": _flags(3, step - 1),
        "step3_card": _flags(len(Step3Card), state.step3),
        "round": state.round_number,
        "rounds_left": config.max_rounds - state.round_number,
        "players": _flags(5, config.players - 2),
        "plant_limit": config.ruling("plant_limit"),
        "step2_cities": config.ruling("step2_cities"),
        "end_cities": config.ruling("end_cities"),
        "rules": [
            config.trust,
            config.start_cities,
            config.ruling("cheap_plant") == 0,
            config.ruling("obsolete_plants") == 1,
            config.ruling("coal_storage") == 1,
            config.ruling("uranium_stop") > 0,
            config.money == "hidden",
        ],
        "order": by_seat(lambda seat: [int(other == seat) for other in state.order]),
        "passed": by_seat(lambda seat: state.passed[seat]),
        "bought": by_seat(lambda seat: state.bought[seat]),
        "money": by_seat(lambda seat: state.money[seat] if is_shown(seat) else 0),
        "small_money": by_seat(lambda seat: state.money[seat] if is_shown(seat) else 0),
        "plants": by_seat(
            lambda seat: _plants(board, [plant for plant in owned[seat] if plant != state.new_plant], 4)
        ),
        "fuel": by_seat(lambda seat: state.fuel[seat]),
        "room": by_seat(lambda seat: [_room(board, owned[seat], kind) for kind in list(PlantKind)[:5]]),
        "cities": by_seat(lambda seat: int((state.city_spaces == seat).sum())),
        "output": by_seat(lambda seat: sum(int(board.record.plant_cities[plant]) for plant in owned[seat])),
        "can_supply": by_seat(lambda seat: _can_supply(state, board, seat, owned[seat])),
        "new_plant": _features(board, int(state.new_plant)),
        "give_up_left": state.give_up_left,
        "pending_run": [state.pending_run > 0 and bool(int(state.pending_run) & bit) for bit in (1, 2, 4, 8)],
        "market": _plants(board, market, 8),
        "for_sale": [place < num_current for place in range(8)],
        "discount": [place < len(market) and market[place] == state.discount for place in range(8)],
        "minimum": [1 if card == state.discount else card for card in market[:num_current]],
        "auction_plant": _features(board, int(state.auction_plant)),
        "auction_bid": state.auction_bid if running else 0,
        "least_bid": _least_bid(state) if running else 0,
        "auction_chooser": is_seat(int(state.auction_chooser)),
        "auction_bidder": is_seat(int(state.auction_bidder)),
        "bidding": by_seat(lambda seat: state.bidding[seat]),
        "track": state.track,
        "fuel_price": [
            *(
                _price(state.track[kind], storage_price * (kind == 0 and state.storage > 0))
                for kind in range(3)
            ),
            (0, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1)[state.track[3]],
        ],
        "supply": state.supply,
        "storage": state.storage,
        "resupply": [*refill[:3], 0 if state.uranium_stopped else refill[3]],
        "uranium_stopped": state.uranium_stopped,
        "cards_left": len(stack),
        "cards_to_come": len(to_come),
        "top_back": _top_back(board, to_come),
        "chance": _chances(state, board, to_come),
        "under_stack": [int(card in stack[len(to_come) + 1 :]) for card in range(52)],
        "trust_plants": _plants(board, [int(plant) for plant in state.trust_plants if plant], 3),
        "trust_fuel": state.trust_fuel,
        "trust_houses": state.trust_houses,
        "trust_done": state.trust_done if config.trust else 0,
        "zone": zone,
        "houses": _houses(state, board, seats),
        "space_price": [_space_price(state, city) if inside else 0 for city, inside in enumerate(zone)],
        "connection": by_seat(lambda seat: _connections(state, board, seat, zone)),
        "marker": [marker >= 0 for marker in state.start_markers[: len(zone)]],
        "own_marker": [marker == player for marker in state.start_markers[: len(zone)]],
    }
    pieces["connect_price"], pieces["can_connect"] = _connect(state, board, player)
    return {piece.name: _padded(pieces.pop(piece.name), piece.shape) for piece in layout.layout(board)}


def _padded(values: Any, shape: tuple[int, ...]) -> Any:
    """As an array of a shape, 0 where nothing is said."""
    given, whole = np.array(values, float), np.zeros(shape)
    whole[tuple(slice(size) for size in given.shape)] = given
    return whole


def _flags(size: int, index: int) -> list[int]:
    return [int(place == index) for place in range(size)]


def _plant(board: Board, plant: int) -> naive.Plant:
    record = board.record
    return int(record.plant_kind[plant]), int(record.plant_burn[plant]), int(record.plant_cities[plant])


def _features(board: Board, plant: int) -> list[int]:
    if plant in (0, STEP_3_CARD):
        return [0] * 9
    kind, burn, cities = _plant(board, plant)
    return [*_flags(6, kind), burn, cities, plant]


def _plants(board: Board, plants: list[int], places: int) -> list[list[int]]:
    return [_features(board, plant) for plant in plants + [0] * (places - len(plants))]


def _room(board: Board, plants: list[int], wanted: int) -> int:
    return sum(2 * burn for kind, burn, _ in (_plant(board, plant) for plant in plants) if kind == wanted)


def _can_supply(state: Any, board: Board, seat: int, owned: list[int]) -> float:
    plants = [_plant(board, plant) for plant in owned]
    fuel = [int(tokens) for tokens in state.fuel[seat]]
    if not naive.can_store(plants, fuel):  # while some must be given up (R2.32) there is no layout to ask for
        return np.nan
    return naive.largest_supply(plants, fuel, int((state.city_spaces == seat).sum()))


def _least_bid(state: Any) -> int:
    if state.auction_bidder >= 0:
        return int(state.auction_bid) + 1
    return 1 if state.auction_plant == state.discount else int(state.auction_plant)


def _price(on_track: int, storage_price: int) -> int:
    """RC.3."""
    return 1 + (24 - int(on_track)) // 3 if on_track > 0 else storage_price


def _has_backs(board: Board) -> bool:
    """Setup by R0.4 in any of its rows; none of the configs here is told apart by more than that."""
    return any(board.config.ruling(row) == 0 for row in ("opening_market", "stack_top", "cards_removed"))


def _top_back(board: Board, to_come: list[int]) -> list[int]:
    if not to_come or not _has_backs(board):
        return [0, 0]
    is_plug = bool(board.record.plant_is_plug[to_come[0]])
    return [int(is_plug), int(not is_plug)]


def _chances(state: Any, board: Board, to_come: list[int]) -> list[float]:
    """Of the cards that look alike, so many are to come and so many were taken out; in 2004 the top card is known."""
    if state.step3 != Step3Card.IN_STACK:
        return [float(card in to_come) for card in range(52)]
    taken_out = [int(card) for card in state.removed if card]
    chances = [0.0] * 52
    if (
        board.config.ruling("stack_top") == 1
        and to_come
        and to_come[0] == {"base": 13, "new": 11}[board.config.deck]
    ):
        chances[to_come[0]] = 1
        to_come = to_come[1:]
    for plug in (0, 1):
        alike = [
            card
            for card in to_come + taken_out
            if not _has_backs(board) or int(board.record.plant_is_plug[card]) == plug
        ]
        for card in alike:
            chances[card] = float(Fraction(sum(other in to_come for other in alike), len(alike)))
    return chances


def _regions(board: Board) -> list[str]:
    return [board.regions[int(board.record.city_region[city])] for city in range(len(board.cities))]


def _houses(state: Any, board: Board, seats: list[int]) -> Any:
    houses = np.zeros((7, len(board.cities)))
    for row, owner in [*enumerate(seats), (6, TRUST)]:
        houses[row] = (state.city_spaces[: len(board.cities)] == owner).any(axis=1)
    return houses


def _space_price(state: Any, city: int) -> int:
    prices = [
        price
        for price, owner, step in zip((10, 15, 20), state.city_spaces[city], (1, 2, 3), strict=True)
        if owner < 0 and step <= state.step_number
    ]
    return min(prices, default=0)


def _connections(state: Any, board: Board, seat: int, zone: list[bool]) -> list[int]:
    network = [city for city in range(len(zone)) if seat in state.city_spaces[city]]
    if not network:
        return [0] * len(zone)
    costs = naive.connection_costs(board, int(state.zone), network)
    return [cost if inside else 0 for cost, inside in zip(costs, zone, strict=True)]


def _connect(state: Any, board: Board, player: int) -> tuple[list[int], list[int]]:
    """What building in each city costs, and where it may be done."""
    turn = make_states(1)
    turn[0] = state
    turn.phase, turn.decision, turn.player = Phase.BUILDING, Decision.BUILD, player
    turn.passed[0, player] = 0
    turn.money[0, player] = RICH
    mask = np.zeros(int(board.record.num_actions), np.int8)
    engine.fill_mask(turn[0], board.record, mask)
    first = int(board.record.first_city)
    allowed = [int(flag) for flag in mask[first : first + len(board.cities)]]
    prices = []
    for city, may_build in enumerate(allowed):
        after = turn.copy()
        if may_build:
            engine.apply(after[0], board.record, first + city)
        prices.append(RICH - int(after.money[0, player]))
    return prices, allowed
