"""Tables in the README files that are printed from the code (`make docs`).

A table stands between two comment lines, `<!-- table: NAME -->` and `<!-- end -->`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from powergrid_env import GameConfig, rulings
from powergrid_env.actions import ActionTable
from powergrid_env.board import make_board
from powergrid_env.layout import layout_table
from powergrid_env.state import FIELDS, P

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "powergrid_env" / "README.md",)
TABLE = re.compile(r"(<!-- table: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

BLOCK_MEANINGS = {
    "pass": "pass the choice, drop out of an auction, finish buying, finish building",
    "nominate": "put the k-th plant of the current market up for auction",
    "bid": "bid the least amount allowed plus `raises[k]` Elektro; the opening bid is a bid as well",
    "scrap": "remove the k-th of the old plants, ascending (R2.30)",
    "give_up": "return one coal / one oil that cannot be stored (R2.32)",
    "buy": "1 to 6 tokens of coal, oil, garbage, uranium at once; a player may buy again until they pass",
    "city": "connect the city (rows of cities.csv); place a Trust start house; mark a start city",
    "run": "the set of plants to run, as bits over the owned plants, ascending",
    "burn": "number of coal among the tokens burnt by the hybrids that run (R5.3)",
}


def actions() -> str:
    """Blocks of the action table of a default board."""
    table = ActionTable(make_board(GameConfig()))
    lines = ["| ids | block | rows | meaning |", "|---|---|---|---|"]
    for name, rows in table.blocks.items():
        ids = str(rows.start) if rows.stop == rows.start + 1 else f"{rows.start}-{rows.stop - 1}"
        lines.append(
            f"| {ids} | {name.replace('_', ' ')} | {rows.stop - rows.start} | {BLOCK_MEANINGS[name]} |"
        )
    return "\n".join(lines)


def observation() -> str:
    """Pieces of the observation of a default board."""
    return layout_table(make_board(GameConfig()))


def state() -> str:
    """Fields of the state."""
    lines = ["| field | dtype | shape | meaning |", "|---|---|---|---|"]
    for name, kind, shape, meaning in FIELDS:
        lines.append(f"| `{name}` | {kind.__name__} | {shape or ''} | {meaning} |")
    return f"P = {P} seats\n\n" + "\n".join(lines)


def settings() -> str:
    """Rulings and their values; the default stands first, or both editions' values."""
    lines = ["| ruling | values | default |", "|---|---|---|"]
    new, old = GameConfig(), GameConfig(edition="2004")
    for name in [*rulings.CHOICES, *rulings.NUMBERS]:
        values = [str(rulings.spell(name, member)) for member in rulings.CHOICES.get(name, ())]
        values = values or [str(number) for number in sorted(rulings.NUMBERS[name])]
        shown = ", ".join(values) if len(values) <= 5 else f"{values[0]} ... {values[-1]}"
        defaults = [str(rulings.spell(name, config.ruling(name))) for config in (new, old)]
        default = defaults[0] if defaults[0] == defaults[1] else f"{defaults[0]}; 2004: {defaults[1]}"
        lines.append(f"| `{name}` | {shown} | {default} |")
    return "\n".join(lines)


TABLES: dict[str, Callable[[], str]] = {
    "actions": actions,
    "observation": observation,
    "state": state,
    "rulings": settings,
}


def printed(text: str) -> str:
    """A page with every table printed anew."""
    return TABLE.sub(lambda found: f"{found[1]}{TABLES[found['name']]()}\n{found[3]}", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(printed(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(page.relative_to(ROOT))
