"""The table of pieces: sizes, names, views and the printed form."""

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, layout
from powergrid_env.board import make_board
from powergrid_env.constants import MAX_CITIES

GERMANY = make_board(GameConfig())
DIGESTS = {0: "0dfa461c854f384f"}


def small_board(folder):
    """Three regions of three cities in a ring."""
    names = [f"{region}{city}" for region in "abc" for city in "123"]
    rows = [f"{name},{name[0]},{index / 10},0.5" for index, name in enumerate(names)]
    (folder / "cities.csv").write_text("\n".join(["city,region,x,y", *rows]) + "\n", encoding="utf-8")
    links = [f"{names[index]},{names[(index + 1) % 9]},{index + 3}" for index in range(9)]
    (folder / "edges.csv").write_text("\n".join(["city_a,city_b,cost", *links]) + "\n", encoding="utf-8")
    return make_board(GameConfig(players=3, board=str(folder), rulings={"end_cities": 5}))


def test_the_layout_moves_only_with_its_version():
    """A new digest here means that saved models are refused: add it under a new VERSION."""
    assert layout.digest(GERMANY) == DIGESTS[layout.VERSION]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("edition", ["recharged", "2004"])
@pytest.mark.parametrize("board", ["germany", "usa"])
def test_every_game_on_as_many_cities_has_the_same_layout(players, edition, board):
    made = make_board(GameConfig(players=players, edition=edition, board=board, deck="new"))
    assert layout.digest(made) == layout.digest(GERMANY)
    assert layout.layout(made) == layout.layout(GERMANY)


def test_pieces_fill_the_vector_without_gaps():
    end = 0
    for piece in layout.layout(GERMANY):
        assert piece.slice.start == end
        assert piece.slice.stop - end == np.prod(piece.shape, dtype=int)
        end = piece.slice.stop
    assert end == layout.observation_size(GERMANY)


@pytest.mark.parametrize("num_cities", [1, 9, 42, MAX_CITIES])
def test_offsets_of_the_compiled_code_are_those_of_the_layout(num_cities):
    for piece in layout._layout(num_cities):
        start = getattr(layout.AT, piece.name) + getattr(layout.ROW, piece.name) * num_cities
        assert start == piece.slice.start
        assert "city" in piece.axes or getattr(layout.ROW, piece.name) == 0


def test_a_board_of_another_size_has_its_own_layout(tmp_path):
    board = small_board(tmp_path)
    assert layout.observation_size(GERMANY) - layout.observation_size(board) == 33 * sum(
        piece.shape[0] if len(piece.shape) > 1 else 1
        for piece in layout.layout(board)
        if "city" in piece.axes
    )
    assert layout.digest(board) != layout.digest(GERMANY)
    game = Game(board.config, seed=1)
    parts = layout.views(game.observation(), board)
    assert parts["zone"].tolist() == [1] * 9
    assert parts["space_price"].tolist() == [0.5] * 9
    assert parts["own_marker"].tolist() == [0] * 9


def test_views_share_memory_and_keep_leading_axes():
    size = layout.observation_size(GERMANY)
    batch = np.zeros((5, size), np.float32)
    parts = layout.views(batch, GERMANY)
    assert parts["houses"].shape == (5, 7, 42)
    assert parts["round"].shape == (5,)
    parts["houses"][3, 6, 41] = 1
    piece = next(piece for piece in layout.layout(GERMANY) if piece.name == "houses")
    assert np.argwhere(batch).tolist() == [[3, piece.slice.stop - 1]]


@pytest.mark.parametrize("shape", [(), (3,), (2, 7)])
def test_views_refuse_what_is_no_observation(shape):
    with pytest.raises(
        ValueError,
        match=rf"observation has shape .*; allowed: \(\.\.\., {layout.observation_size(GERMANY)}\)",
    ):
        layout.views(np.zeros(shape), GERMANY)


def test_describe_refuses_a_batch():
    with pytest.raises(ValueError, match="observation has shape"):
        layout.describe(np.zeros((2, layout.observation_size(GERMANY))), GERMANY)


def test_describe_prints_a_line_per_piece_in_units_of_the_game():
    game = Game(players=3, edition="2004", regions=["red", "blue", "cyan"], seed=1)
    game.play("nominate 4").play("bid 5")
    text = layout.describe(game.observation(), game.board)
    lines = dict(line.split(maxsplit=1) for line in text.splitlines())
    assert list(lines) == [piece.name for piece in layout.layout(game.board)]
    assert lines["phase"] == "auction"
    assert lines["decision"] == "bid"
    assert lines["money"] == "self 50, +1 50, +2 50"
    assert lines["auction_plant"] == "4 (coal, burns 2, supplies 1)"
    assert lines["least_bid"] == "6"
    assert lines["track"] == "coal 24, oil 18, garbage 6, uranium 2"
    assert lines["minimum"] == "1 3, 2 4, 3 5, 4 6"
    assert lines["plants"] == "-"
    assert lines["zone"].count(",") == 20
    assert lines["space_price"].startswith("Bremen 10, ")


def test_describe_prints_plants_by_seat_and_slot():
    game = Game(players=3, edition="2004", seed=1)
    first = game.player
    game.play("nominate 5").play("bid 5").play("pass").play("pass")
    text = layout.describe(game.observation(first), game.board)
    assert "\nplants          self: 1: 5 (hybrid, burns 2, supplies 1)\n" in text


def test_layout_table_has_a_row_per_piece():
    table = layout.layout_table(GERMANY)
    for piece in layout.layout(GERMANY):
        assert table.count(f"| `{piece.name}` | {piece.slice.start}") == 1
        assert piece.meaning in table
