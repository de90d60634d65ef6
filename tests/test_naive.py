"""What the rules compute cleverly equals the plain restatement of naive.py."""

import numpy as np
import pytest

from powergrid_env import GameConfig
from powergrid_env.board import make_board
from powergrid_env.constants import NO_PATH, PlantKind
from powergrid_env.rules import facts
from powergrid_env.state import make_states
from tests import naive

CASES = [pytest.param(800, id="800"), pytest.param(100_000, id="100000", marks=pytest.mark.slow)]
DECKS = ("base", "new")


def random_owner(random, board, state):
    """Gives seat 0 up to four random plants and tokens that fit on them; returns them as naive.py wants them."""
    deck = np.flatnonzero(board.record.plant_kind != PlantKind.ABSENT)
    hybrids = np.flatnonzero(board.record.plant_kind == PlantKind.HYBRID)
    count = int(random.integers(1, 5))
    chosen = set(random.choice(hybrids, min(count, int(random.integers(0, 3))), replace=False).tolist())
    while len(chosen) < count:
        chosen.add(int(random.choice(deck)))
    state.plants[0] = 0
    state.plants[0, :count] = sorted(chosen)
    state.num_plants[0] = count
    state.num_cities[0] = random.integers(0, 23)
    facts.refresh_fuel_capacity(state, board.record, 0)
    room = state.fuel_capacity[0]
    while True:
        coal, oil = random.integers(0, room[0] + room[4] + 1), random.integers(0, room[1] + room[4] + 1)
        if max(0, coal - room[0]) + max(0, oil - room[1]) <= room[4]:
            break
    state.fuel[0] = (coal, oil, random.integers(0, room[2] + 1), random.integers(0, room[3] + 1))
    record = board.record
    plants = tuple(
        (int(record.plant_kind[plant]), int(record.plant_burn[plant]), int(record.plant_cities[plant]))
        for plant in sorted(chosen)
    )
    return plants, tuple(int(tokens) for tokens in state.fuel[0])


@pytest.mark.parametrize("cases", CASES)
def test_fuel_layouts_and_largest_supply_equal_the_plain_search(cases):
    random = np.random.default_rng(54)
    boards = [make_board(GameConfig(deck=deck)) for deck in DECKS]
    states = make_states(1)
    state = states[0]
    impossible = 0
    for case in range(cases):
        board = boards[case % 2]
        plants, fuel = random_owner(random, board, state)
        for bits in range(1 << len(plants)):
            run = tuple(slot for slot in range(len(plants)) if bits >> slot & 1)
            least, most = facts.hybrid_mixes(state, board.record, 0, bits)
            assert list(range(least, most + 1)) == naive.hybrid_coal(plants, fuel, run), (plants, fuel, run)
            impossible += least > most
        supply = naive.largest_supply(plants, fuel, int(state.num_cities[0]))
        assert facts.largest_supply(state, board.record, 0) == supply, (plants, fuel)
    assert impossible > cases


@pytest.mark.parametrize("cases", CASES)
def test_storage_equals_the_plain_search(cases):
    random = np.random.default_rng(33)
    board = make_board(GameConfig())
    state = make_states(1)[0]
    full = 0
    for _ in range(cases):
        plants, fuel = random_owner(random, board, state)
        more = tuple(int(tokens) + int(random.integers(0, 4)) for tokens in fuel)
        fits = bool(facts.has_room(state, 0, *more))
        assert fits == naive.can_store(plants, more), (plants, more)
        full += not fits
    assert 0 < full < cases


@pytest.mark.parametrize(
    "cases", [pytest.param(400, id="400"), pytest.param(100_000, id="100000", marks=pytest.mark.slow)]
)
def test_connection_costs_kept_per_house_equal_dijkstra(cases):
    random = np.random.default_rng(43)
    boards = [
        make_board(GameConfig(players=players, edition=edition, board=name))
        for players in (2, 4, 5)
        for edition in ("recharged", "2004")
        for name in ("germany", "usa")
    ]
    state = make_states(1)[0]
    for case in range(cases):
        board = boards[case % len(boards)]
        state.zone = random.integers(board.record.num_zones)
        state.connection_cost[:] = NO_PATH
        inside = np.flatnonzero(board.record.in_zone[state.zone])
        network = random.choice(inside, random.integers(1, 10), replace=False)
        for city in network.tolist():
            facts.refresh_connection_costs(state, board.record, 0, city)
        expected = naive.connection_costs(board, int(state.zone), network.tolist())
        assert state.connection_cost[0, : len(board.cities)].tolist() == expected
