"""Whose turn it is in a position: order, who has finished, the auction, what is pending, the end."""

from collections.abc import Sequence

from powergrid_env.arguments import refuse
from powergrid_env.board import Board
from powergrid_env.constants import NO_PLANT, NOBODY, STEP_3_CARD, Decision, EndReason, Phase
from powergrid_env.position_cards import PENDING_KEYS, as_plant
from powergrid_env.position_reader import Reader
from powergrid_env.rules import auction, plant_market, steps, trust, trust_setup
from powergrid_env.rules.order import determine_order
from powergrid_env.rulings import CheapPlant
from powergrid_env.state import State

REVERSE_PHASES = (Phase.RESOURCES, Phase.BUILDING)  # last in order acts first (R0.11)
AUCTION_KEYS = ("chooser", "plant", "bid", "bidder", "taking_part", "bought", "passed", "trust_done")
MAX_BID = 1_000_000


def put_turn(given: Reader, board: Board, state: State) -> None:
    """Order, decision and player to act; a key that says otherwise than the rest is refused."""
    phase = Phase(state.phase)
    if phase != Phase.AUCTION:
        _refuse_given(given.part("auction", AUCTION_KEYS), AUCTION_KEYS, "phase is not auction")
        _refuse_given(
            given.part("pending", PENDING_KEYS), ("new_plant", "give_up_left"), "phase is not auction"
        )
    if phase != Phase.BUREAUCRACY:
        _refuse_given(given.part("pending", PENDING_KEYS), ("run",), "phase is not bureaucracy")
    if phase in (Phase.TRUST_SETUP, Phase.START_CITIES, Phase.OVER):
        _refuse_given(given, ("acted",), f"phase is {phase.name.lower()}")
    _put_discount(given, board, state)
    match phase:
        case Phase.TRUST_SETUP:
            _put_trust_setup(given, board, state)
        case Phase.START_CITIES:
            if not board.config.start_cities:
                raise refuse("phase", "start_cities", "another phase, since start_cities is off")
            marked = sorted(int(seat) for seat in state.start_markers if seat != NOBODY)
            _put_acting_order(given, board, state, marked)
            state.passed[:] = 0  # here the markers tell who has finished
            state.decision = Decision.MARK
        case Phase.AUCTION:
            _put_auction(given, board, state)
        case Phase.RESOURCES | Phase.BUILDING:
            _put_acting_order(given, board, state, _seats(given, "acted", board))
            state.decision = Decision.BUY if phase == Phase.RESOURCES else Decision.BUILD
        case Phase.BUREAUCRACY:
            _put_acting_order(given, board, state, _seats(given, "acted", board))
            _put_run(given, state)
        case Phase.OVER:
            _refuse_given(given, ("player", "decision"), "phase is over")
            _put_order(given, board, state, [])
            _put_end(board, state)
    if phase != Phase.OVER:
        given.integer("player", NOBODY, int(state.player), int(state.player))
        asked = Decision(state.decision).name.lower()
        given.word("decision", asked, (asked,))


def _refuse_given(reader: Reader, names: Sequence[str], because: str) -> None:
    for name in names:
        if name in reader:
            raise refuse(reader.key(name), reader[name], f"nothing, since {because}")


def _seats(reader: Reader, name: str, board: Board) -> list[int]:
    return reader.integers(name, "seats", 0, board.config.players - 1)


def _seat(reader: Reader, name: str, board: Board) -> int:
    return reader.integer(name, NOBODY, 0, board.config.players - 1)


# ------------------------------------------------------------------------------------------- player order


def _put_order(given: Reader, board: Board, state: State, first_to_act: list[int]) -> list[int]:
    """The player order; returns the seats as they act in this phase (R0.11).

    Left out: the order dealt, from phase 3 of round 1 on by R1.1; but `first_to_act` act before the others.
    """
    players = board.config.players
    step = -1 if state.phase in REVERSE_PHASES else 1
    if "order" in given:
        order = _seats(given, "order", board)
        if len(order) != players:
            raise refuse("order", order, f"all {players} seats, first to last")
    else:
        if state.round_number > 1 or state.phase > Phase.AUCTION:
            determine_order(state, board.record)
        line = state.order[:players].tolist()[::step]
        line.sort(key=lambda seat: first_to_act.index(seat) if seat in first_to_act else players)
        order = line[::step]
    state.order[:players] = order
    return order[::step]


