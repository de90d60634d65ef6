"""What a lot is worth to a player: win chance if bought at a price against if not, by rollouts of reference bots.

The value of a lot to player i is the price b at which i wins the game as often with the plant bought at b as without
it. Both are played on by the reference bot from the same positions: rollout r deals what i cannot know by the same
numbers for every price (common random numbers), so that differences are far better known than the chances themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import optimize, stats

from agents.arena.statistics import share_with_interval
from agents.registry import make
from powergrid_env import Game, GameBatch, rewards
from powergrid_env.constants import NOBODY
from powergrid_env.rules import auction

LEVEL = 0.95
RESAMPLES = 1000
NUM_PRICES = 9


@dataclass(frozen=True)
class LotValue:
    """What rollouts say of a lot.

    Attributes:
        plant: its number.
        player: seat that values it.
        chances: one row per price: `price` (Elektro), `win_share` if bought, and `gain` over not buying, each with its
            interval (`*_low`, `*_high`).
        without: win share if the player does not buy it.
        value: price in Elektro at which the gain is 0, within the prices tried; `low` and `high` its interval.
        capped: True when buying is still no loss at the dearest price tried: the value is at least that.
        rollouts: games per price.
    """

    plant: int
    player: int
    chances: pd.DataFrame
    without: float
    value: float
    low: float
    high: float
    capped: bool
    rollouts: int


def lot_value(
    game: Game,
    player: int | None = None,
    plant: int | None = None,
    prices: Sequence[int] | None = None,
    reference: str = "balanced",
    rollouts: int = 200,
    seed: int = 0,
) -> LotValue:
    """The value of the lot under the hammer, or of a plant that may be nominated now.

    Not buying means: while an auction runs, the player drops out and the others go on; at a choice, the player passes
    it, or nominates the cheapest other plant where passing is not allowed (R2.4).

    Args:
        game: in phase 2, at a bid or at a choice.
        player: seat, by default the one to act.
        plant: at a choice, the plant of the current market to value.
        prices: Elektro, by default spread from the least bid to the player's cash.
        reference: bot that plays all seats from then on.
        rollouts: games per price, and for not buying.
        seed: of the rollouts.

    Raises:
        ValueError: not in an auction, a seat that takes no part, a plant or a price that cannot be.
    """
    seat, number, least = _lot(game, player, plant)
    cash = int(game.state.money[seat])
    tried = _prices(prices, least, cash)
    if rollouts < 2:
        raise ValueError(f"rollouts is {rollouts}; allowed: at least 2")
    words = np.random.SeedSequence(seed).generate_state(rollouts, np.uint64) >> np.uint64(1)
    deals = [game.redeterminise(seat, int(word)) for word in words]
    starts = [_bought(deal, seat, number, price) for price in tried for deal in deals]
    starts += [_not_bought(deal, seat, number) for deal in deals]
    shares = _play_out(starts, reference, seed, seat).reshape(len(tried) + 1, rollouts)
    gains = shares[:-1] - shares[-1]
    value, capped = _crossing(tried, gains.mean(axis=1))
    random = np.random.default_rng(seed)
    drawn = random.integers(0, rollouts, (RESAMPLES, rollouts))
    values = [_crossing(tried, gains[:, picks].mean(axis=1))[0] for picks in drawn]
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    table = pd.DataFrame({"price": tried, **_chances(shares[:-1]), **_gains(gains)})
    return LotValue(
        number, seat, table, float(shares[-1].mean()), value, float(low), float(high), capped, rollouts
    )


def _lot(game: Game, player: int | None, plant: int | None) -> tuple[int, int, int]:
    """Seat, plant and least price of the lot asked for."""
    state = game.state
    if game.decision not in ("bid", "choose"):
        raise ValueError(f"the position asks for {game.decision!r}; allowed: a bid or a choice in phase 2")
    seat = game.player if player is None else player
    taking_part = [p for p in range(game.config.players) if auction.takes_part(state, p)]
    if game.decision == "bid":
        taking_part = [p for p in taking_part if state.bidding[p]]
        if plant not in (None, int(state.auction_plant)):
            raise ValueError(
                f"plant is {plant}; allowed: {int(state.auction_plant)}, which is under the hammer"
            )
        number, least = int(state.auction_plant), int(auction.least_bid(state))
    else:
        offers = [int(action) for action in game.legal_actions() if game.words(action).startswith("nominate")]
        plants = [int(game.words(action).split()[1]) for action in offers]
        if plant not in plants:
            raise ValueError(f"plant is {plant}; allowed: {', '.join(map(str, plants)) or 'none'}")
        number, least = int(plant), int(auction.minimum_bid(state, plant))
    if seat not in taking_part:
        raise ValueError(f"player is {seat}; allowed: {', '.join(map(str, taking_part))}, who take part")
    if seat == state.auction_bidder:
        raise ValueError(
            f"player is {seat}, whose bid stands and binds; allowed: those who may still bid (R2.7)"
        )
    if least > state.money[seat]:
        raise ValueError(
            f"player {seat} owns {int(state.money[seat])} Elektro; the plant costs at least {least}"
        )
    return int(seat), number, least


def _prices(prices: Sequence[int] | None, least: int, cash: int) -> list[int]:
    if prices is None:
        return sorted({round(price) for price in np.linspace(least, cash, NUM_PRICES)})
    wrong = [price for price in prices if not least <= price <= cash]
    if wrong or not prices:
        raise ValueError(f"prices has {wrong or 'no entry'}; allowed: {least} to {cash} Elektro")
    return sorted(set(prices))


def _bought(game: Game, seat: int, plant: int, price: int) -> Game:
    """The game after `seat` has won the lot at a price."""
    bought = game.clone()
    state = bought.state
    state.auction_plant, state.auction_chooser = plant, state.player
    state.auction_bidder, state.auction_bid = seat, price
    auction.acquire(state, bought.board.record, seat)
    return bought


def _not_bought(game: Game, seat: int, plant: int) -> Game:
    """The game after `seat` has let the lot go."""
    let_go = game.clone()
    state = let_go.state
    if let_go.decision == "choose":
        others = [action for action in let_go.legal_actions() if let_go.words(action) != f"nominate {plant}"]
        return let_go.play(int(others[0]))
    if state.auction_bidder == NOBODY:  # the chooser must open: another plant, or none
        state.auction_plant, state.auction_chooser = 0, NOBODY
        state.bidding[:] = 0
        auction.ask_next_choice(state, let_go.board.record)
        return _not_bought(let_go, seat, plant)
    state.bidding[seat] = 0
    if state.player == seat:
        state.player = auction.next_bidder(state, let_go.board.record, seat)
    if state.bidding.sum() == 1 and state.auction_bidder != NOBODY:
        auction.acquire(state, let_go.board.record, int(state.auction_bidder))
    return let_go


def _play_out(games: list[Game], reference: str, seed: int, seat: int) -> npt.NDArray[np.float64]:
    """Win share of `seat` in each game, played to its end by the reference bot."""
    batch = GameBatch.from_games(games)
    agent = make(reference)
    agent.reset(seed)
    while len(lanes := np.flatnonzero(batch.player >= 0)):
        batch.step(agent.act(batch, lanes), lanes)
    shares = np.zeros((len(games), games[0].config.players), np.float32)
    for state, share in zip(batch.states, shares, strict=True):
        rewards.win_shares(state, batch.board.record, share)
    return shares[:, seat].astype(float)


def _crossing(prices: Sequence[int], gains: npt.NDArray[np.float64]) -> tuple[float, bool]:
    """Price at which the gain, made monotone, falls through 0, and whether it never does."""
    falling = optimize.isotonic_regression(gains, increasing=False).x
    if falling[-1] >= 0:
        return float(prices[-1]), True
    if falling[0] < 0:
        return float(prices[0]), False
    behind = int(np.argmax(falling < 0))
    before = behind - 1
    part = falling[before] / (falling[before] - falling[behind])
    return float(prices[before] + part * (prices[behind] - prices[before])), False


def _chances(shares: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
    """Mean of each row and its interval, as that of a tournament: a price at which all was won leaves room below."""
    found = [share_with_interval(row, np.ones(len(row))) for row in shares]
    return dict(zip(("win_share", "win_share_low", "win_share_high"), np.array(found).T, strict=True))


def _gains(values: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
    """Mean of each row and its interval (Student's t), within -1 and 1.

    Where all gains of a row are the same, the part of the rollouts that could differ is taken from Wilson's interval.
    """
    count = values.shape[1]
    mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(count)
    reach = stats.t.ppf((1 + LEVEL) / 2, count - 1) * error
    other = stats.binomtest(0, count).proportion_ci(LEVEL, method="wilson").high
    same = np.ptp(values, axis=1) == 0
    low = np.where(same, mean - other * (mean + 1), np.maximum(-1, mean - reach))
    high = np.where(same, mean + other * (1 - mean), np.minimum(1, mean + reach))
    return {"gain": mean, "gain_low": low, "gain_high": high}
