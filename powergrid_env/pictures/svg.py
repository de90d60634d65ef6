"""SVG text: elements, groups, words, and how wide words are."""

from html import escape
from typing import Any

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
INK, SOFT, LINE, PAPER = "#1a1a1a", "#5a5a5a", "#c8c8c8", "#ffffff"
_NARROW, _WIDE = set("ijlI.,:;'()[]|!ft r-"), set("mwMWGOQ@%—→")


def tag(name: str, *content: str, **attributes: Any) -> str:
    """An element; `_` in names of attributes stands for `-`, a last `_` is dropped, None leaves one out."""
    parts = [
        f' {key.rstrip("_").replace("_", "-")}="{_plain(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    inside = "".join(content)
    return f"<{name}{''.join(parts)}>{inside}</{name}>" if inside else f"<{name}{''.join(parts)}/>"


def _plain(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def words(x: float, y: float, text: str, size: float = 13, **attributes: Any) -> str:
    """Text with its baseline at `y`; escaped."""
    given = {"fill": INK, **attributes}
    return tag("text", escape(text), x=x, y=y, font_size=size, **given)


def group(*content: str, x: float = 0, y: float = 0, scale: float = 1, **attributes: Any) -> str:
    """A group moved to `x`, `y` and scaled."""
    moves = [f"translate({x:g} {y:g})"] * bool(x or y) + [f"scale({scale:g})"] * (scale != 1)
    return tag("g", *content, transform=" ".join(moves) or None, **attributes)


def use(name: str, x: float, y: float, scale: float = 1, **attributes: Any) -> str:
    """A symbol of symbols.py at a place."""
    moves = f"translate({x:g} {y:g})" + (f" scale({scale:g})" if scale != 1 else "")
    return tag("use", href=f"#{name}", transform=moves, **attributes)


def box(x: float, y: float, width: float, height: float, **attributes: Any) -> str:
    """A rectangle with round corners, white with a thin border unless told otherwise."""
    given = {"rx": 4, "fill": PAPER, "stroke": LINE, **attributes}
    return tag("rect", x=x, y=y, width=width, height=height, **given)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Room that text takes, in pixels, rather too much than too little: an estimate that needs no font."""
    plain = size * sum(0.4 if char in _NARROW else 0.95 if char in _WIDE else 0.65 for char in text)
    return plain * 1.12 if bold else plain


def shorten(text: str, size: float, room: float) -> str:
    """Text cut to fit the room, with a point of ellipsis."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"
