"""Positions: any state of a game as plain data and back, with the same bytes."""

import json
from typing import Any

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, engine
from powergrid_env.board import make_board
from powergrid_env.position import from_position, to_position
from powergrid_env.rng import first_word
from powergrid_env.state import FIELDS, States, digest, make_states
from tests.random_games import NUM_STYLES, configs, states_of


def check_round_trip(states: States, config: GameConfig) -> None:
    position = to_position(states[0], make_board(config))
    board, again = from_position(position, seed=5)
    changed = [name for name, *_ in FIELDS if np.any(states[name] != again[name])]
    assert (changed, board.config) == ([], config), position
    assert digest(again[0]) == digest(states[0])


def test_built_again_any_position_of_a_game_has_the_same_bytes() -> None:
    for seed, config in enumerate(list(configs())[::2]):
        for number, states in enumerate(states_of(config, seed, style=seed % NUM_STYLES)):
            if seed == 0 or number % 100 == seed:
                check_round_trip(states, config)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_built_again_every_position_of_300_games_has_the_same_bytes() -> None:
    for seed, config in enumerate([*configs(), *configs()]):
        for states in states_of(config, 1000 + seed, style=(1000 + seed) % NUM_STYLES):
            check_round_trip(states, config)


def is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(entry) for key, entry in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return type(value) in (int, str, bool)


def test_a_position_is_plain_data_fit_for_json_and_toml() -> None:
    for seed, config in enumerate([*configs()][::7]):
        board = make_board(config)
        for number, states in enumerate(states_of(config, seed, style=seed % NUM_STYLES)):
            if number % 50 == 0:
                position = to_position(states[0], board)
                assert is_plain(position)
                assert digest(from_position(json.loads(json.dumps(position)))[1][0]) == digest(states[0])


def test_a_game_goes_on_with_the_same_bytes() -> None:
    game = Game(players=4, board="usa", seed=3)
    again = Game.from_position(game.to_position())
    for _ in range(300):
        action = int(game.legal_actions()[-1])
        assert game.play(action).digest() == again.play(action).digest()


def test_the_config_comes_along() -> None:
    config = GameConfig(
        players=3, deck="new", start_cities=True, money="hidden", raises=(0, 7), max_rounds=9, reward="margin",
        regions=("red", "blue", "cyan"), rulings={"fuel": "pool", "house_cap": 20},
    )  # fmt: skip
    for given in (
        config,
        GameConfig(players=2, trust=False),
        GameConfig(raises="all"),
        GameConfig(skip_forced=True),
    ):
        board, states = make_board(given), make_states(1)
        engine.reset(states[0], board.record, first_word(1))
        assert from_position(to_position(states[0], board))[0] is board


def test_who_built_first_is_kept_where_it_is_not_seat_order() -> None:
    seats = [{"cities": ["Essen", "Köln"]}, {"cities": ["Essen"]}, {"cities": ["Köln"]}]
    position = {"players": 3, "step": 2, "seats": seats, "spaces": {"essen": [1, 0]}}
    board, states = from_position(position)
    essen, koeln = board.cities.index("Essen"), board.cities.index("Köln")
    assert states[0].city_spaces[[essen, koeln]].tolist() == [[1, 0, -1], [0, 2, -1]]
    assert to_position(states[0], board)["spaces"] == {"Essen": [1, 0]}
