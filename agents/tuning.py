"""Search for better parameters of a scripted bot: successive halving over a Latin hypercube.

Candidates are drawn around the bot's defaults (`scipy.stats.qmc`), each plays a seat in a field of opponents, the better
half plays again with twice the games, and so on. All candidates of a rung meet the same decks. Seeds from `FIRST_SEED` on
are used here and nowhere in evaluation. A style keeps its habit when the numbers that make it are held `--within` bounds.

    python -m agents.tuning balanced --candidates 32 --games 48 --seed 1
    python -m agents.tuning sprinter --within overbuild=2:5 --seed 2
"""

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from agents import arena, registry
from agents.scripted.base import ScriptedAgent
from powergrid_env.config import GameConfig

FIRST_SEED = 10**9
KINDS = tuple(GameConfig(players=players, board=board) for players in (3, 4) for board in ("germany", "usa"))


@dataclass(frozen=True)
class Candidate:
    """One choice of parameters and how it did.

    Attributes:
        name: the bot with its parameters.
        score: win share divided by par, mean over the kinds of game; 1 is as good as the field.
    """

    name: str
    score: float = 0.0


def bounds(text: str) -> tuple[str, tuple[float, float]]:
    """`overbuild=2:5` as name and bounds.

    Raises:
        ValueError: it is not written like that.
    """
    number = r"(\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"(\w+)={number}:{number}", text)
    if not found or float(found[2]) > float(found[3]):
        raise ValueError(f"within is {text!r}; allowed: a parameter with its bounds, like overbuild=2:5")
    return found[1], (float(found[2]), float(found[3]))


def draw(
    bot: str, count: int, width: float, seed: int, within: Mapping[str, tuple[float, float]] | None = None
) -> list[Candidate]:
    """The bot as it is, and `count - 1` choices around it.

    Args:
        bot: scripted bot with the parameters to start from.
        count: candidates in all.
        width: of the box they are drawn from, as part of each parameter's range.
        seed: of the drawing.
        within: bounds of some parameters in place of that box.

    Raises:
        ValueError: the bot has no parameters, or not that of a bound, or not in these bounds.
    """
    agent = registry.make(bot)
    if not isinstance(agent, ScriptedAgent) or not agent.parameters:
        raise ValueError(f"bot is {bot!r}; allowed: a scripted bot with parameters")
    boxes, allowed = {}, {}
    for item, value in zip(agent.parameters, agent.settings, strict=True):
        reach = width * (item.high - item.low) / 2
        boxes[item.name] = (max(item.low, value - reach), min(item.high, value + reach))
        allowed[item.name] = (item.low, item.high)
    for name, (low, high) in (within or {}).items():
        if name not in boxes:
            raise ValueError(f"within names {name!r}; allowed: {', '.join(boxes)}")
        if low < allowed[name][0] or high > allowed[name][1]:
            raise ValueError(
                f"within is {name}={low:g}:{high:g}; allowed: {'{:g}:{:g}'.format(*allowed[name])}"
            )
        boxes[name] = (low, high)
    points = qmc.LatinHypercube(len(boxes), rng=np.random.default_rng(seed)).random(count - 1)
    lows, highs = np.array(list(boxes.values())).T
    drawn = [Candidate(agent.name)]
    for values in lows + points * (highs - lows):
        words = [f"{name}={value:.3g}" for name, value in zip(boxes, values, strict=True)]
        drawn.append(Candidate(f"{agent.bot}:{','.join(words)}"))
    return drawn


def score(
    name: str, field: Sequence[str], games: int, seed: int, kinds: Sequence[GameConfig] = KINDS
) -> float:
    """Win share over par of a bot against opponents from `field`, who fill the other seats in turn."""
    shares = []
    for config in kinds:
        others = [field[seat % len(field)] for seat in range(config.players - 1)]
        results = arena.tournament([name, *others], config, games=games, seed=seed)
        shares.append(results.loc[results["agent"] == name, "win_share"].mean() * config.players)
    return float(np.mean(shares))


def halve(candidates: list[Candidate], field: Sequence[str], games: int, seed: int) -> list[Candidate]:
    """Play rung by rung until four are left; those, best first.

    `games` is the number per candidate and kind of game in the first rung; it doubles from rung to rung.
    """
    rung = 0
    while True:
        scored = [Candidate(one.name, score(one.name, field, games, seed + rung)) for one in candidates]
        candidates = sorted(scored, key=lambda one: -one.score)
        print(f"rung {rung}, {games} games a kind: best {candidates[0]}", flush=True)  # noqa: T201
        if len(candidates) <= 4:
            return candidates
        candidates = candidates[: max(4, len(candidates) // 2)]
        games, rung = games * 2, rung + 1


def main() -> None:
    """The command line shown above."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bot", help="bot with the parameters to start from")
    parser.add_argument("--field", nargs="+", default=["balanced"], help="opponents")
    parser.add_argument("--candidates", type=int, default=32)
    parser.add_argument(
        "--games", type=int, default=48, help="per candidate and kind of game in the first rung"
    )
    parser.add_argument(
        "--width", type=float, default=0.3, help="of the box, as part of each parameter's range"
    )
    parser.add_argument("--within", nargs="+", default=[], help="like overbuild=2:5")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    seed = FIRST_SEED + 1000 * given.seed
    try:
        within = dict(bounds(text) for text in given.within)
        candidates = draw(given.bot, given.candidates, given.width, seed, within)
        for name in given.field:
            registry.make(name)
    except ValueError as error:
        parser.error(str(error))
    for one in halve(candidates, given.field, given.games, seed):
        print(f"{one.score:.3f}  {one.name}")  # noqa: T201


if __name__ == "__main__":
    main()
