"""Positions: any state as a plain dictionary (JSON, TOML) that a person can write, and back.

What is left out, or null, takes the value of a fresh game of the seed or follows from the rest. The keys, all
of which may be left out::

    edition, board, rulings   as in GameConfig            config   {any other GameConfig field}
    players    left out: as many as seats
    regions    the zone in play; left out: one that holds all cities named
    phase      trust_setup, start_cities, auction, resources, building, bureaucracy, over
    decision   follows from the rest, as does `player`
    step, round
    order      seats, first to last; the Trust, always second, is not listed. Left out: as dealt, from phase 3
               of round 1 on by R1.1; but who has acted and a `player` named come first
    acted      seats that have finished this phase; left out: those who act before `player`
    market     plant numbers, "step3" last if it lies there
    stack      numbers from the top, "step3" among them (left out: at the bottom), then the plants below it
    removed    cards taken out unseen at setup
    discount   plant number, or "none" (also null): put aside; left out: as R2.20
    step3      "stack", "market", "drawn" or "in_force"
    skip_market_update        true after R6.24
    track, supply             {coal, oil, garbage, uranium}
    storage    coal in the USA storage
    seats      [{money, plants, fuel: {coal: 2, ...}, cities: ["Essen", ...]}, ...]
    spaces     {city: owners of its 10, 15 and 20 space}, seats or "trust"; needed only where several seats own
               a city and did not build in seat order
    trust      {plants, fuel, start_cities, blocked_cities, houses}
    uranium_stopped           true or false
    start_markers             {city: seat}
    auction    {chooser, plant, bid, bidder, taking_part, bought, passed, trust_done}
    pending    {new_plant} while scrap or give up is due, with {give_up_left} under the ruling
               scrap_fuel = choose; {run: plants} while burn is due
    rng        state of the generator

Of market and stack one or both may be left out: then the cards dealt to the seed serve, without those named
anywhere (`position_cards.put_cards`). A card that is named nowhere is openly out of the game.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from powergrid_env import engine
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import (
    NO_PLANT,
    NO_RUN,
    NOBODY,
    STEP_3_CARD,
    TRUST,
    Decision,
    Phase,
    Step,
)
from powergrid_env.invariants import problems
from powergrid_env.layout import RESOURCES
from powergrid_env.notation import STEP_3_PLACES, STEP_3_WORD
from powergrid_env.position_cards import put_cards
from powergrid_env.position_parts import (
    TRUST_WORD,
    put_houses,
    put_markers,
    put_seats,
    put_tokens,
    put_trust,
    put_zone,
)
from powergrid_env.position_reader import Reader
from powergrid_env.position_turn import put_turn
from powergrid_env.rng import MASK, first_word
from powergrid_env.rules import setup
from powergrid_env.rulings import CheapPlant
from powergrid_env.state import State, States, make_states

SAID = ("edition", "board", "players", "rulings")  # GameConfig fields with a key of their own
KEYS = (
    "edition board players regions rulings config phase decision step round order player acted market "
    "discount stack removed step3 skip_market_update track storage supply seats spaces trust uranium_stopped "
    "start_markers auction pending rng"
).split()
PHASES = tuple(phase.name.lower() for phase in Phase)


def from_position(position: Mapping[str, Any], seed: int = 0, **config: Any) -> tuple[Board, States]:
    """The board and the state `(1,)` of a position.

    Args:
        position: see the module docstring.
        seed: gives what is left to chance where the position does not say it.
        config: GameConfig fields that the position does not say.

    Raises:
        ValueError: an unknown key, a value of the wrong kind, contents that contradict each other or
            `config`; names the key, what was given and what is allowed.
    """
    given = Reader(position, "", KEYS)
    board = make_board(_config(given, config))
    record = board.record
    states = make_states(1)
    state = states[0]
    state.rng = first_word(seed)
    setup.clear(state, record)
    setup.deal(state, record)

    first = (
        Phase.TRUST_SETUP if record.trust else Phase.START_CITIES if record.start_cities else Phase.AUCTION
    )
    state.phase = PHASES.index(given.word("phase", PHASES[first], PHASES))
    follows = Step.THREE if given.get("step3") == "in_force" else Step.ONE
    state.step_number = given.integer("step", follows, Step.ONE, Step.THREE)
    state.round_number = given.integer("round", 1, 1, board.config.max_rounds)
    state.skip_market_update = given.flag("skip_market_update", False)
    networks = put_seats(given, board, state)
    trust_cities = put_trust(given, board, state)
    put_markers(given, board, state)
    marked = np.flatnonzero(state.start_markers != NOBODY).tolist()
    put_zone(given, board, state, seed, list(chain(*networks, *trust_cities, marked)))
    put_houses(given, board, state, networks, trust_cities)
    put_cards(given, board, state)
    put_tokens(given, board, state)
    put_turn(given, board, state)
    state.rng = np.uint64(given.integer("rng", int(state.rng), 0, MASK))
    for problem in problems(state, board):
        raise ValueError(problem)
    if record.skip_forced:
        engine.play_forced(state, record)
    return board, states


def _config(given: Reader, keywords: dict[str, Any]) -> GameConfig:
    """What position and keywords say together; where both speak they must agree."""
    fields = tuple(GameConfig.__dataclass_fields__)
    for name in keywords:
        if name not in fields:
            raise ValueError(f"{name} is no setting; known: {', '.join(fields)}")
    rest = given.part("config", tuple(name for name in fields if name not in SAID))
    said: dict[str, Any] = {name: given[name] for name in SAID if name in given}
    said.update({name: rest[name] for name in rest})
    if "players" not in said and "players" not in keywords and isinstance(given.get("seats"), (list, tuple)):
        said["players"] = len(given["seats"])
    together, plain = {**said, **keywords}, {**keywords, **said}
    if isinstance(said.get("rulings"), Mapping) and isinstance(keywords.get("rulings"), Mapping):
        together["rulings"] = {**said["rulings"], **keywords["rulings"]}
        plain["rulings"] = {**keywords["rulings"], **said["rulings"]}
    made, other = GameConfig(**together), GameConfig(**plain)
    for name in fields:
        if getattr(made, name) != getattr(other, name):
            raise ValueError(f"{name} is {keywords[name]!r}; allowed: {said[name]!r}, as the position says")
    return made


def to_position(state: State, board: Board) -> dict[str, Any]:
    """The position of a state as plain data, complete for every state that can be reached."""
    config, record, phase = board.config, board.record, Phase(state.phase)
    position: dict[str, Any] = {
        "edition": config.edition,
        "board": config.board,
        "players": config.players,
        "regions": list(board.zones[state.zone]),
    }
    if config.rulings:
        position["rulings"] = dict(config.rulings)
    if other := _other_fields(config):
        position["config"] = other
    position |= {"phase": PHASES[phase], "step": int(state.step_number), "round": int(state.round_number)}
    if phase != Phase.OVER:
        position |= {"decision": Decision(state.decision).name.lower(), "player": int(state.player)}
    position["order"] = state.order[: config.players].tolist()
    if phase in (Phase.RESOURCES, Phase.BUILDING, Phase.BUREAUCRACY):
        position["acted"] = _seats(state.passed)
    position["market"] = _cards(state.market, state.market_size)
    if phase == Phase.AUCTION and record.cheap_plant == CheapPlant.DISCOUNT:
        position["discount"] = int(state.discount) or "none"
    position["stack"] = _cards(state.stack, state.stack_size)
    position["removed"] = _cards(state.removed, state.num_removed)
    position["step3"] = STEP_3_PLACES[state.step3]
    if state.skip_market_update:
        position["skip_market_update"] = True
    position["track"] = _fuel(state.track)
    if record.storage_price:
        position["storage"] = int(state.storage)
    position["seats"] = [
        {
            "money": int(state.money[seat]),
            "plants": state.plants[seat, : state.num_plants[seat]].tolist(),
            "fuel": _fuel(state.fuel[seat]),
            "cities": _cities(board, (state.city_spaces == seat).any(axis=1)),
        }
        for seat in range(config.players)
    ]
    if spaces := _spaces(state, board):
        position["spaces"] = spaces
    if record.trust:
        position["trust"] = {
            "plants": state.trust_plants[: state.trust_num_plants].tolist(),
            "fuel": _fuel(state.trust_fuel),
            "start_cities": _cities(board, state.city_spaces[:, 0] == TRUST),
            "blocked_cities": _cities(board, state.city_spaces[:, 1] == TRUST),
            "houses": int(state.trust_houses),
        }
    if record.uranium_stop:
        position["uranium_stopped"] = bool(state.uranium_stopped)
    if config.start_cities:
        marked = np.flatnonzero(state.start_markers != NOBODY).tolist()
        position["start_markers"] = {board.cities[city]: int(state.start_markers[city]) for city in marked}
    if phase == Phase.AUCTION:
        position["auction"] = _auction(state, board)
    if pending := _pending(state):
        position["pending"] = pending
    position["rng"] = int(state.rng)
    return position


def _other_fields(config: GameConfig) -> dict[str, Any]:
    """GameConfig fields that have no key of their own and are not as by default."""
    plain = GameConfig(players=config.players, edition=config.edition, board=config.board).to_dict()
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in config.to_dict().items()
        if name not in SAID and value != plain[name]
    }


def _seats(flags: Any) -> list[int]:
    return [int(seat) for seat in np.flatnonzero(flags)]


def _cards(cards: Any, size: int) -> list[int | str]:
    return [STEP_3_WORD if card == STEP_3_CARD else card for card in cards[:size].tolist()]


def _fuel(tokens: Any) -> dict[str, int]:
    return dict(zip(RESOURCES, tokens.tolist(), strict=True))


def _cities(board: Board, chosen: Any) -> list[str]:
    return [board.cities[city] for city in np.flatnonzero(chosen)]


def _spaces(state: State, board: Board) -> dict[str, list[int | str]]:
    """Owners of the spaces of cities whose seats did not build in seat order."""
    spaces: dict[str, list[int | str]] = {}
    for city, owners in zip(board.cities, state.city_spaces.tolist(), strict=False):
        seats = [owner for owner in owners if owner not in (TRUST, NOBODY)]
        if seats != sorted(seats):
            spaces[city] = [TRUST_WORD if owner == TRUST else owner for owner in owners if owner != NOBODY]
    return spaces


def _auction(state: State, board: Board) -> dict[str, Any]:
    auction: dict[str, Any] = {"bought": _seats(state.bought), "passed": _seats(state.passed)}
    if state.auction_plant != NO_PLANT:
        auction |= {"chooser": int(state.auction_chooser), "plant": int(state.auction_plant)}
        if state.auction_bidder != NOBODY:
            auction |= {"bid": int(state.auction_bid), "bidder": int(state.auction_bidder)}
        auction["taking_part"] = _seats(state.bidding)
    if board.record.trust:
        auction["trust_done"] = bool(state.trust_done)
    return auction


def _pending(state: State) -> dict[str, Any]:
    pending: dict[str, Any] = {}
    if state.new_plant != NO_PLANT:
        pending["new_plant"] = int(state.new_plant)
        if state.give_up_left:
            pending["give_up_left"] = int(state.give_up_left)
    if state.pending_run != NO_RUN:
        owned = state.plants[state.player].tolist()
        pending["run"] = [plant for slot, plant in enumerate(owned) if int(state.pending_run) >> slot & 1]
    return pending
