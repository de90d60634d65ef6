"""Auction measures, on a lot written by hand and on games of bots."""

import numpy as np
import pandas as pd
import pytest

from powergrid_env import Game
from powergrid_env.tables import Played, frames, measures

OPENING = {
    "players": 3,
    "phase": "auction",
    "order": [0, 1, 2],
    "regions": ["cyan", "brown", "red"],
    "market": [4, 5, 7, 8, 9, 10, 12, 13],
    "seats": [{"money": 50}, {"money": 14}, {"money": 30}],
}


@pytest.fixture(scope="module")
def lot():
    """Player 0 opens plant 7 at 7; 1 says 10, 2 drops out, 0 says 13, 1 (14 Elektro) says 14, 0 says 15, 1 cannot."""
    game = Game.from_position(OPENING, raises="all")
    for words in ("nominate 7", "bid 7", "bid 10", "pass", "bid 13", "bid 14", "bid 15", "pass"):
        game.play(words)
    return frames([Played.of(game, 3, ["ada", "bob", "cem"])])


def test_a_lot_in_numbers(lot):
    row = lot["lots"].iloc[0]
    assert (row["game_id"], row["plant"], row["minimum"], row["price"], row["winner"]) == (3, 7, 7, 15, 0)
    assert (row["opener_agent"], row["winner_agent"], row["bidders"], row["num_bids"]) == ("ada", "ada", 3, 5)
    assert (row["second_bid"], row["winner_cash"], row["order_in_round"]) == (14, 50, 1)
    assert row["premium"] == pytest.approx(8 / 7)
    assert lot["bids"]["jump"].tolist() == [0, 2, 0, 2, 0, 0, 0]
    assert lot["bids"]["n_active"].tolist() == [3, 3, 3, 2, 2, 2, 2]
    assert lot["bids"]["still_in"].tolist()[:4] == ["0 1 2", "0 1 2", "0 1 2", "0 1"]


def test_drop_outs_bound_the_values(lot):
    table = measures.drop_outs(lot["bids"]).set_index("agent")
    assert table.loc["ada", ["low", "won"]].tolist() == [15, True]
    assert pd.isna(table.loc["ada", "high"])
    assert table.loc["bob", ["low", "high", "forced"]].tolist() == [14, 16, True]
    assert table.loc["cem", ["low", "high", "forced"]].tolist() == [0, 11, False]


def test_jumps_and_what_they_end(lot):
    table = measures.jumps(lot["bids"]).set_index("agent")
    assert table.loc["ada", ["bids", "jump_rate", "jump_size"]].tolist() == [2, 0.5, 2.0]
    assert table.loc["ada", "ended_by_least"] == 1.0
    assert table.loc["bob", "ended_by_jump"] == 0.0


def test_budgets(lot):
    row = measures.budgets(lot["lots"], lot["bids"]).iloc[0]
    assert row["exposure"] == pytest.approx(0.3)
    assert (row["cash_after"], row["forced_out"]) == (35, 1)


def test_overbid_needs_a_value(lot):
    valuations = pd.DataFrame({"game_id": 3, "lot_id": 0, "player": [0, 1, 2], "value": [12.0, 16.0, 9.0]})
    row = measures.overbids(lot["lots"], valuations).iloc[0]
    assert (row["value"], row["overbid"], row["efficiency"]) == (12.0, 3.0, 0.75)


def test_revenue_sums_to_all_that_was_paid(tables):
    sold = measures.auctioned(tables["lots"])
    for by in ("round", "step", "plant"):
        table = measures.revenue(tables["lots"], by)
        assert table["revenue"].sum() == sold["price"].sum()
        assert table["lots"].sum() == len(sold)
    with pytest.raises(ValueError, match="by is 'colour'; allowed: round, step, plant"):
        measures.revenue(tables["lots"], "colour")


def test_every_bidder_of_every_lot_has_bounds(tables):
    table = measures.drop_outs(tables["bids"])
    lots = measures.auctioned(tables["lots"])
    assert table["won"].sum() == len(lots)
    assert (table["high"].dropna() > table.loc[table["high"].notna(), "low"]).all()
    assert (measures.budgets(tables["lots"], tables["bids"])["cash_after"] >= 0).all()


def test_order_effect_finds_a_slope_that_was_put_in(tables):
    lots = measures.auctioned(tables["lots"]).copy()
    noise = np.random.default_rng(0).normal(0, 0.5, len(lots))
    lots["price"] = lots["minimum"] + 30 - 2 * lots["order_in_round"] + lots["plant"] + noise
    row = measures.order_effect(lots).iloc[0]
    assert abs(row["slope"] + 2) < 3 * row["std_error"]
    assert 0 < row["std_error"] < 0.2
    with pytest.raises(ValueError, match="lots has 1 rows"):
        measures.order_effect(lots.head(1))
