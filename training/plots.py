"""Pictures of numbers: prices by plant and round, and the curve of a training run. Each writes one file."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from powergrid_env._files import replacing
from powergrid_env.tables import measures

BAR, LINE, GREY = "#4477aa", "#222222", "#999999"


def prices(lots: pd.DataFrame, path: Path) -> None:
    """Mean price over minimum by plant, and by round, with 95 % intervals (normal, over lots).

    Raises:
        ValueError: no lot was sold by auction.
    """
    sold = measures.auctioned(lots)
    if not len(sold):
        raise ValueError("lots has no plant that was sold by auction")
    over = sold["price"] - sold["minimum"]
    figure = Figure(figsize=(10, 6.5), layout="constrained")
    for axes, key in zip(figure.subplots(2, 1), ("plant", "round"), strict=True):
        groups = over.groupby(sold[key])
        mean, error = groups.mean(), 1.96 * groups.sem().fillna(0)
        axes.bar(mean.index.astype(str), mean, yerr=error, color=BAR, ecolor=LINE, capsize=2)
        axes.set(xlabel=key, ylabel="price over minimum (Elektro)")
        axes.axhline(0, color=LINE, linewidth=0.8)
    figure.suptitle(f"What {len(sold)} plants were sold for")
    with replacing(path) as draft:
        figure.savefig(draft)


def learning_curve(run: Path, path: Path) -> None:
    """Win share over decisions of a training run, against each bot of its field, from its TensorBoard log.

    Raises:
        ValueError: the folder holds no such log.
    """
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    logs = sorted((run / "tensorboard").rglob("events.out.tfevents.*"))
    if not logs:
        raise ValueError(f"{run} holds no TensorBoard log; allowed: a folder of powergrid train")
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    curves: dict[str, list[tuple[int, float]]] = {}
    for log in logs:
        events = EventAccumulator(str(log)).Reload()
        for tag in events.Tags()["scalars"]:
            if "win_share" in tag:
                curves.setdefault(tag, []).extend((event.step, event.value) for event in events.Scalars(tag))
    if not curves:
        raise ValueError(f"{run} holds no win share in its TensorBoard log")
    for tag, points in sorted(curves.items()):
        steps, shares = np.array(sorted(points)).T
        axes.plot(steps, shares, label=tag, marker="o" if tag.startswith("examination") else "", markersize=3)
    axes.set(xlabel="decisions of the learner", ylabel="win share", ylim=(0, 1))
    axes.grid(color=GREY, alpha=0.3)
    axes.legend(fontsize=8)
    with replacing(path) as draft:
        figure.savefig(draft)
