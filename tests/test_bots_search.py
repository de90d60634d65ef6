"""Search bots, and those that are no program: legal answers, budgets, chance, and that search finds what is to be found."""

import time

import numpy as np
import pytest

import agents
from agents.human import HumanAgent
from agents.scripted import endgame, network
from powergrid_env._jit import rule
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.constants import NO_PLANT, Decision
from powergrid_env.rules.facts import fuel_price, has_room, largest_supply, num_for_sale_tokens

SEARCHERS = ["rollout", "ismcts"]


def late_batch(rounds=5, players=3, num_games=6, seed=2, decision=None, **fields):
    """Games that `balanced` has played up to a round, and to a decision."""
    batch = GameBatch(GameConfig(players=players, **fields), num_games=num_games, seed=seed, autoreset=False)
    bot = agents.make("balanced")
    while True:
        early = batch.states["round_number"] < rounds
        if decision is not None:
            early |= batch.states["decision"] != decision
        lanes = np.flatnonzero(early & (batch.player >= 0))
        if not len(lanes):
            return batch
        batch.step(bot.act(batch, lanes), lanes)


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(
    "kind", [{}, {"edition": "2004", "board": "usa"}, {"players": 2}, {"skip_forced": True}], ids=str
)
def test_search_answers_legally(name, kind):
    batch = late_batch(rounds=4, **kind)
    bot = agents.make(f"{name}:simulations=16")
    for _ in range(12):
        lanes = np.flatnonzero(batch.player >= 0)
        batch.step(bot.act(batch, lanes), lanes)  # raises on an illegal action


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_with_a_budget_of_simulations_follows_from_its_seed(name):
    batch = late_batch()
    before = batch.states.tobytes()
    bot = agents.make(f"{name}:simulations=24")
    answers = []
    for _ in range(2):
        bot.reset(3)
        answers.append(bot.act(batch, np.arange(6)).tolist())
    assert answers[0] == answers[1]
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_keeps_to_its_time(name):
    batch = late_batch(decision=Decision.BUILD)
    bot = agents.make(f"{name}:time=0.2")
    bot.act(batch, np.array([0]))
    begin = time.process_time()
    bot.act(batch, np.array([0]))
    assert time.process_time() - begin < 1.0


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


@rule
def solve(states, boards, lane, costs):
    """What the last-round solver says of a lane: the plan of cities, and the cities supplied."""
    state, board = states[lane], boards[0]
    player = int(state.player)
    count, _ = network.fill_growth(state, board, player, int(state.money[player]), network.MAX_PLAN, costs)
    return count, endgame.best_supply(state, board, player, NO_PLANT, int(state.money[player]), costs, count)[
        0
    ]


@pytest.mark.parametrize("board", ["germany", "usa"])
def test_the_last_round_solver_supplies_the_most_cities(board):
    compared = 0
    for rounds in (4, 6, 8):
        batch = late_batch(rounds=rounds, decision=Decision.BUY, board=board, num_games=4)
        for lane in np.flatnonzero(batch.player >= 0):
            costs = np.zeros(network.MAX_PLAN + 1, np.int64)
            count, supplied = solve(batch.states, batch.board.records, lane, costs)
            assert supplied == most_supplied(batch.states, batch.board.records, lane, costs, count)
            compared += 1
    assert compared >= 8


@rule
def limits(states, boards, lane, place, costs):
    """Bid limit of a plant on sale in the last round, and cities supplied without it, at that price and one above."""
    state, board = states[lane], boards[0]
    player, plant = int(state.player), int(state.market[place])
    money = int(state.money[player])
    count, _ = network.fill_growth(state, board, player, money, network.MAX_PLAN, costs)
    limit = endgame.bid_limit(state, board, player, plant, costs, count)
    without, _ = endgame.best_supply(state, board, player, NO_PLANT, money, costs, count)
    at, _ = endgame.best_supply(state, board, player, plant, money - limit, costs, count)
    above, _ = endgame.best_supply(state, board, player, plant, money - limit - 1, costs, count)
    return limit, without, at, above


def test_in_the_last_round_a_plant_is_bid_for_as_long_as_it_supplies_a_city_more():
    batch = late_batch(rounds=7, decision=Decision.CHOOSE, num_games=12)
    costs = np.zeros(network.MAX_PLAN + 1, np.int64)
    wanted = 0
    for lane in np.flatnonzero(batch.player >= 0):
        for place in range(4):
            limit, without, at, above = limits(batch.states, batch.board.records, lane, place, costs)
            if limit > 0:
                wanted += 1
                assert at > without >= above
    assert wanted >= 5


def test_a_person_answers_by_number_or_in_words():
    batch = GameBatch(GameConfig(players=3), num_games=1, seed=1)
    shown = []
    lines = iter(["", "bid 4", "nominate 50", "99", "1"])
    first = int(HumanAgent(lambda prompt: next(lines), shown.append).act(batch, np.array([0]))[0])
    assert first == np.flatnonzero(batch.masks()[0])[0]
    words = batch.game(0).words(first)
    assert any(words in text for text in shown)
    assert any("R2" in text for text in shown)  # the refusals cite the rule
    again = HumanAgent(lambda prompt: words, shown.append).act(batch, np.array([0]))
    assert again.tolist() == [first]


def test_a_policy_needs_a_model_file(tmp_path):
    with pytest.raises(ValueError, match=r"no_model\.zip"):
        agents.make(f"policy:{tmp_path}/no_model.zip")
    with pytest.raises(ValueError, match="policy needs path"):
        agents.make("policy")
    (tmp_path / "model.zip").write_bytes(b"no zip")
    bot = agents.make(f"policy:{tmp_path}")
    with pytest.raises(ValueError, match="no model"):
        bot.act(GameBatch(GameConfig(players=3), num_games=2, seed=1), np.arange(2))
