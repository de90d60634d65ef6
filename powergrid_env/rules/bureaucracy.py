"""R5: phase 5, bureaucracy. Decisions `run` (which plants) and `burn` (coal among the hybrids' tokens)."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import (
    NO_RUN,
    NOBODY,
    NUM_BURN,
    NUM_RESOURCES,
    NUM_RUN,
    PASS,
    STEP_3_CARD,
    Decision,
    Phase,
    PlantKind,
    Resource,
    Step,
)
from powergrid_env.reasons import Reason
from powergrid_env.rules import trust
from powergrid_env.rules.facts import cities_of_run, hybrid_mixes, position_in_order, return_tokens
from powergrid_env.rules.plant_market import update_market
from powergrid_env.rules.steps import start_steps_after_building
from powergrid_env.rulings import Step3BeforeStep2Resupply


@rule
def begin(state: Any, board: Any) -> None:
    """Part (a), Steps 2 and 3 (R6.10, R6.23); then part (b), the income in player order (R5.1, R0.11)."""
    state.phase = Phase.BUREAUCRACY
    state.decision = Decision.RUN
    state.passed[:] = 0
    state.player = state.order[0]
    start_steps_after_building(state, board)


@rule(inline=True)
def verify(state: Any, board: Any, action: int) -> int:
    """R5.1 to R5.4 for a row of the run or the burn block."""
    player = int(state.player)
    if state.decision == Decision.BURN:
        if action == PASS:
            return Reason.R5_3_MUST
        coal = int(action) - int(board.first_burn)
        if coal < 0 or coal >= NUM_BURN:
            return Reason.NOT_ASKED
        least, most = hybrid_mixes(state, board, player, int(state.pending_run))
        return Reason.LEGAL if least <= coal <= most else Reason.R5_4
    if action == PASS:
        return Reason.R5_1_MUST
    run = int(action) - int(board.first_run)
    if run < 0 or run >= NUM_RUN:
        return Reason.NOT_ASKED
    if run >> int(state.num_plants[player]) > 0:
        return Reason.R5_1
    least, most = hybrid_mixes(state, board, player, run)
    return Reason.LEGAL if least <= most else Reason.R5_2


@rule
def apply(state: Any, board: Any, action: int) -> None:
    """Run the plants; the mix of the hybrids is asked only where there is a choice (R5.3)."""
    player = int(state.player)
    if state.decision == Decision.BURN:
        run = int(state.pending_run)
        supply_cities(state, board, player, run, int(action) - int(board.first_burn))
        return
    run = int(action) - int(board.first_run)
    least, most = hybrid_mixes(state, board, player, run)
    if least < most:
        state.pending_run = run
        state.decision = Decision.BURN
    else:
        supply_cities(state, board, player, run, least)


@rule
def supply_cities(state: Any, board: Any, player: int, run: int, hybrid_coal: int) -> None:
    """Burn the tokens, take the income (R5.5, R5.6), go to the next player in order."""
    state.money[player] += board.income[min(cities_of_run(state, board, player, run), len(board.income) - 1)]
    burn_own_fuel(state, board, player, run, hybrid_coal)
    state.pending_run = NO_RUN
    state.decision = Decision.RUN
    state.passed[player] = 1
    position = position_in_order(state, board, player) + 1
    state.player = state.order[position] if position < board.num_players else NOBODY


@rule
def burn_own_fuel(state: Any, board: Any, player: int, run: int, hybrid_coal: int) -> None:
    """Burn what a run needs, `hybrid_coal` of the hybrids' tokens being coal (R5.2, R5.3, R5.5)."""
    burnt_mixed = 0
    for slot in range(state.num_plants[player]):
        if run >> slot & 1:
            plant = state.plants[player, slot]
            kind, burn = int(board.plant_kind[plant]), int(board.plant_burn[plant])
            if kind == PlantKind.HYBRID:
                burnt_mixed += burn
            elif kind < NUM_RESOURCES:
                state.fuel[player, kind] -= burn
                return_tokens(state, board, kind, burn)
    state.fuel[player, Resource.COAL.value] -= hybrid_coal
    return_tokens(state, board, Resource.COAL, hybrid_coal)
    state.fuel[player, Resource.OIL.value] -= burnt_mixed - hybrid_coal
    return_tokens(state, board, Resource.OIL, burnt_mixed - hybrid_coal)


@rule
def is_over(state: Any) -> bool:
    """Everybody has taken the income."""
    return bool(state.player == NOBODY)


@rule
def end(state: Any, board: Any) -> None:
    """Part (c), resupply, and part (d), the plant market."""
    if board.trust:
        trust.return_fuel(state, board)  # RT.23
    resupply(state, board)
    if not state.skip_market_update:  # R6.24
        update_market(state, board)
    state.skip_market_update = 0


@rule
def resupply_step(state: Any, board: Any) -> int:
    """Step whose column of RC.8 is used: the one in force, or as the ruling A19 looks ahead (R6.25)."""
    card_is_next = state.stack_size > 0 and state.stack[0] == STEP_3_CARD
    looks_ahead = board.step3_before_step2_resupply == Step3BeforeStep2Resupply.STEP2
    if looks_ahead and state.step_number == Step.ONE and card_is_next:
        return Step.TWO.value
    return int(state.step_number)


@rule
def resupply_due(state: Any, board: Any, resource: int) -> int:
    """Tokens that RC.8 brings for the Step, whatever supply and row allow (R5.10); no uranium once it stopped (RM.1)."""
    if resource == Resource.URANIUM and state.uranium_stopped:
        return 0
    return int(board.resupply[resupply_step(state, board) - 1, resource])


@rule
def resupply(state: Any, board: Any) -> None:
    """R5.10 to R5.12: tokens from the supply to the track, coal from the storage where there is one (RM.13)."""
    for resource in range(NUM_RESOURCES):
        from_storage = resource == Resource.COAL and board.storage_price > 0
        there = state.storage if from_storage else state.supply[resource]
        room = int(board.tokens[resource]) - int(state.track[resource])
        amount = min(resupply_due(state, board, resource), int(there), room)
        state.track[resource] += amount
        if from_storage:
            state.storage -= amount
        else:
            state.supply[resource] -= amount
