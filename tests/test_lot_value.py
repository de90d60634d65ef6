"""The value of a lot by rollouts: what is asked, what comes out, what is refused."""

import pytest

from agents.study import lot_value, valuations
from powergrid_env import Game

POSITION = {
    "players": 3,
    "phase": "auction",
    "round": 4,
    "market": [13, 15, 16, 20, 22, 25, 26, 31],
    "regions": ["red", "brown", "yellow"],
    "seats": [
        {"money": 100, "plants": [8], "cities": ["Essen", "Duisburg", "Dortmund"]},
        {"money": 40, "plants": [7, 12], "cities": ["Kassel", "Erfurt"]},
        {"money": 12, "plants": [5, 14], "cities": ["Berlin", "Leipzig"]},
    ],
}


def test_a_strong_plant_for_little_is_a_gain_and_the_value_lies_among_the_prices():
    game = Game.from_position(POSITION)
    before = game.digest()
    found = lot_value(game, plant=20, prices=[20, 40, 100], rollouts=60, seed=1)
    assert game.digest() == before
    assert (found.plant, found.player, found.rollouts) == (20, 0, 60)
    assert found.chances["price"].tolist() == [20, 40, 100]
    assert found.chances["gain_low"].iloc[0] > found.chances["gain_high"].iloc[-1]
    assert 20 <= found.low <= found.value <= found.high <= 100
    assert lot_value(game, plant=20, prices=[20, 40, 100], rollouts=60, seed=1).value == found.value


def test_a_game_that_is_won_anyway_leaves_room_for_a_loss():
    far_ahead = {**POSITION["seats"][0], "money": 900, "plants": [37, 44, 50]}
    game = Game.from_position({**POSITION, "seats": [far_ahead, *POSITION["seats"][1:]]})
    chances = lot_value(game, plant=20, prices=[20, 30], rollouts=20, seed=1).chances
    assert chances["win_share"].tolist() == chances["win_share_high"].tolist() == [1, 1]
    assert chances["win_share_low"].tolist() == pytest.approx([0.839, 0.839], abs=0.001)  # Wilson
    assert chances["gain"].tolist() == [0, 0]
    assert chances["gain_low"].tolist() == pytest.approx([-0.161, -0.161], abs=0.001)
    assert chances["gain_high"].tolist() == pytest.approx([0.161, 0.161], abs=0.001)


def test_a_running_auction_is_valued_for_who_may_still_bid():
    game = Game.from_position(POSITION).play("nominate 20").play("bid 20")
    found = lot_value(game, prices=[21, 40], rollouts=10)
    assert found.player == 1
    assert 0 <= found.without <= 1
    with pytest.raises(ValueError, match="player is 0, whose bid stands"):
        lot_value(game, 0)
    game = Game.from_position(POSITION).play("nominate 20")
    assert lot_value(game, prices=[20, 60], rollouts=10).player == 0
    assert lot_value(game, 1, prices=[20, 40], rollouts=10).player == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "plant is None; allowed: 13, 15, 16, 20"),
        ({"plant": 22}, "plant is 22; allowed: 13, 15, 16, 20"),
        ({"plant": 20, "player": 5}, "player is 5; allowed: 0, 1, 2"),
        ({"plant": 20, "player": 2}, "player 2 owns 12 Elektro"),
        ({"plant": 20, "prices": [10]}, "allowed: 20 to 100"),
        ({"plant": 20, "rollouts": 1}, "rollouts is 1"),
        ({"plant": 20, "reference": "nobody"}, "nobody"),
    ],
)
def test_what_cannot_be_valued_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        lot_value(Game.from_position(POSITION), **arguments)


def test_outside_phase_2_there_is_no_lot():
    game = Game.from_position({**POSITION, "phase": "building"})
    with pytest.raises(ValueError, match="asks for 'build'"):
        lot_value(game, plant=13)


def test_valuations_have_a_row_per_lot_and_bidder():
    game = Game.from_position(POSITION).play("nominate 13").play("bid 1").play("pass").play("pass")
    table = valuations([game], rollouts=4)
    assert table["lot_id"].tolist() == [0, 0, 0]
    assert sorted(table["player"]) == [0, 1, 2]
    assert set(table["plant"]) == {13}
    assert ((table["low"] <= table["value"]) & (table["value"] <= table["high"])).all()
