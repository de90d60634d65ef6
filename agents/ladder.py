"""Plays the ladder of the bots, what `balanced` must beat, and the search bots, and prints all into README.md.

python -m agents.ladder --games 4000 --seed 7
python -m agents.ladder --yardstick-games 1200 --seed 11
python -m agents.ladder --search ismcts:time=0.1 rollout:time=0.1 --search-games 60 --seed 31
"""

import argparse
import re
from pathlib import Path

import pandas as pd

from agents import arena
from agents.scripted.settings import PARAMETERS
from powergrid_env.config import GameConfig

README = Path(__file__).with_name("README.md")
QUICK = [
    "random",
    "face_value",
    "balanced",
    "sprinter",
    "staller",
    "hoarder",
    "keeper",
    "green",
    "spoiler",
    "baseline",
]
SEARCH = ["ismcts:time=0.1", "rollout:time=0.1"]


def parameters() -> str:
    """The parameters of `balanced` as a table."""
    rows = [
        f"| `{one.name}` | {one.default:g} | {one.low:g} to {one.high:g} | {one.meaning} |"
        for one in PARAMETERS
    ]
    return "\n".join(["| parameter | default | range | meaning |", "| --- | --- | --- | --- |", *rows])


def interval(row: pd.Series, digits: int = 0) -> str:
    """Win share with its interval in per cent."""
    share, low, high = (f"{100 * row[name]:.{digits}f}" for name in ("win_share", "ci_low", "ci_high"))
    return f"{share} [{low}, {high}]"


def ladder(games: int, seed: int) -> str:
    """Win shares of all bots that do not search against each other, one column per number of players."""
    columns = {}
    for players in range(2, 7):
        results = arena.tournament(QUICK, GameConfig(players=players), games=games, seed=seed, progress=True)
        table = arena.standings(results, with_ratings=players == 4).set_index("agent")
        columns[f"{players} players, par {100 / players:.0f}"] = table.apply(interval, axis=1)
        if players == 4:
            ratings = table
    order = ratings["rating"].sort_values(ascending=False).index
    columns["rating, 4 players"] = ratings.apply(
        lambda row: f"{row.rating:.0f} [{row.rating_low:.0f}, {row.rating_high:.0f}]", axis=1
    )
    head = [f"| bot | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    rows = [f"| `{bot}` | " + " | ".join(column[bot] for column in columns.values()) + " |" for bot in order]
    return "\n".join(head + rows)


def yardstick(games: int, seed: int) -> str:
    """`balanced` against a field of `random`, and compared with `face_value` in games of both, on both boards."""
    lines = ["| board, players | wins among `random` | comes in before `face_value` |", "| --- | --- | --- |"]
    for board in ("germany", "usa"):
        for players in (3, 4):
            config = GameConfig(players=players, board=board)
            field = ["balanced", *["random"] * (players - 1)]
            results = arena.tournament(field, config, games=games, seed=seed, progress=True)
            among = arena.standings(results, with_ratings=False).set_index("agent").loc["balanced"]
            results = arena.tournament(
                ["balanced", "face_value"], config, games=games, seed=seed, progress=True
            )
            pairs = arena.pairwise(results).set_index(["agent", "other"])
            ahead = pairs.loc[("balanced", "face_value")].rename({"ahead": "win_share"})
            lines.append(f"| {board}, {players} | {interval(among, 1)} | {interval(ahead, 1)} |")
    return "\n".join(lines)


def search(bots: list[str], games: int, seed: int) -> str:
    """Win shares of the search bots against two of `balanced`."""
    lines = ["| bot | against two `balanced`, par 33 | games |", "| --- | --- | --- |"]
    for bot in bots:
        line_up = [bot, "balanced", "balanced"]
        results = arena.tournament(line_up, GameConfig(players=3), games=games, seed=seed, progress=True)
        row = arena.standings(results, with_ratings=False).set_index("agent").loc[bot]
        lines.append(f"| `{bot}` | {interval(row)} | {row.games:.0f} |")
        print(lines[-1], flush=True)  # noqa: T201  # each row takes a quarter of an hour
    return "\n".join(lines)


def put(text: str, name: str, content: str) -> str:
    """A page with `content` between its marks `<!-- name -->` and `<!-- /name -->`."""
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    return marks.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", text)


def main() -> None:
    """The command line shown above."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="of the ladder, for each number of players")
    parser.add_argument("--yardstick-games", type=int, default=0, help="of `balanced` against each field")
    parser.add_argument("--search-games", type=int, default=0, help="for each search bot")
    parser.add_argument("--search", nargs="+", default=SEARCH, help="the search bots")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    tables = {"parameters": parameters()}
    if given.games:
        tables["ladder"] = ladder(given.games, given.seed)
    if given.yardstick_games:
        tables["yardstick"] = yardstick(given.yardstick_games, given.seed)
    if given.search_games:
        tables["search"] = search(given.search, given.search_games, given.seed)
    page = README.read_text(encoding="utf-8")
    for name, table in tables.items():
        page = put(page, name, table)
    README.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
