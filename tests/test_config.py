"""GameConfig, rulings and custom boards: what is refused, and how."""

import copy
import pickle
import shutil

import pytest

from powergrid_env import Game, GameConfig, rulings
from powergrid_env.board import make_board
from powergrid_env.config import tables


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"players": 7}, ["players is 7", "2 to 6"]),
        ({"players": True}, ["players is True", "2 to 6"]),
        ({"players": "4"}, ["players is '4'"]),
        ({"edition": "2019"}, ["edition is '2019'", "recharged, 2004"]),
        ({"board": "mars"}, ["board is 'mars'", "germany, usa"]),
        ({"board": 3}, ["board is 3"]),
        ({"board": "mars/" * 1000}, ["board is 'mars/mars", "germany, usa"]),
        ({"deck": "old"}, ["deck is 'old'", "base, new"]),
        ({"players": 3, "regions": ["cyan", "red"]}, ["regions", "3 different ones"]),
        ({"players": 3, "regions": ["cyan", "red", "green"]}, ["regions", "purple"]),
        ({"players": 3, "regions": "cyan"}, ["regions is 'cyan'"]),
        ({"players": 3, "regions": [1, 2, 3]}, ["regions is [1, 2, 3]"]),
        ({"trust": True}, ["trust is True", "2 players"]),
        ({"players": 2, "edition": "2004", "trust": True}, ["trust is True"]),
        ({"edition": "2004", "start_cities": True}, ["start_cities", "2004"]),
        ({"start_cities": 1}, ["start_cities is 1"]),
        ({"money": "secret"}, ["money is 'secret'", "public, hidden"]),
        ({"raises": (1, 2)}, ["raises is (1, 2)", "ascending"]),
        ({"raises": (0, 2, 2)}, ["raises"]),
        ({"raises": (0, 101)}, ["at most 100"]),
        ({"raises": "some"}, ["raises is 'some'"]),
        ({"raises": ()}, ["raises is ()"]),
        ({"max_rounds": 0}, ["max_rounds is 0"]),
        ({"reward": "money"}, ["reward is 'money'", "win, rank, margin"]),
        ({"rulings": {"fuell": "pool"}}, ["'fuell'", "fuel"]),
        ({"rulings": {"fuel": "shared"}}, ["'shared'", "own_plant, pool"]),
        ({"rulings": {"plant_limit": 5}}, ["plant_limit", "3, 4"]),
        ({"rulings": ["fuel"]}, ["rulings is ['fuel']"]),
    ],
)
def test_bad_setting_names_field_value_and_what_is_allowed(fields, words):
    with pytest.raises(ValueError) as error:
        GameConfig(**fields)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_regions_that_do_not_touch_are_refused():
    with pytest.raises(ValueError, match=r"brown.*hang together.*R0.1"):
        Game(players=3, regions=("brown", "blue", "purple"))


def test_unknown_setting_names_the_known_ones():
    with pytest.raises(ValueError, match=r"no setting 'player'.*players"):
        Game(player=4)


def test_config_and_keywords_together_are_refused():
    with pytest.raises(ValueError, match="config and players given"):
        Game(GameConfig(), players=3)


def test_equal_configs_hash_alike_whatever_the_order_of_rulings():
    one = GameConfig(rulings={"fuel": "pool", "house_cap": 20})
    other = GameConfig(rulings={"house_cap": 20, "fuel": "POOL"})
    assert one == other
    assert hash(one) == hash(other)
    assert make_board(one) is make_board(other)
    assert one != GameConfig()


def test_config_survives_pickle_copy_and_dictionary():
    config = GameConfig(players=3, regions=["red", "cyan", "brown"], raises="all", rulings={"fuel": "pool"})
    for twin in (pickle.loads(pickle.dumps(config)), copy.deepcopy(config), GameConfig(**config.to_dict())):
        assert twin == config
    assert config.to_dict()["raises"] == "all"
    assert config.regions == ("cyan", "brown", "red")


def test_config_cannot_be_changed():
    config = GameConfig()
    with pytest.raises(AttributeError):
        config.players = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        config.rulings["fuel"] = "pool"  # type: ignore[index]


