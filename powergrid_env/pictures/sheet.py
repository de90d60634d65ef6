"""The whole table as one SVG: map, markets, auction, players; white ground, fit for a screen and for print.

A wide map (USA) lies above the panels, a tall one (Germany) beside them.
"""

from powergrid_env.game import Game
from powergrid_env.pictures import panels, seats
from powergrid_env.pictures.board_map import ground, houses
from powergrid_env.pictures.geometry import aspect, geometry
from powergrid_env.pictures.lots import scene_with_bids
from powergrid_env.pictures.scene import Scene
from powergrid_env.pictures.svg import FONT, PAPER, group, tag
from powergrid_env.pictures.symbols import CARD_WIDTH, definitions
from powergrid_env.pictures.track import TRACK_HEIGHT, Track

WIDTH = 1100
"""Width of a picture in pixels; SVG scales."""
MARGIN, GUTTER, HEAD = 14, 22, 54
TALL_MAP = 590
WIDE = 1.15
"""Aspect from which a map lies above the panels."""


def board_svg(game: Game) -> str:
    """The table as it stands, as the text of an SVG file.

    Args:
        game: the game; money and all, as one sees it who may see everything but the order of the stack.
    """
    seen, names = scene_with_bids(game), game.names
    wide = aspect(game.board) >= WIDE
    parts, height = (_wide if wide else _tall)(game, seen, names)
    inner = WIDTH - 2 * MARGIN
    body = group(panels.headline(game.board, seen, names, inner), *parts, x=MARGIN, y=MARGIN)
    title = f"Power Grid, round {seen['round']}, {seen['phase']}"
    return tag(
        "svg",
        tag("title", title),
        definitions(game.board),
        tag("rect", width=WIDTH, height=height, fill=PAPER),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        height=height,
        font_family=FONT,
        role="img",
    )


def _table_map(game: Game, seen: Scene, width: float) -> tuple[str, float]:
    shape = geometry(game.board, width)
    return ground(game.board, int(game.state.zone), shape) + houses(seen, shape), shape.height


def _fuel(game: Game, seen: Scene, width: float) -> str:
    track = Track(game.board, width)
    return track.frame() + track.tokens(seen)


def _outcome(seen: Scene, names: list[str] | None, width: float) -> str:
    if seen["ranks"]:
        return panels.result_panel(seen, names, width)
    return panels.lot_panel(seen["lot"], width)


def _players(seen: Scene, names: list[str] | None, width: float) -> list[str]:
    rows = [seats.seat_panel(seen, seat, names, width) for seat in seen["order"]]
    return rows + [seats.trust_panel(seen, width)] if seen["trust"] is not None else rows


def _wide(game: Game, seen: Scene, names: list[str] | None) -> tuple[list[str], int]:
    """Map on top; below it the plants in a row, fuel beside the auction, the players in two columns."""
    inner = WIDTH - 2 * MARGIN
    half = (inner - GUTTER) / 2
    picture, height = _table_map(game, seen, inner)
    parts = [group(picture, y=HEAD)]
    y = HEAD + height + 12
    parts.append(group(panels.plant_market(seen, 8, (inner - CARD_WIDTH) / 7), y=y))
    y += panels.TITLE + panels.MARKET_ROW + 8
    parts.append(group(_fuel(game, seen, half), y=y))
    parts.append(group(_outcome(seen, names, half), x=half + GUTTER, y=y))
    y += panels.LOT_HEIGHT + 4
    rows = _players(seen, names, half)
    per_column = (len(rows) + 1) // 2
    for place, row in enumerate(rows):
        column, line = divmod(place, per_column)
        parts.append(group(row, x=column * (half + GUTTER), y=y + line * seats.SEAT_HEIGHT))
    return parts, round(y + per_column * seats.SEAT_HEIGHT + 2 * MARGIN - 6)


def _tall(game: Game, seen: Scene, names: list[str] | None) -> tuple[list[str], int]:
    """Map on the left, all panels in a column beside it."""
    picture, height = _table_map(game, seen, TALL_MAP)
    left = TALL_MAP + GUTTER
    width = WIDTH - 2 * MARGIN - left
    parts = [group(picture, y=HEAD)]
    y = float(HEAD)
    parts.append(group(panels.plant_market(seen, 4, (width - CARD_WIDTH) / 3), x=left, y=y))
    y += panels.TITLE + 2 * panels.MARKET_ROW + 6
    parts.append(group(_fuel(game, seen, width), x=left, y=y))
    y += TRACK_HEIGHT + 12
    parts.append(group(_outcome(seen, names, width), x=left, y=y))
    y += panels.LOT_HEIGHT + 6
    for row in _players(seen, names, width):
        parts.append(group(row, x=left, y=y))
        y += seats.SEAT_HEIGHT
    return parts, round(max(y, HEAD + height) + 2 * MARGIN)
