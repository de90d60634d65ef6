"""A game as one self-contained HTML page: step through it, see every bid, works offline from a file.

The page holds one map, one scene and what each decision changed; the scripts in `page/` draw.
"""

import json
from html import escape
from importlib.resources import files
from typing import Any

from powergrid_env.arguments import refuse
from powergrid_env.board import Board
from powergrid_env.constants import NUM_SPACES, Resource
from powergrid_env.game import Game
from powergrid_env.pictures import look
from powergrid_env.pictures.board_map import flag_place, ground, house_place
from powergrid_env.pictures.frames import deltas, played
from powergrid_env.pictures.geometry import ROW, Geometry, aspect, geometry
from powergrid_env.pictures.sheet import WIDE
from powergrid_env.pictures.svg import FONT, group, tag
from powergrid_env.pictures.symbols import definitions, fuel_name
from powergrid_env.pictures.track import TRACK_HEIGHT, Track

WIDE_MAP, TALL_MAP, TRACK_WIDTH = 1072, 600, 520


def replay_html(game: Game | str) -> str:
    """A page that plays a game back.

    Args:
        game: the game, or the text of its record. The page shows all money, also where the config hides it.

    Returns:
        HTML that needs nothing else. `#120` behind its address opens it after 120 decisions.

    Raises:
        ValueError: a record that cannot be, begins with its line; or neither game nor text.
    """
    if isinstance(game, str):
        game = Game.replay(game)
    if not isinstance(game, Game):
        raise refuse("game", game, "a Game, or the text of its record")
    board, config = game.board, game.config
    wide = aspect(board) >= WIDE
    shape = geometry(board, WIDE_MAP if wide else TALL_MAP)
    title = f"Power Grid: {config.edition}, {config.board}, {config.players} players"
    parts = {
        "title": escape(title),
        "layout": "wide" if wide else "tall",
        "style": _part("replay.css"),
        "symbols": tag("svg", definitions(board), class_="symbols", aria_hidden="true", font_family=FONT),
        "map": _map(game, shape),
        "track": _track(board),
        "data": _json(_data(game, shape)),
        "script": "".join(map(_part, ("table.js", "curves.js", "replay.js"))),
    }
    page = _part("replay.html")
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


def _part(name: str) -> str:
    return (files("powergrid_env.pictures") / "page" / name).read_text(encoding="utf-8")


def _json(data: Any) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _data(game: Game, shape: Geometry) -> dict[str, Any]:
    first, decisions = played(game)
    return {
        "cities": list(game.board.cities),
        "points": shape.cities,
        "flags": [flag_place(shape, city) for city in range(len(shape.cities))],
        "names": game.names,
        "players": game.config.players,
        "colours": look.LINES,
        "phases": look.PHASES,
        "storagePrice": int(game.board.record.storage_price),
        "decisions": [[decision.seat, decision.words] for decision in decisions],
        "first": first,
        "deltas": list(deltas(first, decisions)),
    }


def _map(game: Game, shape: Geometry) -> str:
    """The ground, and an empty place for every house; the script fills them."""
    places = [
        tag(
            "use",
            id=f"house-{city}-{space}",
            transform="translate({} {})".format(*house_place(shape, city, space)),
        )
        for city in range(len(shape.cities))
        for space in range(NUM_SPACES)
    ]
    return tag(
        "svg",
        ground(game.board, int(game.state.zone), shape),
        group(*places),
        tag("g", id="markers"),
        tag("rect", id="focus", x=-ROW / 2 - 4, y=-13, width=ROW + 8, height=25, rx=6, visibility="hidden"),
        viewBox=f"0 0 {shape.width:g} {shape.height:.0f}",
        font_family=FONT,
        role="img",
        aria_label="Map with the houses of all players",
    )


def _track(board: Board) -> str:
    """The resource track with all tokens that there can be; the script shows and hides them."""
    track = Track(board, TRACK_WIDTH)
    tokens = [
        tag(
            "use",
            href=f"#{fuel_name(kind)}",
            id=f"token-{kind}-{number}",
            transform=f"translate({x:g} {y:g}) scale({track.scale:g})",
        )
        for kind, number, x, y in track.places()
    ]
    numbers = [
        track.number(kind, "0", id=f"left-{kind}") + track.coming(kind, "+0", id=f"coming-{kind}")
        for kind in Resource
    ]
    storage = track.storage("", id="storage") if board.record.storage_price else ""
    return tag(
        "svg",
        track.frame(),
        *tokens,
        *numbers,
        storage,
        viewBox=f"0 0 {TRACK_WIDTH} {TRACK_HEIGHT}",
        font_family=FONT,
        role="img",
        aria_label="Resource track",
    )
