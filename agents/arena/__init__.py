"""The arena: tournaments in blocks of one deck and all seats, one table of results, and what follows from it.

>>> from agents import arena
>>> results = arena.tournament(["balanced", "face_value", "random"], config, games=60, seed=1)  # doctest: +SKIP
>>> arena.standings(results)  # doctest: +SKIP
"""

from agents.arena.play import tournament
from agents.arena.results import read_results, write_results
from agents.arena.statistics import paired_differences, pairwise, seat_shares, standings

__all__ = [
    "paired_differences",
    "pairwise",
    "read_results",
    "seat_shares",
    "standings",
    "tournament",
    "write_results",
]
