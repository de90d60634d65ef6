"""Positions: any state as a plain dictionary and back, tolerant of what is left out, strict in what is said."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, engine
from powergrid_env.board import make_board
from powergrid_env.constants import NO_PLANT, Phase, Step3Card
from powergrid_env.position import from_position, to_position
from powergrid_env.rng import first_word
from powergrid_env.state import FIELDS, State, States, digest, make_states
from tests.random_games import NUM_STYLES, advance, configs

TRUST_START = ["Flensburg", "Kiel", "Hamburg", "Bremen", "Wilhelmshaven", "Cuxhaven"]


def state_of(position: dict[str, Any], seed: int = 0, **config: Any) -> State:
    return from_position(position, seed, **config)[1][0]


def cards(values: Any) -> list[int]:
    return [card for card in values.tolist() if card != NO_PLANT]


# -------------------------------------------------------------------------------------- complete both ways


def play(config: GameConfig, seed: int) -> Iterator[States]:
    """Every state of a random game."""
    board, states, dice = make_board(config), make_states(1), make_states(1)
    mask = np.zeros(board.record.num_actions, np.int8)
    dice[0].rng = first_word(seed)
    engine.reset(states[0], board.record, first_word(seed))
    yield states
    while states[0].phase != Phase.OVER:
        advance(states, board.records, mask, dice, seed % NUM_STYLES)
        yield states


def check_round_trip(states: States, config: GameConfig) -> None:
    position = to_position(states[0], make_board(config))
    board, again = from_position(position, seed=5)
    changed = [name for name, *_ in FIELDS if np.any(states[name] != again[name])]
    assert (changed, board.config) == ([], config), position
    assert digest(again[0]) == digest(states[0])


def test_built_again_any_position_of_a_game_has_the_same_bytes() -> None:
    for seed, config in enumerate(list(configs())[::2]):
        for number, states in enumerate(play(config, seed)):
            if seed % 40 == 0 or number % 100 == seed:
                check_round_trip(states, config)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_built_again_every_position_of_300_games_has_the_same_bytes() -> None:
    for seed, config in enumerate([*configs(), *configs()]):
        for states in play(config, 1000 + seed):
            check_round_trip(states, config)


def is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(entry) for key, entry in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return type(value) in (int, str, bool)


def test_a_position_is_plain_data_fit_for_json_and_toml() -> None:
    for seed, config in enumerate([*configs()][::7]):
        board = make_board(config)
        for number, states in enumerate(play(config, seed)):
            if number % 50 == 0:
                position = to_position(states[0], board)
                assert is_plain(position)
                assert digest(state_of(json.loads(json.dumps(position)))) == digest(states[0])


def test_a_game_goes_on_with_the_same_bytes() -> None:
    game = Game(players=4, board="usa", seed=3)
    again = Game.from_position(game.to_position())
    for _ in range(300):
        action = int(game.legal_actions()[-1])
        assert game.play(action).digest() == again.play(action).digest()


def test_the_config_comes_along() -> None:
    config = GameConfig(
        players=3, deck="new", start_cities=True, money="hidden", raises=(0, 7), max_rounds=9, reward="margin",
        regions=("red", "blue", "cyan"), rulings={"fuel": "pool", "house_cap": 20},
    )  # fmt: skip
    for given in (
        config,
        GameConfig(players=2, trust=False),
        GameConfig(raises="all"),
        GameConfig(skip_forced=True),
    ):
        board, states = make_board(given), make_states(1)
        engine.reset(states[0], board.record, first_word(1))
        assert from_position(to_position(states[0], board))[0] is board


def test_who_built_first_is_kept_where_it_is_not_seat_order() -> None:
    seats = [{"cities": ["Essen", "Köln"]}, {"cities": ["Essen"]}, {"cities": ["Köln"]}]
    position = {"players": 3, "step": 2, "seats": seats, "spaces": {"essen": [1, 0]}}
    board, states = from_position(position)
    essen, koeln = board.cities.index("Essen"), board.cities.index("Köln")
    assert states[0].city_spaces[[essen, koeln]].tolist() == [[1, 0, -1], [0, 2, -1]]
    assert to_position(states[0], board)["spaces"] == {"Essen": [1, 0]}


# ------------------------------------------------------------------------------------------ what is left out


@pytest.mark.parametrize(
    "config",
    [
        {"players": 3},
        {"players": 6, "edition": "2004", "board": "usa"},
        {"players": 2},
        {"players": 2, "start_cities": True},
        {"players": 4, "start_cities": True, "skip_forced": True},
    ],
)
def test_a_position_that_says_nothing_is_a_fresh_game(config: dict[str, Any]) -> None:
    for seed in (0, 7, 2**63 - 1):
        assert Game.from_position({}, seed=seed, **config).digest() == Game(**config, seed=seed).digest()


def test_what_a_test_of_a_rule_writes() -> None:
    position = {
        "players": 3, "phase": "auction", "round": 3, "market": [3, 4, 5, 6, 7, 8, 9, 10], "stack": [20, 25],
        "seats": [{"money": 40, "plants": [13]}, {}, {}],
    }  # fmt: skip
    state = state_of(position)
    assert state.money.tolist() == [40, 50, 50, 0, 0, 0]
    assert cards(state.plants[0]) == [13]
    assert cards(state.stack) == [20, 25, 51]
    assert (state.num_removed, state.discount, state.step3) == (0, 3, Step3Card.IN_STACK)
    assert state.player == state.order[0] == 0  # R1.1: the only one with a plant


def test_null_is_left_out_but_for_the_discount() -> None:
    market = {"players": 3, "market": [3, 4, 5, 6, 7, 8, 9, 10]}
    auction = {"plant": 5, "bid": 0, "bidder": None}
    assert state_of({**market, "player": None, "stack": None, "auction": auction}).auction_plant == 5
    assert state_of({**market, "discount": None}).discount == 0


def test_players_are_as_many_as_seats() -> None:
    assert from_position({"seats": [{}] * 5})[0].config.players == 5
    assert from_position({})[0].config.players == GameConfig().players


def test_the_market_left_out_is_dealt_without_the_cards_named() -> None:
    fresh = state_of({"players": 3}, seed=4)
    named = cards(fresh.market)[:2]
    state = state_of({"players": 3, "seats": [{"plants": named}, {}, {}]}, seed=4)
    assert cards(state.market) == sorted([*cards(fresh.market)[2:], *fresh.stack[:2].tolist()])
    assert cards(state.stack) == cards(fresh.stack)[2:]
    assert cards(state.removed) == cards(fresh.removed)


def test_the_stack_left_out_is_dealt_without_the_cards_named() -> None:
    fresh = state_of({"players": 5}, seed=4)
    market = [20, 21, 22, 23, 24, 25, 26, 27]
    state = state_of({"players": 5, "market": market}, seed=4)
    assert cards(state.market) == market
    assert cards(state.stack) == [card for card in cards(fresh.stack) if card not in market]
    assert state.num_removed == 0


def test_the_market_left_out_beside_a_stack() -> None:
    state = state_of({"players": 5, "stack": [30, "step3", 3, 4, 5]}, seed=4)
    assert cards(state.stack) == [30, 51, 3, 4, 5]
    assert state.market_size == 8
    assert not set(cards(state.market)) & {3, 4, 5, 30}


@pytest.mark.parametrize("step3", ["stack", "market", "drawn", "in_force"])
def test_the_market_left_out_has_the_size_of_the_step(step3: str) -> None:
    phase = "building" if step3 == "drawn" else "auction"
    state = state_of({"players": 4, "phase": phase, "step3": step3})
    assert state.market_size == (8 if step3 in ("stack", "market") else 6)
    assert (51 in state.market.tolist(), 51 in state.stack.tolist()) == (step3 == "market", step3 == "stack")
    assert state.step_number == (3 if step3 == "in_force" else 1)


def test_r4_12_the_market_left_out_has_no_obsolete_plant() -> None:
    cities = ["Essen", "Duisburg", "Dortmund", "Köln", "Aachen"]
    state = state_of({"edition": "2004", "players": 3, "seats": [{"cities": cities}, {}, {}]})
    assert state.market[0] == 6


def test_r2_20_the_discount_left_out_lies_on_the_lowest_plant() -> None:
    assert state_of({"players": 3}).discount == state_of({"players": 3}).market[0]
    assert state_of({"players": 3, "discount": "none"}).discount == 0
    assert state_of({"players": 3, "phase": "building"}).discount == 0
    assert state_of({"players": 3, "edition": "2004"}).discount == 0


def test_rc_2_the_tokens_left_out_follow_from_the_others() -> None:
    coal = {"plants": [4, 8], "fuel": {"coal": 10}}
    state = state_of({"players": 3, "seats": [coal, {}, {}]})
    assert (state.track.tolist(), state.supply.tolist()) == ([14, 18, 9, 2], [0, 6, 15, 10])
    state = state_of({"players": 3, "seats": [coal, {}, {}], "track": {"coal": 3, "oil": 0}})
    assert (state.track.tolist(), state.supply.tolist()) == ([3, 0, 9, 2], [11, 24, 15, 10])
    state = state_of({"players": 3, "seats": [coal, {}, {}], "supply": {"coal": 3, "uranium": 0}})
    assert (state.track.tolist(), state.supply.tolist()) == ([11, 18, 9, 12], [3, 6, 15, 0])


def test_rm_10_coal_off_the_track_lies_in_the_storage() -> None:
    for position in ({"track": {"coal": 7}}, {"storage": 17}, {"track": {"coal": 7}, "storage": 17}):
        state = state_of({"players": 3, "board": "usa", **position})
        assert (int(state.track[0]), int(state.supply[0]), int(state.storage)) == (7, 0, 17)


def test_rm_1_whoever_owns_39_has_stopped_the_uranium() -> None:
    assert state_of({"players": 3, "seats": [{"plants": [39]}, {}, {}]}).uranium_stopped
    assert not state_of({"players": 3, "board": "usa", "seats": [{"plants": [39]}, {}, {}]}).uranium_stopped
    assert state_of({"players": 3, "uranium_stopped": True}).uranium_stopped


def test_the_regions_left_out_hold_every_city_named() -> None:
    for seed in range(30):
        board, states = from_position(
            {"players": 3, "seats": [{"cities": ["Kiel"]}, {"cities": ["München"]}, {}]}, seed
        )
        assert board.record.in_zone[
            states[0].zone, [board.cities.index("Kiel"), board.cities.index("München")]
        ].all()


@pytest.mark.parametrize("name", ["Köln", "koeln", "KOLN", "  köln "])
def test_a_city_in_any_spelling(name: str) -> None:
    board, states = from_position({"players": 3, "seats": [{"cities": [name]}, {}, {}]})
    assert states[0].city_spaces[board.cities.index("Köln"), 0] == 0


@pytest.mark.parametrize(
    ("phase", "acted"), [("auction", []), ("resources", [2]), ("building", [2]), ("bureaucracy", [0])]
)
def test_who_has_acted_follows_from_order_and_player(phase: str, acted: list[int]) -> None:
    state = state_of({"phase": phase, "round": 2, "order": [0, 1, 2], "player": 1, "seats": [{}] * 3})
    assert state.player == 1
    assert np.flatnonzero(state.passed).tolist() == (acted or [0])


@pytest.mark.parametrize("phase", ["auction", "resources", "building", "bureaucracy"])
def test_a_player_named_without_an_order_acts_first(phase: str) -> None:
    for seat in range(4):
        state = state_of({"phase": phase, "round": 2, "player": seat})
        assert state.player == seat
        assert not state.passed.any()


@pytest.mark.parametrize(("phase", "player"), [("resources", 1), ("building", 1), ("bureaucracy", 2)])
def test_the_player_follows_from_who_has_acted(phase: str, player: int) -> None:
    acted = [3, 0] if phase == "bureaucracy" else [2]
    state = state_of(
        {"phase": phase, "round": 2, "order": [3, 0, 1, 2] if player == 1 else [3, 0, 2, 1], "acted": acted}
    )
    assert state.player == player


def test_r1_1_an_order_left_out_is_that_of_networks_and_plants() -> None:
    seats = [{"plants": [20]}, {"plants": [25]}, {"plants": [4], "cities": ["Essen"]}]
    assert state_of({"round": 2, "seats": seats}).order[:3].tolist() == [2, 1, 0]
    assert state_of({"phase": "resources", "seats": seats}).player == 0


def test_the_course_of_an_auction_left_out() -> None:
    start = {"players": 4, "round": 2, "order": [1, 2, 3, 0], "market": [3, 4, 5, 6, 7, 8, 9, 10]}
    state = state_of({**start, "auction": {"plant": 5}})
    assert (state.player, state.auction_chooser, state.auction_bidder) == (1, 1, -1)
    assert np.flatnonzero(state.bidding).tolist() == [0, 1, 2, 3]
    state = state_of({**start, "auction": {"plant": 5, "bid": 8}})
    assert (state.player, state.auction_bidder) == (2, 1)
    state = state_of({**start, "player": 0, "auction": {"plant": 5, "bid": 8}})
    assert (state.player, np.flatnonzero(state.bidding).tolist()) == (0, [0, 1])
    state = state_of({**start, "auction": {"plant": 5, "bid": 8, "bidder": 3, "bought": [1], "passed": [2]}})
    assert (state.player, state.auction_chooser) == (0, 3)


def test_a_scrap_that_is_due() -> None:
    seats = [{"plants": [13, 20, 25, 33], "fuel": {"coal": 4}}, {}, {}]
    game = Game.from_position({"round": 2, "seats": seats, "pending": {"new_plant": 13}})
    assert (game.decision, game.player) == ("scrap", 0)
    assert [game.words(action) for action in game.legal_actions()] == ["scrap 20", "scrap 25", "scrap 33"]
    assert game.state.bought.tolist() == [1, 0, 0, 0, 0, 0]
    assert game.state.market_size == 7


def test_a_give_up_that_is_due() -> None:
    seats = [{"plants": [6, 24, 29], "fuel": {"coal": 3, "oil": 3}}, {}, {}]
    game = Game.from_position({"round": 2, "seats": seats, "pending": {"new_plant": 6}})
    assert (game.decision, game.player) == ("give_up", 0)


def test_a_mix_that_is_due() -> None:
    seats = [{"plants": [5, 13], "fuel": {"coal": 2, "oil": 2}, "cities": ["Essen"]}, {}, {}]
    game = Game.from_position(
        {"phase": "bureaucracy", "player": 0, "seats": seats, "pending": {"run": [13, 5]}}
    )
    assert (game.decision, len(game.legal_actions())) == ("burn", 3)


def test_the_end_of_a_game() -> None:
    seats = [
        {"plants": [20], "fuel": {"coal": 3}, "cities": ["Essen", "Köln"], "money": 7},
        {"money": 9},
        {"money": 9},
    ]
    result = Game.from_position({"phase": "over", "seats": seats}).result()
    assert result is not None
    assert (result.supplied, result.winners, result.reason) == ([2, 0, 0], [0], "cities")
    result = Game.from_position({"phase": "over", "round": 60, "seats": seats}).result()
    assert result is not None
    assert result.truncated


def test_the_trust() -> None:
    trust = {
        "plants": [5, 8],
        "fuel": {"coal": 4, "oil": 1},
        "start_cities": TRUST_START,
        "blocked_cities": ["Essen"],
    }
    regions = ["cyan", "blue", "red"]
    game = Game.from_position({"players": 2, "phase": "building", "regions": regions, "trust": trust})
    assert game.state.trust_houses == 9
    assert game.to_position()["trust"]["blocked_cities"] == ["Essen"]
    placing = {"players": 2, "regions": regions, "trust": {"start_cities": TRUST_START[:3]}, "order": [1, 0]}
    assert Game.from_position(placing).player == 1  # RT.4: F S S F


# -------------------------------------------------------------------------------------------------- refusals

THREE = {"players": 3, "round": 2}


def seats(**first: Any) -> dict[str, Any]:
    return {**THREE, "seats": [first, {}, {}]}


REFUSALS = [
    ({"stakc": []}, "stakc is no key; known: edition, board"),
    (seats(gold=3), "seats[0].gold is no key"),
    (seats(fuel={"peat": 3}), "seats[0].fuel.peat is no key"),
    ({"trust": {}}, "trust is {}; allowed: nothing"),
    ({"seats": [{}, {}, {}], "players": 4}, "seats has 3 entries; allowed: 4"),
    ({"seats": {}}, "seats is {}; allowed: a list of mappings"),
    (seats(money=-1), "seats[0].money is -1; allowed: a whole number from 0"),
    (seats(money=True), "seats[0].money is True"),
    (seats(money=7.0), "seats[0].money is 7.0"),
    (seats(money="7"), "seats[0].money is '7'"),
    (seats(plants=[13, 13]), "seats[0].plants names 13, which stands in seats[0].plants"),
    ({**THREE, "seats": [{"plants": [13]}, {"plants": [13]}, {}]}, "seats[1].plants names 13, which stands in seats[0].plants"),
    ({**seats(plants=[13]), "market": [3, 4, 5, 6, 7, 8, 9, 13]}, "market names 13, which stands in seats[0].plants"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, 10], "stack": [10]}, "stack names 10, which stands in market"),
    ({"stack": ["step3", 20, "step3"]}, "stack names step3, which stands in stack"),
    ({"market": [3, 4, 5, 6]}, "market has 4 cards; allowed: 8"),
    ({"step": 3, "market": [3, 4, 5, 6, 7, 8, 9, 10]}, "market has 8 cards; allowed: 6"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, 41]}, "market[7] is 41; allowed: a plant of the deck"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, "S3"]}, "market[7] is 'S3'"),
    ({"removed": ["step3"]}, "removed[0] is 'step3'"),
    ({"removed": [20, 21, 22, 23, 24, 25, 26, 27, 28]}, "removed has 9 cards; allowed: at most 8"),
    ({"step3": "box"}, "step3 is 'box'; allowed: stack, market, drawn, in_force"),
    ({"step3": "drawn"}, "step3 is 'drawn' in step 1"),
    ({"step": 3, "step3": "stack"}, "step3 is 'stack' in step 3"),
    ({"step3": "market", "market": [3, 4, 5, 6, 7, 8, 9, 10]}, "step3 is 'market' in step 1"),
    ({"discount": 12, "market": [3, 4, 5, 6, 7, 8, 9, 12]}, "discount is 12; allowed: in the auction one of the current market [3, 4, 5, 6]"),
    ({"phase": "building", "discount": 3}, "discount is 3"),
    ({"edition": "2004", "discount": 3}, "discount is 3"),
    (seats(plants=[4, 8, 31], fuel={"coal": 25}), "seats[0].fuel.coal is 25; allowed: a whole number from 0 to 24"),
    ({**THREE, "seats": [{"plants": [8, 31], "fuel": {"coal": 12}}, {"plants": [20, 36], "fuel": {"coal": 12}}, {"plants": [4], "fuel": {"coal": 1}}]}, "seats have 25 coal; allowed: 24"),
    ({**seats(plants=[4], fuel={"coal": 2}), "track": {"coal": 23}}, "track.coal is 23; allowed: a whole number from 0 to 22"),
    ({"track": {"oil": 10}, "supply": {"oil": 13}}, "supply.oil is 13; allowed: 14"),
    ({"storage": 3}, "storage is 3; allowed: 0"),
    ({"board": "usa", "track": {"coal": 20}, "storage": 3}, "storage is 3; allowed: 4"),
    ({"board": "usa", "supply": {"coal": 3}}, "supply.coal is 3; allowed: 0"),
    (seats(plants=[4], fuel={"oil": 1}), "seats[0].fuel is {'coal': 0, 'oil': 1, 'garbage': 0, 'uranium': 0}; allowed: what its plants [4]"),
    (seats(plants=[4], fuel={"coal": 5}), "seats[0].fuel is {'coal': 5"),
    (seats(plants=[13, 18, 22, 27]), "seats[0].plants is [13, 18, 22, 27]; allowed: at most 3"),
    (seats(cities=["Essen", "Essen"]), "seats[0].cities names 'Essen' twice; allowed: one house per city (R4.5)"),
    (seats(cities=["Köln", "koeln"]), "seats[0].cities names 'koeln' twice"),
    (seats(cities=["Atlantis"]), "seats[0].cities[0]: no city 'Atlantis'"),
    ({**THREE, "seats": [{"cities": ["Essen"]}, {"cities": ["Essen"]}, {}]}, "Essen has houses of [0, 1, -1] on its spaces; allowed: in step 1"),
    ({"step": 3, "seats": [{"cities": ["Essen"]}] * 4}, "seats[3].cities: no space is left in Essen"),
    ({"spaces": {"Essen": [1]}}, "spaces.Essen is [1]; allowed: an order of those"),
    ({"players": 3, "regions": ["red", "blue", "green"]}, "regions is ['red', 'blue', 'green']; allowed: 3 touching regions"),
    ({"players": 3, "regions": ["red", "blue"]}, "regions is ['red', 'blue']"),
    ({**seats(cities=["München"]), "regions": ["cyan", "blue", "red"]}, "allowed: regions that hold München as well"),
    ({"regions": [["red"]]}, "regions is [['red']]; allowed: 4 touching regions"),
    ({"discount": "3"}, "discount is '3'; allowed: a plant number, or \"none\""),
    ({"phase": "tea"}, "phase is 'tea'; allowed: trust_setup"),
    ({"phase": "trust_setup"}, "phase is 'trust_setup'; allowed: a later phase"),
    ({"phase": "start_cities"}, "phase is 'start_cities'; allowed: another phase, since start_cities is off"),
    ({"step": 4}, "step is 4; allowed: a whole number from 1 to 3"),
    ({"config": None, "seats": [None, {}, {}]}, "seats[0] is None; allowed: a mapping"),
    ({"round": 61}, "round is 61; allowed: a whole number from 1 to 60"),
    ({"order": [0, 1, 2]}, "order is [0, 1, 2]; allowed: all 4 seats"),
    ({"order": [0, 1, 2, 2]}, "order names 2 twice"),
    ({"phase": "building", "order": [0, 1, 2, 3], "acted": [1]}, "acted is [1]; allowed: the first of the seats that act in the order [3, 2, 1, 0]"),
    ({"phase": "building", "order": [0, 1, 2, 3], "acted": [3], "player": 1}, "player is 1; allowed: 2"),
    ({"phase": "building", "acted": [0, 1, 2, 3]}, "acted is [0, 1, 2, 3]"),
    ({"phase": "over", "player": 1}, "player is 1; allowed: nothing"),
    ({"decision": "buy"}, "decision is 'buy'; allowed: choose"),
    ({"phase": "building", "auction": {"plant": 5}}, "auction.plant is 5; allowed: nothing, since phase is not auction"),
    ({"auction": {"bid": 5}}, "auction.bid is 5; allowed: nothing, since auction.plant is left out"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, 10], "auction": {"plant": 9}}, "auction: plant is 9, decision bid; allowed: bids on the current market [3, 4, 5, 6]"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, 10], "auction": {"plant": 5, "bid": 4}}, "auction: bid is 4; allowed: 5 to the 50 Elektro"),
    ({"market": [3, 4, 5, 6, 7, 8, 9, 10], "auction": {"plant": 5, "bid": 51}}, "auction: bid is 51; allowed: 5 to the 50 Elektro"),
    ({"order": [0, 1, 2, 3], "auction": {"plant": 5, "chooser": 1, "passed": []}, "market": [3, 4, 5, 6, 7, 8, 9, 10]}, "auction.chooser is 1; allowed: 0"),
    ({"auction": {"bought": [1], "passed": [1]}}, "auction.passed is [1]"),
    ({"auction": {"bought": [0, 1], "passed": [2, 3]}}, "somebody who has done neither"),
    ({"auction": {"trust_done": True}}, "auction.trust_done is True; allowed: nothing"),
    ({**seats(plants=[13]), "pending": {"new_plant": 20}}, "pending.new_plant is 20; allowed: a plant among those"),
    ({**seats(plants=[13]), "pending": {"new_plant": 13}}, "pending.new_plant is 13; allowed: what seat 0 has just bought"),
    ({"pending": {"run": [5]}}, "pending.run is [5]; allowed: nothing, since phase is not bureaucracy"),
    ({**seats(plants=[13]), "phase": "bureaucracy", "player": 0, "pending": {"run": [20]}}, "pending.run is [20]; allowed: plants of seat 0"),
    ({**seats(plants=[13]), "phase": "bureaucracy", "player": 0, "pending": {"run": [13]}}, "pending.run is 1"),
    ({**seats(plants=[39]), "uranium_stopped": False}, "uranium_stopped is False"),
    ({"start_markers": {"Essen": 0}}, "start_markers is {'Essen': 0}; allowed: nothing, since start_cities is off"),
    ({"skip_market_update": True}, "step3 is 'stack'"),
    ({"skip_market_update": 1}, "skip_market_update is 1; allowed: true or false"),
    ({"rng": 2**64}, "rng is 18446744073709551616"),
    ({"players": 2, "trust": {"houses": 9}}, "trust.houses is 9; allowed: 16"),
    ({"players": 2, "phase": "building", "trust": {"plants": [3, 4, 6, 7]}}, "trust.plants is [3, 4, 6, 7]; allowed: at most 3"),
    ({"players": 2, "phase": "building", "trust": {"fuel": {"coal": 1}}}, "trust.fuel is [1, 0, 0, 0]"),
    ({"edition": "2004", **seats(cities=["Essen", "Duisburg", "Dortmund"]), "market": [3, 4, 5, 6, 7, 8, 9, 10]}, "market has plant 3"),
    ({"players": 7}, "players is 7; allowed: 2 to 6"),
    ({"config": {"colour": 3}}, "config.colour is no key"),
    ({"config": {"max_rounds": 0}}, "max_rounds is 0"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "message"), REFUSALS, ids=[message[:50] for _, message in REFUSALS])
def test_refused(position: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        from_position(position)


@pytest.mark.parametrize("position", [None, 3, "market", [("players", 3)]])
def test_what_is_no_mapping_is_refused(position: Any) -> None:
    with pytest.raises(ValueError, match=r"position is .*; allowed: a mapping"):
        from_position(position)


@pytest.mark.parametrize(
    ("position", "config", "message"),
    [
        ({"players": 3}, {"players": 4}, "players is 4; allowed: 3, as the position says"),
        ({"config": {"deck": "new"}}, {"deck": "base"}, "deck is 'base'; allowed: 'new'"),
        ({"rulings": {"fuel": "pool"}}, {"rulings": {"fuel": "own_plant"}}, "rulings is {'fuel': 'own_plant'}"),
        ({}, {"colour": 3}, "colour is no setting; known: players, edition"),
        ({"players": 3, "regions": ["red", "blue", "cyan"]}, {"regions": ["yellow", "purple", "brown"]}, "regions is"),
    ],
)  # fmt: skip
def test_a_contradiction_to_the_config_is_refused(
    position: dict[str, Any], config: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        from_position(position, **config)


def test_config_says_what_the_position_does_not() -> None:
    board, _ = from_position(
        {"players": 3, "rulings": {"fuel": "pool"}}, raises="all", rulings={"house_cap": 20}, players=3
    )
    assert board.config.rulings == {"fuel": "pool", "house_cap": 20}
    assert len(board.config.raises) == 101
