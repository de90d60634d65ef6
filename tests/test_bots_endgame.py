"""The last-round solver of the scripted bots equals the plain restatement in naive_endgame.py, and `balanced` plays it."""

from dataclasses import replace

import numpy as np
import pytest

import agents
from agents.scripted import endgame, growth, network
from agents.scripted.production import scrap_place
from powergrid_env._jit import rule
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.constants import NO_PLANT, NOBODY, Decision, Phase, PlantKind
from powergrid_env.rules.facts import (
    fuel_price,
    has_room,
    largest_supply,
    num_for_sale_tokens,
    refresh_fuel_capacity,
)
from powergrid_env.rules.plant_market import num_current
from tests import naive_endgame
from tests.naive_endgame import LastRound

KINDS = [
    {"players": 3},
    {"players": 4, "board": "usa"},
    {"players": 6},
    {"players": 2, "edition": "2004", "trust": False},
    {"players": 5, "edition": "2004", "board": "usa"},
]


@rule
def refresh_rooms(states, boards, lane, player):
    refresh_fuel_capacity(states[lane], boards[0], player)


@rule
def solve(states, boards, lane, costs, answers):
    """Into `answers`: cities supplied, Elektro spent, place to nominate, and the bid limit of each plant on sale."""
    state, board = states[lane], boards[0]
    player, money = int(state.player), int(state.money[state.player])
    firsts = np.empty(network.MAX_PLAN + 1, np.int64)
    state.decision = Decision.CHOOSE
    useful = endgame.num_useful(state, board, player)
    count = growth.fill_cheapest(state, board, player, money, useful, costs, firsts)
    answers[2] = endgame.place_to_nominate(state, board, player, costs, count)
    state.decision = Decision.BID
    useful = endgame.num_useful(state, board, player)
    count = growth.fill_cheapest(state, board, player, money, useful, costs, firsts)
    for place in range(num_current(state)):
        answers[3 + place] = endgame.bid_limit(state, board, player, int(state.market[place]), costs, count)
    count = growth.fill_cheapest(state, board, player, money, network.MAX_PLAN, costs, firsts)
    answers[0], answers[1] = endgame.best_supply(state, board, player, NO_PLANT, money, costs, count)
    return count


def scramble(batch, lane, rng, open_cities, richest=130):
    """Make a last round of a game: chance decides on network, houses, plants, tokens and money of a player."""
    state, board = batch.states[lane], batch.board.record
    inside = np.flatnonzero(board.in_zone[state.zone])
    player = int(rng.integers(board.num_players))
    rival = (player + 1) % int(board.num_players)
    state.player, state.step_number = player, rng.integers(1, 4)
    state.start_markers[:] = NOBODY
    state.city_spaces[:] = rival
    owned = rng.choice(inside, size=rng.integers(1, 10), replace=False)
    state.city_spaces[owned, 0] = player
    others = rng.permutation(np.setdiff1d(inside, owned))[:open_cities]
    for city in others:  # the lowest open space may be any, or none
        state.city_spaces[city, rng.integers(0, 4) :] = NOBODY
    state.num_cities[:] = 0
    state.num_cities[player], state.num_cities[rival] = len(owned), board.end_cities
    state.connection_cost[player] = board.zone_cost[state.zone, owned].min(axis=0)
    deck = rng.permutation(np.flatnonzero(board.plant_kind != PlantKind.ABSENT))
    num_plants = int(rng.integers(0, board.plant_limit + 1))
    state.num_plants[player] = num_plants
    state.plants[player] = NO_PLANT
    state.plants[player, :num_plants] = np.sort(deck[:num_plants])
    state.market[: state.market_size] = np.sort(deck[num_plants:][: state.market_size])
    state.discount = rng.choice(state.market[:4])
    refresh_rooms(batch.states, batch.board.records, lane, player)
    coal, oil, garbage, uranium, hybrid = (
        int(rng.integers(0, room + 1)) for room in state.fuel_capacity[player]
    )
    on_hybrids = int(rng.integers(0, hybrid + 1))
    state.fuel[player] = coal + on_hybrids, oil + hybrid - on_hybrids, garbage, uranium
    state.track[:] = rng.integers(0, board.tokens + 1)
    state.storage = rng.integers(0, 6) if board.storage_price > 0 else 0
    state.money[player] = rng.integers(0, richest)


