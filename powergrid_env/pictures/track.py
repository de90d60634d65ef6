"""The resource track: prices, tokens, how many are left and how many come."""

from collections.abc import Iterator

from powergrid_env.board import Board
from powergrid_env.constants import Resource
from powergrid_env.pictures.panels import TITLE, panel_title
from powergrid_env.pictures.scene import Scene
from powergrid_env.pictures.svg import SOFT, box, group, tag, use, words
from powergrid_env.pictures.symbols import TOKEN, fuel_name

TRACK_HEIGHT = 142


class Track:
    """Places on the resource track: a column per price, a row per resource, the dearest spaces empty last.

    Args:
        board: gives the prices.
        width: of the track in pixels.
    """

    LABEL, RIGHT, ROW, GAP = 60, 80, 25, 3
    SINGLE = 20
    """Width of a column that has one space for one token."""

    def __init__(self, board: Board, width: float) -> None:
        record = board.record
        self.board = board
        self.prices = sorted({int(price) for price in record.price.ravel() if price > 0})
        most = {price: max(int((row == price).sum()) for row in record.price) for price in self.prices}
        singles = sum(self.SINGLE for room in most.values() if room == 1)
        free = width - self.LABEL - self.RIGHT - self.GAP * len(self.prices) - singles
        self.pitch = free / max(1, sum(room for room in most.values() if room > 1))
        self.scale = round(min(1.0, self.pitch / TOKEN), 3)
        self.room = {price: self.SINGLE if room == 1 else room * self.pitch for price, room in most.items()}
        self.left: dict[int, float] = {}
        x = float(self.LABEL)
        for price in self.prices:
            self.left[price] = x
            x += self.room[price] + self.GAP
        self.right = x + 6

    def row(self, resource: int) -> float:
        """Middle of a resource's row."""
        return TITLE + 30 + self.ROW * resource

    def place(self, resource: int, tokens: int) -> tuple[float, float]:
        """Left and top of the token that is there while the track holds at least so many."""
        prices = self.board.record.price[resource]
        price, size = int(prices[tokens]), TOKEN * self.scale
        same = [place for place in range(1, len(prices)) if prices[place] == price]
        x = (
            self.left[price]
            + (self.room[price] - self.pitch * len(same)) / 2
            + self.pitch * (max(same) - tokens)
        )
        return round(x + (self.pitch - size) / 2, 1), round(self.row(resource) - size / 2, 1)

    def places(self) -> Iterator[tuple[Resource, int, float, float]]:
        """Resource, token from 1, left and top of every token there can be."""
        for resource in Resource:
            for tokens in range(1, int(self.board.record.tokens[resource]) + 1):
                yield resource, tokens, *self.place(resource, tokens)

    def frame(self) -> str:
        """Prices, rows and spaces, without the tokens."""
        parts = [panel_title("Fuel", "Elektro per token")]
        middle = TOKEN * self.scale / 2
        high = self.ROW * len(Resource) + 2
        for price in self.prices:
            left, room = self.left[price], self.room[price]
            parts.append(box(left, TITLE + 16, room, high, rx=2, fill="#f6f6f6"))
            parts.append(
                words(left + room / 2, TITLE + 12, str(price), 12, font_weight="bold", text_anchor="middle")
            )
        parts += [words(0, self.row(resource) + 4, resource.name.lower(), 12.5) for resource in Resource]
        parts += [
            tag("circle", cx=x + middle, cy=y + middle, r=1.5, fill="#b0b0b0") for _, _, x, y in self.places()
        ]
        parts.append(words(self.right + 22, TITLE + 12, "left", 11, fill=SOFT, text_anchor="end"))
        parts.append(words(self.right + 30, TITLE + 12, "to come", 11, fill=SOFT))
        return group(*parts)

    def tokens(self, seen: Scene) -> str:
        """The tokens of a scene, how many are left, how many the next resupply brings."""
        parts = [
            use(fuel_name(resource), x, y, self.scale)
            for resource, tokens, x, y in self.places()
            if tokens <= seen["track"][resource]
        ]
        for resource in Resource:
            stopped = resource == Resource.URANIUM and seen["stopped"]
            coming = "none" if stopped else f"+{seen['refill'][resource]}"
            parts.append(self.number(resource, str(seen["track"][resource])))
            parts.append(self.coming(resource, coming))
        if self.board.record.storage_price:
            parts.append(self.storage(f"{seen['storage']} coal in the storage"))
        return group(*parts)

    def number(self, resource: Resource, text: str, **attributes: str) -> str:
        """How many tokens are left."""
        y = self.row(resource) + 4
        return words(self.right + 22, y, text, 12.5, text_anchor="end", font_weight="bold", **attributes)

    def coming(self, resource: Resource, text: str, **attributes: str) -> str:
        """How many the next resupply brings."""
        return words(self.right + 30, self.row(resource) + 4, text, 12, **attributes)

    def storage(self, text: str, **attributes: str) -> str:
        """The coal storage and its price (RM.11)."""
        price = f", at {int(self.board.record.storage_price)} each"
        return words(self.right + 72, 13, text + price, 12, fill=SOFT, text_anchor="end", **attributes)
