"""What the end of a game pays each seat, and a potential for those who shape rewards."""

from typing import Any

from powergrid_env._jit import rule
from powergrid_env.constants import EndReason, Phase, Reward
from powergrid_env.rules.facts import cities_of_run
from powergrid_env.rules.steps import is_better, rank

__all__ = ["potential"]

MARGIN_SCALE = 20  # supplied cities that one unit of the reward `margin` stands for


@rule
def is_decided(state: Any) -> bool:
    """Did the game end by the rules (R7.1)? Only then something is paid; a truncated game pays 0 (R7.4)."""
    return bool(state.end_reason == EndReason.CITIES)


@rule
def win_shares(state: Any, board: Any, out: Any) -> None:
    """Set `out` `(P,)` float to each seat's share of the win.

    The shares sum to 1, and seats that R7.3 leaves tied for the first place have equal ones (A20). All are 0 while the
    game runs and when it was truncated.
    """
    winners = 0
    for player in range(len(out)):
        out[player] = 0
        if player < board.num_players and is_decided(state) and rank(state, board, player) == 1:
            out[player] = 1
            winners += 1
    for player in range(board.num_players):
        if winners > 1:
            out[player] /= winners


@rule
def fill_rewards(state: Any, board: Any, out: Any) -> None:
    """Set `out` `(P,)` float32 to what the end of the game pays by `board.reward`; all 0 unless R7.1 ended it.

    With `n` players:

    * `win`: (n * share - 1) / (n - 1) for a share of the win (`win_shares`): 1 for a sole winner, -1/(n-1) for a loser.
    * `rank`: 1 for the first place by R7.3, -1 for the last, even steps between; tied seats share the places they take
      up, so two tied for the first of three places get (1 + 0) / 2 each.
    * `margin`: own supplied cities minus the most of any other seat, / 20.

    `win` and `rank` sum to 0 over the seats.
    """
    win_shares(state, board, out)
    if not is_decided(state):
        return
    others = int(board.num_players) - 1
    for player in range(board.num_players):
        if board.reward == Reward.WIN:
            out[player] = (board.num_players * out[player] - 1) / others
        elif board.reward == Reward.RANK:
            out[player] = 1 - 2 * mean_place(state, board, player) / others
        else:
            out[player] = margin(state, board, player) / MARGIN_SCALE


@rule
def mean_place(state: Any, board: Any, player: int) -> float:
    """Mean of the places, from 0, that a seat shares with those tied with it (R7.3)."""
    place = 0.0
    for other in range(board.num_players):
        if is_better(state, board, other, player):
            place += 1
        elif other != player and not is_better(state, board, player, other):
            place += 0.5
    return place


@rule
def margin(state: Any, board: Any, player: int) -> int:
    """Supplied cities minus the most that any other seat supplies (R7.2)."""
    best = 0
    for other in range(board.num_players):
        if other != player:
            best = max(best, int(state.supplied[other]))
    return int(state.supplied[player]) - best


@rule
def potential(state: Any, board: Any, player: int) -> float:
    """How far seat `player` has come in `state`, 0 to 1: cities that plants and network could supply, of those that end the game.

    `state` and `board` are records, such as `game.state` and `game.board.record`.

    For shaping, which nothing here switches on: whoever trains adds `discount * potential(next) - potential(now)` to a
    reward. It is 0 at the start and again when the game is over, so with discount 1 the sum of what is added over a game
    is 0, and the best policy stays the best.
    """
    if state.phase == Phase.OVER:
        return 0.0
    all_plants = (1 << int(state.num_plants[player])) - 1
    return min(1.0, cities_of_run(state, board, player, all_plants) / int(board.end_cities))