def plain(batch, lane):
    """The player to act of a lane as a LastRound."""
    state, board = batch.states[lane], batch.board.record
    player = int(state.player)
    spaces = {}
    for city in np.flatnonzero(board.in_zone[state.zone]):
        row = state.city_spaces[city]
        free = [space for space in range(state.step_number) if row[space] == NOBODY]
        if free and player not in row:
            spaces[int(city)] = int(board.space_price[free[0]])
    between = board.zone_cost[state.zone]
    prices = [
        [int(board.price[resource, left]) for left in range(state.track[resource], 0, -1)]
        for resource in range(4)
    ]
    prices[0] += [int(board.storage_price)] * int(state.storage)
    return LastRound(
        money=int(state.money[player]),
        plants=tuple(card(board, number) for number in state.plants[player, : state.num_plants[player]]),
        plant_limit=int(board.plant_limit),
        fuel=tuple(int(tokens) for tokens in state.fuel[player]),
        token_prices=tuple(map(tuple, prices)),
        network=int(state.num_cities[player]),
        spaces=spaces,
        links={city: int(state.connection_cost[player, city]) for city in spaces},
        between={(a, b): int(between[a, b]) for a in spaces for b in spaces},
    )


def card(board, number):
    return int(board.plant_kind[number]), int(board.plant_burn[number]), int(board.plant_cities[number])


def compare(batch, lane):
    """The solver against the plain restatement in one position."""
    board, state = batch.board.record, batch.states[lane]
    game = plain(batch, lane)
    plan, answers = np.zeros(network.MAX_PLAN + 1, np.int64), np.zeros(11, np.int64)
    count = solve(batch.states, batch.board.records, lane, plan, answers)
    costs = naive_endgame.city_costs(game, network.MAX_PLAN)
    assert plan[: count + 1].tolist() == costs
    supplied, spent = naive_endgame.best_supply(game, costs)
    assert answers[:2].tolist() == [supplied, spent]
    best, place = (-supplied, spent), NOBODY
    for number, plant in enumerate(state.market[: state.market_size if state.step_number == 3 else 4]):
        assert answers[3 + number] == naive_endgame.bid_limit(game, costs, card(board, plant))
        price = 1 if plant == state.discount else int(plant)
        if price <= game.money:
            supplied, spent = naive_endgame.best_supply(game, costs, card(board, plant), price)
            if (-supplied, spent + price) < best:
                best, place = (-supplied, spent + price), number
    assert answers[2] == place
    return count > 0, place != NOBODY


def check(kind, cases, seed, **limits):
    """Compare so many random positions of a kind; how many had cities to build, and how many a plant to buy."""
    rng = np.random.default_rng(seed)
    start = GameBatch(GameConfig(**kind), num_games=16, seed=seed, autoreset=False)
    seen = np.zeros(2, int)
    for case in range(cases):
        scramble(start, case % 16, rng, **limits)
        seen += compare(start, case % 16)
    return seen


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_solver_equals_the_plain_restatement(kind):
    built, bought = check(kind, cases=60, seed=1, open_cities=8)
    assert built > 20
    assert bought > 10


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_solver_equals_the_plain_restatement_often(kind):
    built, bought = check(kind, cases=20_000, seed=2, open_cities=8)
    assert built > 5000
    assert bought > 5000


def test_on_a_whole_map_the_cheapest_cities_are_found():
    built, _ = check({"players": 6, "board": "usa"}, cases=12, seed=3, open_cities=40, richest=60)
    assert built > 3


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_balanced_supplies_what_the_solver_finds(kind):
    batch = GameBatch(GameConfig(**kind), num_games=40, seed=4, autoreset=False)
    bot, rng, expected = agents.make("balanced"), np.random.default_rng(4), []
    for lane, state in enumerate(batch.states):
        scramble(batch, lane, rng, open_cities=8)
        game = plain(batch, lane)
        supplied, spent = naive_endgame.best_supply(game, naive_endgame.city_costs(game, network.MAX_PLAN))
        expected.append((int(state.player), supplied, game.money - spent))
        state.phase, state.decision = Phase.RESOURCES, Decision.BUY
        state.passed[:] = 1  # the others have bought, and can build nothing
        state.passed[state.player] = 0
        state.money[np.arange(len(state.money)) != state.player] = 0
    while (batch.player >= 0).any():
        lanes = np.flatnonzero(batch.player >= 0)
        batch.step(bot.act(batch, lanes), lanes)
    for state, (player, supplied, money) in zip(batch.states, expected, strict=True):
        assert (int(state.supplied[player]), int(state.money[player])) == (supplied, money)


