"""What bidders paid: the plants bought in a game."""

from dataclasses import dataclass

from powergrid_env import Game
from powergrid_env.constants import FIRST_BID, NOBODY, PASS
from powergrid_env.record import walk
from powergrid_env.rules.auction import least_bid, minimum_bid


@dataclass(frozen=True)
class Purchase:
    """One plant sold.

    Attributes:
        seat: of the buyer.
        plant: number.
        price, minimum: Elektro paid, and the least that could have been bid (R2.5).
    """

    seat: int
    plant: int
    price: int
    minimum: int


def purchases(game: Game) -> list[Purchase]:
    """The plants bought in a game, in the order of the auctions.

    In a game with `skip_forced` bids that had no other answer are hidden; play it without.
    """
    sold = []
    standing: Purchase | None = None  # the bid that stands
    minimum = 0
    for at, action in walk(game):
        state = at.state
        if standing is not None and state.auction_plant != standing.plant:
            sold.append(standing)
            standing = None
        if at.decision == "bid" and action != PASS:
            plant = int(state.auction_plant)
            if state.auction_bidder == NOBODY:
                minimum = int(minimum_bid(state, plant))
            price = int(least_bid(state)) + int(at.board.record.raises[action - FIRST_BID])
            standing = Purchase(int(state.player), plant, price, minimum)
    return sold
