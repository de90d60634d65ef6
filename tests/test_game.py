"""Game: play in ids and words, refusals, copies, results."""

import copy
import pickle
import re

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, IllegalAction, engine


def random_moves(game, seed=0):
    """Plays the game to its end at random, yielding before every move."""
    random = np.random.default_rng(seed)
    while not game.over:
        yield game
        game.play(int(random.choice(game.legal_actions())))


SETTINGS = [
    {"players": 3},
    {"players": 2, "board": "usa"},
    {"players": 5, "board": "usa", "raises": "all"},
    {"players": 2, "edition": "2004"},
    {"players": 6, "start_cities": True, "deck": "new"},
]


@pytest.mark.parametrize("fields", SETTINGS)
def test_words_and_parse_are_inverse_for_every_legal_action(fields):
    for game in random_moves(Game(seed=1, **fields)):
        for action in game.legal_actions():
            words = game.words(action)
            assert game.parse(words) == action
            assert game.parse(f"  {words.upper()} ".replace(" ", "  ")) == action
            assert game.explain(words) is None


@pytest.mark.parametrize("fields", SETTINGS)
def test_mask_equals_verify_for_every_row_and_explain_tells_why_not(fields):
    for number, game in enumerate(random_moves(Game(seed=2, **fields))):
        mask = game.action_mask()
        assert mask.dtype == np.int8
        assert np.array_equal(np.flatnonzero(mask), game.legal_actions())
        if number % 25 == 0:
            for action in range(len(mask)):
                legal = engine.verify(game.state, game.board.record, action) == 0
                assert bool(mask[action]) == legal
                assert (game.explain(action) is None) == legal


def test_every_refusal_cites_a_rule():
    for number, game in enumerate(random_moves(Game(players=2, seed=5, start_cities=True))):
        if number % 3 == 0:
            for action in set(range(len(game.action_mask()))) - set(game.legal_actions().tolist()):
                text = game.explain(int(action))
                assert text is not None
                assert re.search(r": R[02-5ST]\.", text), text


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (True, "True"),
        (np.True_, "True"),
        (7.0, "7.0"),
        (None, "None"),
        ([7], "[7]"),
        (2**63, "9223372036854775808"),
        (-1, "-1"),
        (113, "0 to 112"),
        ("bid 12 please", "is no action"),
        ("", "is no action"),
        ("bid 9223372036854775808", "R2.9"),
        ("bid " + "9" * 5000, "is no action"),
        ("bid 50", "not in the table of raises"),
        ("bid 0", "R2.5"),
        ("nominate 3", "R0.10"),
        ("build Atlantis", "R0.10"),
        ("pass", "R2.6"),
    ],
)
def test_what_cannot_be_played_is_refused_and_nothing_changes(action, words):
    game = Game(players=4, seed=1).play("nominate 3")
    before = game.digest()
    with pytest.raises(IllegalAction) as error:
        game.play(action)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError)
    assert game.digest() == before
    assert len(game._actions) == 1


def test_an_unknown_city_names_the_closest():
    game = Game(players=3, seed=1)
    while game.phase != "building":
        game.play(int(game.legal_actions()[0]))
    with pytest.raises(IllegalAction, match="no city 'muenchem'.*München"):
        game.play("build Muenchem")


def test_numpy_integers_play_like_integers():
    one, other = Game(players=3, seed=4), Game(players=3, seed=4)
    for action in (np.int32(1), np.int64(7), np.uint8(0)):
        one.play(action)
        other.play(int(action))
    assert one.digest() == other.digest()


def test_same_seed_same_game_other_seed_other_game():
    digests = {Game(players=4, seed=seed).digest() for seed in range(20)}
    assert len(digests) == 20
    assert Game(players=4, seed=3).digest() in digests
    assert Game(players=4, seed=np.int64(3)).digest() == Game(GameConfig(players=4), seed=3).digest()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True])
def test_bad_seed_is_refused(seed):
    with pytest.raises(ValueError, match="seed is .*allowed"):
        Game(players=3, seed=seed)


def test_a_game_without_a_seed_draws_one_and_can_be_played_again():
    game = Game(players=3)
    assert Game(players=3, seed=game.seed).digest() == game.digest()


@pytest.mark.parametrize(
    "copied", [Game.clone, copy.deepcopy, copy.copy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_are_independent_and_go_on_alike(copied):
    game = Game(players=3, seed=6)
    for number, _ in enumerate(random_moves(game)):
        if number == 200:
            break
    twin = copied(game)
    assert twin.digest() == game.digest()
    assert twin.board is game.board
    before = game.digest()
    for _ in range(30):
        twin.play(int(twin.legal_actions()[-1]))
    assert game.digest() == before
    while not game.over:
        game.play(int(game.legal_actions()[-1]))
    while not twin.over:
        twin.play(int(twin.legal_actions()[-1]))
    assert twin.digest() == game.digest()
    assert twin.record() == game.record()


def test_returned_arrays_are_fresh():
    game = Game(players=3, seed=6)
    game.action_mask()[:] = 9
    game.legal_actions()[:] = 9
    game.observation()[:] = 9
    assert game.action_mask().max() == 1
    assert game.legal_actions().max() <= 112
    assert game.observation().max() <= 1


def test_result_is_none_until_the_end_then_says_who_won():
    game = Game(players=4, seed=9)
    for _ in random_moves(game):
        assert game.result() is None
        assert game.player is not None
        assert game.decision is not None
    result = game.result()
    assert (game.player, game.decision, game.phase) == (None, None, "over")
    best = max(zip(result.supplied, result.money, strict=True))
    assert result.winners == [
        seat for seat in range(4) if (result.supplied[seat], result.money[seat]) == best
    ]
    assert [result.ranks[seat] for seat in result.winners] == [1] * len(result.winners)
    assert result["rewards"] == [
        1.0 if seat in result.winners else pytest.approx(-1 / 3) for seat in range(4)
    ]
    assert (result.truncated, result.reason) == (False, "cities")
    with pytest.raises(IllegalAction, match=r"R7\.1"):
        game.play(0)


def test_a_game_that_meets_its_cap_is_truncated():
    game = Game(players=3, seed=9, max_rounds=2)
    for _ in random_moves(game):
        pass
    result = game.result()
    assert (result.truncated, result.reason, result.rounds) == (True, "max_rounds", 2)
    assert result.winners == []
    assert result.rewards == [0.0, 0.0, 0.0]


def test_skip_forced_leaves_only_real_choices():
    game = Game(players=4, seed=3, skip_forced=True)
    for _ in random_moves(game):
        assert len(game.legal_actions()) > 1
    assert game.result() is not None


def test_redeterminise_is_a_new_game_with_the_same_view():
    game = Game(players=3, seed=2)
    before = game.digest()
    other = game.redeterminise(player=0, seed=1)
    assert game.digest() == before
    assert other.digest() != before
    assert np.array_equal(other.observation(0), game.observation(0))
    assert other.digest() == game.redeterminise(player=0, seed=1).digest()
    with pytest.raises(ValueError, match="player is 3; allowed: a whole number from 0 to 2"):
        game.redeterminise(player=3, seed=1)


def test_bad_observer_is_refused():
    game = Game(players=3, seed=2)
    for player in (-1, 3, 1.0, True):
        with pytest.raises(ValueError, match="player is"):
            game.observation(player)
