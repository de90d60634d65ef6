"""Chance for compiled bots: a number drawn from the bot's seed and what its player sees, and from nothing else."""

from typing import Any

import numpy as np

from powergrid_env._jit import rule
from powergrid_env.constants import NUM_RESOURCES
from powergrid_env.rng import MASK, scramble


@rule
def mix(word: int, number: int) -> int:
    """A word that depends on `word` and on a whole number; negative ones are taken modulo 2**64."""
    return scramble(int(np.uint64(word) ^ np.uint64((int(number) + 2) & MASK)))


@rule
def position_word(state: Any, board: Any, word: int) -> int:
    """A word for the decision asked: of the bot's seed `word` and of public facts that tell positions apart."""
    player = int(state.player)
    word = mix(word, int(state.round_number) * 256 + int(state.decision) * 16 + player)
    word = mix(word, int(state.money[player]))
    word = mix(word, int(state.auction_plant) * 4096 + int(state.auction_bid))
    word = mix(word, int(state.auction_bidder) * 64 + int(state.new_plant))
    word = mix(word, int(state.pending_run) * 64 + int(state.num_cities[player]))
    for resource in range(NUM_RESOURCES):
        word = mix(word, int(state.track[resource]) * 64 + int(state.fuel[player, resource]))
    for place in range(state.market_size):
        word = mix(word, int(state.market[place]))
    for place in range(board.num_players):
        word = mix(word, int(state.order[place]) * 64 + int(state.num_cities[place]))
    return word
