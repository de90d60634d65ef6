"""Findings of the checks in words, with the keys of a position: what is there, what is allowed, the rule."""

from powergrid_env.board import Board
from powergrid_env.constants import NOBODY, Decision, Phase, Resource
from powergrid_env.invariants_cards import full_market
from powergrid_env.layout import RESOURCES
from powergrid_env.notation import STEP_3_PLACES, card_word
from powergrid_env.rules import auction, plant_market
from powergrid_env.state import State


def describe(check: str, found: int, state: State, board: Board) -> str:
    """The finding of a check, by its name: `found` is the seat, city, card or resource that is wrong."""
    match check:
        case "RANGE" | "PADDING" | "ORDER" | "CARDS":
            return _basics(check, found, state, board)
        case "MARKET_SORTED" | "MARKET_SIZE" | "STEP_3_CARD" | "OBSOLETE" | "DISCOUNT":
            return _market(check, found, state)
        case "HOUSES" | "SECOND_HOUSE" | "OPEN_SPACES" | "MARKERS":
            return _city(check, found, state, board)
        case "NETWORK" | "CONNECTIONS" | "MONEY" | "PLANTS" | "FUEL_CAPACITY" | "FUEL":
            return _seat(check, found, state, board)
        case "TURN" | "AUCTION" | "LOT" | "NEW_PLANT" | "RUN" | "END" | "STUCK":
            return _turn(check, found, state, board)
        case _:
            return _tokens(check, found, state, board)


def _basics(check: str, found: int, state: State, board: Board) -> str:
    match check:
        case "RANGE":
            names = ("phase", "decision", "player", "step_number", "round_number", "zone", "step3")
            values = ", ".join(f"{name} {int(state[name])}" for name in names)
            return (
                f"state: {values}; allowed: a decision of the phase, and a seat to act until the end (R0.10)"
            )
        case "PADDING":
            return f"state: a gap in a list or values behind its end, near seat {found}; allowed: neither"
        case "ORDER":
            players = board.config.players
            return (
                f"order is {state.order.tolist()}; allowed: each of the seats 0 to {players - 1} once (R1.1)"
            )
        case _:
            deck = board.config.deck
            return f"card {card_word(found)} is there twice or not of the deck {deck!r}; allowed: each once (RC.9)"


def _market(check: str, found: int, state: State) -> str:
    step, place = int(state.step_number), STEP_3_PLACES[state.step3]
    match check:
        case "MARKET_SORTED":
            cards = [card_word(card) for card in state.market[: state.market_size].tolist()]
            return f"market is {cards}; allowed: ascending numbers (R2.12)"
        case "MARKET_SIZE":
            size, full = int(state.market_size), int(full_market(state))
            return (
                f"market has {size} cards; allowed: {full} with step {step} and step3 {place!r},"
                " fewer only with an empty stack (R6.27)"
            )
        case "STEP_3_CARD":
            return (
                f"step3 is {place!r} in step {step}; allowed: where the card lies; market in the auction;"
                " drawn in building and bureaucracy, there also with skip_market_update; in_force in step 3 (R6.20)"
            )
        case "OBSOLETE":
            return f"market has plant {found}; allowed: numbers above the cities of every network (R4.12)"
        case _:
            current = state.market[: plant_market.num_current(state)].tolist()
            return f"discount is {found}; allowed: in the auction one of the current market {current} (R2.20)"


def _tokens(check: str, found: int, state: State, board: Board) -> str:
    record = board.record
    match check:
        case "TOKENS":
            tokens = int(record.tokens[found])
            return f"{RESOURCES[found]} on track, supply, storage and plants is not {tokens} in all (RC.2)"
        case "STORAGE":
            supply = int(state.supply[Resource.COAL])
            return f"storage is {int(state.storage)}, supply.coal {supply}; allowed: one of them (RM.10)"
        case "URANIUM":
            stopped, plant = bool(state.uranium_stopped), int(record.uranium_stop)
            return (
                f"uranium_stopped is {stopped}; allowed: true once plant {plant} (0: none) is bought (RM.1)"
            )
        case "TRUST_HOUSES":
            houses, owned = int(state.trust_houses), int(record.trust_houses) if record.trust else 0
            return f"trust.houses is {houses}; allowed: {owned} with those on the board (RT.1)"
        case "TRUST_PLANTS":
            return f"trust.plants is {state.trust_plants.tolist()}; allowed: at most three, ascending (RT.1)"
        case _:
            fuel = state.trust_fuel.tolist()
            return f"trust.fuel is {fuel}; allowed: one run of its plants, from phase 3 to 5 (RT.16, RT.23)"


