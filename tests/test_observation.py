"""The observation in random games over all there is to play, against a plain restatement and the table of pieces."""

import hashlib
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from powergrid_env import engine, layout
from powergrid_env._jit import rule
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import Decision
from powergrid_env.hidden import redeterminise
from powergrid_env.layout import observation_size, views
from powergrid_env.observation import observe
from powergrid_env.position import from_position
from powergrid_env.rng import first_word
from powergrid_env.state import digest, make_states
from tests.plain_observation import expected
from tests.processes import printed
from tests.random_games import configs, states_of

SETTINGS: dict[str, GameConfig] = {
    "recharged 3 germany": GameConfig(players=3),
    "recharged 4 usa": GameConfig(players=4, board="usa"),
    "recharged 6 germany, start cities": GameConfig(players=6, start_cities=True),
    "trust": GameConfig(players=2),
    "trust, usa, start cities": GameConfig(players=2, board="usa", start_cities=True),
    "no trust, new deck": GameConfig(players=2, trust=False, deck="new"),
    "2004 2 usa": GameConfig(players=2, edition="2004", board="usa"),
    "2004 4 germany": GameConfig(players=4, edition="2004"),
    "2004 5 usa, new deck": GameConfig(players=5, edition="2004", board="usa", deck="new"),
    "hidden money": GameConfig(players=5, money="hidden"),
    "tokens given up, own start city": GameConfig(
        players=3, start_cities=True, rulings={"scrap_fuel": "choose", "start_city_choice": "own"}
    ),
    "late start in empty cities": GameConfig(players=4, rulings={"late_start": "empty_only"}),
    "recharged cards, 2004 top": GameConfig(players=3, rulings={"stack_top": "fixed"}),
}


@rule
def observe_all(states: Any, boards: Any, lane: int, out: Any) -> None:
    """What every seat sees of a game, `out` `(P, D)`."""
    for player in range(boards[0].num_players):
        observe(states[lane], boards[0], player, out[player])


@rule
def count_leaks(states: Any, boards: Any, word: Any, out: Any, again: Any) -> tuple[int, int, int]:
    """Looks at game 0, and at a copy, game 1, in which what is hidden is dealt anew.

    Returns:
        How many numbers lie outside 0 to 1 or were not written, how many differ, how many cards of the stack moved.
    """
    wrong = leaks = moved = 0
    states[1] = states[0]
    redeterminise(states[1], boards[0], 0, word)
    for place in range(states[0].stack_size):
        moved += int(states[0].stack[place] != states[1].stack[place])
    observe_all(states, boards, 0, out)
    observe_all(states, boards, 1, again)
    for player in range(len(out)):
        for number in range(out.shape[1]):
            wrong += int(not 0 <= out[player, number] <= 1)
            leaks += int(out[player, number] != again[player, number])
    return wrong, leaks, moved


def a_game(config: GameConfig, seed: int = 3) -> tuple[Any, Board]:
    board = make_board(config)
    states = make_states(1)
    engine.reset(states[0], board.record, first_word(seed))
    return states, board


def seen(states: Any, board: Board) -> Any:
    """`(P, D)`, one row per seat."""
    out = np.full((board.config.players, observation_size(board)), np.nan, np.float32)
    observe_all(states, board.records, 0, out)
    return out


# ------------------------------------------------------------------------------------- all games


def test_ri_2_all_numbers_lie_between_0_and_1_and_nothing_hidden_enters():
    """In every state of a game of every third config, for every seat."""
    pair = make_states(2)
    decisions = deals = 0
    for index, config in enumerate(list(configs(max_rounds=25))[::3]):
        board = make_board(config)
        out, again = np.full((2, config.players, observation_size(board)), np.nan, np.float32)
        for states in states_of(config, seed=index):
            pair[0] = states[0]
            out[:], again[:] = np.nan, np.nan
            wrong, leaks, moved = count_leaks(pair, board.records, np.uint64(decisions), out, again)
            assert (wrong, leaks) == (0, 0), (config, decisions)
            decisions += 1
            deals += int(moved > 1)
    assert decisions > 5_000
    assert deals > decisions / 3


@pytest.mark.parametrize("name", SETTINGS)
def test_every_piece_is_what_a_plain_restatement_says(name):
    config = SETTINGS[name]
    board = make_board(config)
    checked, later = 0, np.random.default_rng(len(name))
    for seed in range(2):
        for states in states_of(config, seed=seed):
            is_rare = states.decision[0] in (Decision.SCRAP, Decision.GIVE_UP, Decision.BURN, Decision.NONE)
            if later.random() > (0.3 if is_rare else 0.03):
                continue
            rows = seen(states, board)
            player = int(later.integers(config.players))
            wanted = expected(states[0], board, player)
            for piece in layout.layout(board):
                plain = np.minimum(wanted[piece.name] / np.array(piece.scale), 1)
                shown = np.where(np.isnan(plain), np.nan, views(rows[player], board)[piece.name])
                np.testing.assert_allclose(shown, plain, atol=1e-6, err_msg=f"{piece.name} of seat {player}")
            checked += 1
    assert checked > 15


