"""The cards of a position, put into a state that has just been dealt."""

from functools import lru_cache

import numpy as np

from powergrid_env.arguments import refuse, whole_number
from powergrid_env.board import Board
from powergrid_env.constants import MAX_MARKET, NO_PLANT, STEP_3_CARD, PlantKind, Step, Step3Card
from powergrid_env.invariants_cards import STEP_3_MARKET
from powergrid_env.notation import STEP_3_PLACES, STEP_3_WORD, card_word
from powergrid_env.position_reader import Reader
from powergrid_env.rules import facts
from powergrid_env.rulings import ObsoletePlants
from powergrid_env.state import State

PENDING_KEYS = ("new_plant", "give_up_left", "run")


@lru_cache(maxsize=64)
def _deck(board: Board) -> frozenset[int]:
    """Numbers of the plants of the deck."""
    return frozenset(np.flatnonzero(board.record.plant_kind != PlantKind.ABSENT).tolist())


def as_plant(key: str, value: object, board: Board) -> int:
    """A plant number of the deck."""
    number = whole_number(key, value, 1, STEP_3_CARD - 1)
    if number not in _deck(board):
        raise refuse(key, value, f"a plant of the deck: {', '.join(map(str, sorted(_deck(board))))}")
    return number


def put_cards(given: Reader, board: Board, state: State) -> None:
    """Market, stack, removed cards and the place of the Step 3 card.

    What is left out comes from the cards dealt, without those that the position names anywhere. The market
    takes the first of the dealt market, then of the dealt stack: 8 cards, 6 once the Step 3 card has left, none
    that R4.12 forbids. The stack is the dealt stack in its order; what lay in the dealt market is out of the
    game. Cards removed stay those dealt while neither market nor stack is given, else there are none.
    """
    market, stack, removed = (_cards(given, name, board) for name in ("market", "stack", "removed"))
    named = _named_cards(state, market, stack, removed)
    record = board.record
    state.step3 = _step_3_place(given, state, market)
    dealt_market = [card for card in state.market[: state.market_size].tolist() if card not in named]
    dealt_stack = [card for card in state.stack[: state.stack_size - 1].tolist() if card not in named]
    if "market" not in given:
        on_display = [STEP_3_CARD] if state.step3 == Step3Card.IN_MARKET else []
        size = STEP_3_MARKET if state.step3 in (Step3Card.DRAWN, Step3Card.IN_FORCE) else MAX_MARKET
        size -= len(on_display) + ("new_plant" in given.part("pending", PENDING_KEYS))
        obsolete = (
            facts.largest_network(state, record) if record.obsolete_plants == ObsoletePlants.LEAVE else 0
        )
        free = [card for card in dealt_market + dealt_stack if card > obsolete]
        market = free[:size] + on_display
    if "stack" not in given:
        stack = [card for card in dealt_stack if card not in market]
    if state.step3 == Step3Card.IN_STACK and STEP_3_CARD not in stack:
        stack.append(STEP_3_CARD)
    if "removed" not in given and "market" not in given and "stack" not in given:
        removed = [card for card in state.removed[: state.num_removed].tolist() if card not in named]
    for name, size_name, cards in (
        ("market", "market_size", sorted(market)),
        ("stack", "stack_size", stack),
        ("removed", "num_removed", sorted(removed)),
    ):
        if len(cards) > len(state[name]):
            raise ValueError(f"{name} has {len(cards)} cards; allowed: at most {len(state[name])}")
        state[name][:] = 0
        state[name][: len(cards)] = cards
        state[size_name] = len(cards)


def _named_cards(state: State, market: list[int], stack: list[int], removed: list[int]) -> set[int]:
    """All cards that the position names; none may be named twice."""
    places = {f"seats[{seat}].plants": plants for seat, plants in enumerate(state.plants.tolist())}
    places |= {
        "trust.plants": state.trust_plants.tolist(),
        "market": market,
        "stack": stack,
        "removed": removed,
    }
    found: dict[int, str] = {}
    for key, cards in places.items():
        for card in cards:
            if card in found:
                raise ValueError(
                    f"{key} names {card_word(card)}, which stands in {found[card]}; allowed: each card once (RC.9)"
                )
            if card != NO_PLANT:
                found[card] = key
    return set(found)


def _cards(given: Reader, name: str, board: Board) -> list[int]:
    cards = []
    for place, card in enumerate(given.listed(name, 'plant numbers and "step3"')):
        is_step_3 = name != "removed" and card == STEP_3_WORD
        cards.append(STEP_3_CARD if is_step_3 else as_plant(f"{name}[{place}]", card, board))
    return cards


def _step_3_place(given: Reader, state: State, market: list[int]) -> Step3Card:
    """Where the Step 3 card is: as `step3` says, else as Step and market say."""
    if state.step_number == Step.THREE:
        follows = "in_force"
    else:
        follows = "market" if STEP_3_CARD in market else "stack"
    return Step3Card(STEP_3_PLACES.index(given.word("step3", follows, STEP_3_PLACES)))
