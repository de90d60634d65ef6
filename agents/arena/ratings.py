"""Plackett-Luce ratings of a whole table of results at once, ties allowed.

An agent of rating r comes in before all others still in the race with a chance proportional to e^r. The seats of a tied
group are each taken to have won against the same remaining field (Breslow). Agents that always win have no
largest rating: a weak prior towards the mean keeps it finite, and its interval is without end.
"""

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import optimize

PRIOR = 0.01  # weight of the prior, in games
RESAMPLES = 200
LOW_ANCHOR, HIGH_ANCHOR = "random", "balanced"
HIGH_RATING = 100.0


def fit(
    entrants: npt.NDArray[np.int64],
    ranks: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    count: int,
    start: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]:
    """Ratings `(count,)` of highest likelihood, in natural units with mean 0.

    Args:
        entrants: `(G, P)` agent in each seat.
        ranks: `(G, P)` place of each seat, ties equal.
        weights: `(G,)` how often each game counts.
        count: number of agents.
        start: where to begin.
    """
    still_in = (ranks[:, None, :] >= ranks[:, :, None]).astype(float)  # seat k races against seat j
    sits = (entrants[:, :, None] == np.arange(count)).astype(float)

    def chances(rating: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """`(G, K, J)`, how likely seat j is first where seat k came in, and the log of each field `(G, K)`."""
        mine = rating[entrants]
        most = mine.max(axis=1, keepdims=True)
        strength = still_in * np.exp(mine - most)[:, None, :]
        field = strength.sum(axis=2)
        return strength / field[:, :, None], np.log(field) + most

    def loss(rating: npt.NDArray[np.float64]) -> float:
        log_field = chances(rating)[1]
        return PRIOR * float((rating**2).sum()) - float(
            ((rating[entrants] - log_field) * weights[:, None]).sum()
        )

    def slope(rating: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        surprise = (chances(rating)[0].sum(axis=1) - 1) * weights[:, None]
        gradient: npt.NDArray[np.float64] = 2 * PRIOR * rating + np.einsum("gj,gja->a", surprise, sits)
        return gradient

    def curve(rating: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        chance = np.einsum("gkj,gja->gka", chances(rating)[0], sits)
        within = np.diag(np.einsum("gka,g->a", chance, weights))
        between = np.einsum("gka,gkb,g->ab", chance, chance, weights, optimize=True)
        hessian: npt.NDArray[np.float64] = within - between + 2 * PRIOR * np.eye(count)
        return hessian

    begin = np.zeros(count) if start is None else start
    found = optimize.minimize(loss, begin, jac=slope, hess=curve, method="trust-exact").x
    centred: npt.NDArray[np.float64] = found - found.mean()
    return centred


def anchored(rating: npt.NDArray[np.float64], names: list[str]) -> npt.NDArray[np.float64]:
    """The scale on which `random` has 0 and `balanced` 100; with one of the two, it has 0 in natural units."""
    if LOW_ANCHOR in names and HIGH_ANCHOR in names:
        low, high = (float(rating[names.index(anchor)]) for anchor in (LOW_ANCHOR, HIGH_ANCHOR))
        if high != low:
            return (rating - low) / (high - low) * HIGH_RATING
    for anchor in (HIGH_ANCHOR, LOW_ANCHOR):
        if anchor in names:
            return rating - float(rating[names.index(anchor)])
    return rating


def held(
    entrants: npt.NDArray[np.int64], ranks: npt.NDArray[np.int64], names: list[str]
) -> npt.NDArray[np.bool_]:
    """Which ratings follow from the results, `(len(names),)`; those of agents that always win or always lose do not.

    A rating is held where its agent was once no worse than an anchor, or than one who was, and so on, and an anchor in
    the same way no worse than it. Without an anchor any other agent will do.

    Args:
        entrants: `(G, P)` agent in each seat.
        ranks: `(G, P)` place of each seat, ties equal.
        names: agents.
    """
    themselves = np.eye(len(names), dtype=bool)
    no_worse = themselves.copy()
    for one, other in permutations(range(entrants.shape[1]), 2):
        games = ranks[:, one] <= ranks[:, other]
        no_worse[entrants[games, one], entrants[games, other]] = True
    for _ in names:
        no_worse = no_worse @ no_worse
    anchors = np.isin(names, [LOW_ANCHOR, HIGH_ANCHOR])
    if not anchors.any():
        anchors[:] = True
        no_worse &= ~themselves
    return np.logical_and(no_worse[:, anchors].any(axis=1), no_worse[anchors].any(axis=0), dtype=bool)


def with_intervals(results: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Ratings with 95 % intervals from a bootstrap over blocks, infinite where results say nothing of the rating.

    Columns: agent, rating, rating_low, rating_high.
    """
    names = sorted(results["agent"].unique())
    ordered = results.sort_values(["game", "seat"])
    seats = int(results["players"].iloc[0])
    entrants = pd.Categorical(ordered["agent"], categories=names).codes.astype(np.int64).reshape(-1, seats)
    ranks = ordered["rank"].to_numpy(np.int64).reshape(-1, seats)
    blocks, block_of_game = np.unique(
        ordered["block"].to_numpy().reshape(-1, seats)[:, 0], return_inverse=True
    )
    best = fit(entrants, ranks, np.ones(len(ranks)), len(names))
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(RESAMPLES):
        times = np.bincount(rng.integers(len(blocks), size=len(blocks)), minlength=len(blocks))
        drawn.append(
            anchored(fit(entrants, ranks, times[block_of_game].astype(float), len(names), best), names)
        )
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    unknown = ~held(entrants, ranks, names)  # only the prior keeps these where they are, in every resample
    low[unknown], high[unknown] = -np.inf, np.inf
    return pd.DataFrame(
        {"agent": names, "rating": anchored(best, names), "rating_low": low, "rating_high": high}
    )