def test_every_ruling_is_a_field_of_the_board_and_can_be_set_to_each_choice():
    for name, choices in rulings.CHOICES.items():
        for choice in choices:
            board = make_board(GameConfig(rulings={name: choice.name.lower()}))
            assert board.record[name] == choice, name


def test_none_is_a_word_for_zero():
    assert make_board(GameConfig(rulings={"uranium_stop": "never"})).record.uranium_stop == 0
    assert make_board(GameConfig(rulings={"house_cap": "none"})).record.house_cap > 22


@pytest.fixture
def folder(tmp_path):
    """A copy of the Germany board to spoil."""
    source = GameConfig().board_folder()
    for name in ("cities.csv", "edges.csv"):
        shutil.copy(source / name, tmp_path / name)
    return tmp_path


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_custom_board_plays_like_the_board_it_copies(folder):
    custom, own = (
        Game(players=3, board=str(folder), seed=5),
        Game(players=3, seed=5, rulings={"uranium_stop": 0}),
    )
    while not own.over:
        action = int(own.legal_actions()[-1])
        own.play(action)
        custom.play(action)
    assert custom.digest() == own.digest()


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("edges.csv", "Bremen,Hamburg,11", "Bremen,Hamburgh,11", ["edges.csv:3", "Hamburgh"]),
        ("edges.csv", "Bremen,Hamburg,11", "Hamburg,Hamburg,11", ["edges.csv:3", "itself"]),
        ("edges.csv", "Bremen,Hamburg,11", "Bremen,Cuxhaven,8", ["edges.csv:3", "twice"]),
        ("edges.csv", "Bremen,Hamburg,11", "Bremen,Hamburg,-1", ["edges.csv:3", "cost is '-1'"]),
        ("edges.csv", "Bremen,Hamburg,11", "Bremen,Hamburg,1e9", ["edges.csv:3", "cost is '1e9'"]),
        ("edges.csv", "Bremen,Hamburg,11", "Bremen,Hamburg", ["edges.csv:3", "3 columns"]),
        ("edges.csv", "Flensburg,Kiel,4\n", "", ["edges.csv", "do not hang together", "Flensburg"]),
        ("edges.csv", "city_a,city_b,cost", "a,b,cost", ["edges.csv:1", "header"]),
        ("cities.csv", "Kiel,cyan", "Hamburg,cyan", ["cities.csv", "named twice"]),
        ("cities.csv", "Kiel,cyan", "Kiel,", ["cities.csv", "no region"]),
        ("cities.csv", "Bremen,cyan,0.3566", "Bremen,cyan,35.66", ["cities.csv:2", "x is '35.66'"]),
    ],
)
def test_spoilt_custom_board_is_refused_with_file_and_line(folder, file, old, new, words):
    replace(folder / file, old, new)
    with pytest.raises(ValueError) as error:
        Game(players=3, board=str(folder))
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"city\xff", ["cities.csv: not a CSV file in UTF-8"]), (b"city\nKiel\n", ["cities.csv:1", "header"])],
)
def test_regions_of_a_spoilt_custom_board_are_refused_with_the_file(folder, content, words):
    (folder / "cities.csv").write_bytes(content)
    with pytest.raises(ValueError) as error:
        GameConfig(players=3, board=str(folder), regions=("cyan", "red", "brown"))
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    ("board", "ruling", "price"),
    [
        ("atlantis", {}, 5),
        ("atlantis", {"coal_storage": "no"}, 0),
        ("usa", {}, 8),
        ("germany", {}, 0),
        ("germany", {"coal_storage": "yes"}, 8),
    ],
)
def test_a_coal_storage_has_the_price_of_its_map_or_that_of_the_usa(monkeypatch, board, ruling, price):
    monkeypatch.setitem(tables()["edition"]["recharged"]["maps"], "atlantis", "germany")
    monkeypatch.setitem(tables()["map_rules"], "atlantis", {"coal_storage_price": 5})
    assert make_board(GameConfig(board=board, rulings=ruling)).record.storage_price == price
