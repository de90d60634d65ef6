"""Positions: what is said wrongly is refused by its place, value and what is allowed."""

import re
from typing import Any

import pytest

from powergrid_env.position import from_position

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
