"""Dealing anew what nobody knows: what stays, and that every deal that fits is as likely as every other."""

from collections import Counter
from itertools import permutations
from math import prod
from typing import Any

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, invariants
from powergrid_env.board import Board
from powergrid_env.constants import STEP_3_CARD, Step3Card
from powergrid_env.hidden import redeterminise
from powergrid_env.rng import first_word
from powergrid_env.state import FIELDS
from tests.golden import pick

CONFIGS = {
    "recharged 2 trust": GameConfig(players=2),
    "recharged 3": GameConfig(players=3, board="usa"),
    "recharged 4 new deck": GameConfig(players=4, deck="new"),
    "recharged 5": GameConfig(players=5),
    "2004 2": GameConfig(players=2, edition="2004"),
    "2004 3": GameConfig(players=3, edition="2004", board="usa"),
    "2004 4 new deck": GameConfig(players=4, edition="2004", deck="new"),
    "recharged cards, 2004 top": GameConfig(players=4, rulings={"stack_top": "fixed"}),
}


def deal_anew(state: Any, board: Board, seed: int) -> Any:
    """A copy in which the hidden cards are dealt anew."""
    copy = state.copy()
    redeterminise(copy, board.record, 0, first_word(seed))
    return copy


def cards(state: Any) -> list[int]:
    """The stack from the top."""
    return [int(card) for card in state.stack[: state.stack_size]]


def taken_out(state: Any) -> list[int]:
    return [int(card) for card in state.removed[: state.num_removed]]


def face_down(state: Any) -> list[int]:
    """The part of the stack whose order nobody knows."""
    stack = cards(state)
    return stack[: stack.index(STEP_3_CARD)] if STEP_3_CARD in stack else stack


def states_of(config: GameConfig, seed: int) -> Any:
    """States of a random game, every tenth, and the game."""
    game, random = Game(config, seed=seed), np.random.default_rng(seed)
    while not game.over:
        if random.random() < 0.1:
            yield game.state, game.board
        game.play(pick(game, random))


# ------------------------------------------------------------------------------------- what stays


@pytest.mark.parametrize("name", CONFIGS)
def test_ri_1_what_was_seen_stays(name):
    config = CONFIGS[name]
    met = set()
    for state, board in states_of(config, seed=5):
        met.add(int(state.step3))
        new = deal_anew(state, board, 1)
        for field, *_ in FIELDS:
            if field not in ("rng", "stack", "removed"):
                assert np.array_equal(new[field], state[field]), field
        num_hidden = len(face_down(state))
        assert cards(new)[num_hidden:] == cards(state)[num_hidden:]  # the Step 3 card and what lies under it
        assert not invariants.problems(new, board)
        if state.step3 == Step3Card.IN_STACK:
            assert sorted(face_down(new) + taken_out(new)) == sorted(face_down(state) + taken_out(state))
        else:
            assert taken_out(new) == taken_out(state)  # known once all others have been seen
            assert sorted(cards(new)) == sorted(cards(state))
        if config.edition == "recharged":
            plug = board.record.plant_is_plug
            assert plug[new.stack[0]] == plug[state.stack[0]] or not num_hidden
            assert sum(plug[taken_out(new)]) == sum(plug[taken_out(state)])
    assert met >= {Step3Card.IN_STACK, Step3Card.IN_FORCE}


def test_2004_13_stays_on_top_until_it_is_drawn():
    game = Game(players=3, edition="2004", seed=2)
    assert {deal_anew(game.state, game.board, seed).stack[0] for seed in range(20)} == {13}
    game.play("nominate 3").play("bid 3").play("pass").play("pass")
    assert len({int(deal_anew(game.state, game.board, seed).stack[0]) for seed in range(20)}) > 5


def test_a30_plants_under_the_step_3_card_stay_in_place():
    state, board = a_deal("recharged", stack=[10, 20, STEP_3_CARD, 42, 36, 38], removed=[11, 21])
    for seed in range(20):
        assert cards(deal_anew(state, board, seed))[2:] == [STEP_3_CARD, 42, 36, 38]


def test_step_3_card_on_top_leaves_nothing_to_deal():
    state, board = a_deal("recharged", stack=[STEP_3_CARD, 42, 36, 38], removed=[11, 21])
    new = deal_anew(state, board, 1)
    assert cards(new) == cards(state)
    assert taken_out(new) == [11, 21]


# ------------------------------------------------------------------------------- words and copies


