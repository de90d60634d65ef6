"""Records: written, read, typed by people, damaged."""

import re
from pathlib import Path

import numpy as np
import pytest

import powergrid_env
from powergrid_env import Game, GameConfig
from powergrid_env.record import read, split, walk
from tests import golden
from tests.random_games import configs


def random_game(seed, stop=10**6, **fields):
    game, random = Game(seed=seed, **fields), np.random.default_rng(seed)
    while not game.over and len(game._actions) < stop:
        game.play(int(random.choice(game.legal_actions())))
    return game


SETTINGS = [
    {"players": 3},
    {"players": 2},
    {"players": 2, "start_cities": True, "board": "usa"},
    {"players": 6, "edition": "2004", "board": "usa"},
    {"players": 4, "deck": "new", "raises": "all", "rulings": {"fuel": "pool"}},
]


@pytest.mark.parametrize("fields", SETTINGS)
def test_record_replays_to_the_same_bytes(fields):
    game = random_game(3, **fields)
    twin = Game.replay(game.record())
    assert twin.digest() == game.digest()
    assert twin.result() == game.result()
    assert twin.config == game.config
    assert twin.record() == game.record()


@pytest.mark.parametrize("fields", SETTINGS)
def test_unfinished_game_and_game_from_a_position_replay_too(fields):
    game = random_game(4, stop=150, **fields)
    assert Game.replay(game.record()).digest() == game.digest()
    later = Game.from_position(game.to_position(), **({"raises": "all"} if "raises" in fields else {}))
    later = Game.from_states(game.board, game._states)
    for _ in range(40):
        later.play(int(later.legal_actions()[-1]))
    text = later.record()
    assert "[position]" in text
    assert Game.replay(text).digest() == later.digest()


def test_names_of_the_players_are_kept():
    game = random_game(1, players=3, stop=20)
    text = game.record(names=["Ada", 'B "x"', "Çelik"])
    assert Game.replay(text).names == ["Ada", 'B "x"', "Çelik"]
    with pytest.raises(ValueError, match="names is .*3 names"):
        game.record(names=["Ada"])


def test_file_of_many_records_is_split():
    games = [random_game(seed, players=3, stop=60) for seed in range(3)]
    text = "".join(game.record() for game in games)
    read_back = [read(part, line) for line, part in split(text)]
    assert [game.digest() for game in read_back] == [game.digest() for game in games]


def test_the_record_of_the_page_can_be_read():
    page = (Path(powergrid_env.__file__).parent / "README.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```\n(format = 1.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert Game.replay(text).record().splitlines()[-1] == text.splitlines()[-1]


def test_one_changed_digit_is_found_at_its_line():
    lines = random_game(2, players=3).record().splitlines()
    start = lines.index("---") + 1
    for number in range(start, len(lines), 37):
        line = lines[number]
        place = next(index for index, letter in enumerate(line) if letter.isdigit())
        for at in (place, len(line) - 1):
            old = line[at]
            new = ("1" if old != "1" else "2") if old.isdigit() else ("0" if old != "0" else "1")
            damaged = [*lines[:number], line[:at] + new + line[at + 1 :], *lines[number + 1 :]]
            with pytest.raises(ValueError, match=rf"^line {number + 1}: "):
                read("\n".join(damaged))


def test_a_record_that_was_cut_in_a_line_is_refused():
    lines = random_game(2, players=3, stop=60).record().splitlines(keepends=True)
    first = lines.index("---\n") + 1
    for number in [*range(first, len(lines), 9), len(lines) - 1]:
        before, line = "".join(lines[:number]), lines[number]
        for at in (len(line) // 2, line.index(" ~"), line.index(" ~") + 3):
            with pytest.raises(ValueError, match=rf"^line {number + 1}: .* seems cut"):
                read(before + line[:at])
        assert len(read(before + line[:-1])._actions) == len(read(before + line)._actions)


def test_a_person_may_go_on_with_a_record_of_the_program():
    game = Game(players=3, seed=7)
    text = game.play("nominate 5").record().split("END")[0]
    assert read(f"{text}R1 auction p{game.player} bid 7\n").state["auction_bid"] == 7


def test_changed_header_and_lost_or_swapped_lines_are_found():
    lines = random_game(2, players=3).record().splitlines()
    with pytest.raises(ValueError, match="^line 1: the header does not fit its checksum"):
        read("\n".join(lines).replace("seed = 2", "seed = 3", 1))
    middle = len(lines) // 2
    with pytest.raises(ValueError, match=rf"^line {middle + 1}: "):
        read("\n".join(lines[:middle] + lines[middle + 1 :]))
    with pytest.raises(ValueError, match=rf"^line {middle + 1}: "):
        read("\n".join([*lines[:middle], lines[middle + 1], lines[middle], *lines[middle + 2 :]]))


HEAD = 'format = 1\nplayers = 3\nedition = "recharged"\nboard = "germany"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["line 1", "no line '---'"]),
        (HEAD + "seed = 1\n", ["line 1", "no line '---'"]),
        ("format = 2\n---\n", ["line 1", "format is 2"]),
        (HEAD + "seed = \n---\n", ["line 1", "not TOML"]),
        (HEAD + "---\n", ["seed or [position]"]),
        (HEAD + "seed = -4\n---\n", ["seed is -4"]),
        (HEAD + "seed = 1\ncolour = 3\n---\n", ["'colour'"]),
        (HEAD.replace("3", "9") + "seed = 1\n---\n", ["players is 9"]),
        (HEAD + "seed = 1\n---\nR1 auction p9 nominate 3\n", ["line 7", "p9", "is to decide"]),
        (HEAD + "seed = 1\n---\nnominate 3\n", ["line 7", "allowed: 'R3 auction p2 nominate 20'"]),
        (HEAD + "seed = 1\n---\ndraw 3\n", ["line 7"]),
    ],
)
def test_text_that_is_no_record_gives_one_clear_error(text, words):
    with pytest.raises(ValueError) as error:
        read(text)
    assert all(word in str(error.value) for word in words), str(error.value)


