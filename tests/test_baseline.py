"""The shipped learner: it plays by name everywhere, says what it needs, and its training can be repeated."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

import agents
from agents.learned import baseline
from powergrid_env import GameConfig
from training.settings import read_run

HOME = baseline.FILE.parent


def test_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(baseline, "find_spec", lambda name: None if name == "torch" else find_spec(name))
    with pytest.raises(ValueError, match=r"baseline needs torch, .*pip install 'powergrid-env\[train\]'"):
        agents.make("baseline")


torch = pytest.importorskip("torch")

from agents.learned import models
from powergrid_env.board import make_board
from training import evaluate
from training import train as training

pytestmark = pytest.mark.train


@pytest.mark.parametrize("greedy", ["2", "x"])
def test_it_refuses_other_settings(greedy):
    with pytest.raises(ValueError, match="baseline: greedy is .*; allowed: 0, 1"):
        agents.make(f"baseline:greedy={greedy}")


def test_it_is_small_and_known_by_its_run():
    file = baseline.FILE
    assert file.stat().st_size < 3e6
    settings, tables = read_run(HOME)
    description = models.load(file, make_board(GameConfig())).description
    assert description["decisions"] == tables["done"]["decisions"]
    assert description["network"]["advisor"] == settings.advisor
    assert tables["done"]["decisions"] >= settings.steps


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(players=3),
        GameConfig(players=2, trust=True),
        GameConfig(players=6, board="usa"),
        GameConfig(players=4, edition="2004"),
    ],
    ids=str,
)
def test_it_plays_every_kind_of_game(config):
    bot = agents.make("baseline")
    games = config.players
    assert evaluate.against(bot, ["random"], config, games).share > 0.8


def test_it_beats_the_bot_that_advises_it():
    assert evaluate.against(agents.make("baseline"), ["balanced"], GameConfig(players=3), 30).low > 1 / 3


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_its_first_ten_minutes_are_repeated(tmp_path, monkeypatch):
    """The curve of the first 2,400,000 decisions (ten minutes on one free core), within chance of the one in the card."""
    settings, _ = read_run(HOME)
    rows = (HOME / "curve.csv").read_text("utf-8").splitlines()[1:]
    curve = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    monkeypatch.setattr(
        training.Run,
        "save_checkpoint",
        lambda run: setattr(run.stop, "is_set", run.model.num_timesteps >= 2_400_000),
    )
    run = training.train(replace(settings, out=str(tmp_path / "run"), examine=0))
    share = float(np.mean(run.curves.shares[""]))
    told = np.interp(run.model.num_timesteps, curve[:, 0], curve[:, 1])
    assert share == pytest.approx(told, abs=0.09)  # 4 standard errors of 500 games
    assert share > 0.45
