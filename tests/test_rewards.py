"""Rewards of hand-made ends of games, and of random games played to the end."""

from typing import Any

import numpy as np
import pytest

from powergrid_env import engine, rewards
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import EndReason, Phase
from powergrid_env.rng import first_word
from powergrid_env.rules.steps import is_better
from powergrid_env.state import make_states
from tests.random_games import states_of


def over(
    supplied: list[int],
    money: list[int] | None = None,
    cities: list[int] | None = None,
    reason: EndReason = EndReason.CITIES,
    **config: Any,
) -> tuple[Any, Board]:
    """A game that has ended with these figures by seat."""
    players = len(supplied)
    board = make_board(GameConfig(players=players, **config))
    state = make_states(1)[0]
    engine.reset(state, board.record, first_word(1))
    state.phase = Phase.OVER
    state.end_reason = reason
    state.supplied[:players] = supplied
    state.money[:players] = money if money else [0] * players
    state.num_cities[:players] = cities if cities else [17] * players
    return state, board


def shares(state: Any, board: Board) -> list[float]:
    out = np.full(board.config.players, np.nan)
    rewards.win_shares(state, board.record, out)
    return out.tolist()


def paid(state: Any, board: Board) -> list[float]:
    out = np.full(board.config.players, np.nan, np.float32)
    rewards.fill_rewards(state, board.record, out)
    return out.tolist()


def close(*numbers: float) -> Any:
    return pytest.approx(numbers, abs=1e-6)


# ------------------------------------------------------------------------------------------ win


def test_win_pays_1_to_a_sole_winner_and_less_than_0_to_the_others():
    state, board = over([15, 17, 16, 14])
    assert shares(state, board) == [0, 1, 0, 0]
    assert paid(state, board) == close(-1 / 3, 1, -1 / 3, -1 / 3)


def test_win_of_two_players_is_1_and_minus_1():
    assert paid(*over([18, 17])) == close(1, -1)


def test_r7_3_money_breaks_a_tie_in_supplied_cities():
    assert shares(*over([15, 15, 12], money=[3, 4, 200])) == [0, 1, 0]


def test_a20_a_tie_after_money_is_a_shared_win():
    state, board = over([15, 15, 12], money=[7, 7, 0], cities=[15, 17, 12])
    assert shares(state, board) == [0.5, 0.5, 0]
    assert paid(state, board) == close(1 / 4, 1 / 4, -1 / 2)


def test_a20_in_2004_cities_break_a_tie_after_money():
    state, board = over([15, 15, 12], money=[7, 7, 0], cities=[15, 17, 12], edition="2004")
    assert shares(state, board) == [0, 1, 0]


@pytest.mark.parametrize("players", range(2, 7))
def test_a_tie_of_all_shares_the_win_and_pays_nothing(players):
    state, board = over([15] * players)
    assert shares(state, board) == pytest.approx([1 / players] * players)
    assert paid(state, board) == pytest.approx([0] * players, abs=1e-6)


# ----------------------------------------------------------------------------------------- rank


def test_rank_goes_evenly_from_1_to_minus_1():
    assert paid(*over([14, 17, 15, 16, 13], reward="rank")) == close(-0.5, 1, 0, 0.5, -1)


def test_rank_of_tied_seats_is_the_mean_of_the_places_they_take():
    assert paid(*over([15, 15, 12], reward="rank")) == close(0.5, 0.5, -1)
    assert paid(*over([17, 12, 12, 12], reward="rank")) == close(1, -1 / 3, -1 / 3, -1 / 3)


# --------------------------------------------------------------------------------------- margin


def test_margin_is_the_lead_over_the_best_other_seat():
    assert paid(*over([14, 17, 15], reward="margin")) == close(-3 / 20, 2 / 20, -2 / 20)


def test_margin_does_not_count_money():
    assert paid(*over([15, 15, 12], money=[9, 0, 0], reward="margin")) == close(0, 0, -3 / 20)


# ------------------------------------------------------------------------- no end, no reward


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
@pytest.mark.parametrize("reason", [EndReason.RUNNING, EndReason.MAX_ROUNDS])
def test_r7_4_nothing_is_paid_unless_the_game_ended_by_the_rules(reward, reason):
    state, board = over([14, 17, 15], reason=reason, reward=reward)
    assert shares(state, board) == [0, 0, 0]
    assert paid(state, board) == [0, 0, 0]


def test_entries_beyond_the_seats_are_set_to_0():
    state, board = over([14, 17, 15])
    out = np.full(6, np.nan, np.float32)
    rewards.fill_rewards(state, board.record, out)
    assert out.tolist() == [-0.5, 1, -0.5, 0, 0, 0]


# ----------------------------------------------------------------------------- random games


@pytest.mark.parametrize("reward", ["win", "rank"])
def test_rewards_of_random_games_sum_to_0_and_follow_the_ranks(reward):
    board = make_board(GameConfig(players=4, reward=reward))
    decided = 0
    for seed in range(10):
        *_, states = states_of(board.config, seed)
        state = states[0]
        if state.end_reason == EndReason.MAX_ROUNDS:
            continue
        decided += 1
        gains = paid(state, board)
        assert sum(gains) == pytest.approx(0, abs=1e-6)
        for player in range(4):
            for other in range(4):
                if is_better(state, board.record, player, other):
                    assert gains[player] >= gains[other]
                    assert reward == "win" or gains[player] > gains[other]
    assert decided > 0


def test_potential_starts_and_ends_at_0_so_that_shaping_adds_nothing_over_a_game():
    board = make_board(GameConfig(players=3))
    values = np.array(
        [
            [rewards.potential(states[0], board.record, seat) for seat in range(3)]
            for states in states_of(board.config, 3)
        ]
    )
    assert values.min() >= 0
    assert 0 < values.max() <= 1
    np.testing.assert_allclose(np.diff(values, axis=0).sum(axis=0), 0, atol=1e-9)
    assert not values[0].any()
    assert not values[-1].any()


def test_potential_counts_the_smaller_of_network_and_plants():
    board = make_board(GameConfig(players=3))
    state = make_states(1)[0]
    engine.reset(state, board.record, first_word(1))
    state.num_plants[0] = 2
    state.plants[0, :2] = [10, 15]  # 2 and 3 cities
    state.num_cities[0] = 4
    assert rewards.potential(state, board.record, 0) == pytest.approx(4 / 17)
    state.num_cities[0] = 9
    assert rewards.potential(state, board.record, 0) == pytest.approx(5 / 17)
