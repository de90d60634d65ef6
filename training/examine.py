"""A quick look at a learner while it trains: a few games against each bot of its field, and how it bids in them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from powergrid_env import Game, GameConfig
from training import simulate
from training.auctions import Purchase, purchases

if TYPE_CHECKING:
    from agents import Agent
    from agents.learned.policy import NetworkAgent

FIRST_SEED = 1 << 41  # of the games, the same at each look, so that curves are of one make


def examine(
    learner: "NetworkAgent", opponents: Sequence["Agent"], config: GameConfig, games: int
) -> dict[str, float]:
    """Scalars by name: win share against each opponent, and the learner's auctions.

    Args:
        learner: in one seat of each game, in all seats in turn.
        opponents: one kind at a time has all other seats.
        config: what is played.
        games: per opponent.
    """
    config = replace(config, skip_forced=False)  # else bids without an alternative are not in the record
    scalars = {}
    played: list[Game] = []
    for opponent in opponents:
        fresh = [Game(config, seed=FIRST_SEED + number) for number in range(games)]
        line_up = [learner, *[opponent] * (config.players - 1)]
        finished = simulate.play(fresh, line_up, seed=0)
        scalars[f"examination/win_share_{opponent.name}"] = float(
            np.mean([_share(game, learner.name) for game in finished])
        )
        played += finished
    return scalars | _auctions(played, learner.name)


def _share(game: Game, name: str) -> float:
    """A player's share of the win."""
    result = game.result()
    return sum(game.names[seat] == name for seat in result.winners) / max(1, len(result.winners))


def _auctions(games: Sequence[Game], name: str) -> dict[str, float]:
    """What the learner bought."""
    bought: list[Purchase] = [
        sold for game in games for sold in purchases(game) if game.names[sold.seat] == name
    ]
    over = [sold.price - sold.minimum for sold in bought]
    return {
        "auction/plants_per_game": len(bought) / len(games),
        "auction/price_over_minimum": float(np.mean(over)) if over else 0.0,
        "auction/bought_above_minimum": float(np.mean([extra > 0 for extra in over])) if over else 0.0,
        "auction/mean_plant_number": float(np.mean([sold.plant for sold in bought])) if bought else 0.0,
    }