def _put_acting_order(given: Reader, board: Board, state: State, acted: list[int]) -> None:
    """Who has finished the phase, and so whose turn it is; `player` alone says it as well."""
    player = _seat(given, "player", board)
    line = _put_order(given, board, state, [*acted, player])
    if player != NOBODY and not acted:
        acted = line[: line.index(player)]
    if len(acted) == len(line) or set(acted) != set(line[: len(acted)]):
        key = "start_markers" if state.phase == Phase.START_CITIES else "acted"
        raise refuse(key, acted, f"the first of the seats that act in the order {line}, not all (R0.11)")
    state.passed[acted] = 1
    state.player = line[len(acted)]


def _put_trust_setup(given: Reader, board: Board, state: State) -> None:
    """The players put the six start houses in turn (RT.4)."""
    placed = trust_setup.num_start_houses(state, board.record)
    needed = int(board.record.trust_start_houses)
    if not board.record.trust or placed >= needed:
        raise refuse("phase", "trust_setup", f"a later phase: {placed} start houses of {needed} stand")
    player = _seat(given, "player", board)
    place = trust_setup.place_to_act(placed)
    state.decision = Decision.PLACE
    state.player = _put_order(
        given, board, state, [player, 1 - player][:: 1 - 2 * place] if player != NOBODY else []
    )[place]


# ------------------------------------------------------------------------------------------------ auction


def _put_auction(given: Reader, board: Board, state: State) -> None:
    reader, pending = given.part("auction", AUCTION_KEYS), given.part("pending", PENDING_KEYS)
    bought = _seats(reader, "bought", board)
    if "new_plant" in pending:
        buyer = _owner(pending, board, state)
        if "bought" not in reader:
            bought = [buyer]
        elif buyer not in bought:
            raise refuse("auction.bought", bought, f"a list with {buyer}, who owns pending.new_plant")
        _refuse_given(
            reader, ("plant", "chooser", "bid", "bidder", "taking_part"), "pending.new_plant is given"
        )
        actor = NOBODY
    else:
        _refuse_given(pending, ("give_up_left",), "pending.new_plant is left out")
        actor = _seat(reader, "chooser", board)
        if actor == NOBODY and "bid" not in reader:
            actor = _seat(given, "player", board)
    line = _put_order(given, board, state, [actor])
    acted = _seats(given, "acted", board)
    if "passed" in reader:
        passed = _seats(reader, "passed", board)
    elif acted or bought or actor == NOBODY:
        passed = [seat for seat in acted if seat not in bought]
    else:
        passed = line[: line.index(actor)]
    if "acted" in given and set(acted) != {*bought, *passed}:
        raise refuse("acted", acted, "the seats of auction.bought and auction.passed")
    if set(bought) & set(passed):
        raise refuse("auction.passed", passed, f"seats that have not bought; {bought} have (R2.1)")
    state.bought[bought] = 1
    state.passed[passed] = 1
    if "new_plant" in pending:
        _put_new_plant(pending, board, state, buyer)
    else:
        auction.ask_next_choice(state, board.record)
        if state.player == NOBODY:
            raise refuse(
                "auction", f"bought {bought}, passed {passed}", "somebody who has done neither (R2.2)"
            )
        state.trust_done = trust.is_plant_due(state, board.record)
        if "plant" in reader:
            _put_lot(given, reader, board, state)
        else:
            _refuse_given(reader, ("chooser", "bid", "bidder", "taking_part"), "auction.plant is left out")
    if not board.record.trust:
        _refuse_given(reader, ("trust_done",), "the Trust does not play (RT.1)")
    state.trust_done = reader.flag("trust_done", bool(state.trust_done))


