"""From a table of results: win shares, comparisons and ratings, each with an interval from a bootstrap over blocks.

Games of a block share their deck, so blocks are the independent draws, and resampling them keeps what the games of a
block have in common.
"""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from agents.arena import ratings
from powergrid_env._files import replacing

LEVEL = 0.95
RESAMPLES = 2000


def mean_with_interval(
    values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], seed: int = 0
) -> tuple[float, float, float]:
    """Sum of values over sum of weights, and its bootstrap interval over the blocks.

    Args:
        values: `(B,)` sum of what is counted in each block.
        weights: `(B,)` how often it was counted there.
        seed: of the resampling.
    """
    mean = float(values.sum() / weights.sum())
    if len(values) < 2 or np.ptp(values / weights) == 0:
        return mean, mean, mean
    found = stats.bootstrap(
        (values, weights),
        lambda sums, counts, axis: sums.sum(axis=axis) / counts.sum(axis=axis),
        paired=True,
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return mean, float(found.low), float(found.high)


def share_with_interval(
    values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], seed: int = 0
) -> tuple[float, float, float]:
    """`mean_with_interval` of shares of wins.

    Where all blocks were lost, or all won, resampling knows nothing of another end; Wilson's interval for so many blocks
    takes its place.
    """
    share, low, high = mean_with_interval(values, weights, seed)
    if share in (0.0, 1.0):
        blocks = len(values)
        wilson = stats.binomtest(round(share) * blocks, blocks).proportion_ci(LEVEL, method="wilson")
        low, high = min(share, float(wilson.low)), max(share, float(wilson.high))
    return share, low, high


def standings(results: pd.DataFrame, with_ratings: bool = True) -> pd.DataFrame:
    """One row per agent, best first: win share against par, Plackett-Luce rating, and what it ended with.

    Columns: agent, games, win_share, ci_low, ci_high, par, rank, supplied, money, forfeits, and with ratings rating,
    rating_low, rating_high (`ratings.fit`).
    """
    rows = []
    for agent, mine in results.groupby("agent", sort=False):
        by_block = mine.groupby("block")["win_share"].agg(["sum", "count"])
        share, low, high = share_with_interval(
            by_block["sum"].to_numpy(float), by_block["count"].to_numpy(float)
        )
        rows.append(
            {
                "agent": agent,
                "games": mine["game"].nunique(),
                "win_share": share,
                "ci_low": low,
                "ci_high": high,
                "par": 1 / int(results["players"].iloc[0]),
                "rank": mine["rank"].mean(),
                "supplied": mine["supplied"].mean(),
                "money": mine["money"].mean(),
                "forfeits": int((mine["forfeit"] != "").sum()),
            }
        )
    table = pd.DataFrame(rows).sort_values("win_share", ascending=False, kind="stable").reset_index(drop=True)
    if with_ratings and len(table) > 1:
        table = table.merge(ratings.with_intervals(results), on="agent", how="left")
    return table


def forfeits_in_words(results: pd.DataFrame) -> str:
    """How many seats forfeited and why the first of each agent did; empty where none did."""
    lost = results[results["forfeit"] != ""]
    told = [
        f"{agent} forfeited {len(rows)} of {(results['agent'] == agent).sum()} seats, the first by {rows['forfeit'].iloc[0]}"
        for agent, rows in lost.groupby("agent", sort=True)
    ]
    return "; ".join(told)


def pairwise(results: pd.DataFrame) -> pd.DataFrame:
    """How often one agent comes in before another when both sit in a game, ties counted half.

    Columns: agent, other, comparisons, ahead, ci_low, ci_high; one row per pair, either way round.
    """
    wide = results[["block", "game", "agent", "rank"]]
    pairs = wide.merge(wide, on=["block", "game"], suffixes=("", "_other"))
    pairs = pairs[pairs["agent"] != pairs["agent_other"]]
    before = (pairs["rank"] < pairs["rank_other"]) + 0.5 * (pairs["rank"] == pairs["rank_other"])
    pairs = pairs.assign(ahead=before.astype(float))
    rows = []
    for (agent, other), group in pairs.groupby(["agent", "agent_other"], sort=True):
        by_block = group.groupby("block")["ahead"].agg(["sum", "count"])
        share, low, high = share_with_interval(
            by_block["sum"].to_numpy(float), by_block["count"].to_numpy(float)
        )
        rows.append((agent, other, len(group), share, low, high))
    return pd.DataFrame(rows, columns=["agent", "other", "comparisons", "ahead", "ci_low", "ci_high"])


def paired_differences(results: pd.DataFrame) -> pd.DataFrame:
    """Difference of the win shares of two agents over the blocks that both played.

    Columns: agent, other, blocks, difference, ci_low, ci_high; one row per pair.
    """
    shares = results.groupby(["block", "agent"])["win_share"].mean().unstack()
    rows = []
    for agent, other in combinations(shares.columns, 2):
        difference = (shares[agent] - shares[other]).dropna().to_numpy(float)
        if len(difference):
            mean, low, high = mean_with_interval(difference, np.ones(len(difference)))
            rows.append((agent, other, len(difference), mean, low, high))
    return pd.DataFrame(rows, columns=["agent", "other", "blocks", "difference", "ci_low", "ci_high"])


def seat_shares(results: pd.DataFrame) -> pd.DataFrame:
    """Win share by seat; in a tournament of one agent against itself (A/A) it should cover par everywhere.

    Columns: seat, games, win_share, ci_low, ci_high, par, covers_par.
    """
    par = 1 / int(results["players"].iloc[0])
    rows = []
    for seat, mine in results.groupby("seat"):
        by_block = mine.groupby("block")["win_share"].agg(["sum", "count"])
        share, low, high = share_with_interval(
            by_block["sum"].to_numpy(float), by_block["count"].to_numpy(float)
        )
        rows.append((seat, len(mine), share, low, high, par, low <= par <= high))
    columns = ["seat", "games", "win_share", "ci_low", "ci_high", "par", "covers_par"]
    return pd.DataFrame(rows, columns=columns)


def plot_standings(table: pd.DataFrame, path: str) -> None:
    """Draw the win shares of `standings` with their intervals, and par, to a picture file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1 + 0.4 * len(table)), layout="constrained")
    axes = figure.subplots()
    shares = table["win_share"].to_numpy()
    errors = np.clip([shares - table["ci_low"], table["ci_high"] - shares], 0, None)
    axes.errorbar(shares, np.arange(len(table)), xerr=errors, fmt="o", color="black", capsize=3)
    axes.axvline(float(table["par"].iloc[0]), color="grey", linestyle="--", label="par")
    axes.set_yticks(np.arange(len(table)), table["agent"])
    axes.invert_yaxis()
    axes.set_xlabel(f"win share, {LEVEL:.0%} interval over blocks")
    axes.legend()
    with replacing(path) as draft:
        figure.savefig(draft)
