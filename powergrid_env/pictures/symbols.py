"""Symbols: houses, tokens and plant cards, drawn once under a name and used everywhere by it.

Names: `house-0` .. `house-5`, `house-T`; `flag-0` ..; `fuel-coal` ..; `plant-13` ..; `plant-51` (Step 3).
"""

from powergrid_env.board import Board
from powergrid_env.constants import STEP_3_CARD, PlantKind, Resource
from powergrid_env.pictures import look
from powergrid_env.pictures.svg import INK, PAPER, box, group, tag, use, words

HOUSE = 16
"""Width and height of a house, in pixels."""
TOKEN = 12
"""Width and height of a token."""
CARD_WIDTH, CARD_HEIGHT = 104, 52
_ROOF = "M8 0.5 L15.5 6 V15.5 H0.5 V6 Z"
_SHAPES = {  # a square, a drop, a hexagon, a triangle
    Resource.COAL: "M1 1 H11 V11 H1 Z",
    Resource.OIL: "M6 0.3 C8 3.6 10.4 5.4 10.4 7.8 A4.4 4 0 0 1 1.6 7.8 C1.6 5.4 4 3.6 6 0.3 Z",
    Resource.GARBAGE: "M3.2 0.9 H8.8 L11.7 6 L8.8 11.1 H3.2 L0.3 6 Z",
    Resource.URANIUM: "M6 0.4 L11.8 11.2 H0.2 Z",
}


def definitions(board: Board) -> str:
    """The symbols of a board's deck, as one `defs` element."""
    houses = [_house(str(seat), fill, look.SEAT_INK[seat]) for seat, fill in enumerate(look.SEATS)]
    houses.append(_trust_house())
    flags = [_flag(seat) for seat in range(len(look.SEATS))]
    fuels = [
        group(
            tag("path", d=_SHAPES[kind], fill=look.FUELS[kind], stroke=INK, stroke_width=0.6),
            id=fuel_name(kind),
        )
        for kind in Resource
    ]
    kinds = board.record.plant_kind
    plants = [_plant(board, number) for number in range(len(kinds)) if kinds[number] != PlantKind.ABSENT]
    return tag("defs", *houses, *flags, *fuels, _eco(), _hybrid(), *plants, _step_3())


def fuel_name(resource: Resource) -> str:
    """Name of the symbol of a token."""
    return f"fuel-{resource.name.lower()}"


def _house(name: str, fill: str, ink: str) -> str:
    return group(
        tag("path", d=_ROOF, fill=fill, stroke=INK, stroke_width=0.8),
        words(8, 13.6, name, 11, font_weight="bold", text_anchor="middle", fill=ink),
        id=f"house-{name}",
    )


def _flag(seat: int) -> str:
    """A start marker (RS.1), its pole's foot at 0, 0."""
    return group(
        tag("path", d="M0 0 V-18 H14 L10 -12 L14 -6 H0", fill=look.SEATS[seat], stroke=INK, stroke_width=1),
        words(5, -8.3, str(seat), 9.5, font_weight="bold", text_anchor="middle", fill=look.SEAT_INK[seat]),
        id=f"flag-{seat}",
    )


def _trust_house() -> str:
    """Square and barred, unlike a player's."""
    return group(
        tag("rect", x=0.5, y=0.5, width=15, height=15, fill=look.TRUST, stroke=INK, stroke_width=0.8),
        words(8, 12.4, "T", 12, font_weight="bold", text_anchor="middle", fill=look.TRUST_INK),
        id="house-T",
    )


def _eco() -> str:
    """A leaf."""
    leaf = "M1 11 C0 4 5 0.5 11.5 0.5 C11.5 7 8 12 1 11 Z M1 11 L7.5 4.5"
    return group(tag("path", d=leaf, fill=look.ECO, stroke=INK, stroke_width=0.6), id="fuel-eco")


def _hybrid() -> str:
    """Coal and oil in one token: the left half a square, the right half a drop."""
    half = "M6.6 1 C8.6 3.6 11.4 5.4 11.4 7.6 A4.4 4 0 0 1 6.6 11.6 Z"
    return group(
        tag(
            "path", d="M0.6 1 H5.4 V11.4 H0.6 Z", fill=look.FUELS[Resource.COAL], stroke=INK, stroke_width=0.6
        ),
        tag("path", d=half, fill=look.FUELS[Resource.OIL], stroke=INK, stroke_width=0.6),
        id="fuel-hybrid",
    )


def _frame(stroke: str = INK) -> str:
    return box(0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, rx=5, stroke=stroke)


def _plant(board: Board, number: int) -> str:
    """Number, what it burns, an arrow, the cities it supplies."""
    kind = PlantKind(board.record.plant_kind[number])
    burn, cities = int(board.record.plant_burn[number]), int(board.record.plant_cities[number])
    icon = f"fuel-{kind.name.lower()}"
    tint = (
        look.ECO
        if kind == PlantKind.ECO
        else look.FUELS[Resource.OIL if kind == PlantKind.HYBRID else Resource(kind)]
    )
    tokens = [use(icon, 39 + 17 * place, 6, 1.3) for place in range(max(1, burn))]
    return group(
        _frame(),
        box(0.5, 0.5, 34, CARD_HEIGHT - 1, rx=5, fill=tint, stroke=INK),
        words(17.5, 34, str(number), 23, font_weight="bold", text_anchor="middle", fill=PAPER),
        *tokens,
        tag("path", d="M41 38 H56 M51.5 33.5 L56.5 38 L51.5 42.5", fill="none", stroke=INK, stroke_width=2),
        tag("path", d=_ROOF, fill=PAPER, stroke=INK, stroke_width=1, transform="translate(62 28) scale(1.2)"),
        words(91, 45, str(cities), 20, font_weight="bold", text_anchor="middle"),
        id=f"plant-{number}",
    )


def _step_3() -> str:
    return group(
        _frame(),
        words(CARD_WIDTH / 2, 33, "Step 3", 21, font_weight="bold", text_anchor="middle"),
        id=f"plant-{STEP_3_CARD}",
    )
