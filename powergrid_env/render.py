"""The board as text, at most 100 columns wide: what a person looks at between two decisions."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from powergrid_env.board import Board
from powergrid_env.constants import (
    HYBRID_ROOM,
    MAX_PLAYERS,
    NO_PATH,
    NO_PLANT,
    NOBODY,
    STEP_3_CARD,
    TRUST,
    Decision,
    PlantKind,
    Resource,
)
from powergrid_env.game import Game
from powergrid_env.hidden import has_backs
from powergrid_env.rules import building, bureaucracy, facts, plant_market
from powergrid_env.state import State

WIDTH = 100
LABEL = 10  # columns of the word that a block begins with
CARD = 11  # columns of a plant on display
SPACE = 5  # columns of a price on the resource track
NAME = 12  # columns of a player's name

VERBS = {
    Decision.PLACE: "places a house of the Trust",
    Decision.MARK: "marks a start city",
    Decision.CHOOSE: "nominates a plant or passes",
    Decision.BID: "bids",
    Decision.SCRAP: "scraps a plant",
    Decision.GIVE_UP: "gives up a token",
    Decision.BUY: "buys fuel",
    Decision.BUILD: "builds",
    Decision.RUN: "runs plants",
    Decision.BURN: "chooses the hybrids' fuel",
}
STYLES = {"label": "1", "star": "1;33", "dim": "2", "": ""}
STYLES.update({f"p{seat}": f"1;{31 + seat}" for seat in range(MAX_PLAYERS)})

Paint = Callable[[str, str], str]
"""Text and the name of a style to the text in that style, which is no wider."""


def render_ansi(game: Game, color: bool = False, viewer: int | None = None) -> str:
    """The board as text.

    Args:
        game: the game.
        color: with ANSI colours, for a terminal; else plain text.
        viewer: seat that looks; where money is hidden (RI.3) it sees `?` for that of others. None sees all money.

    Returns:
        Lines of at most `WIDTH` columns, without a last line break. Of the stack they tell only what RI.1 makes public.
    """

    def paint(text: str, style: str) -> str:
        return f"\033[{STYLES[style]}m{text}\033[0m" if color and style else text

    state, board = game.state, game.board
    blocks = [
        _headline(game, paint),
        _result(game, paint) if game.over else _auction(game, paint),
        _plants(state, board, paint),
        _fuel(state, board, paint),
        _players(game, paint, viewer),
        _cities(state, board, paint),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block)


# --------------------------------------------------------------------------------- now, and the auction


def _headline(game: Game, paint: Paint) -> list[str]:
    config = game.config
    now = f"Round {game.round_number}, Step {game.step_number}, {game.phase.replace('_', ' ')}"
    if game.player is not None:
        now += f": p{game.player} {VERBS[Decision(game.state.decision)]}"
    what = f"{config.edition}, {config.board[-20:]}, {config.players} players"
    order = " ".join(_seat(int(seat), paint) for seat in game.state.order[: config.players])
    return [paint(now, "label") + f"{what:>{WIDTH - len(now)}}", *_block("Order", [order], paint)]


def _auction(game: Game, paint: Paint) -> list[str]:
    """The running auction and the bids that the player to act may make."""
    state = game.state
    if state.auction_plant == NO_PLANT:
        return []
    bidder = int(state.auction_bidder)
    stands = "no bid" if bidder == NOBODY else f"{int(state.auction_bid)} bid by {_seat(bidder, paint)}"
    bidding = " ".join(_seat(int(seat), paint) for seat in np.flatnonzero(state.bidding))
    options = [game.words(int(action)) for action in game.legal_actions()]
    bids = [option.removeprefix("bid ") for option in options if option != "pass"]
    may = [f"bid {_runs(list(map(int, bids)))}"] * bool(bids) + ["pass"] * ("pass" in options)
    lines = [
        f"{_plant(game.board, int(state.auction_plant))}; {stands}; still in: {bidding}",
        f"{_seat(int(state.player), paint)} may {' or '.join(may)}",
    ]
    return _block("Auction", lines, paint)


def _runs(numbers: list[int]) -> str:
    """Ascending numbers, three or more in a row as `9 to 12`."""
    rows: list[list[int]] = []
    for number in numbers:
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(f"{row[0]} to {row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows)


def _result(game: Game, paint: Paint) -> list[str]:
    result = game.result()
    assert result is not None
    winners = " and ".join(paint(_name(game, seat), f"p{seat}") for seat in result.winners)
    lines = [f"{winners} won" if winners else "nobody won: the game met its cap of rounds (R7.4)"]
    lines += [
        f"{result.ranks[seat]}. {paint(_name(game, seat), f'p{seat}')}: supplies {result.supplied[seat]} cities, "
        f"{result.money[seat]} Elektro, {result.cities[seat]} cities in the network"
        for seat in sorted(range(game.config.players), key=lambda seat: result.ranks[seat])
    ]
    return _block("Result", lines, paint)


# ------------------------------------------------------------------------------------------ the markets


def _plants(state: State, board: Board, paint: Paint) -> list[str]:
    """Three lines of cards, those for sale left of the bar, and what is known of the stack."""
    for_sale = int(plant_market.num_current(state))
    lines = [""] * 3 if state.market_size > 0 else ["none on display"]
    for place in range(state.market_size):
        card = int(state.market[place])
        style = "star" if card == state.discount else "" if place < for_sale else "dim"
        bar = "| " if place == for_sale else ""
        for line, text in enumerate(_card(board, card, card == int(state.discount))):
            lines[line] += bar + paint(f"{text:<{CARD}}", style)
    stack = f"{int(state.stack_size)} cards in the stack"
    if state.stack_size > 0 and state.stack[0] != STEP_3_CARD and has_backs(board.record):
        stack += f", the next a {'plug' if board.record.plant_is_plug[state.stack[0]] else 'socket'}"
    if state.discount != NO_PLANT:
        stack += "; * minimum bid 1"
    return _block("Plants", [*lines, stack], paint)


def _card(board: Board, card: int, discounted: bool) -> tuple[str, str, str]:
    if card == STEP_3_CARD:
        return "Step 3", "", ""
    burns, supplies = _burns_and_supplies(board, card)
    return f"{card}{'*' * discounted}", burns, f"> {supplies}"


def _fuel(state: State, board: Board, paint: Paint) -> list[str]:
    """The resource track: a column per price, `o` a token, `.` an empty space; dear tokens are the last to be sold."""
    record = board.record
    prices = sorted({int(price) for price in record.price.flat if price > 0})
    lines = ["".join(f"{price:<{SPACE}}" for price in prices) + "left  in supply  refill"]
    for resource in Resource:
        left, tokens = int(state.track[resource]), int(record.tokens[resource])
        spaces = dict.fromkeys(prices, "")
        for token in range(tokens, 0, -1):
            spaces[int(record.price[resource, token])] += "o" if token <= left else "."
        row = "".join(f"{spaces[price]:<{SPACE}}" for price in prices)
        refill = int(bureaucracy.resupply_due(state, record, resource.value))
        lines.append(f"{row}{left:>4}{int(state.supply[resource]):>11}{refill:>+8}")
    labels = ["Fuel", *(f"  {resource.name.lower()}" for resource in Resource)]
    if record.storage_price > 0:
        labels.append("")
        lines.append(f"{int(state.storage)} coal in the storage, at {int(record.storage_price)} each")
    return [paint(f"{label:<{LABEL}}", "label") + line for label, line in zip(labels, lines, strict=True)]


# ---------------------------------------------------------------------------------- players and cities


def _players(game: Game, paint: Paint, viewer: int | None) -> list[str]:
    """Money, network and plants; `can supply` is how many cities now, and how many with fuel and network for all plants."""
    state, board = game.state, game.board
    names = max(len(_name(game, seat)) for seat in range(game.config.players))
    lines = [f"{'':{names}} Elektro  cities  can supply   plants and fuel"]
    for seat in range(game.config.players):
        hidden = game.config.money == "hidden" and viewer not in (None, seat)
        money = "?" if hidden else str(int(state.money[seat]))
        plants = state.plants[seat, : state.num_plants[seat]]
        now = int(facts.largest_supply(state, board.record, seat))
        most = int(board.record.plant_cities[plants].sum())
        numbers = f"{money:>8}{int(state.num_cities[seat]):>8}{now:>6} of {most:<2}    "
        margin = names + len(numbers)
        held = [
            *_wrap(_plant_list(board, plants), margin),
            *_wrap(_fuel_and_room(state, seat).split(), margin, " "),
        ]
        heads = [paint(f"{_name(game, seat):<{names}}", f"p{seat}") + numbers] + [" " * margin] * len(held)
        lines += [head + text for head, text in zip(heads, held or [""], strict=False)]
    if board.record.trust:
        held = _plant_list(board, state.trust_plants[: state.trust_num_plants])
        held += [f"with {_tokens(state.trust_fuel)}"] * bool(state.trust_fuel.any())
        lines += _wrap([f"Trust (T): {int(state.trust_houses)} houses left", *held])
    return _block("Players", lines, paint)


def _fuel_and_room(state: State, seat: int) -> str:
    """Such as `4 coal; room for 4 oil, 4 coal or oil`; empty without plants that burn."""
    room, shared = _tokens(state.fuel_capacity[seat]), int(state.fuel_capacity[seat, HYBRID_ROOM])
    rooms = [room] * bool(room) + [f"{shared} coal or oil"] * bool(shared)
    return f"{_tokens(state.fuel[seat]) or 'no fuel'}; room for {', '.join(rooms)}" if rooms else ""


def _cities(state: State, board: Board, paint: Paint) -> list[str]:
    """The cities of the zone by region: houses on the 10, 15 and 20 space, start markers, and prices while building."""
    builder = int(state.player) if state.decision == Decision.BUILD else NOBODY
    note = "" if builder == NOBODY else f", and what p{builder} would pay"
    lines = _block("Cities", [f"houses on the 10, 15 and 20 space{note}"], paint)
    in_zone = np.flatnonzero(board.record.in_zone[state.zone])
    names = max(len(board.cities[city]) for city in in_zone)
    for region in np.flatnonzero(board.record.zone_regions[state.zone]):
        cities = in_zone[board.record.city_region[in_zone] == region]
        cells = [
            f"{board.cities[city]:<{names}} {_houses(state, board, int(city), builder, paint)}"
            for city in cities
        ]
        lines += _block(f"  {board.regions[region][: LABEL - 3]}", _wrap(cells), paint)
    return lines


def _houses(state: State, board: Board, city: int, builder: int, paint: Paint) -> str:
    """Who has a house on each space, `T` the Trust; then the start marker `m2` of p2, or the price for the builder."""
    houses = ""
    for owner in map(int, state.city_spaces[city]):
        houses += "." if owner == NOBODY else "T" if owner == TRUST else paint(str(owner), f"p{owner}")
    marked = state.start_markers.max() != NOBODY
    if builder == NOBODY and not marked:
        return houses
    text = f"m{int(state.start_markers[city])}" if state.start_markers[city] != NOBODY else ""
    if builder != NOBODY and not facts.has_house(state, builder, city):
        price = int(building.price(state, board.record, builder, city))
        text = text if price == NO_PATH else str(price)
    return f"{houses}{text:>4}"


# ----------------------------------------------------------------------------------------------- words


def _block(label: str, lines: list[str], paint: Paint) -> list[str]:
    """Lines with a word before the first and the same room before the others."""
    labels = [label] + [""] * (len(lines) - 1)
    return [paint(f"{text:<{LABEL}}", "label") + line for text, line in zip(labels, lines, strict=True)]


def _wrap(cells: list[str], margin: int = 0, gap: str = "  ") -> list[str]:
    """Cells side by side, in as few lines as fit beside a block's word and a further margin."""
    lines: list[str] = []
    for cell in cells:
        if lines and _width(lines[-1] + gap + cell) <= WIDTH - LABEL - margin:
            lines[-1] += gap + cell
        else:
            lines.append(cell)
    return lines


