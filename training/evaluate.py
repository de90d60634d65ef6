"""How strong a bot or model is against fields of bots: its share of the wins, over games nobody trained on.

A block is one deck, played once with each way to seat the line-up, and the interval is that of the arena
(agents/arena/statistics.py). Training begins with seeds below 2**33 and draws all others from 63 bits; those of an
evaluation are counted up from `FIRST_SEED`, so that they can be named, and so that the two meet with a chance below one in
a million.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.arena.play import Chunk, Plan, play_chunk
from agents.arena.schedule import Block, arrangements
from agents.arena.statistics import forfeits_in_words, standings
from powergrid_env import GameConfig
from training.by_name import make_agent

if TYPE_CHECKING:
    import pandas as pd

    from agents import Agent

FIRST_SEED = 1 << 40
SEEDS_APART = 1 << 24  # blocks between two evaluations of different seeds
LARGEST_SEED = (1 << 38) - 1  # of an evaluation; the seeds of its games then stay below 2**63
GAMES_AT_ONCE = 480
ASKED = "asked"  # what tables call the agent whose strength is asked


@dataclass(frozen=True)
class Standing:
    """How an agent did in a field.

    Attributes:
        field: who sat in the other seats, as tables call it.
        share, low, high: share of the wins with its 95 % interval.
        games: number of games.
        par: share of an agent no better than the others.
        supplied: cities that it supplied at the end, on average.
        rounds: of a game, on average.
        truncated: games that met the safety cap and were won by nobody.
        forfeits: who forfeited seats and why, in words; empty where nobody did.
    """

    field: str
    share: float
    low: float
    high: float
    games: int
    par: float
    supplied: float
    rounds: float
    truncated: int
    forfeits: str

    def __str__(self) -> str:
        interval = f"{self.share:.2f} [{self.low:.2f}, {self.high:.2f}]"
        forfeits = f"; {self.forfeits}" if self.forfeits else ""
        return f"win share {interval} over {self.games} games, par {self.par:.2f}{forfeits}"


def against(
    agent: "Agent",
    opponents: Sequence[str],
    config: GameConfig,
    games: int,
    seed: int = 0,
    resident: bool = False,
    on_done: Callable[[int], Any] = lambda games: None,
) -> Standing:
    """The win share of one agent in a field.

    Args:
        agent: whose strength is asked.
        opponents: names of bots, one for all other seats or one for each.
        config: what to play.
        games: at least so many; rounded up to whole blocks.
        seed: chooses the games and the chance of the agents.
        resident: the agent has all seats but one, and the opponent is the invader whose share is told.
        on_done: called with the number of games that ended.

    Raises:
        ValueError: an unknown bot, a number of names that fits no field, or a seed that is none.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed is {seed}; allowed: 0 to 2**38 - 1")
    names = field_names(opponents, config.players, resident)
    asked = _Called(ASKED, agent)
    bots = [_Called(name, make_agent(name, config)) for name in dict.fromkeys(names)]
    others = [1 + list(dict.fromkeys(names)).index(name) for name in names]
    line_up = [0] * (config.players - len(others)) + others
    plan = Plan((asked, *bots), config, seed, None)
    tables = []
    for chunk in _chunks(tuple(line_up), games, seed):
        tables.append(play_chunk(plan, chunk))
        on_done(chunk.num_games)
    return _standing(tables, bots[0].name if resident else ASKED, _field(names, resident), agent.name)


def field_names(opponents: Sequence[str], players: int, resident: bool = False) -> list[str]:
    """The bots of the other seats.

    Raises:
        ValueError: another number of names than fits.
    """
    if resident:
        if len(opponents) != 1:
            raise ValueError(
                f"opponents is {' '.join(opponents)!r}; allowed: one invader in a field of residents"
            )
        return list(opponents)
    if len(opponents) not in (1, players - 1):
        allowed = f"one bot for all other seats, or {players - 1}, one for each"
        raise ValueError(f"opponents is {' '.join(opponents)!r}; allowed: {allowed}")
    return list(opponents) * (players - 1) if len(opponents) == 1 else list(opponents)


class _Called:
    """An agent under another name, so that a bot may be asked about in a field of its own kind."""

    def __init__(self, name: str, agent: "Agent") -> None:
        self.name = name
        self.reset = agent.reset
        self.act = agent.act


def _chunks(line_up: tuple[int, ...], games: int, seed: int) -> Iterator[Chunk]:
    """Blocks of a line-up in chunks that are played at once."""
    ways = tuple(arrangements(line_up))
    first, blocks = FIRST_SEED + seed * SEEDS_APART, -(-games // len(ways))
    per_chunk = max(1, GAMES_AT_ONCE // len(ways))
    for number, start in enumerate(range(0, blocks, per_chunk)):
        made = [Block(block, first + block, ways) for block in range(start, min(start + per_chunk, blocks))]
        yield Chunk(number, tuple(made), start * len(ways))


def _standing(tables: "list[pd.DataFrame]", name: str, field: str, asked: str) -> Standing:
    """What the tables say of the agent they call `name`; `asked` is what the one asked about is called elsewhere."""
    import pandas as pd

    results = pd.concat(tables, ignore_index=True)
    row = standings(results, with_ratings=False).set_index("agent").loc[name]
    by_game = results.groupby("game")
    return Standing(
        field=field,
        share=float(row.win_share),
        low=float(row.ci_low),
        high=float(row.ci_high),
        games=int(row.games),
        par=float(row.par),
        supplied=float(row.supplied),
        rounds=float(by_game["rounds"].first().mean()),
        truncated=int((by_game["end"].first() == "max_rounds").sum()),
        forfeits=forfeits_in_words(results.replace({"agent": {ASKED: asked}})),
    )


def _field(names: Sequence[str], resident: bool) -> str:
    if resident:
        return f"1 {names[0]} among residents"
    counts = {name: names.count(name) for name in names}
    return ", ".join(f"{count} {name}" for name, count in counts.items())
