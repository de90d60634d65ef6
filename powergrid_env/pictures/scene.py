"""Scene: what the table shows of a game, as plain data (JSON); every picture is drawn from one.

Of the stack a scene holds only what is public (RI.1), of money all: a picture is for those who may see it.
"""

from typing import TypedDict

from powergrid_env.constants import NO_PLANT, NOBODY, NUM_SPACES, TRUST, Decision, Resource
from powergrid_env.game import Game
from powergrid_env.render import VERBS
from powergrid_env.render_words import top_back
from powergrid_env.rules import auction, bureaucracy, facts, plant_market

FREE, TRUST_HOUSE = ".", "T"


class Lot(TypedDict):
    """A plant under the hammer, or just sold."""

    plant: int
    minimum: int
    """Least opening bid, in Elektro (R2.5)."""
    bids: list[list[int]]
    """`[seat, Elektro]` in the order of the bidding; 0 Elektro for dropping out."""
    bidding: list[int]
    """Seats still in."""
    sold: int
    """Seat that has bought it, NOBODY while the auction runs."""
    price: int
    """Standing bid or price paid, in Elektro."""


class Trust(TypedDict):
    """What the Trust owns; fuel by resource."""

    plants: list[int]
    fuel: list[int]
    houses: int


class Scene(TypedDict):
    """One moment of a game. Lists of lists and lists of numbers are by seat unless said otherwise."""

    round: int
    step: int
    phase: str
    asks: str
    """What the player to act does, in words; empty when the game is over."""
    player: int
    order: list[int]
    """Seats, first to last (R1.1)."""
    done: list[int]
    """Seats that have passed the choice, or finished this phase."""
    bought: list[int]
    """Seats that have bought a plant in this phase 2."""
    market: list[int]
    """Cards on display, ascending; STEP_3_CARD is the Step 3 card."""
    for_sale: int
    """How many of them may be auctioned now."""
    discount: int
    stack: int
    """Cards left to draw."""
    back: str
    """Back of the top card, plug or socket, where cards have backs."""
    track: list[int]
    supply: list[int]
    refill: list[int]
    """By resource: tokens on the track, in the supply, and what the next resupply brings if it fits."""
    storage: int
    stopped: bool
    """No more uranium comes (RM.1)."""
    money: list[int]
    plants: list[list[int]]
    fuel: list[list[int]]
    can_supply: list[int]
    """Cities that plants and tokens at hand could supply (R7.2)."""
    spaces: str
    """Owners of the 10, 15 and 20 space of each city, a character each: seat, T (the Trust) or `.`."""
    markers: dict[str, int]
    """Seat of the start marker by city index."""
    lot: Lot | None
    trust: Trust | None
    ranks: list[int]
    """Ranks when the game is over, else empty."""
    winners: list[int]


def scene(game: Game) -> Scene:
    """The scene of a game; of the running auction only what the state tells, which is the standing bid."""
    state, record = game.state, game.board.record
    seats = range(game.config.players)
    plants, owned = state.plants.tolist(), state.num_plants.tolist()
    passed, bought, owners = state.passed.tolist(), state.bought.tolist(), state.city_spaces.ravel().tolist()
    names = {NOBODY: FREE, TRUST: TRUST_HOUSE} | {seat: str(seat) for seat in seats}
    result = game.result()
    return Scene(
        round=game.round_number,
        step=game.step_number,
        phase=game.phase,
        asks="" if game.over else VERBS[Decision(state.decision)],
        player=int(state.player),
        order=state.order[: len(seats)].tolist(),
        done=[seat for seat in seats if passed[seat]],
        bought=[seat for seat in seats if bought[seat]],
        market=state.market[: state.market_size].tolist(),
        for_sale=int(plant_market.num_current(state)),
        discount=int(state.discount),
        stack=int(state.stack_size),
        back=top_back(state, game.board),
        track=state.track.tolist(),
        supply=state.supply.tolist(),
        refill=[_to_come(game, resource) for resource in Resource],
        storage=int(state.storage),
        stopped=bool(state.uranium_stopped),
        money=state.money[: len(seats)].tolist(),
        plants=[plants[seat][: owned[seat]] for seat in seats],
        fuel=state.fuel[: len(seats)].tolist(),
        can_supply=[int(facts.largest_supply(state, record, seat)) for seat in seats],
        spaces="".join([names[owner] for owner in owners[: NUM_SPACES * len(game.board.cities)]]),
        markers=_markers(game),
        lot=_running(game),
        trust=_trust(game),
        ranks=[] if result is None else result.ranks,
        winners=[] if result is None else result.winners,
    )


def _markers(game: Game) -> dict[str, int]:
    if not game.board.record.start_cities:
        return {}
    seats = game.state.start_markers[: len(game.board.cities)].tolist()
    return {str(city): seat for city, seat in enumerate(seats) if seat != NOBODY}


def _trust(game: Game) -> Trust | None:
    if not game.board.record.trust:
        return None
    state = game.state
    return Trust(
        plants=state.trust_plants[: state.trust_num_plants].tolist(),
        fuel=state.trust_fuel.tolist(),
        houses=int(state.trust_houses),
    )


def _to_come(game: Game, resource: Resource) -> int:
    """Tokens that the next resupply brings if they fit (R5.10), coal out of the storage if any (RM.13)."""
    state, record = game.state, game.board.record
    from_storage = record.storage_price > 0 and resource == Resource.COAL
    there = state.storage if from_storage else state.supply[resource]
    return min(int(bureaucracy.resupply_due(state, record, resource.value)), int(there))


def num_cities(spaces: str, seat: int) -> int:
    """Cities of a seat: it owns at most one space of each (R4.5)."""
    return spaces.count(str(seat))


def _running(game: Game) -> Lot | None:
    """What the state itself tells of the running auction: the standing bid, not the bids before it."""
    state = game.state
    if state.auction_plant == NO_PLANT:
        return None
    bids = [] if state.auction_bidder == NOBODY else [[int(state.auction_bidder), int(state.auction_bid)]]
    return Lot(
        plant=int(state.auction_plant),
        minimum=int(auction.minimum_bid(state, int(state.auction_plant))),
        bids=bids,
        bidding=[seat for seat in range(game.config.players) if state.bidding[seat]],
        sold=NOBODY,
        price=int(state.auction_bid),
    )
