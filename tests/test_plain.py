"""Arrays that compiled code takes quickly: all of one dtype object, and views on the game's own memory."""

import copy
import pickle

import numpy as np

from powergrid_env import Game, GameBatch
from powergrid_env.plain import copy_states, plain, plain_board
from powergrid_env.state import RECORD_DTYPE, make_states


def test_the_arrays_of_games_and_batches_share_one_dtype_object() -> None:
    batch = GameBatch(players=4, num_games=3, seed=1)
    game = Game(players=3, seed=1)
    games = [game, game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), batch.game(2)]
    arrays = [make_states(2), batch.states, *(one._states for one in games)]
    assert all(array.dtype is RECORD_DTYPE for array in arrays)
    assert all(plain(array).dtype is RECORD_DTYPE for array in arrays)
    assert plain_board(game.board).dtype is plain_board(batch.board).dtype


def test_a_copy_is_equal_and_apart() -> None:
    batch = GameBatch(players=4, num_games=3, seed=1)
    states = batch.states[1:]
    copied = copy_states(states)
    assert copied.tobytes() == states.tobytes()
    assert copied.dtype is RECORD_DTYPE
    assert not np.shares_memory(copied, states)


def test_a_plain_view_is_the_same_memory() -> None:
    states = make_states(2)
    states.money[1, 0] = 7
    view = plain(states)
    assert view["money"][1, 0] == 7
    assert np.shares_memory(view, states)
    board = Game(players=3, seed=1).board
    assert np.shares_memory(plain_board(board), board.records)
    assert not plain_board(board).flags.writeable