def test_every_number_has_its_use():
    """Each is other than 0 in some state of some game, cities and plant numbers taken together."""
    board = make_board(GameConfig())
    used = np.zeros(observation_size(board), bool)
    parts = views(used, board)
    _, drawn = from_position(  # seldom seen: the Step 3 card gone, its Step to come (R6.23)
        {
            "edition": "2004",
            "players": 3,
            "phase": "building",
            "step": 2,
            "round": 8,
            "step3": "drawn",
            "market": [20, 21, 24, 25, 26, 30],
            "stack": [31],
        }
    )
    used |= seen(drawn, board).any(axis=0)
    parts["plants"][2:, 3] = True  # four plants are for two players only (RC.7)
    parts["for_sale"][6:] = parts["minimum"][6:] = True  # no more than six, in Step 3 (R6.27)
    parts["discount"][1:] = True  # the lowest plant, unless a lower one came (R2.20)

    def unused() -> list[str]:
        many = {
            piece.name: tuple(axis for axis, name in enumerate(piece.axes) if name in ("city", "number"))
            for piece in layout.layout(board)
        }
        return [name for name, axes in many.items() if not parts[name].any(axis=axes).all()]

    every = [*SETTINGS.values(), GameConfig(players=6, deck="new"), GameConfig(players=6, edition="2004")]
    for seed, config in product(range(10), every):
        if unused():
            for states in states_of(config, seed=seed):
                used |= seen(states, make_board(config)).any(axis=0)
    assert unused() == []


# ---------------------------------------------------------------------------------- single states


def test_ri_3_hidden_money_shows_the_own_only():
    states, board = a_game(GameConfig(players=3, money="hidden"))
    states.money[0, :3] = [10, 20, 30]
    parts = views(seen(states, board), board)
    assert np.rint(parts["money"] * layout.MONEY)[:, :3].tolist() == [[10, 0, 0], [20, 0, 0], [30, 0, 0]]
    assert np.rint(parts["small_money"] * layout.SMALL_MONEY)[:, :3].tolist() == [
        [10, 0, 0],
        [20, 0, 0],
        [30, 0, 0],
    ]


def test_rows_are_seats_clockwise_from_the_observer():
    states, board = a_game(GameConfig(players=4))
    states.money[0, :4] = [10, 20, 30, 40]
    money = views(seen(states, board), board)["money"] * layout.MONEY
    assert np.rint(money).tolist() == [
        [10, 20, 30, 40, 0, 0],
        [20, 30, 40, 10, 0, 0],
        [30, 40, 10, 20, 0, 0],
        [40, 10, 20, 30, 0, 0],
    ]


def test_large_amounts_are_cut_at_1():
    states, board = a_game(GameConfig(players=3))
    states.money[0, 0] = 10**6
    states.round_number[0] = 59
    assert seen(states, board).max() == 1
    assert views(seen(states, board), board)["money"][0, 0] == 1


def test_ri_2_generator_order_and_cards_taken_out_are_not_read():
    states, board = a_game(GameConfig(players=4))
    before = seen(states, board)
    stack, removed = states.stack[0], states.removed[0]
    states.rng[0] += 1
    stack[1:30] = stack[1:30][::-1].copy()
    np.testing.assert_array_equal(seen(states, board), before)
    place = int(np.flatnonzero(board.record.plant_is_plug[stack[:30]])[-1])
    stack[place], removed[0] = int(removed[0]), int(stack[place])  # one plug for another
    np.testing.assert_array_equal(seen(states, board), before)


def test_ri_1_back_of_the_top_card_and_backs_taken_out_are_read():
    states, board = a_game(GameConfig(players=4))
    stack, removed = states.stack[0], states.removed[0]

    def piece(name: str) -> list[float]:
        return [float(value) for value in views(seen(states, board)[0], board)[name]]

    chance = piece("chance")
    assert piece("top_back") == [1, 0]
    socket = int(np.flatnonzero(board.record.plant_is_plug[stack[:30]] == 0)[0])
    stack[0], stack[socket] = int(stack[socket]), int(stack[0])
    assert piece("top_back") == [0, 1]
    assert piece("chance") == chance
    stack[0], removed[0] = int(removed[0]), int(stack[0])  # the plug taken out for a socket
    assert piece("top_back") == [1, 0]
    assert piece("chance") != chance
    assert sum(piece("chance")) == pytest.approx(sum(chance))


def test_2004_the_13_on_top_is_known_to_come():
    states, board = a_game(GameConfig(players=3, edition="2004"))
    chance = views(seen(states, board)[0], board)["chance"]
    assert chance[13] == 1
    assert 0.5 < chance[20] < 1


@pytest.mark.nojit
def test_compiled_and_uncompiled_observe_the_same_bytes(tmp_path):
    for index, config in enumerate(list(SETTINGS.values())[::2]):
        every = [states.copy() for states in states_of(config, seed=index)]
        np.save(tmp_path / f"{index}.npy", np.concatenate(every[:: len(every) // 2]).view(np.ndarray))
    compiled = list(digests(tmp_path))
    assert len(set(compiled)) > 30
    plain = printed("-m", "tests.test_observation", str(tmp_path), NUMBA_DISABLE_JIT="1")
    assert plain.splitlines() == compiled


def digests(folder: Path) -> Iterator[str]:
    """What the test above compares: what every seat sees, and the state with its hidden cards dealt anew."""
    for index, config in enumerate(list(SETTINGS.values())[::2]):
        board = make_board(config)
        every = np.load(folder / f"{index}.npy").view(np.recarray)
        for place in range(len(every)):
            states = every[place : place + 1]
            yield hashlib.sha256(seen(states, board).tobytes()).hexdigest()
            redeterminise(states[0], board.record, 0, np.uint64(place))
            yield digest(states[0])


if __name__ == "__main__":
    print("\n".join(digests(Path(sys.argv[1]))))
