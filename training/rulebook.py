"""RULES.md by id: the text of each rule and of each ruling (A1, A2 ...)."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

RULE = re.compile(r"\*\*(R[CIMST0-9]\.?[0-9.]+)\b")
AMBIGUITY = re.compile(r"\| (A\d+) \|")


@dataclass(frozen=True)
class Rule:
    """One entry of RULES.md.

    Attributes:
        name: its id, such as `R2.9` or `A7`.
        section: the heading it stands under.
        text: Markdown.
    """

    name: str
    section: str
    text: str


@cache
def rules() -> dict[str, Rule]:
    """All entries by id, in the order of the file."""
    return {rule.name: rule for rule in _read((files("powergrid_env") / "RULES.md").read_text("utf-8"))}


def find(name: str) -> Rule:
    """The entry of an id, in any case.

    Raises:
        ValueError: no such id; names those nearby.
    """
    wanted = name.strip().upper()
    if wanted in rules():
        return rules()[wanted]
    group = [known for known in rules() if known.split(".")[0] == wanted.split(".")[0]]
    close = difflib.get_close_matches(wanted, rules(), n=3)
    groups = sorted({known.split(".")[0] for known in rules() if "." in known})
    if group:
        nearby = f"{group[0]} to {group[-1]}"
    else:
        nearby = (
            f"{', '.join(close)}; groups {', '.join(groups)}"
            if close
            else f"groups {', '.join(groups)}, and A1 ..."
        )
    raise ValueError(f"no rule {name!r}; there are {nearby}")


def _read(text: str) -> Iterator[Rule]:
    section, name, lines = "", "", list[str]()
    for line in [*text.splitlines(), "# end"]:
        begins = RULE.match(line)
        row = AMBIGUITY.match(line)
        if name and (begins or line.startswith(("#", "-----"))):
            yield Rule(name, section, "\n".join(lines).strip())
            name = ""
        if line.startswith("#"):
            section = line.lstrip("#").strip()
        elif begins:
            name, lines = begins[1], [line]
        elif row:
            yield _ambiguity(section, row[1], line)
        elif name:
            lines.append(line)


def _ambiguity(section: str, name: str, line: str) -> Rule:
    r"""A row of the table of rulings; `\|` is a bar inside a cell."""
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    _, question, sources, ruling = (cell.strip().replace("\\|", "|") for cell in cells)
    return Rule(name, section, f"**{name}** {question}\n\n* Sources: {sources}\n* Ruling: {ruling}")