def _width(text: str) -> int:
    """Columns that a painted text takes."""
    return len(re.sub("\033\\[[0-9;]*m", "", text))


def _seat(seat: int, paint: Paint) -> str:
    return paint(f"p{seat}", f"p{seat}")


def _name(game: Game, seat: int) -> str:
    """`p0`, and the name where the game has names."""
    return f"p{seat} {game.names[seat][:NAME]}" if game.names else f"p{seat}"


def _tokens(amounts: Any) -> str:
    """Such as `2 coal, 1 uranium`."""
    return ", ".join(f"{int(amounts[kind])} {kind.name.lower()}" for kind in Resource if amounts[kind])


def _burns_and_supplies(board: Board, plant: int) -> tuple[str, int]:
    kind = PlantKind(board.record.plant_kind[plant])
    burns = "eco" if kind == PlantKind.ECO else f"{int(board.record.plant_burn[plant])} {kind.name.lower()}"
    return burns, int(board.record.plant_cities[plant])


def _plant(board: Board, plant: int) -> str:
    """A plant in a few letters: `20: 3 coal > 5` burns 3 coal and supplies 5 cities."""
    burns, supplies = _burns_and_supplies(board, plant)
    return f"{plant}: {burns} > {supplies}"


def _plant_list(board: Board, plants: Any) -> list[str]:
    return [_plant(board, int(plant)) for plant in plants]
