"""R0 and RI: setup, who acts when, and who knows what."""

from collections import Counter

import numpy as np
import pytest

from powergrid_env import Game, GameConfig
from powergrid_env.actions import ActionTable
from powergrid_env.board import make_board
from powergrid_env.constants import STEP_3_CARD
from tests.builders import (
    a_game,
    assert_refused,
    bids,
    cards,
    finish_phase,
    legal,
    market,
    money,
    order,
    plants,
    play,
    seat,
    stack,
    supply,
    track,
)

SEEDS = range(60)
PLUGS, SOCKETS = range(3, 16), [*range(16, 41), 42, 44, 46, 50]


def deal(players, **config):
    return [Game(players=players, seed=seed, **config) for seed in SEEDS]


# ----------------------------------------------------------------------------------- R0.1 - R0.7


@pytest.mark.parametrize(("board", "zones"), [("germany", (13, 13, 12, 6, 6)), ("usa", (12, 12, 12, 6, 6))])
def test_r0_1_the_zone_is_one_of_the_contiguous_choices(board, zones):
    for players, num_zones in zip(range(2, 7), zones, strict=True):
        drawn = {int(Game(players=players, board=board, seed=seed).state.zone) for seed in range(120)}
        assert drawn == set(range(num_zones))


def test_r0_1_regions_must_hang_together():
    with pytest.raises(ValueError, match=r"regions is .*R0\.1"):
        Game(players=3, regions=["cyan", "blue", "purple"], seed=0)
    with pytest.raises(ValueError, match="regions is .*; allowed: 3 different ones"):
        GameConfig(players=3, regions=["cyan", "red"])


def test_r0_1_everybody_plays_in_the_whole_zone():
    game = a_game(phase="building", regions=["cyan", "red", "blue"])
    for _ in range(3):
        assert len([words for words in legal(game) if words.startswith("build")]) == 21
        game.play("pass")


def test_r0_2_the_first_order_is_random():
    drawn = Counter(tuple(order(Game(players=3, seed=seed))) for seed in range(300))
    assert len(drawn) == 6
    assert min(drawn.values()) > 25


def test_r0_2_seating_does_not_follow_the_order():
    game = a_game(players=4, order=[3, 1, 0, 2], market="3* 4 5 6 | 7 8 9 10")
    game.play("nominate 4").play("bid 4")
    assert [game.player, game.play("bid 5").player, game.play("bid 6").player] == [0, 1, 2]


def test_r0_3_track_and_supply():
    for players in range(2, 7):
        game = Game(players=players, seed=0)
        assert (track(game), supply(game), game.state.storage) == ("24/18/9/2", "0/6/15/10", 0)


@pytest.mark.parametrize(
    ("players", "size", "plugs", "sockets"), [(2, 29, 1, 5), (3, 27, 2, 6), (4, 31, 1, 3), (6, 35, 0, 0)]
)
def test_r0_4_market_and_stack_of_recharged(players, size, plugs, sockets):
    tops = set()
    for game in deal(players):
        on_display, pile = cards(market(game)), cards(stack(game))
        assert set(on_display) <= set(PLUGS)
        assert on_display == sorted(on_display)
        assert len(on_display) == 8
        assert (pile[0] in PLUGS, pile[-1], len(pile)) == (True, STEP_3_CARD, size)
        between = pile[1:-1]
        assert sum(card in PLUGS for card in between) == 4 - plugs
        assert sum(card in SOCKETS for card in between) == 29 - sockets
        assert between != sorted(between)
        tops.add(pile[0])
    assert len(tops) > 8


def test_r0_4_every_plug_may_lie_on_display_on_top_or_below_it():
    games = deal(4)
    assert {card for game in games for card in cards(market(game))} == set(PLUGS)
    assert {cards(stack(game))[0] for game in games} == set(PLUGS)
    assert {card for game in games for card in game.state.removed if card} >= {*range(3, 16), 50}


@pytest.mark.parametrize(
    ("players", "size", "removed"), [(2, 27, 8), (3, 27, 8), (4, 31, 4), (5, 35, 0), (6, 35, 0)]
)
def test_r0_5_market_and_stack_of_2004(players, size, removed):
    for game in deal(players, edition="2004")[:20]:
        assert market(game) == "3 4 5 6 | 7 8 9 10"
        pile = cards(stack(game))
        assert (pile[0], pile[-1], len(pile)) == (13, STEP_3_CARD, size)
        out = [int(card) for card in game.state.removed if card]
        assert len(out) == removed
        assert sorted([*pile[:-1], *out]) == [11, 12, 13, 14, 15, *SOCKETS]


def test_r0_5_plant_13_is_never_removed_but_other_plugs_are():
    out = {int(card) for game in deal(3, edition="2004") for card in game.state.removed if card}
    assert 13 not in out
    assert {11, 12, 14, 15, 50} <= out


def test_r0_6_the_game_starts_with_the_first_choice_of_round_1_in_step_1():
    game = Game(players=4, seed=9)
    assert (game.step_number, game.round_number, game.phase, game.decision) == (1, 1, "auction", "choose")
    assert game.player == order(game)[0]


def test_r0_7_order_of_setup_events():
    # Zone and order are drawn before the cards: games with other cards and the same seed share them.
    for seed in range(5):
        games = [Game(players=3, seed=seed, deck=deck) for deck in ("base", "new")]
        assert games[0].state.zone == games[1].state.zone
        assert order(games[0]) == order(games[1])
        assert stack(games[0]) != stack(games[1])
    # Trust houses, then start cities, when all else lies there.
    game = Game(players=2, start_cities=True, seed=4)
    assert (game.phase, game.state.stack_size, sorted(order(game))) == ("trust_setup", 29, [0, 1])
    while game.phase == "trust_setup":
        game.play(int(game.legal_actions()[0]))
    assert game.phase == "start_cities"
    while game.phase == "start_cities":
        game.play(int(game.legal_actions()[0]))
    assert (game.phase, game.state.stack_size) == ("auction", 29)


