"""R1: player order."""

from powergrid_env import Game
from tests.builders import a_game, finish_phase, finish_round, legal, order, play, seat


def test_r1_1_most_cities_first_ties_by_the_highest_plant():
    game = a_game(
        seat("20", cities=4),
        seat("26", cities=4),
        seat("40", cities=3),
        seat("10", cities=5),
        phase="bureaucracy",
    )
    finish_phase(game)
    assert order(game) == [3, 1, 0, 2]


def test_r1_1_it_is_the_highest_plant_not_the_number_of_plants_or_their_sum():
    game = a_game(seat("20 21 22"), seat("5 23"), seat("24"), phase="bureaucracy")
    finish_phase(game)
    assert order(game) == [2, 1, 0]


def test_r1_1_money_and_supplied_cities_do_not_count():
    game = a_game(
        seat("13", cities=1, money=5),
        seat("18", cities=2),
        seat("22", cities=2),
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    play(game, "run 13, run none, run none")
    assert order(game) == [2, 1, 0]


def test_r1_2_round_1_uses_the_random_order():
    for seed in range(8):
        game = Game(players=5, seed=seed)
        first = order(game)
        assert game.player == first[0]
        least = next(words for words in legal(game) if words.startswith("nominate"))
        play(game, f"{least}, bid 1, pass, pass, pass, pass")
        assert (game.player, order(game)) == (first[1], first)


def test_r1_3_the_order_is_determined_again_after_the_first_auctions():
    # The example: A 10, B 7, C 13, D 4 make C, A, B, D; D buys resources first.
    game = a_game(players=4, round=1, market="4* 7 10 13 | 14 15 16 17")
    play(game, "nominate 10, bid 10, pass, pass, pass")
    assert order(game) == [0, 1, 2, 3]
    play(game, "nominate 7, bid 7, pass, pass, nominate 13, bid 13, pass, nominate 4, bid 1")
    assert (game.phase, order(game), game.player) == ("resources", [2, 0, 1, 3], 3)
    finish_phase(game)
    assert (game.phase, game.player) == ("building", 3)
    finish_phase(game)
    assert (game.phase, game.player) == ("bureaucracy", 2)


def test_r1_3_once_only():
    game = a_game(seat("20"), seat("5"), seat("10"), round=2, market="30* 31 32 33 | 34 35 36 37")
    play(game, "pass, nominate 33, bid 33, pass")
    finish_phase(game)
    assert (game.phase, order(game)) == ("resources", [0, 1, 2])
    finish_round(game)
    assert order(game) == [1, 0, 2]


def test_r1_4_a_player_without_plants_counts_as_0_and_ties_keep_the_order():
    game = a_game(
        seat(), seat("4"), seat(), seat(cities=1), order=[2, 0, 1, 3], phase="bureaucracy", player=2
    )
    finish_phase(game)
    assert order(game) == [3, 1, 2, 0]