def test_same_word_same_deal_and_another_word_another():
    game = Game(players=4, seed=7)
    first, again, other = (deal_anew(game.state, game.board, seed) for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert cards(first) != cards(other)


def test_what_comes_later_differs_too():
    """Also where no card is hidden: the stack is shuffled when the Step 3 card comes up (R6.20)."""
    state, board = a_deal("recharged", stack=[STEP_3_CARD, 42, 36, 38], removed=[11, 21])
    words = {int(deal_anew(state, board, seed).rng) for seed in range(20)}
    assert len(words) == 20
    assert int(state.rng) not in words


def test_the_deal_does_not_depend_on_who_looks():
    game = Game(players=3, seed=7)
    for player in range(3):
        copy = game.state.copy()
        redeterminise(copy, game.board.record, player, first_word(1))
        assert copy.tobytes() == deal_anew(game.state, game.board, 1).tobytes()


def test_a_game_dealt_anew_plays_on_to_its_end():
    game, random = Game(players=4, edition="2004", seed=1), np.random.default_rng(1)
    while not game.over:
        game = game.redeterminise(game.player, int(random.integers(1000)))
        game.play(pick(game, random))
    assert game.result().reason == "cities"


# ----------------------------------------------------------------------------------- equal chances


def a_deal(edition: str, stack: list[int], removed: list[int], step3: Step3Card = Step3Card.IN_STACK) -> Any:
    """A state with these few cards. All others count as seen."""
    game = Game(players=3, edition=edition, seed=0)
    state = game.state
    state.stack[:], state.removed[:] = 0, 0
    state.stack[: len(stack)], state.removed[: len(removed)] = stack, removed
    state.stack_size, state.num_removed, state.step3 = len(stack), len(removed), step3
    return state, game.board


def assert_uniform(state: Any, board: Board, fitting: set[Any], deals_each: int = 60) -> None:
    """Many deals: only fitting ones, and all of them equally often, by a chi-square test at about 1 in 10,000."""
    count = Counter()
    for seed in range(deals_each * len(fitting)):
        new = deal_anew(state, board, seed)
        count[tuple(cards(new)), tuple(taken_out(new))] += 1
    assert set(count) == fitting
    statistic = sum((seen - deals_each) ** 2 / deals_each for seen in count.values())
    freedom = len(fitting) - 1
    assert statistic < freedom + 3.7 * np.sqrt(2 * freedom) + 5


def fitting_deals(state: Any, board: Board, has_backs: bool, known: int = 0) -> set[Any]:
    """All ways to deal the hidden cards that fit what was seen."""
    plug = board.record.plant_is_plug
    hidden, stack = face_down(state)[known:], cards(state)
    pool = hidden + (taken_out(state) if state.step3 == Step3Card.IN_STACK else [])
    fitting = set()
    for order in permutations(pool):
        dealt, out = order[: len(hidden)], order[len(hidden) :]
        same_backs = sum(plug[list(out)]) == sum(plug[taken_out(state)]) or state.step3 != Step3Card.IN_STACK
        if has_backs and not (same_backs and (known or plug[dealt[0]] == plug[hidden[0]])):
            continue
        removed = sorted(out) if state.step3 == Step3Card.IN_STACK else taken_out(state)
        fitting.add((tuple(stack[:known]) + dealt + tuple(stack[known + len(hidden) :]), tuple(removed)))
    return fitting


def test_ri_2_every_deal_that_fits_the_backs_is_equally_likely():
    """Three plugs and three sockets, a plug on top, a plug and a socket taken out: 3 * 3 * 2 * 3! ways."""
    state, board = a_deal("recharged", stack=[10, 20, 11, 30, STEP_3_CARD, 42], removed=[12, 21])
    fitting = fitting_deals(state, board, has_backs=True)
    assert len(fitting) == 3 * 3 * 2 * 6
    assert_uniform(state, board, fitting)


def test_ri_2_a_socket_on_top_is_seen_as_well():
    state, board = a_deal("recharged", stack=[20, 10, 30, STEP_3_CARD], removed=[12, 21, 40])
    fitting = fitting_deals(state, board, has_backs=True)
    assert len(fitting) == 2 * 6 * 2 * 2
    assert_uniform(state, board, fitting)


def test_ri_2_in_2004_all_cards_look_alike():
    state, board = a_deal("2004", stack=[20, 11, 30, STEP_3_CARD, 42], removed=[12, 21])
    fitting = fitting_deals(state, board, has_backs=False)
    assert len(fitting) == prod(range(1, 6)) // 2
    assert_uniform(state, board, fitting)


def test_ri_2_in_2004_the_13_on_top_is_known_and_the_rest_is_not():
    state, board = a_deal("2004", stack=[13, 11, 30, 20, STEP_3_CARD], removed=[12, 21])
    fitting = fitting_deals(state, board, has_backs=False, known=1)
    assert len(fitting) == prod(range(1, 6)) // 2
    assert_uniform(state, board, fitting)


def test_ri_2_after_the_step_3_card_the_order_is_unknown_but_for_the_top_back():
    state, board = a_deal("recharged", stack=[30, 10, 42, 36, 15], removed=[12, 21], step3=Step3Card.IN_FORCE)
    fitting = fitting_deals(state, board, has_backs=True)
    assert len(fitting) == 3 * prod(range(1, 5))
    assert_uniform(state, board, fitting)


def test_ri_2_in_2004_a_13_back_on_top_in_step_3_is_as_unknown_as_any():
    state, board = a_deal("2004", stack=[13, 10, 42], removed=[12, 21], step3=Step3Card.IN_MARKET)
    fitting = fitting_deals(state, board, has_backs=False)
    assert len(fitting) == 6
    assert_uniform(state, board, fitting)


def test_the_chi_square_bound_refuses_a_shuffle_that_is_not_uniform(monkeypatch):
    """The first card that fits off a shuffled pool, with what stays left as it lies: plugs would come late."""
    state, board = a_deal("recharged", stack=[10, 20, 11, 30, STEP_3_CARD], removed=[12, 21])

    def unfair(state: Any, record: Any, player: int, word: Any) -> None:
        random = np.random.default_rng(int(word))
        pool = [int(card) for card in random.permutation(face_down(state) + taken_out(state))]
        for place, card in [(-1, 12), (-2, 21), (0, 10)]:
            taken = next(other for other in pool if record.plant_is_plug[other] == record.plant_is_plug[card])
            pool.remove(taken)
            if place < 0:
                state.removed[-place - 1] = taken
            else:
                state.stack[0] = taken
        state.stack[1:4] = pool

    monkeypatch.setitem(globals(), "redeterminise", unfair)
    with pytest.raises(AssertionError):
        assert_uniform(state, board, fitting_deals(state, board, has_backs=True))
