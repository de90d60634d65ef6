"""R0.10: only the decision that is due is answered; every row of another block is refused, and so is a pass that is none."""

import pytest

from powergrid_env import engine
from powergrid_env.actions import ActionTable, block_of
from powergrid_env.constants import PASS, Decision, Phase
from powergrid_env.position import from_position
from powergrid_env.reasons import Reason

MARKET = [3, 4, 5, 6, 7, 8, 9, 10]
ROUND_2 = {"players": 3, "round": 2, "market": MARKET}
OWNER = [{"plants": [5, 20, 39], "fuel": {"coal": 2, "oil": 2}, "cities": ["Essen"]}, {}, {}]
POSITIONS = {
    "choose": ROUND_2,
    "bid": {**ROUND_2, "auction": {"plant": 5, "bid": 8, "bidder": 1}},
    "scrap": {
        **ROUND_2,
        "market": MARKET[:7],
        "seats": [{"plants": [11, 20, 33, 39]}, {}, {}],
        "pending": {"new_plant": 33},
    },
    "give_up": {
        "players": 3,
        "round": 2,
        "seats": [{"plants": [6, 24, 29], "fuel": {"coal": 3, "oil": 3}}, {}, {}],
        "pending": {"new_plant": 6},
    },
    "buy": {"players": 3, "phase": "resources"},
    "build": {"players": 3, "phase": "building"},
    "run": {"players": 3, "phase": "bureaucracy", "seats": OWNER},
    "burn": {"players": 3, "phase": "bureaucracy", "player": 0, "pending": {"run": [5]}, "seats": OWNER},
    "place": {"players": 2, "phase": "trust_setup"},
    "mark": {"players": 3, "phase": "start_cities", "config": {"start_cities": True}},
}
MUST = {
    "scrap": Reason.R2_30_MUST,
    "give_up": Reason.R2_32_MUST,
    "run": Reason.R5_1_MUST,
    "burn": Reason.R5_3_MUST,
    "place": Reason.RT_4_MUST,
    "mark": Reason.RS_1_MUST,
}


@pytest.mark.parametrize("decision", POSITIONS)
def test_r0_10_rows_of_other_decisions_are_not_asked(decision):
    board, states = from_position(POSITIONS[decision])
    state, record = states[0], board.record
    assert Decision(state.decision).name.lower() == decision
    first, behind = block_of(record, int(state.decision))
    others = set(range(1, ActionTable(board).count)) - set(range(first, behind))
    assert len(others) > 50
    assert {engine.verify(state, record, action) for action in others} == {Reason.NOT_ASKED}


@pytest.mark.parametrize("decision", POSITIONS)
def test_a_pass_is_a_pass_or_no_answer(decision):
    board, states = from_position(POSITIONS[decision])
    assert engine.verify(states[0], board.record, PASS) == MUST.get(decision, Reason.LEGAL)


def test_r7_1_nothing_is_asked_when_the_game_is_over():
    board, states = from_position({"phase": "over", "seats": [{"plants": [13], "cities": ["Essen"]}, {}, {}]})
    assert states[0].phase == Phase.OVER
    found = {engine.verify(states[0], board.record, action) for action in range(ActionTable(board).count)}
    assert found == {Reason.R7_1_OVER}
