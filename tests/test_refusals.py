"""What a stranger gets wrong at Game, records, environments, tables and pictures: one error that says what is allowed."""

from pathlib import Path

import numpy as np
import pytest

from powergrid_env import Game, GameBatch, IllegalAction, env, raw_env
from powergrid_env.envs import PowerGridEnv, PowerGridVectorEnv
from powergrid_env.pictures import replay_html
from powergrid_env.record import read
from powergrid_env.render import render_ansi

GAME = Game(players=3, seed=7)
HEAD = "format = 1\nplayers = 3\n"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: GAME.observation(np.array([1])), "player is array([1]); allowed: a whole number from 0 to 2"),
        (lambda: GAME.observation(np.True_), "player is"),
        (lambda: GAME.parse(3), "action is 3; allowed: words"),
        (lambda: GAME.record(names="Ann"), "names is 'Ann'; allowed: 3 names, one per seat"),
        (lambda: GAME.record(names=["Ann", 2, "Cem"]), "allowed: 3 names"),
        (lambda: GAME.record(names=[]), "names is []; allowed: 3 names"),
        (lambda: Game.replay(GAME.record().encode()), "line 1: a bytes; allowed: the text of a record"),
        (lambda: replay_html(3), "game is 3; allowed: a Game, or the text of its record"),
        (lambda: render_ansi(GAME, viewer=3), "viewer is 3; allowed: a whole number from 0 to 2"),
        (lambda: GameBatch(players=3, num_envs=2), "no setting 'num_envs'; allowed: num_games, seed, "),
        (lambda: GameBatch.from_games(GAME), "games is Game(3 players"),
        (lambda: GameBatch.from_games([GAME, 1]), "games[1] is 1; allowed: a Game"),
        (lambda: GameBatch(num_games=2).masks(lanes=[[0], [1, 0]]), "lanes is [[0], [1, 0]]; allowed: (k,)"),
        (lambda: env(ilegal_action="noop"), "no setting 'ilegal_action'; allowed: illegal_action, render_mode, "),
        (lambda: env(render_mode=np.array(["ansi", "human"])), "render_mode is array("),
        (lambda: PowerGridEnv(oponents="random"), "no setting 'oponents'; allowed: opponents, learner_seat, "),
        (lambda: PowerGridVectorEnv(num_threads=0), "num_threads is 0; allowed: "),
        (lambda: PowerGridVectorEnv(render_mode="ansi").render(), "render before reset; allowed: reset first"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_named_with_what_is_allowed(call, words):
    with pytest.raises(ValueError) as error:
        call()
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("position = 3\n", "position is 3; allowed: a table"),
        ("[[position]]\nplayer = 1\n", "allowed: a table"),
        ('[position]\nstack = "?"\nmarket = 3\n', "market is 3; allowed: a list"),
        ('[position]\nstack = "?"\nmarket = [[1]]\n', "market[0] is [1]"),
        ('[position]\nstack = "?"\nseats = [1, 2, 3]\n', "seats[0] is 1; allowed: a mapping"),
        ('[position]\nstack = "?"\nseats = [{plants = 3}, {}, {}]\n', "seats[0].plants is 3; allowed: a list"),
        ('[position]\nstack = "?"\ntrust = 3\n', "trust is 3; allowed: a mapping"),
        ("seed = 1\nnames = [1, 2, 3]\n", "names is [1, 2, 3]; allowed: 3 names"),
    ],
)  # fmt: skip
def test_a_header_of_the_wrong_kind_is_led_to_its_key(header, words):
    with pytest.raises(ValueError, match="^line 1: ") as error:
        read(f"{HEAD}{header}---\n")
    assert words in str(error.value)


def test_names_may_hold_what_ends_a_line_elsewhere():
    names = ["\x7f", "a\x85b\u2028c\u2029", "---\n# ~abcd"]
    assert Game.replay(GAME.record(names=names)).names == names


def test_environments_take_ids_and_no_words():
    players = raw_env(players=3)
    players.reset(seed=7)
    words = players.game.words(players.game.legal_actions()[0])
    before = players.game.digest()
    with pytest.raises(IllegalAction, match="action is 'nominate .*allowed: an action id"):
        players.step(words)
    assert players.game.digest() == before


class Answers:
    """An opponent that answers as it is told."""

    name = "odd"

    def __init__(self, answer):
        self.answer = answer

    def reset(self, seed):
        pass

    def act(self, batch, lanes):
        return self.answer(batch, lanes)


def fails(batch, lanes):
    raise RuntimeError("mine")


def play_on(environment):
    while True:
        environment.step(np.argmax(environment.action_masks(), axis=-1))


ODD = [
    (lambda batch, lanes: np.zeros(0, np.int64), "answer of opponent odd is an array (0,)"),
    (lambda batch, lanes: None, "answer of opponent odd is an array ()"),
    (lambda batch, lanes: batch.random_actions(lanes).astype(float), "of float64; allowed: "),
    (lambda batch, lanes: np.full(len(lanes), 112), "opponent odd"),
    (fails, "mine"),
]


@pytest.mark.parametrize(("answer", "words"), ODD)
@pytest.mark.parametrize(
    ("make", "action"),
    [
        (lambda odd: PowerGridEnv(players=3, opponents=[odd, "random"], learner_seat=0), 0),
        (lambda odd: PowerGridVectorEnv(players=3, opponents=[odd, "random"], learner_seat=0, num_envs=3), [0] * 3),
    ],
)  # fmt: skip
def test_an_opponent_that_answers_nonsense_is_named_and_the_game_begins_anew(make, action, answer, words):
    odd = Answers(lambda batch, lanes: batch.random_actions(lanes))
    environment = make(odd)
    environment.reset(seed=1)
    odd.answer = answer
    with pytest.raises((ValueError, RuntimeError)) as error:
        play_on(environment)
    assert words in str(error.value)
    with pytest.raises(Exception, match="reset"):
        environment.step(action)
    odd.answer = lambda batch, lanes: batch.random_actions(lanes)
    environment.reset(seed=1)
    environment.step(np.argmax(environment.action_masks(), axis=-1))


def test_tables_refuse_what_is_no_game_of_theirs():
    pytest.importorskip("pyarrow")
    from powergrid_env.tables import Played, frames, read_records

    for call, words in (
        (lambda: frames([GAME]), "games[0] is Game(3 players"),
        (lambda: frames(Played.of(GAME)), "allowed: a list of Played"),
        (lambda: Played.of(GAME.record()), "allowed: a Game"),
        (lambda: Played.of(GAME, agents=["random"]), "agents is ['random']; allowed: 3 names, one per seat"),
        (lambda: next(read_records("games.txt")), "paths is 'games.txt'; allowed: a list of files"),
        (lambda: next(read_records(Path("games.txt"))), "allowed: a list of files"),
    ):
        with pytest.raises(ValueError) as error:
            call()
        assert words in str(error.value)