@rule
def place_to_scrap(states, boards, lane):
    """What `balanced` scraps, its place among the old plants."""
    state, board = states[lane], boards[0]
    player = int(state.player)
    costs, firsts = np.empty(network.MAX_PLAN + 1, np.int64), np.empty(network.MAX_PLAN + 1, np.int64)
    useful = endgame.num_useful(state, board, player)
    count = growth.fill_cheapest(state, board, player, int(state.money[player]), useful, costs, firsts)
    return scrap_place(state, board, player, endgame.run_to_plan(state, board, player, costs, count))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_plant_that_goes_leaves_the_most_supplied(kind):
    batch, rng = (
        GameBatch(GameConfig(**kind), num_games=40, seed=6, autoreset=False),
        np.random.default_rng(6),
    )
    mattered = 0
    for lane, state in enumerate(batch.states):
        scramble(batch, lane, rng, open_cities=6)
        player, size = int(state.player), int(batch.board.record.plant_limit) + 1
        deck = rng.permutation(np.flatnonzero(batch.board.record.plant_kind != PlantKind.ABSENT))[:size]
        state.plants[player, :size], state.num_plants[player] = np.sort(deck), size
        state.new_plant, state.decision = rng.choice(deck), Decision.SCRAP
        old = [slot for slot in range(size) if state.plants[player, slot] != state.new_plant]
        place = place_to_scrap(batch.states, batch.board.records, lane)
        game = plain(batch, lane)
        costs, found = naive_endgame.city_costs(game, network.MAX_PLAN), []
        for slot in old:
            rest = replace(game, plants=(*game.plants[:slot], *game.plants[slot + 1 :]))
            supplied, spent = naive_endgame.best_supply(rest, costs)
            found.append((-supplied, spent))
        assert found[place] == min(found)
        mattered += min(found) < max(found)
    assert mattered > 10


@rule
def most_supplied(states, boards, lane, costs, count):
    """Every purchase and every number of new cities, tried by the rules: the most cities that can be supplied."""
    board = boards[0]
    state = states[lane]
    player = int(state.player)
    money, cities = int(state.money[player]), int(state.num_cities[player])
    owned = state.fuel[player].copy()
    best = 0
    for coal in range(13):
        for oil in range(13):
            for garbage in range(10):
                for uranium in range(5):
                    amounts = (coal, oil, garbage, uranium)
                    fuel = 0
                    for resource in range(4):
                        state.fuel[player, resource] = owned[resource] + amounts[resource]
                        if amounts[resource] > num_for_sale_tokens(state, board, resource):
                            fuel += 10**6
                        elif amounts[resource] > 0:
                            fuel += fuel_price(state, board, resource, amounts[resource])
                    stored = state.fuel[player]
                    fits = has_room(
                        state, player, int(stored[0]), int(stored[1]), int(stored[2]), int(stored[3])
                    )
                    if not fits or fuel > money:
                        continue
                    for new in range(count + 1):
                        if fuel + costs[new] <= money:
                            state.num_cities[player] = cities + new
                            best = max(best, largest_supply(state, board, player))
    state.num_cities[player] = cities
    for resource in range(4):
        state.fuel[player, resource] = owned[resource]
    return best


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_no_purchase_that_the_rules_allow_supplies_more(kind):
    rng, some = np.random.default_rng(5), 0
    batch = GameBatch(GameConfig(**kind), num_games=20, seed=5, autoreset=False)
    plan, answers = np.zeros(network.MAX_PLAN + 1, np.int64), np.zeros(11, np.int64)
    for lane in range(20):
        scramble(batch, lane, rng, open_cities=12)
        count = solve(batch.states, batch.board.records, lane, plan, answers)
        assert answers[0] == most_supplied(batch.states, batch.board.records, lane, plan, count)
        some += answers[0] > 0
    assert some > 8
