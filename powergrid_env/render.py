"""The board as text, at most 100 columns wide: what a person looks at between two decisions."""

import numpy as np

from powergrid_env.arguments import whole_number
from powergrid_env.board import Board
from powergrid_env.constants import (
    HYBRID_ROOM,
    NO_PATH,
    NO_PLANT,
    NOBODY,
    STEP_3_CARD,
    TRUST,
    Decision,
    Resource,
)
from powergrid_env.game import Game
from powergrid_env.render_words import (
    LABEL,
    WIDTH,
    Paint,
    block,
    burns_and_supplies,
    painted,
    plant_text,
    plant_texts,
    runs,
    token_text,
    top_back,
    unpainted,
    wrap,
)
from powergrid_env.rules import building, bureaucracy, facts, plant_market
from powergrid_env.state import State

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


def render_ansi(game: Game, color: bool = False, viewer: int | None = None) -> str:
    """The board as text.

    Args:
        game: the game.
        color: with ANSI colours, for a terminal; else plain text.
        viewer: seat that looks; where money is hidden (RI.3) it sees `?` for that of others. None sees all money.

    Returns:
        Lines of at most `WIDTH` columns, without a last line break. Of the stack they tell only what RI.1 makes public.

    Raises:
        ValueError: no such viewer.
    """
    if viewer is not None:
        viewer = whole_number("viewer", viewer, 0, game.config.players - 1)
    paint = painted if color else unpainted
    state, board = game.state, game.board
    blocks = [
        _headline(game, paint),
        _result(game, paint) if game.over else _auction(game, paint),
        _plants(state, board, paint),
        _fuel(state, board, paint),
        _players(game, paint, viewer),
        _cities(state, board, paint),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in blocks if lines)


# --------------------------------------------------------------------------------- now, and the auction


def _headline(game: Game, paint: Paint) -> list[str]:
    config = game.config
    now = f"Round {game.round_number}, Step {game.step_number}, {game.phase.replace('_', ' ')}"
    if game.player is not None:
        now += f": p{game.player} {VERBS[Decision(game.state.decision)]}"
    what = f"{config.edition}, {config.board[-20:]}, {config.players} players"
    order = " ".join(_seat(int(seat), paint) for seat in game.state.order[: config.players])
    return [paint(now, "label") + f"{what:>{WIDTH - len(now)}}", *block("Order", [order], paint)]


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
    may = [f"bid {runs(list(map(int, bids)))}"] * bool(bids) + ["pass"] * ("pass" in options)
    lines = [
        f"{plant_text(game.board, int(state.auction_plant))}; {stands}; still in: {bidding}",
        f"{_seat(int(state.player), paint)} may {' or '.join(may)}",
    ]
    return block("Auction", lines, paint)


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
    return block("Result", lines, paint)


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
    if back := top_back(state, board):
        stack += f", the next a {back}"
    if state.discount != NO_PLANT:
        stack += "; * minimum bid 1"
    return block("Plants", [*lines, stack], paint)


def _card(board: Board, card: int, discounted: bool) -> tuple[str, str, str]:
    if card == STEP_3_CARD:
        return "Step 3", "", ""
    burns, supplies = burns_and_supplies(board, card)
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
            *wrap(plant_texts(board, plants), margin),
            *wrap(_fuel_and_room(state, seat).split(), margin, " "),
        ]
        heads = [paint(f"{_name(game, seat):<{names}}", f"p{seat}") + numbers] + [" " * margin] * len(held)
        lines += [head + text for head, text in zip(heads, held or [""], strict=False)]
    if board.record.trust:
        held = plant_texts(board, state.trust_plants[: state.trust_num_plants])
        held += [f"with {token_text(state.trust_fuel)}"] * bool(state.trust_fuel.any())
        lines += wrap([f"Trust (T): {int(state.trust_houses)} houses left", *held])
    return block("Players", lines, paint)


def _fuel_and_room(state: State, seat: int) -> str:
    """Such as `4 coal; room for 4 oil, 4 coal or oil`; empty without plants that burn."""
    room, shared = token_text(state.fuel_capacity[seat]), int(state.fuel_capacity[seat, HYBRID_ROOM])
    rooms = [room] * bool(room) + [f"{shared} coal or oil"] * bool(shared)
    return f"{token_text(state.fuel[seat]) or 'no fuel'}; room for {', '.join(rooms)}" if rooms else ""


def _cities(state: State, board: Board, paint: Paint) -> list[str]:
    """The cities of the zone by region: houses on the 10, 15 and 20 space, start markers, and prices while building."""
    builder = int(state.player) if state.decision == Decision.BUILD else NOBODY
    note = "" if builder == NOBODY else f", and what p{builder} would pay"
    lines = block("Cities", [f"houses on the 10, 15 and 20 space{note}"], paint)
    in_zone = np.flatnonzero(board.record.in_zone[state.zone])
    names = max(len(board.cities[city]) for city in in_zone)
    for region in np.flatnonzero(board.record.zone_regions[state.zone]):
        cities = in_zone[board.record.city_region[in_zone] == region]
        cells = [
            f"{board.cities[city]:<{names}} {_houses(state, board, int(city), builder, paint)}"
            for city in cities
        ]
        lines += block(f"  {board.regions[region][: LABEL - 3]}", wrap(cells), paint)
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


def _seat(seat: int, paint: Paint) -> str:
    return paint(f"p{seat}", f"p{seat}")


def _name(game: Game, seat: int) -> str:
    """`p0`, and the name where the game has names."""
    return f"p{seat} {game.names[seat][:NAME]}" if game.names else f"p{seat}"
