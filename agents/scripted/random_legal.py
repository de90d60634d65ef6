"""`random`: every legal action is as likely as any other."""

from typing import Any

from agents.scripted.base import ScriptedAgent
from agents.scripted.chance import position_word
from powergrid_env._jit import rule
from powergrid_env.actions import block_of
from powergrid_env.constants import PASS
from powergrid_env.engine import verify
from powergrid_env.reasons import Reason
from powergrid_env.rng import below


@rule
def nth_legal(state: Any, board: Any, skip: int) -> tuple[int, int]:
    """The legal action after `skip` others (-1 if there are fewer), and how many were passed by on the way."""
    seen = 0
    if verify(state, board, PASS) == Reason.LEGAL:
        if skip == 0:
            return PASS, 0
        seen = 1
    first, behind = block_of(board, int(state.decision))
    for action in range(first, behind):
        if verify(state, board, action) == Reason.LEGAL:
            if seen == skip:
                return action, seen
            seen += 1
    return -1, seen


@rule
def decide(state: Any, board: Any, word: int) -> int:
    """One of the legal actions, drawn evenly."""
    _, legal = nth_legal(state, board, int(board.num_actions))
    action, _ = nth_legal(state, board, below(word, legal))
    return action


@rule(seconds=5)
def act_all(states: Any, boards: Any, lanes: Any, settings: Any, word: int, actions: Any) -> None:
    """Decide in every lane."""
    board = boards[0]
    for index in range(len(lanes)):
        state = states[lanes[index]]
        actions[index] = decide(state, board, position_word(state, board, word))


class RandomAgent(ScriptedAgent):
    """Draws evenly from the legal actions."""

    bot = "random"
    act_all = act_all
