"""Search for better parameters of a scripted bot: successive halving over a Latin hypercube.

Candidates are drawn around the bot's defaults (`scipy.stats.qmc`), each plays a seat in a field of opponents, the better
half plays again with twice the games, and so on. All candidates of a rung meet the same decks. Seeds from `FIRST_SEED` on
are used here and nowhere in evaluation.

    python -m agents.tuning balanced --candidates 32 --games 48 --seed 1
"""

import argparse
from collections.abc import Sequence
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


def draw(bot: str, count: int, width: float, seed: int) -> list[Candidate]:
    """The defaults, and `count - 1` choices in a box around them, `width` of each parameter's range wide."""
    agent = registry.make(bot)
    if not isinstance(agent, ScriptedAgent) or not agent.parameters:
        raise ValueError(f"bot is {bot!r}; allowed: a scripted bot with parameters")
    points = qmc.LatinHypercube(len(agent.parameters), rng=np.random.default_rng(seed)).random(count - 1)
    drawn = [Candidate(agent.name)]
    for point in points:
        words = []
        for item, value, place in zip(agent.parameters, agent.settings, point, strict=True):
            near = value + (place - 0.5) * width * (item.high - item.low)
            words.append(f"{item.name}={min(item.high, max(item.low, near)):.3g}")
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
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    seed = FIRST_SEED + 1000 * given.seed
    for one in halve(draw(given.bot, given.candidates, given.width, seed), given.field, given.games, seed):
        print(f"{one.score:.3f}  {one.name}")  # noqa: T201


if __name__ == "__main__":
    main()
