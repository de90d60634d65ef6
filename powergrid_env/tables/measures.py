"""Auction measures from the tables `lots` and `bids`: premiums, jumps, drop-outs, budgets, revenue, order effects.

Each function takes frames as `tables.frames` makes them and returns a frame; money is in Elektro. What needs a value
(overbidding, the winner's curse) takes the table `valuations`, which rollouts make.
"""

import numpy as np
import pandas as pd

from powergrid_env.arguments import check_choice
from powergrid_env.tables.frames import TRUST_SEAT

__all__ = ["auctioned", "budgets", "drop_outs", "jumps", "order_effect", "overbids", "revenue"]

LOT = ["game_id", "lot_id"]


def auctioned(lots: pd.DataFrame) -> pd.DataFrame:
    """Lots that were sold by auction: without what the Trust took."""
    return lots[lots["winner"] != TRUST_SEAT]


def drop_outs(bids: pd.DataFrame) -> pd.DataFrame:
    """What each bidder's bids say of the value: `low <= value`, and `value < high` for those who dropped out.

    A loser's value lies between the last own bid (0 without one) and the first price refused; the winner's is known
    only from below, `high` is missing (right-censored). `forced` says that the refused price was above the cash.
    """
    closed = bids[bids["price"].notna()]
    keys = [*LOT, "player"]
    own = closed[closed["action"] == "bid"].groupby(keys)["amount"].max()
    refused = closed[closed["action"] == "pass"].groupby(keys)
    table = closed.groupby(keys)[["agent", "plant", "winner"]].first()
    table["low"] = own.reindex(table.index, fill_value=0)
    table["high"] = refused["min_allowed"].min().reindex(table.index).astype("Int64")
    cash = refused["cash_before"].min().reindex(table.index)
    table["forced"] = (table["high"] > cash).fillna(False).astype(bool)
    table["won"] = table.index.get_level_values("player") == table["winner"]
    table.loc[table["won"], "high"] = pd.NA
    return table.drop(columns="winner").reset_index()


def jumps(bids: pd.DataFrame) -> pd.DataFrame:
    """Jump bids by agent: how often, how far, and how often everybody else then drops out.

    Columns: `bids` (raises, openings left out), `jump_rate`, `jump_size` (Elektro above the least raise, of jumps),
    `ended_by_jump` and `ended_by_least` (share of raises after which nobody bid again).
    """
    raises = bids[(bids["action"] == "bid") & (bids["opens"] == 0) & bids["price"].notna()]
    table = raises.assign(jumped=raises["jump"] > 0, ended=raises["amount"] == raises["price"])
    table = table.assign(
        ended_by_jump=table["ended"].where(table["jumped"]).astype(float),
        ended_by_least=table["ended"].where(~table["jumped"]).astype(float),
        jump_size=table["jump"].where(table["jumped"]).astype(float),
    )
    groups = table.groupby("agent")
    return groups.agg(
        bids=("jumped", "size"),
        jump_rate=("jumped", "mean"),
        jump_size=("jump_size", "mean"),
        ended_by_jump=("ended_by_jump", "mean"),
        ended_by_least=("ended_by_least", "mean"),
    ).reset_index()


def budgets(lots: pd.DataFrame, bids: pd.DataFrame) -> pd.DataFrame:
    """Per lot: `exposure` (price / cash), `cash_after`, and `forced_out`, bidders who could not pay the next price."""
    table = auctioned(lots)[[*LOT, "round", "step", "plant", "winner_agent", "price", "winner_cash"]].copy()
    table["exposure"] = table["price"] / table["winner_cash"]
    table["cash_after"] = table["winner_cash"] - table["price"]
    forced = drop_outs(bids).groupby(LOT)["forced"].sum()
    table["forced_out"] = forced.reindex(pd.MultiIndex.from_frame(table[LOT]), fill_value=0).to_numpy()
    return table


def revenue(lots: pd.DataFrame, by: str = "round") -> pd.DataFrame:
    """What the bank takes for plants, by `round`, `step` or `plant`: `lots`, `revenue`, mean `price` and `premium` per lot.

    Raises:
        ValueError: another column.
    """
    groups = auctioned(lots).groupby(check_choice("by", by, ("round", "step", "plant")))
    return groups.agg(
        lots=("price", "size"), revenue=("price", "sum"), price=("price", "mean"), premium=("premium", "mean")
    ).reset_index()


def order_effect(lots: pd.DataFrame) -> pd.DataFrame:
    """Does a plant sell for less the later in its round it comes up? Slope of price over minimum on order in round.

    Ordinary least squares within plants (fixed effects); standard errors clustered by game. One row: `slope` in
    Elektro per place, `std_error`, `lots`.

    Raises:
        ValueError: too few lots to tell.
    """
    sold = auctioned(lots)
    over = (sold["price"] - sold["minimum"]).astype(float)
    place = sold["order_in_round"].astype(float)
    plant = sold["plant"]
    y = (over - over.groupby(plant).transform("mean")).to_numpy()
    x = (place - place.groupby(plant).transform("mean")).to_numpy()
    spread = float((x * x).sum())
    if spread == 0:
        raise ValueError(
            f"lots has {len(sold)} rows; allowed: enough that a plant comes up at different places"
        )
    slope = float((x * y).sum() / spread)
    scores = pd.Series(x * (y - slope * x)).groupby(sold["game_id"].to_numpy()).sum()
    error = float(np.sqrt((scores**2).sum()) / spread)
    return pd.DataFrame({"slope": [slope], "std_error": [error], "lots": [len(sold)]})


def overbids(lots: pd.DataFrame, valuations: pd.DataFrame) -> pd.DataFrame:
    """Price against the winner's value: `overbid` is `price - value` where that is positive, else 0.

    Args:
        lots: the table `lots`.
        valuations: one row per lot and player with `value` (Elektro), as rollouts make it.
    """
    value = valuations.set_index([*LOT, "player"])["value"]
    table = auctioned(lots)[[*LOT, "plant", "winner", "winner_agent", "price"]].copy()
    keys = pd.MultiIndex.from_frame(table[[*LOT, "winner"]].rename(columns={"winner": "player"}))
    table["value"] = value.reindex(keys).to_numpy(float)
    table["overbid"] = (table["price"] - table["value"]).clip(lower=0)
    best = valuations.groupby(LOT)["value"].max()
    table["efficiency"] = table["value"] / best.reindex(pd.MultiIndex.from_frame(table[LOT])).to_numpy(float)
    return table
