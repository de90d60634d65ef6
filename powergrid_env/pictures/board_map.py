"""The map as SVG: ground of the regions, connections with their costs, cities with three house spaces.

`ground` stays the same for a whole game but for the zone; `houses` is what a scene puts on it.
"""

from powergrid_env.board import Board
from powergrid_env.pictures import look
from powergrid_env.pictures.geometry import NAME_SIZE, ROW, SLOT, Geometry
from powergrid_env.pictures.scene import FREE, Scene
from powergrid_env.pictures.svg import INK, LINE, PAPER, SOFT, box, group, tag, use, words
from powergrid_env.pictures.symbols import HOUSE

HALO = {"stroke": PAPER, "stroke_width": 3, "paint_order": "stroke", "stroke_linejoin": "round"}


def ground(board: Board, zone: int, shape: Geometry) -> str:
    """The map without houses; `zone` is the state's row of the zone tables."""
    return group(
        *_regions(board, zone, shape), *_links(board, zone, shape), *_cities(board, zone, shape), class_="map"
    )


def _regions(board: Board, zone: int, shape: Geometry) -> list[str]:
    record = board.record
    parts = []
    for region, name in enumerate(board.regions):
        inside = bool(record.zone_regions[zone, region])
        tint = look.region_tint(name, region) if inside else look.OUTSIDE
        outline = "".join(
            "M" + "L".join(f"{x:g} {y:g}" for x, y in shape.cells[city]) + "Z"
            for city in range(len(board.cities))
            if record.city_region[city] == region
        )
        parts.append(tag("path", d=outline, fill=tint, stroke=tint, stroke_width=1))
    for region, name in enumerate(board.regions):
        x, y = shape.regions[region]
        inside = bool(record.zone_regions[zone, region])
        parts.append(
            words(
                x,
                y + 4,
                name,
                13,
                fill=SOFT if inside else "#8a8a8a",
                font_style="italic",
                text_anchor="middle",
                letter_spacing=1,
            )
        )
    return parts


def _links(board: Board, zone: int, shape: Geometry) -> list[str]:
    lines, labels = [], []
    for link in shape.links:
        a, b = link.ends
        inside = bool(board.record.in_zone[zone, a] and board.record.in_zone[zone, b])
        (ax, ay), (bx, by), (cx, cy), (x, y) = shape.cities[a], shape.cities[b], link.bend, link.label
        colour = "#777777" if inside else "#cfcfcf"
        path = f"M{ax:g} {ay:g}Q{cx:g} {cy:g} {bx:g} {by:g}"
        lines.append(tag("path", d=path, fill="none", stroke=colour, stroke_width=3 if inside else 2))
        labels.append(
            tag("circle", cx=x, cy=y, r=9, fill=PAPER, stroke=colour, stroke_width=1.2)
            + words(x, y + 4.2, str(link.cost), 12, text_anchor="middle", fill=INK if inside else "#8a8a8a")
        )
    return lines + labels


def _cities(board: Board, zone: int, shape: Geometry) -> list[str]:
    parts = []
    for city, name in enumerate(board.cities):
        x, y = shape.cities[city]
        inside = bool(board.record.in_zone[zone, city])
        ink = INK if inside else "#8a8a8a"
        left = x - ROW / 2
        slots = [
            box(
                left + 0.5 + SLOT * space,
                y - 8.5,
                SLOT,
                SLOT,
                rx=2,
                stroke=ink if inside else LINE,
                stroke_width=0.9,
            )
            + words(
                left + 0.5 + SLOT * (space + 0.5),
                y + 3.2,
                str(int(price)),
                9,
                fill="#9a9a9a",
                text_anchor="middle",
            )
            for space, price in enumerate(board.record.space_price)
        ]
        label = words(
            x,
            y + 20.5,
            name,
            NAME_SIZE,
            text_anchor="middle",
            fill=ink,
            font_weight="bold" if inside else None,
            **HALO,
        )
        parts.append(group(*slots, label))
    return parts


def house_place(shape: Geometry, city: int, space: int) -> tuple[float, float]:
    """Left and top of a house on a space."""
    x, y = shape.cities[city]
    return round(x - ROW / 2 + SLOT * space + 0.5 + (SLOT - HOUSE) / 2, 1), round(y - HOUSE / 2, 1)


def houses(seen: Scene, shape: Geometry) -> str:
    """Houses and start markers of a scene."""
    parts = []
    for index, owner in enumerate(seen["spaces"]):
        if owner != FREE:
            parts.append(use(f"house-{owner}", *house_place(shape, index // 3, index % 3), class_="house"))
    for city, seat in seen["markers"].items():
        parts.append(use(f"flag-{seat}", *flag_place(shape, int(city))))
    return group(*parts)


def flag_place(shape: Geometry, city: int) -> tuple[float, float]:
    """Foot of the flag of a start marker (RS.1), at the upper right corner of the city."""
    x, y = shape.cities[city]
    return round(x + ROW / 2 - 1, 1), round(y - 6, 1)
