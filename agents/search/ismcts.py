"""`ismcts`: information-set Monte Carlo tree search (single observer, UCB1, progressive widening).

The hidden cards are dealt anew before every simulation, so a node stands for all deals that its moves fit; the n-th visit
of every move at the root meets the same deal, which makes the moves comparable early. Each player maximises the own worth of
the end. Below the root the move of `balanced` comes first, others as visits grow; beyond the tree `balanced` plays on.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from agents.base import Actions
from agents.scripted.base import Parameter
from agents.scripted.chance import mix
from agents.search.base import BUDGET, SearchAgent
from agents.search.moves import MAX_MOVES, fill_moves
from agents.search.playout import deal, fill_values, play, play_out
from powergrid_env._jit import rule
from powergrid_env.constants import MAX_PLAYERS, Phase

if TYPE_CHECKING:
    from powergrid_env.batch import GameBatch

MAX_NODES = 20000
PER_CALL = 8  # simulations between two looks at the clock
WIDEN = 10  # visits of a node below the root for its second move; 4 times as many for the third, and so on
NODE_DTYPE = np.dtype(
    [
        ("action", np.int32),  # move that leads here
        ("player", np.int32),  # who makes it
        ("parent", np.int32),
        ("child", np.int32),  # first child, -1 none
        ("sibling", np.int32),  # next child of the parent, -1 none
        ("visits", np.float64),
        ("chances", np.float64),  # times it could have been chosen
        ("worth", np.float64),  # sum of the ends' worth to `player`
    ],
    align=True,
)


@rule
def find_child(tree: Any, node: int, action: int) -> int:
    """Child of a node by a move, -1 without one."""
    child = int(tree[node].child)
    while child >= 0 and tree[child].action != action:
        child = int(tree[child].sibling)
    return child


@rule
def add_child(tree: Any, size: int, node: int, action: int, player: int) -> int:
    """A new child; its row."""
    new = tree[size]
    new.action, new.player, new.parent = action, player, node
    new.child, new.sibling = -1, tree[node].child
    new.visits = new.chances = new.worth = 0.0
    tree[node].child = size
    return size


@rule
def may_widen(tree: Any, node: int, tried: int) -> bool:
    """May a node get one more child: at the root at once, below it as the square root of its visits grows."""
    return node == 0 or WIDEN * tried * tried <= tree[node].visits


@rule
def select(tree: Any, node: int, moves: Any, count: int, explore: float) -> tuple[int, int]:
    """Row of the child to go on with, or -1 and the place of the move to try first."""
    tried, best, best_score, untried = 0, -1, -1.0, -1
    for place in range(count):
        child = find_child(tree, node, moves[place])
        if child < 0:
            if untried < 0:
                untried = place
            continue
        tried += 1
        tree[child].chances += 1
        score = tree[child].worth / tree[child].visits
        score += explore * np.sqrt(np.log(tree[child].chances) / tree[child].visits)
        if score > best_score:
            best, best_score = child, score
    if untried >= 0 and may_widen(tree, node, tried):
        return -1, untried
    return best, -1


@rule(seconds=40)
def grow(
    states: Any,
    boards: Any,
    lane: int,
    scratch: Any,
    settings: Any,
    styles: Any,
    word: Any,
    root_moves: Any,
    explore: float,
    tree: Any,
    size: int,
) -> int:
    """PER_CALL simulations from row 0 of `tree`, which has `size` rows; returns its new size."""
    board = boards[0]
    moves = np.zeros(MAX_MOVES, np.int64)
    ends = np.zeros(MAX_PLAYERS, np.float64)
    root_player = int(states[lane].player)
    for _ in range(PER_CALL):
        node, untried = select(tree, 0, root_moves, len(root_moves), explore)
        if node < 0:
            node = add_child(tree, size, 0, root_moves[untried], root_player)
            tree[node].chances = 1.0
            size += 1
        scratch[0] = states[lane]
        state = scratch[0]
        deal(state, board, root_player, mix(word, int(tree[node].visits)), settings, styles)
        play(state, board, tree[node].action)
        while state.phase != Phase.OVER:
            player = int(state.player)
            count = fill_moves(state, board, styles[player], moves)
            if count == 1:
                play(state, board, moves[0])
                continue
            child, untried = select(tree, node, moves, count, explore)
            if child >= 0:
                play(state, board, tree[child].action)
                node = child
                continue
            if size < len(tree):
                node = add_child(tree, size, node, moves[untried], player)
                tree[node].chances = 1.0
                size += 1
            play(state, board, moves[untried])
            break
        play_out(state, board, styles)
        fill_values(state, board, ends)
        while node >= 0:
            tree[node].visits += 1
            if node > 0:
                tree[node].worth += ends[tree[node].player]
            node = int(tree[node].parent)
    return size


class IsmctsAgent(SearchAgent):
    """Plays the move that was visited most."""

    bot = "ismcts"
    parameters = (*BUDGET, Parameter("explore", 0.25, 0, 5, "weight of moves that were tried less"))

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self.tree = np.zeros(MAX_NODES, NODE_DTYPE).view(np.recarray)

    def start(self, moves: Actions) -> None:
        """A tree of its root alone."""
        self.tree[0] = 0
        self.tree[0].parent = self.tree[0].child = self.tree[0].sibling = -1
        self.size = 1

    def simulate(self, batch: "GameBatch", lane: int, moves: Actions, word: np.uint64, done: int) -> int:
        """PER_CALL more simulations."""
        explore = self.setting("explore")
        where = (batch.states, batch.board.records, lane, self.scratch, self.style, self.styles)
        self.size = grow(*where, word, moves, explore, self.tree, self.size)
        return PER_CALL

    def best(self, moves: Actions) -> int:
        """The most visited move; among equals the one of more worth."""
        best, best_score = int(moves[0]), (-1.0, 0.0)
        child = int(self.tree[0].child)
        while child >= 0:
            row = self.tree[child]
            if (row.visits, row.worth) > best_score:
                best, best_score = int(row.action), (row.visits, row.worth)
            child = int(row.sibling)
        return best