def _seat(check: str, found: int, state: State, board: Board) -> str:
    plants = state.plants[found, : state.num_plants[found]].tolist()
    match check:
        case "MONEY":
            return f"seats[{found}].money is {int(state.money[found])}; allowed: from 0 (RI.4)"
        case "PLANTS":
            limit = int(board.record.plant_limit)
            return f"seats[{found}].plants is {plants}; allowed: at most {limit}, ascending (R2.30)"
        case "FUEL_CAPACITY":
            return f"fuel_capacity of seat {found} is not that of its plants {plants} (R3.3)"
        case "FUEL":
            fuel = dict(zip(RESOURCES, state.fuel[found].tolist(), strict=True))
            return f"seats[{found}].fuel is {fuel}; allowed: what its plants {plants} can store (R3.2, R3.4)"
        case "NETWORK":
            cities, cap = int(state.num_cities[found]), int(board.record.house_cap)
            return f"seats[{found}].cities has {cities}; allowed: as many as houses, at most {cap} (R4.10)"
        case _:
            return f"connection_cost of seat {found} is not that of its network (R4.3)"


def _city(check: str, found: int, state: State, board: Board) -> str:
    name = board.cities[found] if found < len(board.cities) else f"city {found}"
    match check:
        case "HOUSES":
            return (
                f"{name} has a house; allowed: in the zone, of players or, up to 15, the Trust (R4.7, RT.7)"
            )
        case "SECOND_HOUSE":
            return f"{name} has two houses of one owner; allowed: one (R4.5)"
        case "OPEN_SPACES":
            owners, step = state.city_spaces[found].tolist(), int(state.step_number)
            return (
                f"{name} has houses of {owners} on its spaces; allowed: in step {step} the {step} cheapest,"
                " from the lowest (R4.4)"
            )
        case _:
            return f"start_markers has {name}; allowed: one per seat, where no house is in the zone (RS.1)"


def _turn(check: str, found: int, state: State, board: Board) -> str:
    player = int(state.player)
    match check:
        case "TURN":
            passed = state.passed.tolist()
            return f"player is {player}, acted by seat {passed}; allowed: one after the other (R0.11)"
        case "AUCTION":
            bought, passed = state.bought.tolist(), state.passed.tolist()
            return (
                f"auction: bought by seat {bought}, passed {passed}, player {player}; allowed: not both, in"
                " phase 2, and the first in order who has done neither chooses (R2.2)"
            )
        case "LOT":
            return f"auction: {_lot(state, board)}"
        case "NEW_PLANT":
            limit = int(board.record.plant_limit)
            return (
                f"pending.new_plant is {found}; allowed: what seat {player} has just bought, with more than"
                f" {limit} plants, or with coal and oil that compete for room (R2.30, R2.32)"
            )
        case "RUN":
            run = int(state.pending_run)
            return (
                f"pending.run is {run:b} by plant; allowed: with hybrids that can burn several mixes (R5.3)"
            )
        case "END":
            supplied = state.supplied.tolist()
            return f"supplied is {supplied}; allowed: at the end what each can supply, before that 0 (R7.2)"
        case _:
            return f"seat {found} has no legal action in phase {Phase(state.phase).name.lower()}"


def _lot(state: State, board: Board) -> str:
    """What is wrong with a running auction."""
    plant, bid, bidder = int(state.auction_plant), int(state.auction_bid), int(state.auction_bidder)
    chooser, decision = int(state.auction_chooser), Decision(state.decision).name.lower()
    current = state.market[: plant_market.num_current(state)].tolist()
    if plant not in current or state.decision != Decision.BID:
        return f"plant is {plant}, decision {decision}; allowed: bids on the current market {current} (R2.14)"
    least, payer = auction.minimum_bid(state, plant), chooser if bidder == NOBODY else bidder
    money = int(state.money[payer])
    if not least <= (bid or least) <= money:
        return f"bid is {bid or least}; allowed: {least} to the {money} Elektro of seat {payer} (R2.5, R2.9)"
    taking_part = [seat for seat in range(board.config.players) if state.bidding[seat]]
    return (
        f"chooser {chooser}, bidder {bidder}, taking_part {taking_part}, player {int(state.player)}; allowed:"
        " the first in order who has neither bought nor passed opens, two at least take part who have done"
        " neither, and the next of them is asked (R2.2, R2.7)"
    )
