"""The panels beside the map: headline, plant market, auction or result."""

from powergrid_env.board import Board
from powergrid_env.constants import NOBODY, STEP_3_CARD
from powergrid_env.pictures import look
from powergrid_env.pictures.scene import Lot, Scene
from powergrid_env.pictures.svg import (
    INK,
    LINE,
    PAPER,
    SOFT,
    box,
    group,
    shorten,
    tag,
    text_width,
    use,
    words,
)
from powergrid_env.pictures.symbols import CARD_HEIGHT, CARD_WIDTH

TITLE = 20
"""Height of a panel's title line."""
MARKET_ROW, LOT_HEIGHT = CARD_HEIGHT + 22, 150
CHIP_WIDTH, CHIP_HEIGHT = 56, 20


def seat_name(names: list[str] | None, seat: int) -> str:
    """`p2`, and the player's name where there are names."""
    return f"p{seat} {names[seat]}" if names else f"p{seat}"


def panel_title(text: str, note: str = "") -> str:
    """The first line of a panel: its name in bold, and a note."""
    title = words(0, 13, text, 13.5, font_weight="bold")
    return title + words(text_width(text, 13.5, bold=True) + 10, 13, note, 12, fill=SOFT) if note else title


# ------------------------------------------------------------------------------------------- headline


def headline(board: Board, seen: Scene, names: list[str] | None, width: float) -> str:
    """Round, Step and phase; who is to do what; what is played. 44 pixels high."""
    config = board.config
    what = f"{config.edition}, {config.board[-24:]}, {config.players} players"
    now = f"Round {seen['round']} · Step {seen['step']} · {look.PHASES[seen['phase']]}"
    parts = [
        words(0, 17, now, 18, font_weight="bold"),
        words(width, 15, what, 12.5, fill=SOFT, text_anchor="end"),
    ]
    if seen["asks"]:
        seat = seen["player"]
        parts.append(use(f"house-{seat}", 0, 25))
        parts.append(words(23, 38, f"{seat_name(names, seat)} {seen['asks']}", 14))
    elif seen["winners"]:
        who = " and ".join(seat_name(names, seat) for seat in seen["winners"])
        parts.append(words(0, 38, f"{who} won", 14))
    else:
        parts.append(words(0, 38, "nobody won: the round limit was met", 14))
    return group(*parts)


# -------------------------------------------------------------------------------------------- markets


def plant_market(seen: Scene, columns: int, pitch: float) -> str:
    """Cards for sale, and in Steps 1 and 2 the future ones, paler and behind a bar or in the next row."""
    stack = f"{seen['stack']} cards in the stack" + (f", next a {seen['back']}" if seen["back"] else "")
    parts = [panel_title("Plants", stack)]
    for place, card in enumerate(seen["market"]):
        x, y = pitch * (place % columns), TITLE + MARKET_ROW * (place // columns)
        for_sale = place < seen["for_sale"] and card != STEP_3_CARD
        parts.append(use(f"plant-{card}", x, y, opacity=None if for_sale else 0.5))
        if card == seen["discount"]:
            parts.append(_discount(x, y))
        note = "for sale" if for_sale else "future" if card != STEP_3_CARD else ""
        note += " from 1" if card == seen["discount"] else ""
        parts.append(
            words(
                x + CARD_WIDTH / 2,
                y + CARD_HEIGHT + 13,
                note,
                11,
                fill=INK if for_sale else SOFT,
                text_anchor="middle",
            )
        )
    return group(*parts)


def _discount(x: float, y: float) -> str:
    """The token that lowers the minimum bid to 1 (R2.20)."""
    disc = tag("circle", cx=0, cy=0, r=10, fill=look.ACCENT, stroke=PAPER, stroke_width=1.5)
    return group(
        disc,
        words(0, 4.5, "1", 13, font_weight="bold", fill=PAPER, text_anchor="middle"),
        x=x + CARD_WIDTH - 11,
        y=y + 11,
    )


# ---------------------------------------------------------------------------------- auction and result


def lot_panel(lot: Lot | None, width: float) -> str:
    """The plant under the hammer, the bids in their order, who is still in."""
    if lot is None:
        return group(panel_title("Auction", "none running"))
    state = (
        "sold to p{} for {}".format(lot["sold"], lot["price"])
        if lot["sold"] != NOBODY
        else (f"standing bid {lot['price']}" if lot["price"] else f"opens at {lot['minimum']} or more")
    )
    parts = [panel_title("Auction", state), use(f"plant-{lot['plant']}", 0, TITLE + 4)]
    left = CARD_WIDTH + 12
    columns = int((width - left) // (CHIP_WIDTH + 5))
    rows = 4
    bids = lot["bids"]
    shown = bids[-columns * rows :]
    if len(shown) < len(bids):  # the first chip says how many came before
        shown = bids[-columns * rows + 1 :]
        parts.append(words(left, TITLE + 18, f"+{len(bids) - len(shown)} …", 12, fill=SOFT))
    skipped = len(shown) < len(bids)
    for place, (seat, amount) in enumerate(shown, int(skipped)):
        x, y = left + (CHIP_WIDTH + 5) * (place % columns), TITLE + 4 + (CHIP_HEIGHT + 5) * (place // columns)
        parts.append(_chip(seat, str(amount) if amount else "out", x, y, bool(amount)))
    still = TITLE + 4 + rows * (CHIP_HEIGHT + 5) + 4
    parts.append(words(0, still + 13, "still in", 12, fill=SOFT))
    parts += [use(f"house-{seat}", 58 + 22 * place, still) for place, seat in enumerate(lot["bidding"])]
    return group(*parts)


def _chip(seat: int, text: str, x: float, y: float, is_bid: bool) -> str:
    frame = box(0, 0, CHIP_WIDTH, CHIP_HEIGHT, rx=4, fill=PAPER if is_bid else "#ececec", stroke=LINE)
    amount = words(
        CHIP_WIDTH - 6,
        14.5,
        text,
        13,
        text_anchor="end",
        font_weight="bold" if is_bid else None,
        fill=INK if is_bid else SOFT,
    )
    return group(frame, use(f"house-{seat}", 2, 2), amount, x=x, y=y)


def result_panel(seen: Scene, names: list[str] | None, width: float) -> str:
    """Ranks, best first."""
    parts = [panel_title("Result", "cities supplied, then money")]
    seats = sorted(range(len(seen["ranks"])), key=lambda seat: seen["ranks"][seat])
    for place, seat in enumerate(seats):
        y = TITLE + 4 + 20 * place
        supplied = f"supplies {seen['can_supply'][seat]}, {seen['money'][seat]} Elektro"
        parts.append(words(0, y + 13, f"{seen['ranks'][seat]}.", 13, font_weight="bold"))
        parts.append(use(f"house-{seat}", 22, y))
        parts.append(words(46, y + 13, shorten(seat_name(names, seat), 13, width - 260), 13))
        parts.append(words(width, y + 13, supplied, 13, text_anchor="end"))
    return group(*parts)
