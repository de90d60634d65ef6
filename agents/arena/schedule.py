"""Who plays whom, where and with which cards: line-ups, blocks and seat arrangements.

A block is one line-up and one game seed (deck, zone, first order), played once in every seat arrangement of a balanced
set, so that seats, neighbours and luck fall on all alike.
"""

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

ALL_ORDERS_UP_TO = 4  # players for which every order of a line-up is played


@dataclass(frozen=True)
class Block:
    """One line-up with one deck.

    Attributes:
        number: place in the tournament, from 0.
        game_seed: seed of all its games.
        seats: one tuple per game: the entrant (row of the tournament's list of agents) in each seat.
    """

    number: int
    game_seed: int
    seats: tuple[tuple[int, ...], ...]


def line_ups(entrants: int, players: int) -> list[tuple[int, ...]]:
    """Every choice of entrants for the seats of a game.

    With as many entrants as seats or more, nobody sits twice; with fewer, all sit as equally often as can be.

    >>> line_ups(2, 3)
    [(0, 0, 1), (0, 1, 1)]
    """
    if entrants >= players:
        return list(combinations(range(entrants), players))
    times, rest = divmod(players, entrants)
    return [
        tuple(sorted([*range(entrants)] * times + [*extra])) for extra in combinations(range(entrants), rest)
    ]


def arrangements(line_up: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Seat orders in which everybody sits everywhere and follows everybody equally often; each once.

    Up to 4 players all orders, above Williams's Latin squares.

    >>> arrangements((0, 0, 1))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    players = len(line_up)
    rows = permutations(range(players)) if players <= ALL_ORDERS_UP_TO else williams(players)
    return list(dict.fromkeys(tuple(line_up[place] for place in row) for row in rows))


def williams(size: int) -> list[tuple[int, ...]]:
    """Latin square in which every ordered pair of neighbours comes equally often: `size` rows, twice that for odd sizes.

    >>> williams(4)
    [(0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 3, 0), (3, 2, 0, 1)]
    """
    first = [place // 2 if place % 2 == 0 else -(place + 1) // 2 for place in range(size)]
    rows = [tuple((entry + shift) % size for entry in first) for shift in range(size)]
    return rows if size % 2 == 0 else rows + [row[::-1] for row in rows]


def blocks(names: list[str], players: int, games: int, seed: int) -> list[Block]:
    """Blocks of at least so many games, line-ups taking turns; a prefix of the same for more games.

    Entrants of the same name are one and the same: with `["a", "b", "b"]` a block of three players has three games.
    """
    chosen = [tuple(names.index(names[entrant]) for entrant in row) for row in line_ups(len(names), players)]
    choices = [arrangements(line_up) for line_up in dict.fromkeys(chosen)]
    made: list[Block] = []
    played = 0
    while played < games:
        number = len(made)
        word = np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0]
        seats = choices[number % len(choices)]
        made.append(Block(number, int(word >> np.uint64(1)), tuple(seats)))
        played += len(seats)
    return made
