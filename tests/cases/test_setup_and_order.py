"""Rule cases C01-C07: setup and order."""

import pytest

from powergrid_env import Game
from tests.builders import FUELS, a_game, cards, finish_phase, market, order, play, seat, stack, supply, track

PLUGS = range(3, 16)


def removed(game):
    return [int(card) for card in game.state.removed if card]


@pytest.mark.parametrize("seed", range(5))
def test_c01_setup_of_four_players(seed):
    game = Game(players=4, seed=seed)
    shown, pile, out = cards(market(game)), cards(stack(game)), removed(game)
    assert len(shown) == 8
    assert (shown, set(shown) <= set(PLUGS)) == (sorted(shown), True)
    assert (len(pile), pile[0] in PLUGS, pile[-1]) == (31, True, 51)
    assert sum(card in PLUGS for card in pile[1:-1]) == 3
    assert sum(card not in PLUGS for card in pile[1:-1]) == 26
    assert [card in PLUGS for card in out] == [True, False, False, False]
    assert len(shown) + len(pile) + len(out) == len({*shown, *pile, *out}) == 43


@pytest.mark.parametrize(("players", "size", "out"), [(2, 29, 6), (3, 27, 8), (5, 35, 0), (6, 35, 0)])
def test_c02_stack_sizes(players, size, out):
    game = Game(players=players, seed=1)
    assert (game.state.stack_size, len(removed(game))) == (size, out)


@pytest.mark.parametrize("seed", range(5))
def test_c03_setup_of_2004(seed):
    game = Game(players=4, edition="2004", seed=seed)
    pile, out = cards(stack(game)), removed(game)
    assert market(game) == "3 4 5 6 | 7 8 9 10"
    assert (len(pile), pile[0], pile[-1], len(out)) == (31, 13, 51, 4)
    assert not {*range(3, 11), 13} & set(out)


@pytest.mark.parametrize(
    ("edition", "on_track", "in_supply", "prices"),
    [
        ("recharged", "24/18/9/2", "0/6/15/10", [1, 3, 6, 14]),
        ("2004", "24/18/6/2", "0/6/18/10", [1, 3, 7, 14]),
    ],
)
def test_c04_track_supply_and_first_prices(edition, on_track, in_supply, prices):
    game = Game(players=4, edition=edition, seed=0)
    assert (track(game), supply(game)) == (on_track, in_supply)
    found = [game.board.record.price[row, game.state.track[row]] for row in range(len(FUELS))]
    assert found == prices


def test_c05_regions_that_do_not_touch_are_rejected():
    with pytest.raises(ValueError, match=r"R0\.1"):
        Game(players=3, regions=["brown", "blue", "purple"], seed=0)  # north-east, south-west, south-east


def test_c06_order_by_cities_then_by_highest_plant():
    seats = [seat("20", cities=5), seat("25", cities=5), seat("40", cities=4), seat("10", cities=6)]
    game = a_game(*seats, phase="bureaucracy")
    finish_phase(game)
    assert order(game) == [3, 1, 0, 2]
    finish_phase(game)
    asked = []
    while game.phase in ("resources", "building"):
        asked.append(game.player)
        game.play("pass")
    assert asked == [2, 0, 1, 3] * 2


def test_c07_reordered_after_contested_auctions_of_round_1():
    game = a_game(players=4, round=1, market="4* 7 10 13 | 14 15 16 17")
    play(game, "nominate 13, bid 13, pass, bid 14, pass, pass")  # seat 2 outbids the chooser
    play(game, "nominate 10, bid 10, pass, pass, nominate 7, bid 7, pass, nominate 4, bid 1")
    assert (order(game), game.phase, game.player) == ([2, 0, 1, 3], "resources", 3)
