"""Plays the ladder of the scripted bots for every number of players, and the search bots, and prints both into README.md.

python -m agents.ladder --games 3000 --seed 7
"""

import argparse
import re
from pathlib import Path

import pandas as pd

from agents import arena
from agents.scripted.settings import PARAMETERS
from powergrid_env.config import GameConfig

README = Path(__file__).with_name("README.md")
SCRIPTED = [
    "random",
    "face_value",
    "balanced",
    "sprinter",
    "staller",
    "hoarder",
    "keeper",
    "green",
    "spoiler",
]
SEARCH = ["rollout:simulations=200", "ismcts:simulations=250"]  # each about 0.1 s per decision


def parameters() -> str:
    """The parameters of `balanced` as a table."""
    rows = [
        f"| `{one.name}` | {one.default:g} | {one.low:g} to {one.high:g} | {one.meaning} |"
        for one in PARAMETERS
    ]
    return "\n".join(["| parameter | default | range | meaning |", "| --- | --- | --- | --- |", *rows])


def interval(row: pd.Series) -> str:
    """Win share with its interval in per cent."""
    return f"{100 * row.win_share:.0f} [{100 * row.ci_low:.0f}, {100 * row.ci_high:.0f}]"


def scripted(games: int, seed: int) -> str:
    """Win shares of all scripted bots against each other, one column per number of players."""
    columns = {}
    for players in range(2, 7):
        results = arena.tournament(
            SCRIPTED, GameConfig(players=players), games=games, seed=seed, progress=True
        )
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


def search(games: int, seed: int) -> str:
    """Win shares of the search bots against two of `balanced`."""
    lines = ["| bot | against two `balanced`, par 33 | games |", "| --- | --- | --- |"]
    for bot in SEARCH:
        line_up = [bot, "balanced", "balanced"]
        results = arena.tournament(line_up, GameConfig(players=3), games=games, seed=seed, progress=True)
        row = arena.standings(results, with_ratings=False).set_index("agent").loc[bot]
        lines.append(f"| `{bot}` | {interval(row)} | {row.games} |")
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
    parser.add_argument(
        "--games", type=int, default=1000, help="for each number of players; 0 leaves the table as it is"
    )
    parser.add_argument(
        "--search-games", type=int, default=120, help="for each search bot; 0 leaves its table as it is"
    )
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    page = put(README.read_text(encoding="utf-8"), "parameters", parameters())
    if given.games:
        page = put(page, "ladder", scripted(given.games, given.seed))
    if given.search_games:
        page = put(page, "search", search(given.search_games, given.seed))
    README.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
