"""RT.1 to RT.9, RT.27: the Trust, its preparation and what it counts for. Seat 0 is the first of the two humans unless drawn."""

import pytest

from powergrid_env import Game, GameConfig
from tests.builders import (
    assert_refused,
    buildable,
    duel,
    finish_phase,
    houses,
    money,
    order,
    play,
    seat,
    tokens,
    track,
    trust_fuel,
    trust_plants,
)

# ------------------------------------------------------------------------------------- preparation


def placing(**more):
    return Game(players=2, regions=["red", "blue", "cyan"], seed=1, **more)


def test_rt_1_the_trust_has_16_houses_up_to_3_plants_no_money_and_cannot_win():
    game = placing()
    assert (game.state.trust_houses, trust_plants(game), trust_fuel(game)) == (16, [], "0/0/0/0")
    owned = {"plants": [36, 38, 46], "fuel": tokens("5/1/3/0")}
    game = duel(seat("13", cities=18), seat("18", cities=1), trust=owned, phase="building", step=2)
    finish_phase(game)
    result = game.result()  # 18 supplies 2, capped by the one city; the tie is shared
    assert (result.supplied, result.ranks, result.winners) == ([1, 1], [1, 1], [0, 1])


def test_rt_1_only_two_recharged_players_meet_it():
    assert GameConfig(players=2).trust
    assert not GameConfig(players=2, trust=False).trust
    assert not GameConfig(players=2, edition="2004").trust
    assert not GameConfig(players=3).trust
    for wrong in ({"players": 3}, {"players": 2, "edition": "2004"}):
        with pytest.raises(ValueError, match=r"trust is True; .*RT\.1"):
            GameConfig(trust=True, **wrong)


def test_rt_2_three_regions_and_cards_as_for_two_players():
    game = Game(players=2, seed=3)
    assert game.board.record.in_zone[game.state.zone].sum() == 21
    out = game.state.removed[game.state.removed > 0]
    assert ((out <= 15).sum(), (out > 15).sum(), game.state.stack_size) == (1, 5, 29)


def test_rt_3_the_first_human_is_drawn_and_the_trust_is_second():
    firsts = {order(Game(players=2, seed=seed))[0] for seed in range(20)}
    assert firsts == {0, 1}
    game = Game(players=2, seed=3)
    assert sorted(order(game)) == [0, 1]
    assert game.player == order(game)[0]


def test_rt_4_six_start_houses_by_turns_f_s_s_f_f_s():
    game, asked = placing(), []
    first, second = order(game)
    while game.phase == "trust_setup":
        asked.append(game.player)
        game.play(int(game.legal_actions()[-1]))
    assert asked == [first, second, second, first, first, second]
    spaces = game.state.city_spaces
    assert ((spaces[:, 0] == 6).sum(), (spaces[:, 1:] == 6).sum()) == (6, 0)
    assert (game.phase, game.player) == ("auction", first)


def test_rt_4_the_first_anywhere_in_the_zone_the_others_next_to_a_trust_house():
    game = placing()
    assert len(buildable(game)) == 21
    assert_refused(game, "pass", "RT.4")
    assert_refused(game, "place Berlin", "R4.7")
    game.play("place Essen")
    assert set(buildable(game)) == {"Dortmund", "Duisburg", "Düsseldorf", "Münster"}
    assert_refused(game, "place Essen", "RT.4")
    assert_refused(game, "place Köln", "RT.4")
    game.play("place Düsseldorf")
    assert set(buildable(game)) == {"Dortmund", "Duisburg", "Münster", "Aachen", "Köln"}


def test_rt_4_any_empty_city_when_none_is_joined():
    game = placing()
    game.play("place Duisburg")
    assert buildable(game) == ["Essen"]
    row = game.board.cities.index("Essen")
    game.state.city_spaces[row, 0] = 0  # as if the only neighbour were not empty
    assert len(buildable(game)) == 19


def test_rt_5_ten_houses_remain():
    game = placing()
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    assert (game.state.trust_houses, trust_plants(game), trust_fuel(game)) == (10, [], "0/0/0/0")
    assert duel().state.trust_houses == 10


def test_rt_27_with_start_cities_both_marked_cities_are_blocked():
    game = placing(start_cities=True)
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    assert (game.phase, game.player) == ("start_cities", order(game)[0])
    first, second = buildable(game)[:2]
    play(game, f"mark {first}")
    assert (houses(game, first), game.player) == (["", "", ""], order(game)[1])
    play(game, f"mark {second}")
    assert game.phase == "auction"
    assert houses(game, first) == houses(game, second) == ["", "trust", ""]
    assert game.state.trust_houses == 8


# ----------------------------------------------------------------------------------------- general


OPEN = "3* 4 5 6 | 7 8 9 10"


def test_rt_6_the_trust_pays_for_nothing():
    game = duel(seat(money=50), seat(money=50), market=OPEN, trust={"plants": [20]}, track="20/18/9/2")
    play(game, "pass, pass")
    play(game, "pass, pass")
    assert (trust_plants(game), trust_fuel(game)) == ([6, 20], "3/0/1/0")
    assert [money(game, 0), money(game, 1)] == [50, 50]
    assert track(game) == "17/18/8/2"


def test_rt_7_never_on_a_20_space():
    game = duel(seat(money=900), phase="building", step=3, acted=[1])
    while buildable(game):
        play(game, f"build {buildable(game)[0]}")
    assert (game.state.city_spaces[:, 1] == 6).sum() == 10
    assert not (game.state.city_spaces[:, 2] == 6).any()
    assert (game.state.city_spaces[:, 2] == 0).sum() == 0


def test_rt_8_trust_houses_count_neither_for_step_2_nor_for_the_end():
    blocked = [
        "Essen",
        "Köln",
        "Aachen",
        "Trier",
        "Mainz",
        "Münster",
        "Duisburg",
        "Dortmund",
        "Kassel",
        "Hannover",
    ]
    rivals = [seat(cities=", ".join(blocked[:6])), seat(cities=", ".join(blocked[6:]))]
    game = duel(*rivals, trust={"blocked_cities": blocked}, phase="building")
    assert game.state.trust_houses == 0
    finish_phase(game)
    assert (game.phase, game.step_number) == ("bureaucracy", 1)


def test_rt_9_the_trust_is_always_second():
    game = duel(seat("20", cities=5), seat("4", cities=6), phase="bureaucracy", trust={"plants": [50]})
    finish_phase(game)
    assert order(game) == [1, 0]
    game = duel(seat("20", cities=5), seat("24", cities=5), phase="bureaucracy")
    finish_phase(game)
    assert order(game) == [1, 0]
