"""What the environments share: spaces, a learner's seat and move, the info at the end, and rendering."""

import sys
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from powergrid_env.board import Board
from powergrid_env.game import Game
from powergrid_env.layout import observation_size
from powergrid_env.notation import IllegalAction
from powergrid_env.pictures import rgb_array
from powergrid_env.render import render_ansi

Observation = dict[str, npt.NDArray[Any]]
"""`observation` `(D,)` float32 in [0, 1] and `action_mask` `(A,)` int8, 1 where an action is legal."""

Rendered = str | npt.NDArray[np.uint8] | None
"""Text, pixels `(H, W, 3)` uint8, or nothing where the text was printed."""

ILLEGAL_ACTION = ("terminate", "noop", "raise")
"""What an illegal action does: ends the game at -1 for who chose it, nothing at all, or raises IllegalAction."""
ILLEGAL_REWARD = -1.0
RENDER_MODES = ("ansi", "human", "rgb_array")
METADATA = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def observation_space(board: Board) -> spaces.Dict:
    """Space of an `Observation`."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (observation_size(board),), np.float32),
            "action_mask": spaces.Box(0, 1, (num_actions(board),), np.int8),
        }
    )


def action_space(board: Board) -> spaces.Discrete[np.int64]:
    """Action ids, see actions.py."""
    return spaces.Discrete(num_actions(board))


def num_actions(board: Board) -> int:
    """Rows of the action table `A`."""
    return int(board.record.num_actions)


def check_seat(learner_seat: Any, num_players: int) -> int | None:
    """The learner's seat, None for "random".

    Raises:
        ValueError: neither; names what was given and what is allowed.
    """
    if isinstance(learner_seat, str) and learner_seat == "random":
        return None
    is_whole = isinstance(learner_seat, (int, np.integer)) and not isinstance(learner_seat, bool)
    if not is_whole or not 0 <= learner_seat < num_players:
        raise ValueError(f"learner_seat is {learner_seat!r}; allowed: random, 0 to {num_players - 1}")
    return int(learner_seat)


def play(game: Game, action: Any, space: spaces.Discrete[np.int64], illegal_action: str) -> bool:
    """Play an action id; False when it is illegal and the environment has to answer that, the game being untouched.

    Raises:
        IllegalAction: it is illegal and `illegal_action` is "raise", or it is no action id at all.
    """
    if isinstance(action, str):
        raise IllegalAction(f"action is {action!r}; allowed: an action id (int)")
    try:
        game.play(action)
    except IllegalAction:
        is_action_id = space.contains(action) and not isinstance(action, bool)
        if illegal_action == "raise" or not is_action_id:
            raise
        return False
    return True


def end_info(game: Game, illegal_actions: int) -> dict[str, Any]:
    """What an info holds at the end besides the mask, which is all 0 then.

    `result` is `game.result()`, left out when an illegal action ended the game (Gymnasium's vector infos cannot hold
    a dictionary for one game and None for another); `illegal_actions` is how many this player chose;
    `truncation_reason` is "max_rounds", or None when the rules or an illegal action ended the game.
    """
    result = game.result()
    info = {
        "action_mask": np.zeros(num_actions(game.board), np.int8),
        "illegal_actions": illegal_actions,
        "truncation_reason": result.reason if result and result.truncated else None,
    }
    return info if result is None else {**info, "result": result}


def render(game: Game, mode: str | None) -> Rendered:
    """The board as text, printed when the mode is "human", or as pixels; without a mode a warning, as Gymnasium wants.

    Raises:
        ImportError: the mode is "rgb_array" and the extra `pictures` is not installed.
    """
    if mode == "human":
        sys.stdout.write(render_ansi(game) + "\n")
        return None
    if mode == "ansi":
        return render_ansi(game)
    if mode == "rgb_array":
        return rgb_array(game)
    gymnasium.logger.warn(
        "render() has nothing to do: no render_mode was given when the environment was made"
    )
    return None
