"""Dealing the hidden cards anew, playing a copy of a game to its end, and what that end is worth."""

from typing import Any

from agents.scripted import balanced
from agents.scripted.chance import mix
from agents.scripted.settings import GREED, RESERVE
from powergrid_env import engine, hidden
from powergrid_env._jit import rule
from powergrid_env.constants import Phase
from powergrid_env.rewards import margin, win_shares
from powergrid_env.rng import below

WIN_WEIGHT = 0.7  # of a win against the margin in supplied cities, which tells more after few games
MARGIN_SCALE = 12.0  # cities from the lowest to the highest margin that counts


@rule
def play(state: Any, board: Any, action: int) -> None:
    """Play a legal action."""
    engine.apply(state, board, action)
    if board.skip_forced:
        engine.play_forced(state, board)


@rule
def deal(state: Any, board: Any, player: int, word: int, settings: Any, styles: Any) -> None:
    """Deal what `player` cannot know anew, and draw how each seat values plants and money in this playout.

    `styles` `(P, S)` float64 is filled with `settings` `(S,)`, greed and reserve a little changed for each seat.
    """
    hidden.redeterminise(state, board, player, word)
    for seat in range(len(styles)):
        for place in range(len(settings)):
            styles[seat, place] = settings[place]
        word = mix(word, seat)
        styles[seat, GREED] *= 0.8 + 0.4 * below(word, 101) / 100
        word = mix(word, seat)
        styles[seat, RESERVE] += below(word, 11)


@rule
def play_out(state: Any, board: Any, styles: Any) -> None:
    """Play on with `balanced` in all seats until the game is over."""
    while state.phase != Phase.OVER:
        play(state, board, balanced.decide(state, board, styles[int(state.player)]))


@rule
def fill_values(state: Any, board: Any, values: Any) -> None:
    """What a game that is over is worth to each seat, 0 to 1, into `values` `(P,)` float64."""
    win_shares(state, board, values)
    for seat in range(board.num_players):
        ahead = min(0.5, max(-0.5, margin(state, board, seat) / MARGIN_SCALE))
        values[seat] = WIN_WEIGHT * values[seat] + (1 - WIN_WEIGHT) * (0.5 + ahead)