# --------------------------------------------------------------------------------- R0.10 - R0.11


def test_r0_10_phases_follow_each_other_when_every_player_has_finished():
    game = a_game(seat("13"), seat("18"), seat("22"), round=3)
    seen = []
    for _ in range(8):
        seen.append((game.round_number, game.phase))
        finish_phase(game)
    phases = ["auction", "resources", "building", "bureaucracy"]
    assert seen == [(now, phase) for now in (3, 4) for phase in phases]


@pytest.mark.parametrize(
    "words", ["bid 3", "scrap 4", "buy 1 coal", "build Essen", "run none", "burn 1 coal", "give up oil"]
)
def test_r0_10_only_what_is_due_is_answered(words):
    assert_refused(a_game(), words, "R0.10")


def test_r0_11_acting_order():
    asked = []
    game = a_game(seat("13"), seat("18"), seat("22"), order=[1, 2, 0], round=3)
    while game.round_number == 3:
        asked.append((game.phase, game.player))
        game.play("run none" if game.decision == "run" else "pass")
    assert asked == [
        *[("auction", player) for player in (1, 2, 0)],
        *[("resources", player) for player in (0, 2, 1)],
        *[("building", player) for player in (0, 2, 1)],
        *[("bureaucracy", player) for player in (1, 2, 0)],
    ]


# ----------------------------------------------------------------------------------- information


def test_ri_1_a_new_deal_of_the_hidden_cards_leaves_all_that_is_public():
    game = Game(players=4, seed=3, raises="all")
    play(game, f"nominate {cards(market(game))[1]}, bid 15, pass, pass, pass")
    for player in range(4):
        other = game.redeterminise(player=player, seed=player)
        assert stack(other) != stack(game)
        assert np.array_equal(other.observation(player), game.observation(player))
        for field in ("money", "plants", "market", "track", "supply", "order", "stack_size", "city_spaces"):
            assert np.array_equal(other.state[field], game.state[field]), field


def test_ri_1_the_back_of_the_top_card_and_the_plants_under_the_stack_are_known():
    for top, is_plug in [("14", True), ("33", False)]:
        game = a_game(market="3* 4 5 6 | 7 8 9 10", stack=f"{top} 15 11 25 31 38 S3 36 46")
        tops = set()
        for seed in range(30):
            pile = cards(stack(game.redeterminise(player=1, seed=seed)))
            assert (pile[0] <= 15) == is_plug
            assert pile[6:] == [STEP_3_CARD, 36, 46]
            tops.add(pile[0])
        assert len(tops) > 1


def test_ri_2_the_order_of_the_stack_and_the_removed_cards_are_hidden():
    game = Game(players=4, seed=1)
    others = [game.redeterminise(player=0, seed=seed) for seed in range(20)]
    assert len({stack(other) for other in others}) == 20
    assert len({tuple(other.state.removed) for other in others}) > 10
    for other in others:
        unseen = [card for one in (game, other) for card in [*cards(stack(one)), *one.state.removed]]
        assert set(Counter(unseen).values()) <= {2, 2 * list(game.state.removed).count(0)}


def test_ri_2_after_the_step_3_card_the_set_of_the_stack_is_public_its_order_is_not():
    game = a_game(step=3, market="24* 25 30 31 36 38", stack="40 33 44 26 46", removed=[20, 21])
    piles = {stack(game.redeterminise(player=0, seed=seed)) for seed in range(20)}
    assert len(piles) > 10
    assert {tuple(sorted(cards(pile))) for pile in piles} == {(26, 33, 40, 44, 46)}


@pytest.mark.parametrize(("setting", "shows"), [("public", True), ("hidden", False)])
def test_ri_3_money_is_public_by_default_and_can_be_hidden(setting, shows):
    rich, poor = (a_game(seat(money=77), seat(money=amount), money=setting) for amount in (90, 20))
    assert np.array_equal(rich.observation(0), poor.observation(0)) != shows
    assert not np.array_equal(rich.observation(1), poor.observation(1))
    assert GameConfig().money == "public"


def test_ri_4_nothing_passes_between_players():
    blocks = ActionTable(make_board(GameConfig(players=3))).blocks
    assert list(blocks) == ["pass", "nominate", "bid", "scrap", "give_up", "buy", "city", "run", "burn"]
    game, draw = Game(players=4, seed=8), np.random.default_rng(8)
    while game.round_number < 6:
        before, actor, phase = game.state.copy(), game.player, game.phase
        game.play(draw.choice(game.legal_actions()))
        for player in set(range(4)) - {actor}:
            assert money(game, player) <= before.money[player]
            assert (game.state.fuel[player] <= before.fuel[player]).all()
            gained = set(plants(game, player)) - set(before.plants[player].tolist())
            assert gained <= {int(before.auction_plant)}
        assert phase == "bureaucracy" or money(game, actor) <= before.money[actor]


def test_ri_4_no_loans():
    game = a_game(seat(money=12), seat(money=300), market="3* 4 5 6 | 7 8 9 10")
    game.play("nominate 6")
    assert bids(game) == list(range(6, 13))
    assert_refused(game, "bid 13", "R2.9")
