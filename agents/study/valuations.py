"""The table `valuations`: what each lot of some games was worth to each of its bidders, by rollouts."""

from collections.abc import Iterable

import pandas as pd

from agents.study.lot_value import lot_value
from powergrid_env import Game
from powergrid_env.record import walk
from powergrid_env.rules import auction

COLUMNS = ["game_id", "lot_id", "player", "plant", "value", "low", "high", "capped", "without"]


def valuations(
    games: Iterable[Game], reference: str = "balanced", rollouts: int = 64, seed: int = 0
) -> pd.DataFrame:
    """One row per lot and bidder who could pay the minimum, as it stood when the lot was opened.

    Args:
        games: whole or unfinished; `game_id` is their place.
        reference: bot of the rollouts.
        rollouts: games per price.
        seed: of the rollouts.
    """
    rows = []
    for game_id, game in enumerate(games):
        lot_id = -1
        for past, action in walk(game):
            words = past.words(action)
            if not words.startswith("nominate"):
                continue
            lot_id += 1
            plant = int(words.split()[1])
            for player in range(game.config.players):
                least = auction.minimum_bid(past.state, plant)
                if not auction.takes_part(past.state, player) or least > past.state.money[player]:
                    continue
                opened = past.clone().play(action) if player != past.player else past
                at = None if opened is not past else plant
                found = lot_value(opened, player, at, None, reference, rollouts, seed)
                rows.append(
                    (
                        game_id,
                        lot_id,
                        player,
                        plant,
                        found.value,
                        found.low,
                        found.high,
                        found.capped,
                        found.without,
                    )
                )
    return pd.DataFrame(rows, columns=COLUMNS)