TABLE = """format = 1
players = 3
names = ["Ann", "Bea", "Cem"]
[position]
regions = ["cyan", "brown", "red"]
order = [2, 0, 1]
market = [3, 4, 5, 7, 8, 9, 10, 12]
stack = "?"
---
# a game at a table: people write what they saw
R1 auction p2 nominate 4
R1 auction p2 bid 4
R1 auction p0 pass
R1 auction p1 pass
draw 13
R1 auction p0 nominate 5      # Ann wants the hybrid
R1 auction p0 bid 5
R1 auction p1 bid 6
R1 auction p0 pass
draw 25
R1 auction p0 nominate 7
R1 auction p0 bid 7
draw 11
draw 19
R1 resources p2 buy 2 coal
"""


def test_a_game_typed_at_a_table_with_a_hidden_stack_is_read():
    game = read(TABLE)
    assert list(game.state.market[:8]) == [8, 9, 10, 11, 12, 13, 19, 25]
    assert list(game.state.money[:3]) == [43, 44, 44]
    assert game.names == ["Ann", "Bea", "Cem"]
    assert read(game.record()).digest() == game.digest()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("draw 13\n", "", ["line 14", "draw NUMBER"]),
        ("draw 13\n", "draw 13\ndraw 14\n", ["line 14", "13 14"]),
        ("draw 25\n", "draw 13\n", ["line 19", "13 cannot come up"]),
        ("draw 25\n", "draw x\n", ["line 20", "draw x"]),
        ("p0 nominate 5", "p0 nominate 12", ["line 16", "R2.14", "future market"]),
        ("p2 buy 2 coal", "p2 buy 6 coal", ["line 25", "R3.4"]),
        ("p1 bid 6", "p1 bid 5", ["line 18", "R2.7", "6"]),
    ],
)
def test_a_typed_game_is_led_to_the_line_that_cannot_be(old, new, words):
    with pytest.raises(ValueError) as error:
        read(TABLE.replace(old, new, 1))
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_typed_game_with_a_hidden_stack_goes_through_the_step_3_card():
    """A finished game retold with its stack hidden: every card in the order in which it came up."""
    game = random_game(8, players=5)
    told = retell(game)
    assert "draw step3" in told
    assert read(told).result() == game.result()


def retell(game):
    """The record a table would write of a game: the stack hidden, the cards that came up told."""
    replay = Game(GameConfig(**game.config.to_dict()), seed=game.seed)
    start = replay.to_position()
    order, market, regions = start["order"], start["market"], start["regions"]
    lines = [
        f"format = 1\nplayers = {game.config.players}\n[position]\nregions = {regions}".replace("'", '"'),
        f'order = {order}\nmarket = {market}\nstack = "?"\n---',
    ]
    for action in game._actions:
        before = [int(card) for card in replay.state.stack[: replay.state.stack_size]]
        market = set(replay.state.market)
        lines.append(f"R{replay.round_number} {replay.phase} p{replay.player} {replay.words(action)}")
        replay.play(action)
        after = [int(card) for card in replay.state.stack[: replay.state.stack_size]]
        gone = [card for card in before if card not in after]
        come = [card for card in replay.state.market if card and card not in market and card not in gone]
        assert not come
        lines += [f"draw {'step3' if card == 51 else card}" for card in gone]
    return "\n".join(lines)


# ------------------------------------------------------------------------- every decision of many games


def told_again_at_every_decision(count):
    """Random games over all editions, boards and player counts: the record stands alike before every decision."""
    chosen = list(configs(max_rounds=25))
    for number in range(count):
        config = chosen[number * len(chosen) // count % len(chosen)]
        game = golden.play(config, number)
        again = Game.replay(game.record())
        assert again.digest() == game.digest()
        for (past, action), (same, told) in zip(walk(game), walk(again), strict=True):
            assert action == told
            assert past.digest() == same.digest()


def test_records_stand_alike_at_every_decision_of_random_games():
    told_again_at_every_decision(25)


@pytest.mark.slow
def test_records_stand_alike_at_every_decision_of_300_random_games():
    told_again_at_every_decision(300)
