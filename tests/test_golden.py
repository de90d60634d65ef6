"""Golden games, one per board, edition and player count: what was played once is played again, word for word."""

import pytest

from powergrid_env import Game
from tests.golden import FOLDER, SETTINGS, text


@pytest.mark.parametrize("name", SETTINGS)
def test_golden_game_is_played_again_word_for_word(name):
    assert text(SETTINGS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SETTINGS)
def test_golden_game_replays_from_its_text(name):
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    game = Game.replay(golden)
    assert game.over
    assert f"digest {game.digest()}" in golden


def test_no_golden_game_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SETTINGS)
