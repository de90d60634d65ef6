"""Anything may be thrown at the public surface: it is played, or refused with one of our errors and nothing changed.

Quick by default; `make fuzz` looks for longer (`FUZZ_EXAMPLES` examples each).
"""

import copy
import os
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from powergrid_env import Game, GameConfig, IllegalAction
from powergrid_env.invariants import problems
from tests import golden

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
quickly = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES == 40
)
SETTINGS = (
    GameConfig(players=3),
    GameConfig(players=2, start_cities=True, board="usa"),
    GameConfig(players=4, edition="2004"),
    GameConfig(players=6, deck="new", raises="all", rulings={"fuel": "pool", "scrap_fuel": "choose"}),
)
VERBS = ("nominate", "bid", "scrap", "give up", "buy", "build", "mark", "place", "run", "burn", "pass", "")
RECORD = golden.play(GameConfig(players=2, max_rounds=3)).record()

games = st.builds(golden.play, st.sampled_from(SETTINGS), st.integers(0, 50), st.integers(0, 250))
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)


def play_or_refuse(game, action):
    """Play what may be anything; a refusal is an IllegalAction and leaves the game alone."""
    before = game.digest()
    try:
        game.play(action)
    except IllegalAction as error:
        assert str(error)  # noqa: PT017 - either way is right
        assert game.digest() == before
    else:
        assert problems(game.state, game.board) == []


@quickly
@given(games, st.lists(st.integers(-3, 230) | st.integers() | plain, max_size=8))
def test_any_action_is_played_or_refused(game, actions):
    for action in actions:
        play_or_refuse(game, action)


@quickly
@given(
    games,
    st.lists(
        st.tuples(st.sampled_from(VERBS), st.text(string.printable, max_size=12) | st.integers().map(str)),
        max_size=8,
    ),
)
def test_any_words_are_played_or_refused(game, words):
    for verb, rest in words:
        play_or_refuse(game, f"{verb} {rest}")


@quickly
@given(games, st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_any_legal_line_keeps_the_invariants_and_can_be_told_again(game, choices):
    for choice in choices:
        if game.over:
            break
        legal = game.legal_actions()
        play_or_refuse(game, int(legal[choice % len(legal)]))
    assert Game.replay(game.record()).digest() == game.digest()
    fields = {} if game.config.raises != tuple(range(101)) else {"raises": "all"}
    assert Game.from_position(game.to_position(), **fields).digest() == game.digest()


@quickly
@given(st.dictionaries(st.sampled_from([*GameConfig.__dataclass_fields__, "player"]), plain, max_size=4))
def test_any_setting_makes_a_config_or_is_refused(fields):
    try:
        Game(seed=1, **fields)
    except ValueError as error:
        assert str(error)  # noqa: PT017


@quickly
@given(games, st.data())
def test_any_change_of_a_position_is_built_or_refused(game, data):
    position = copy.deepcopy(game.to_position())
    key = data.draw(st.sampled_from([*position, "colour"]))
    value = position.get(key)
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        value[data.draw(st.sampled_from(list(value)))] = data.draw(plain)
    elif isinstance(value, list) and value and data.draw(st.booleans()):
        value[data.draw(st.integers(0, len(value) - 1))] = data.draw(plain)
    else:
        position[key] = data.draw(plain)
    try:
        built = Game.from_position(position)
    except ValueError as error:
        assert str(error)  # noqa: PT017
    else:
        assert problems(built.state, built.board) == []


@quickly
@given(st.data())
def test_any_change_of_a_record_is_read_or_refused_with_its_line(data):
    start = data.draw(st.integers(0, len(RECORD) - 1))
    stop = data.draw(st.integers(start, min(len(RECORD), start + 40)))
    text = RECORD[:start] + data.draw(st.text(max_size=12)) + RECORD[stop:]
    try:
        Game.replay(text)
    except ValueError as error:
        assert str(error).startswith("line ")  # noqa: PT017


@pytest.mark.parametrize(
    "text", ["\x00", "---", "format = 1\n---\n" + "x" * 10**5, "format = 1\n" * 1000, "\ufeff" + RECORD]
)
def test_hostile_texts_are_no_records(text):
    with pytest.raises(ValueError, match="^line "):
        Game.replay(text)
