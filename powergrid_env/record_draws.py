"""Records of a table that hides its stack (`stack = "?"`, RI.2): the cards that come up are told as they do."""

from collections.abc import Mapping, Sequence
from typing import Any

from powergrid_env import position
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import STEP_3_CARD, PlantKind
from powergrid_env.game import Game
from powergrid_env.notation import STEP_3_WORD, card_word
from powergrid_env.position_parts import SEAT_KEYS, TRUST_KEYS
from powergrid_env.position_reader import Reader

UNKNOWN = "?"
MAX_SHUFFLES = 10_000


def cards_not_on_show(start: Mapping[str, Any], config: GameConfig) -> list[int | str]:
    """Every card that a position does not show, the Step 3 card below: what a hidden stack may hold.

    Raises:
        ValueError: a part of the position is of the wrong kind.
    """
    given = Reader(start, "", position.KEYS)
    owners = [
        Reader(entry, f"seats[{seat}]", SEAT_KEYS)
        for seat, entry in enumerate(given.listed("seats", "mappings"))
    ]
    shown = [*given.listed("market", "cards"), *given.listed("removed", "cards")]
    for owner in [*owners, given.part("trust", TRUST_KEYS)]:
        shown += owner.listed("plants", "plant numbers")
    kinds = make_board(config).record.plant_kind
    deck = [number for number in range(len(kinds)) if kinds[number] != PlantKind.ABSENT]
    return [*(number for number in deck if number not in shown), STEP_3_WORD]


def _lay_on_top(game: Game, draws: Sequence[int]) -> None:
    """Lay the cards that a table saw next on top of the hidden stack.

    Before the Step 3 card comes up, what still lies above it was never in the stack: it goes to the cards
    removed at setup (RC.7).
    """
    state = game.state
    stack = [int(card) for card in state.stack[: state.stack_size]]
    missing = [card for card in draws if card not in stack]
    if missing:
        raise ValueError(f"card {card_word(missing[0])} cannot come up: it is not in the stack")
    rest = [card for card in stack if card not in draws]
    if STEP_3_CARD in draws:
        unseen = stack[: stack.index(STEP_3_CARD)]
        gone = sorted(card for card in unseen if card not in draws)
        if len(gone) > len(state.removed):
            raise ValueError(
                f"the Step 3 card cannot come up: {len(gone)} cards of the stack have not been seen"
            )
        rest = [card for card in rest if card not in gone]
        state.removed[:] = 0
        state.removed[: len(gone)] = gone
        state.num_removed = len(gone)
    cards = [*draws, *rest]
    state.stack[:] = 0
    state.stack[: len(cards)] = cards
    state.stack_size = len(cards)


def prepare_draws(game: Game, action: int, draws: Sequence[int]) -> None:
    """Arrange the hidden stack so that `action` draws the cards told, no more and no less.

    Raises:
        ValueError: it cannot draw these; the game is untouched.
    """
    trial = game.clone()
    if draws:
        _lay_on_top(trial, draws)
    arranged = trial._states.copy()
    below = {int(card) for card in arranged.stack[0, len(draws) : arranged.stack_size[0]]}
    # The Step 3 card shuffles (R6.20): find a generator with which the cards come that the table saw.
    for word in range(MAX_SHUFFLES if STEP_3_CARD in draws else 1):
        arranged.rng[0] = word
        trial._states[:] = arranged
        trial.play(action)
        left = {int(card) for card in trial.state.stack[: trial.state.stack_size]}
        if below <= left and not left & set(draws):
            game._states[:] = arranged
            return
    told = " ".join(map(card_word, draws)) or "none"
    raise ValueError(
        f"the cards drawn here are not those told ({told}); write one line 'draw NUMBER' per card"
    )
