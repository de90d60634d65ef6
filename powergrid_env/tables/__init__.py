"""Games as tidy tables (extra `tables`): one row per bid, lot, purchase, house, income and standing.

>>> from powergrid_env import Game
>>> from powergrid_env.tables import Played, frames
>>> game = Game(players=3, seed=7).play(1)
>>> sorted(frames([Played.of(game)]))[:3]
['bids', 'builds', 'fuel_buys']
"""

from powergrid_env.tables.files import FORMATS, TableWriter, read_records, write
from powergrid_env.tables.frames import TABLES, TRUST_SEAT, frames
from powergrid_env.tables.log import Played

__all__ = ["FORMATS", "TABLES", "TRUST_SEAT", "Played", "TableWriter", "frames", "read_records", "write"]