def _owner(pending: Reader, board: Board, state: State) -> int:
    plant = as_plant("pending.new_plant", pending["new_plant"], board)
    for seat in range(board.config.players):
        if plant in state.plants[seat]:
            state.new_plant = plant
            return seat
    raise refuse("pending.new_plant", plant, "a plant among those of its buyer's seat")


def _put_new_plant(pending: Reader, board: Board, state: State, buyer: int) -> None:
    """Scrap is due, or the fuel of the plant scrapped competes for room (R2.30, R2.32)."""
    state.bought[buyer] = 0
    state.trust_done = trust.is_plant_due(state, board.record)  # it takes its plant after the scrap (R2.13)
    state.bought[buyer] = 1
    state.player = buyer
    state.decision = (
        Decision.SCRAP if state.num_plants[buyer] > board.record.plant_limit else Decision.GIVE_UP
    )
    state.give_up_left = pending.integer("give_up_left", 0, 0, int(board.record.tokens.sum()))


def _put_discount(given: Reader, board: Board, state: State) -> None:
    """Left out: in the auction on the lowest plant of the current market (R2.20)."""
    if "discount" in given.names:
        named = given.get("discount", "none")
        if isinstance(named, str) and named != "none":
            raise refuse("discount", named, 'a plant number, or "none"')
        state.discount = NO_PLANT if named == "none" else as_plant("discount", named, board)
    elif state.phase == Phase.AUCTION and board.record.cheap_plant == CheapPlant.DISCOUNT:
        state.discount = state.market[0] if plant_market.num_current(state) > 0 else NO_PLANT


def _put_lot(given: Reader, reader: Reader, board: Board, state: State) -> None:
    """The plant under the hammer, the standing bid, and who may still raise (R2.6, R2.7)."""
    state.auction_plant = as_plant("auction.plant", reader["plant"], board)
    state.auction_chooser = reader.integer("chooser", int(state.player), int(state.player), int(state.player))
    in_phase = [seat for seat in range(board.config.players) if auction.takes_part(state, seat)]
    taking_part = _seats(reader, "taking_part", board) if "taking_part" in reader else in_phase
    state.bidding[taking_part] = 1
    state.decision = Decision.BID
    if reader.integer("bid", 0, 0, MAX_BID) == 0:
        _refuse_given(reader, ("bidder",), "there is no bid")
        return
    state.auction_bid = reader["bid"]
    bidder = reader.integer("bidder", int(state.auction_chooser), 0, board.config.players - 1)
    state.auction_bidder = bidder
    state.player = auction.next_bidder(state, board.record, bidder)
    if "taking_part" not in reader:
        while _seat(given, "player", board) not in (NOBODY, int(state.player), bidder):
            state.bidding[state.player] = 0  # dropped out between the bidder and the player named
            state.player = auction.next_bidder(state, board.record, bidder)


# ------------------------------------------------------------------------------------ bureaucracy, the end


def _put_run(given: Reader, state: State) -> None:
    """Plants run whose hybrid mix is due (R5.3)."""
    state.decision = Decision.RUN
    pending = given.part("pending", PENDING_KEYS)
    if "run" not in pending:
        return
    owned = state.plants[state.player].tolist()
    state.pending_run = 0
    for plant in pending.integers("run", "plant numbers", 1, STEP_3_CARD - 1):
        if plant not in owned:
            raise refuse("pending.run", pending["run"], f"plants of seat {int(state.player)}, who is to act")
        state.pending_run |= 1 << owned.index(plant)
    state.decision = Decision.BURN


def _put_end(board: Board, state: State) -> None:
    """What all can supply (R7.2); the cap ended a game in its last round without a large network."""
    capped = state.round_number >= board.record.max_rounds and not steps.is_end_due(state, board.record)
    reason = EndReason.MAX_ROUNDS if capped else EndReason.CITIES
    steps.end_game(state, board.record, reason.value)
