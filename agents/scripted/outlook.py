"""Looking ahead: rounds left, who can end the game, what others may do with their money."""

from typing import Any

import numpy as np

from agents.scripted.network import MAX_PLAN, fill_growth
from agents.scripted.production import fuelled_capacity
from powergrid_env._jit import rule
from powergrid_env.constants import Phase
from powergrid_env.rules.facts import largest_network

PACE = 1.7  # cities by which the largest network grows in a round, as measured between equal bots
END_IN_REACH = 7  # cities that nobody builds in one round more of


@rule
def money_of(state: Any, board: Any, viewer: int, player: int) -> int:
    """Elektro of a seat as far as `viewer` may know: with hidden money others are taken to have as much as oneself."""
    if board.hidden_money and player != viewer:
        return int(state.money[viewer])
    return int(state.money[player])


@rule
def rounds_left(state: Any, board: Any) -> int:
    """Rounds still to be played, this one included, at the usual pace of the leader."""
    missing = int(board.end_cities) - largest_network(state, board)
    return max(1, int(np.ceil(missing / PACE)))


@rule
def most_cities(state: Any, board: Any, viewer: int, player: int, most: int) -> int:
    """Cities that a player can have at the end of this round, as far as `most`; fuel and plants are left unpaid."""
    cities = int(state.num_cities[player])
    if cities >= most or (state.phase == Phase.BUILDING and state.passed[player]):
        return cities
    costs = np.empty(MAX_PLAN + 1, np.int64)
    count, _ = fill_growth(state, board, player, money_of(state, board, viewer, player), most - cities, costs)
    return cities + count


@rule
def may_be_last_round(state: Any, board: Any, viewer: int) -> bool:
    """Can anybody bring the game to its end in this round (R7.1)?"""
    end = int(board.end_cities)
    if state.phase == Phase.BUREAUCRACY or largest_network(state, board) < end - END_IN_REACH:
        return False
    longest = 0
    for player in range(board.num_players):
        if longest < end:
            longest = max(longest, most_cities(state, board, viewer, player, end))
    return longest >= end


@rule
def beats_all(state: Any, board: Any, viewer: int, supplied: int, money: int) -> bool:
    """Would `viewer` win with so many supplied cities and so much money, whatever the others still build (R7.3)?"""
    for player in range(board.num_players):
        if player != viewer:
            theirs = fuelled_capacity(state, board, player)
            theirs = min(theirs, most_cities(state, board, viewer, player, theirs))
            if theirs > supplied or (theirs == supplied and money_of(state, board, viewer, player) > money):
                return False
    return True
