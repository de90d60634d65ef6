"""R3: phase 3, buying fuel."""

import pytest

from tests.builders import (
    FUELS,
    a_game,
    assert_refused,
    cost,
    finish_phase,
    fuel,
    legal,
    money,
    play,
    seat,
    track,
)


def buyer(plants, fuel="0/0/0/0", money=100, **more):
    """Phase 3 with the first seat to act as the last one."""
    return a_game(seat(plants, fuel, money=money), phase="resources", acted=[1, 2], **more)


def can_buy(game):
    return {words.split()[2] for words in legal(game) if words.startswith("buy")}


def test_r3_1_any_number_of_tokens_in_reverse_order():
    game = a_game(seat("10"), seat("13"), seat("8"), order=[1, 2, 0], phase="resources")
    assert game.player == 0
    play(game, "buy 2 coal, buy 1 coal, pass")
    assert (fuel(game, 0), game.player) == ("3/0/0/0", 2)
    play(game, "buy 6 coal, pass")
    assert (fuel(game, 2), game.player) == ("6/0/0/0", 1)
    game.play("pass")
    assert game.phase == "building"


@pytest.mark.parametrize(
    ("plant", "burns"),
    [
        ("4", {"coal"}),
        ("7", {"oil"}),
        ("12", {"coal", "oil"}),
        ("14", {"garbage"}),
        ("11", {"uranium"}),
        ("13", set()),
    ],
)
def test_r3_2_only_what_the_own_plants_burn(plant, burns):
    game = buyer(plant)
    assert can_buy(game) == burns
    for kind in set(FUELS) - burns:
        assert_refused(game, f"buy 1 {kind}", "R3.2")


@pytest.mark.parametrize(
    ("plant", "room", "kind"),
    [
        ("10", 4, "coal"),
        ("20", 6, "coal"),
        ("9", 2, "oil"),
        ("14", 4, "garbage"),
        ("17", 2, "uranium"),
        ("5", 4, "oil"),
        ("46", 6, "coal"),
    ],
)
def test_r3_3_a_plant_stores_twice_its_burn_number(plant, room, kind):
    game = buyer(plant, track="24/24/24/12")
    game.play(f"buy {room} {kind}")
    assert_refused(game, f"buy 1 {kind}", "R3.4")
    game = buyer(plant, track="24/24/24/12")
    if room < 6:
        assert_refused(game, f"buy {room + 1} {kind}", "R3.4")


def test_r3_3_a_hybrid_stores_coal_and_oil_together():
    for script, held in [
        ("buy 4 coal", "4/0/0/0"),
        ("buy 4 oil", "0/4/0/0"),
        ("buy 1 coal, buy 3 oil", "1/3/0/0"),
    ]:
        game = buyer("5")
        play(game, script)
        assert fuel(game, 0) == held
        assert_refused(game, "buy 1 coal", "R3.4")
        assert_refused(game, "buy 1 oil", "R3.4")


def test_r3_4_the_plants_store_as_a_whole():
    # C = 6 on 8, O = 2 on 9, H = 4 on 5: coal beyond 6 and oil beyond 2 share the hybrid.
    room = {}
    for coal in range(11):
        game = buyer("5 8 9", f"{coal}/0/0/0", track="10/24/0/0")
        while "buy 1 oil" in legal(game):
            game.play("buy 1 oil")
        room[coal] = int(fuel(game, 0).split("/")[1])
    assert room == {**dict.fromkeys(range(7), 6), 7: 5, 8: 4, 9: 3, 10: 2}


def test_r3_4_garbage_and_uranium_are_stored_on_their_own_plants_only():
    game = buyer("6 11 12", "4/0/2/2", track="20/20/20/5")
    assert can_buy(game) == set()
    assert_refused(game, "buy 1 garbage", "R3.4")
    assert_refused(game, "buy 1 uranium", "R3.4")


def test_r3_5_the_cheapest_token_is_taken_first():
    game = buyer("8 31")
    assert cost(game, "buy 5 coal") == 7  # 1+1+1+2+2
    game.play("buy 5 coal")
    assert (money(game, 0), track(game)) == (93, "19/18/9/2")
    assert cost(game, "buy 3 coal") == 2 + 3 + 3
    assert cost(buyer("16"), "buy 4 oil") == 3 + 3 + 3 + 4
    assert cost(buyer("16", edition="2004"), "buy 4 oil") == 13
    assert cost(buyer("17"), "buy 2 uranium") == 14 + 16


def test_r3_5_the_order_of_buying_does_not_change_the_sum():
    assert cost(buyer("8"), "buy 6 coal") == 9
    game = buyer("8")
    play(game, ", ".join(["buy 1 coal"] * 6))
    assert money(game, 0) == 91


def test_r3_6_tokens_may_be_rearranged():
    # 4 coal fill plant 10; they may lie on hybrid 5 instead and make room there for nothing but coal.
    game = buyer("5 10", "4/0/0/0", track="20/18/9/2")
    play(game, "buy 4 oil")
    assert fuel(game, 0) == "4/4/0/0"
    game = buyer("5 10", "2/2/0/0", track="20/18/9/2")
    play(game, "buy 4 coal")
    assert fuel(game, 0) == "6/2/0/0"
    assert_refused(game, "buy 1 oil", "R3.4")


def test_r3_6_tokens_cannot_be_thrown_away():
    game = buyer("10", "4/0/0/0", track="20/18/9/2")
    while game.round_number == 2:
        assert not any(words.startswith("give up") for words in legal(game))
        assert_refused(game, "give up coal", "R0.10")
        game.play("run none" if game.decision == "run" else "pass")
    assert fuel(game, 0) == "4/0/0/0"


def test_r3_7_an_empty_row_is_sold_out():
    game = buyer("8 16", track="0/2/9/2")
    assert can_buy(game) == {"oil"}
    assert_refused(game, "buy 1 coal", "R3.7")
    assert_refused(game, "buy 3 oil", "R3.7")
    game.play("buy 2 oil")
    assert_refused(game, "buy 1 oil", "R3.7")
    finish_phase(game)
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "4/2/10/3"


def test_r3_8_no_credit():
    game = buyer("8", money=6)
    assert_refused(game, "buy 5 coal", "R3.8")
    game.play("buy 4 coal")
    assert (money(game, 0), fuel(game, 0)) == (1, "4/0/0/0")
    assert_refused(game, "buy 1 coal", "R3.8")
    game = buyer("8", money=7)
    assert money(game.play("buy 5 coal"), 0) == 0
