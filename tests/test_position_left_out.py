"""Positions: what is left out is filled in, from a fresh deal or from what is said."""

from typing import Any

import numpy as np
import pytest

from powergrid_env import Game, GameConfig
from powergrid_env.constants import NO_PLANT, Step3Card
from powergrid_env.position import from_position
from powergrid_env.state import State
from tests.builders import TRUST_START


def state_of(position: dict[str, Any], seed: int = 0, **config: Any) -> State:
    return from_position(position, seed, **config)[1][0]


def cards(values: Any) -> list[int]:
    return [card for card in values.tolist() if card != NO_PLANT]


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
        "start_cities": TRUST_START["germany"],
        "blocked_cities": ["Essen"],
    }
    regions = ["cyan", "blue", "red"]
    game = Game.from_position({"players": 2, "phase": "building", "regions": regions, "trust": trust})
    assert game.state.trust_houses == 9
    assert game.to_position()["trust"]["blocked_cities"] == ["Essen"]
    placing = {
        "players": 2,
        "regions": regions,
        "trust": {"start_cities": TRUST_START["germany"][:3]},
        "order": [1, 0],
    }
    assert Game.from_position(placing).player == 1  # RT.4: F S S F
