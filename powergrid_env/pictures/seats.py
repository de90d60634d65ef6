"""The panels of the players and of the Trust."""

from powergrid_env.constants import NOBODY, Resource
from powergrid_env.pictures import look
from powergrid_env.pictures.panels import seat_name
from powergrid_env.pictures.scene import Scene, num_cities
from powergrid_env.pictures.svg import INK, LINE, PAPER, SOFT, box, group, shorten, text_width, use, words
from powergrid_env.pictures.symbols import CARD_WIDTH, fuel_name

SEAT_HEIGHT = 66
MINI = 0.66
"""Scale of the plant cards of a player."""


def seat_panel(seen: Scene, seat: int, names: list[str] | None, width: float) -> str:
    """A player: place in order, money, cities, what is supplied, plants and fuel."""
    acts = seat == seen["player"]
    place = seen["order"].index(seat) + 1 if seat in seen["order"] else 0
    parts = [
        box(
            0,
            0,
            width,
            SEAT_HEIGHT - 6,
            stroke=INK if acts else LINE,
            stroke_width=2.5 if acts else 1,
            fill="#fff8df" if acts else PAPER,
        ),
        words(8, 18, f"{place}.", 13, fill=SOFT),
        use(f"house-{seat}", 26, 4),
        words(47, 18, shorten(seat_name(names, seat), 13, width - 350), 13.5, font_weight="bold"),
        words(
            width - 292, 18, _status(seen, seat), 12, fill=look.ACCENT if acts else SOFT, text_anchor="start"
        ),
        words(width - 180, 18, f"{seen['money'][seat]} E", 14.5, font_weight="bold", text_anchor="end"),
        words(
            width - 8,
            18,
            f"{num_cities(seen['spaces'], seat)} cities, supplies {seen['can_supply'][seat]}",
            12.5,
            text_anchor="end",
        ),
    ]
    parts.append(_plants_and_fuel(seen["plants"][seat], seen["fuel"][seat], width))
    return group(*parts)


def _status(seen: Scene, seat: int) -> str:
    if seat == seen["player"]:
        return "acts"
    if seat in seen["bought"]:
        return "bought"
    if seat in seen["done"]:
        return "passed" if seen["phase"] == "auction" else "done"
    if seen["lot"] is not None and seen["lot"]["sold"] == NOBODY and seat not in seen["lot"]["bidding"]:
        return "out"
    return ""


def _plants_and_fuel(plants: list[int], fuel: list[int], width: float) -> str:
    parts = [
        use(f"plant-{plant}", 8 + (CARD_WIDTH * MINI + 5) * place, 23, MINI)
        for place, plant in enumerate(plants)
    ]
    x = width - 8.0
    for resource in reversed(Resource):
        if fuel[resource]:
            count = str(fuel[resource])
            x -= text_width(count, 13)
            parts.append(words(x, 46, count, 13, font_weight="bold"))
            x -= 17
            parts.append(use(fuel_name(resource), x, 35, 1.15))
            x -= 8
    return group(*parts)


def trust_panel(seen: Scene, width: float) -> str:
    """The Trust of the two-player game: plants, fuel and the houses it has left (RT.1)."""
    trust = seen["trust"]
    assert trust is not None
    return group(
        box(0, 0, width, SEAT_HEIGHT - 6, stroke_dasharray="4 3"),
        use("house-T", 26, 4),
        words(47, 18, "the Trust", 13.5, font_weight="bold"),
        words(width - 8, 18, f"{trust['houses']} houses left", 12.5, text_anchor="end"),
        _plants_and_fuel(trust["plants"], trust["fuel"], width),
    )
