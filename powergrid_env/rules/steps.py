"""R6, R7: the three Steps and the end of the game."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import NOBODY, Decision, Phase, Step, Step3Card
from powergrid_env.rules.facts import largest_network, largest_supply
from powergrid_env.rules.plant_market import replace_lowest
from powergrid_env.rulings import Step3AtStep2Update, Step3CardPhases, TieBreak


@rule
def start_steps_after_building(state: Any, board: Any) -> None:
    """Part (a) of phase 5: Step 2 if due (R6.10, R6.11), Step 3 if its card came in phase 4 (R6.23)."""
    if state.step3 == Step3Card.DRAWN:
        start_step_3(state)
    elif state.step_number == Step.ONE and largest_network(state, board) >= board.step2_cities:
        state.step_number = Step.TWO
        replace_lowest(state, board)
        if state.step3 == Step3Card.DRAWN:
            if board.step3_card_phases == Step3CardPhases.PHASES_2_4_5:  # R6.11: counts as phase 4
                start_step_3(state)
            elif board.step3_at_step2_update == Step3AtStep2Update.SKIP:  # R6.24: counts as phase 5
                state.skip_market_update = 1


@rule
def start_step_3(state: Any) -> None:
    """Step 3 is in force (R6.21-R6.23)."""
    state.step_number = Step.THREE
    state.step3 = Step3Card.IN_FORCE


@rule
def is_end_due(state: Any, board: Any) -> bool:
    """Has a network the size that ends the game after this phase 4 (R7.1)?"""
    return bool(largest_network(state, board) >= board.end_cities)


@rule
def end_game(state: Any, board: Any, reason: int) -> None:
    """The game is over: what everybody can supply is determined (R7.2)."""
    for player in range(board.num_players):
        state.supplied[player] = largest_supply(state, board, player)
    state.phase = Phase.OVER
    state.decision = Decision.NONE
    state.player = NOBODY
    state.end_reason = reason
    state.passed[:] = 0
    state.bought[:] = 0


@rule
def is_better(state: Any, board: Any, player: int, other: int) -> bool:
    """Does `player` stand before `other` by R7.3: supplied cities, money, and in 2004 cities (A20)?"""
    if state.supplied[player] != state.supplied[other]:
        return bool(state.supplied[player] > state.supplied[other])
    if state.money[player] != state.money[other]:
        return bool(state.money[player] > state.money[other])
    if board.tie_break == TieBreak.MONEY_THEN_CITIES:
        return bool(state.num_cities[player] > state.num_cities[other])
    return False


@rule
def rank(state: Any, board: Any, player: int) -> int:
    """Place of a seat in a game that is over: 1 best, ties share (R7.3)."""
    place = 1
    for other in range(board.num_players):
        if is_better(state, board, other, player):
            place += 1
    return place
