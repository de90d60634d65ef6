"""What nobody at the table knows (RI.2), and dealing it anew: the order of the stack and the cards taken out at setup.

What is known of the cards above the Step 3 card and of those taken out (RI.1): which cards they are, all others having
been seen; how many of each back were taken out [R]; the back of the top card [R]; in 2004 the top card itself, until it
is drawn. The plants under the Step 3 card were seen going there, one after the other (A30). Once the Step 3 card has come
up, the cards taken out are those never seen, and of the stack only the order is unknown.
"""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import MAX_REMOVED, MAX_STACK, STEP_3_CARD, Step3Card
from powergrid_env.rng import shuffle
from powergrid_env.rules.facts import sort_in, take_out
from powergrid_env.rulings import CardsRemoved, OpeningMarket, StackTop


@rule
def has_backs(board: Any) -> bool:
    """Do the cards have plug and socket backs? They do where any row of the setup tells them apart (R0.4)."""
    return bool(
        board.opening_market == OpeningMarket.RANDOM
        or board.stack_top == StackTop.RANDOM_PLUG
        or board.cards_removed == CardsRemoved.BY_BACK
    )


@rule
def is_top_known(state: Any, board: Any) -> bool:
    """Does the card put openly on top of the stack still lie there (R0.5)?"""
    return bool(
        board.stack_top == StackTop.FIXED
        and state.step3 == Step3Card.IN_STACK
        and state.stack[0] == board.fixed_top
    )


@rule
def num_face_down(state: Any) -> int:
    """Cards at the top of the stack whose order nobody knows: those above the Step 3 card, or all once it has come."""
    for place in range(state.stack_size):
        if state.stack[place] == STEP_3_CARD:
            return place
    return int(state.stack_size)


@rule
def has_plug_back(board: Any, card: int) -> bool:
    """Does a card show a plug from behind?"""
    return bool(has_backs(board) and board.plant_is_plug[card])


@rule
def num_plug_backs(board: Any, cards: Any, size: int) -> int:
    """How many of `cards[:size]` show a plug from behind."""
    plugs = 0
    for place in range(size):
        plugs += int(has_plug_back(board, int(cards[place])))
    return plugs


@rule
def take_alike(board: Any, cards: Any, size: int, card: int) -> int:
    """Take the first of `cards[:size]` that looks like `card` from behind."""
    place = 0
    while has_plug_back(board, int(cards[place])) != has_plug_back(board, card):
        place += 1
    return take_out(cards, size, place)


@rule
def redeterminise(state: Any, board: Any, player: int, word: Any) -> None:
    """Deal anew, in place, what `player` cannot know, consistent with all that was seen.

    Every deal that fits what is known (see the file's first lines) is as likely as every other, which is what a player
    should believe: setup makes all deals equally likely, and no draw so far depended on what still lies face down.

    Cards are hidden from everybody, so the deal does not depend on `player`. Money is kept as it is, also with
    `money = hidden`: all payments are open, so a player with a memory knows it (RI.3).

    Args:
        state: the game; its generator starts anew as well, so that what comes after differs, too.
        board: its board.
        player: the seat that looks.
        word: uint64, first state of the generator, `rng.first_word(seed)`.
    """
    state.rng = word
    known = 1 if is_top_known(state, board) else 0
    face_down = num_face_down(state)
    pool = np.zeros(MAX_STACK + MAX_REMOVED, np.int16)
    size = 0
    for place in range(known, face_down):
        pool[size] = state.stack[place]
        size += 1
    if state.step3 == Step3Card.IN_STACK:
        for place in range(state.num_removed):
            pool[size] = state.removed[place]
            size += 1
    # Off the shuffled pool come, by their backs, the cards taken out and the top card: a uniform choice of both. What
    # stays is shuffled again, for where the first plugs were taken out the other plugs are left nearer to the end.
    shuffle(state, pool, size)
    if state.step3 == Step3Card.IN_STACK:
        for place in range(state.num_removed):
            state.removed[place] = take_alike(board, pool, size, int(state.removed[place]))
            size -= 1
        for place in range(1, state.num_removed):
            sort_in(state.removed, place, int(state.removed[place]))
    if known < min(1, face_down):
        state.stack[0] = take_alike(board, pool, size, int(state.stack[0]))
        size -= 1
        known = 1
    shuffle(state, pool, size)
    for place in range(size):
        state.stack[known + place] = pool[place]
