"""What a report says: a table, the ratio to public environments, what changed since another report, and a picture."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from powergrid_env._files import replacing
from training.bench.protocol import Measure

OURS = {"open_spiel": "batch, 1 thread", "rlcard": "Game", "pettingzoo": "AEC loop"}
"""What of ours a public environment is compared with: the quickest way there is to play at random from Python."""


def measures(report: dict[str, Any]) -> dict[str, Measure]:
    """The measures of a report by name."""
    return {entry["name"]: Measure(**entry) for entry in report["measures"]}


def save(report: dict[str, Any], path: Path) -> None:
    """Write a report as JSON."""
    with replacing(path) as draft:
        draft.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> dict[str, Any]:
    """Read a report.

    Raises:
        ValueError: not a report.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        measures(report)
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: no report of powergrid bench ({type(error).__name__}: {error})") from None
    return report  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------- table


def table(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Rows for people: what was measured, the median with its unit, and the ratio to ours, the share of a loop, or least and most."""
    ratio_of, known = dict(ratios(report)), measures(report)
    loops: defaultdict[str, float] = defaultdict(float)
    for measure in known.values():
        loops[measure.settings.get("loop", "")] += measure.value
    rows = []
    for name, measure in known.items():
        spread = f"{_number(measure.low)} to {_number(measure.high)}" if measure.low < measure.high else ""
        if name in ratio_of:
            spread = f"ours ({OURS[name.split()[0]]}) is {ratio_of[name]:.3g} times that"
        elif loop := measure.settings.get("loop"):
            spread = f"{measure.value / loops[loop]:.0%} of the {loop}"
        rows.append((name, f"{_number(measure.value)} {measure.unit}", spread))
    return rows


def ratios(report: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Name of each public environment, and how many times as quick ours is."""
    known = measures(report)
    for name, measure in known.items():
        ours = known.get(OURS.get(name.split()[0], ""))
        if ours is not None:
            yield name, ours.value / measure.value


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# --------------------------------------------------------------------------------------- regression


@dataclass(frozen=True)
class Change:
    """A measure in two reports.

    Attributes:
        name: what was measured.
        before, after: the medians.
        unit: of both.
        gain: how many times as good it is now; below 1 is worse.
        is_worse: by more than the tolerance.
    """

    name: str
    before: float
    after: float
    unit: str
    gain: float
    is_worse: bool


def compare(before: dict[str, Any], after: dict[str, Any], tolerance: float = 0.2) -> list[Change]:
    """What two reports have in common, in the order of the second.

    Args:
        before: the older report.
        after: the newer one, of the same machine.
        tolerance: part by which a figure may get worse before it counts, 0 to 1.

    Raises:
        ValueError: a tolerance out of range.
    """
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance is {tolerance}; allowed: 0 to below 1")
    old = measures(before)
    changes = []
    for name, new in measures(after).items():
        if name in old and old[name].unit == new.unit and old[name].value > 0 and new.value > 0:
            gain = new.value / old[name].value
            gain = gain if new.more_is_better else 1 / gain
            changes.append(Change(name, old[name].value, new.value, new.unit, gain, gain < 1 - tolerance))
    return changes


# ------------------------------------------------------------------------------------------ picture


def plot(report: dict[str, Any], path: Path) -> None:
    """Draw decisions per second against the number of games into an image file; its ending says which kind.

    Raises:
        ValueError: the part `growth` was not measured.
    """
    from matplotlib.figure import Figure

    growth = [measure for measure in measures(report).values() if "observe" in measure.settings]
    if not growth:
        raise ValueError(
            "the report has no measurements by number of games; allowed: one with the part growth"
        )
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for observe, label in ((False, "masks, random actions, step"), (True, "the same with observations")):
        points = [measure for measure in growth if measure.settings["observe"] == observe]
        if points:
            games = [measure.settings["games"] for measure in points]
            axes.plot(games, [measure.value for measure in points], marker="o", label=label)
            axes.fill_between(games, [p.low for p in points], [p.high for p in points], alpha=0.2)
    axes.set(xscale="log", xlabel="games in the batch", ylabel="decisions per second", ylim=(0, None))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M")
    axes.set_title(f"4 players, Germany, one thread, {report['machine']['processor']}", fontsize=9)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    with replacing(path) as draft:
        figure.savefig(draft, dpi=150)
