"""R2.30-R2.33: the plant limit, inside an acquisition (R2.13). Decisions `scrap` and `give_up`."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import HYBRID_ROOM, NOBODY, NUM_GIVE_UP, NUM_SCRAP, PASS, Decision, Resource
from powergrid_env.reasons import Reason
from powergrid_env.rules.facts import refresh_fuel_capacity, return_tokens, take_out
from powergrid_env.rulings import ScrapFuel


@rule
def verify(state: Any, board: Any, action: int) -> int:
    """The rule that forbids the action, 0 when it is legal."""
    if state.decision == Decision.SCRAP:
        return verify_scrap(state, board, action)
    return verify_give_up(state, board, action)


@rule
def apply(state: Any, board: Any, action: int) -> bool:
    """Scrap a plant or give up a token; True when nothing is left to settle."""
    if state.decision == Decision.SCRAP:
        scrap(state, board, action)
    elif action == PASS:
        return True
    else:
        give_up(state, board, int(state.player), int(action) - int(board.first_give_up))
    return is_fuel_settled(state, board)


@rule
def slot_of_old_plant(state: Any, player: int, place: int) -> int:
    """Slot of the `place`-th plant besides the new one (R2.30)."""
    for slot in range(state.num_plants[player]):
        if state.plants[player, slot] == state.new_plant:
            continue
        if place == 0:
            return slot
        place -= 1
    return NOBODY


@rule
def verify_scrap(state: Any, board: Any, action: int) -> int:
    """R2.30: one of the other plants must go, the new one may not."""
    if action == PASS:
        return Reason.R2_30_MUST
    place = int(action) - int(board.first_scrap)
    if place < 0 or place >= NUM_SCRAP:
        return Reason.NOT_ASKED
    return Reason.R2_30 if place >= state.num_plants[state.player] - 1 else Reason.LEGAL


@rule
def scrap(state: Any, board: Any, action: int) -> None:
    """The plant leaves the game; tokens that cannot be stored go to the supply (R2.31)."""
    player = int(state.player)
    slot = slot_of_old_plant(state, player, int(action) - int(board.first_scrap))
    room_before = int(
        state.fuel_capacity[player, Resource.COAL.value] + state.fuel_capacity[player, Resource.OIL.value]
    )
    room_before += int(state.fuel_capacity[player, HYBRID_ROOM])
    take_out(state.plants[player], int(state.num_plants[player]), slot)
    state.num_plants[player] -= 1
    refresh_fuel_capacity(state, board, player)
    room = state.fuel_capacity[player]
    if board.scrap_fuel == ScrapFuel.CHOOSE:
        room_after = int(room[Resource.COAL.value] + room[Resource.OIL.value] + room[HYBRID_ROOM])
        state.give_up_left = room_before - room_after
    for resource in range(Resource.GARBAGE, Resource.URANIUM + 1):
        lost = int(state.fuel[player, resource]) - int(room[resource])
        if lost > 0:
            state.fuel[player, resource] -= lost
            return_tokens(state, board, resource, lost)


@rule
def overflow(state: Any, player: int) -> tuple[int, int, int]:
    """Coal and oil beyond the pure plants, and how many of them do not fit on the hybrids (R3.4)."""
    room = state.fuel_capacity[player]
    coal = max(0, int(state.fuel[player, Resource.COAL.value]) - int(room[Resource.COAL.value]))
    oil = max(0, int(state.fuel[player, Resource.OIL.value]) - int(room[Resource.OIL.value]))
    return coal, oil, max(0, coal + oil - int(room[HYBRID_ROOM]))


@rule
def give_up(state: Any, board: Any, player: int, resource: int) -> None:
    """One token goes to the supply (R2.31)."""
    state.fuel[player, resource] -= 1
    return_tokens(state, board, resource, 1)
    state.give_up_left = max(0, int(state.give_up_left) - 1)


@rule
def is_fuel_settled(state: Any, board: Any) -> bool:
    """R2.32: give up what does not fit; ask only where coal and oil compete for hybrid room (A10)."""
    player = int(state.player)
    coal, oil, lost = overflow(state, player)
    while lost > 0 and (coal == 0 or oil == 0 or lost == coal + oil):
        give_up(state, board, player, Resource.COAL.value if coal > 0 else Resource.OIL.value)
        coal, oil, lost = overflow(state, player)
    may_choose = (
        state.give_up_left > 0
        and state.fuel[player, Resource.COAL.value] + state.fuel[player, Resource.OIL.value] > 0
    )
    if lost > 0 or may_choose:
        state.decision = Decision.GIVE_UP
        return False
    return True


@rule
def verify_give_up(state: Any, board: Any, action: int) -> int:
    """R2.32: coal or oil that competes for hybrid room; with scrap_fuel = choose any coal or oil, or no more."""
    player = int(state.player)
    coal, oil, lost = overflow(state, player)
    if action == PASS:
        return Reason.R2_32_MUST if lost > 0 else Reason.LEGAL
    resource = int(action) - int(board.first_give_up)
    if resource < 0 or resource >= NUM_GIVE_UP:
        return Reason.NOT_ASKED
    competing = coal if resource == Resource.COAL else oil
    owned = int(state.fuel[player, resource])
    return Reason.LEGAL if (competing if lost > 0 else owned) > 0 else Reason.R2_32
