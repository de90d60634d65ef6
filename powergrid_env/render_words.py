"""Words and lines of the board as text: cells that wrap, styles, plants and tokens in a few letters."""

import re
from collections.abc import Callable
from typing import Any

from powergrid_env.board import Board
from powergrid_env.constants import MAX_PLAYERS, NO_PLANT, STEP_3_CARD, PlantKind, Resource
from powergrid_env.hidden import has_backs
from powergrid_env.state import State

WIDTH = 100  # columns of the text
LABEL = 10  # columns of the word that a block begins with

STYLES = {"label": "1", "star": "1;33", "dim": "2"}
STYLES.update({f"p{seat}": f"1;{31 + seat}" for seat in range(MAX_PLAYERS)})
"""ANSI codes of bold labels, the discounted plant, what is not for sale, and the seats."""

Paint = Callable[[str, str], str]
"""Text and the name of a style, "" for none, to the text in that style, which is no wider."""


def painted(text: str, style: str) -> str:
    """The text in a style."""
    return f"\033[{STYLES[style]}m{text}\033[0m" if style else text


def unpainted(text: str, _: str) -> str:
    """The text as it is."""
    return text


def block(label: str, lines: list[str], paint: Paint) -> list[str]:
    """Lines with a word before the first and the same room before the others."""
    labels = [label] + [""] * (len(lines) - 1)
    return [paint(f"{text:<{LABEL}}", "label") + line for text, line in zip(labels, lines, strict=True)]


def wrap(cells: list[str], margin: int = 0, gap: str = "  ") -> list[str]:
    """Cells side by side, in as few lines as fit beside a block's word and a further margin."""
    lines: list[str] = []
    for cell in cells:
        if lines and width(lines[-1] + gap + cell) <= WIDTH - LABEL - margin:
            lines[-1] += gap + cell
        else:
            lines.append(cell)
    return lines


def width(text: str) -> int:
    """Columns that a painted text takes."""
    return len(re.sub("\033\\[[0-9;]*m", "", text))


def token_text(amounts: Any) -> str:
    """Such as `2 coal, 1 uranium`."""
    return ", ".join(f"{int(amounts[kind])} {kind.name.lower()}" for kind in Resource if amounts[kind])


def burns_and_supplies(board: Board, plant: int) -> tuple[str, int]:
    """What a plant burns, such as `3 coal` or `eco`, and how many cities it supplies."""
    kind = PlantKind(board.record.plant_kind[plant])
    burns = "eco" if kind == PlantKind.ECO else f"{int(board.record.plant_burn[plant])} {kind.name.lower()}"
    return burns, int(board.record.plant_cities[plant])


def plant_text(board: Board, plant: int) -> str:
    """A plant in a few letters: `20: 3 coal > 5` burns 3 coal and supplies 5 cities."""
    burns, supplies = burns_and_supplies(board, plant)
    return f"{plant}: {burns} > {supplies}"


def plant_texts(board: Board, plants: Any) -> list[str]:
    """Several plants, each in a few letters."""
    return [plant_text(board, int(plant)) for plant in plants]


def top_back(state: State, board: Board) -> str:
    """Back of the top card, plug or socket, which is open (RI.1); empty where cards have none or the Step 3 card is next."""
    card = int(state.stack[0])  # 0 with an empty stack
    if card in (NO_PLANT, STEP_3_CARD) or not has_backs(board.record):
        return ""
    return "plug" if board.record.plant_is_plug[card] else "socket"


def runs(numbers: list[int]) -> str:
    """Ascending numbers, three or more in a row as `9 to 12`."""
    rows: list[list[int]] = []
    for number in numbers:
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(f"{row[0]} to {row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows)
