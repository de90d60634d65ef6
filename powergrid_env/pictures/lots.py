"""Lots: the bids of an auction in their order; they stand in the decisions of a game, not in its state."""

from powergrid_env.constants import NOBODY, Decision
from powergrid_env.game import Game
from powergrid_env.pictures.scene import Lot, Scene, scene
from powergrid_env.record import walk
from powergrid_env.render import VERBS

OUT = 0
"""Elektro of one who drops out."""


def _offer(seat: int, words: str) -> list[int]:
    return [seat, OUT if words == "pass" else int(words.removeprefix("bid "))]


def follow(lot: Lot | None, words: str, seat: int, before: Scene, after: Scene) -> Lot | None:
    """The lot after a decision: a new one, the old one with a bid more, the one just sold, or none.

    Args:
        lot: before the decision.
        words: the decision.
        seat: who decided.
        before: the scene before the decision.
        after: the scene after it, with the lot as `scene` finds it by itself.
    """
    running = after["lot"]
    if before["asks"] == VERBS[Decision.BID] and lot is not None:
        bids = [*lot["bids"], _offer(seat, words)]
        if running is not None:
            return Lot(**{**running, "bids": bids})
        winner, price = [bid for bid in bids if bid[1] != OUT][-1]
        return Lot(**{**lot, "bids": bids, "bidding": [winner], "sold": winner, "price": price})
    if running is not None:
        return running
    is_same_phase = after["phase"] == before["phase"] and after["round"] == before["round"]
    return lot if is_same_phase and words != "pass" else None


def scene_with_bids(game: Game) -> Scene:
    """The scene of a game, the running auction with all its bids."""
    seen = scene(game)
    if seen["lot"] is None:
        return seen
    bids: list[list[int]] = []
    for past, action in walk(game):
        if past.decision == "choose":
            bids = []
        elif past.decision == "bid" and past.player is not None:
            if not bids and past.state.auction_bidder != NOBODY:  # an opening bid that nobody was asked for
                bids = [[int(past.state.auction_bidder), int(past.state.auction_bid)]]
            bids.append(_offer(past.player, past.words(action)))
    if bids:  # none yet: what the state tells is all
        seen["lot"] = Lot(**{**seen["lot"], "bids": bids})
    return seen
