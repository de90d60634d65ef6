"""Models: loaded, evaluated, playing other games; what is none, is damaged or fits another layout is refused."""

import json
import pickle
import re
import zipfile

import pytest

from powergrid_env import Game, GameConfig
from powergrid_env.board import make_board
from tests.command import output, refusal
from tests.tiny_run import BOARD, CONFIG, rewrite

torch = pytest.importorskip("torch")

from agents.learned import models, policy
from training import simulate

pytestmark = pytest.mark.train


@pytest.fixture
def model_file(trained, tmp_path):
    """A copy of its model that a test may spoil."""
    path = tmp_path / "model.zip"
    path.write_bytes((trained.folder / "model.zip").read_bytes())
    return path


def test_a_model_is_loaded_and_evaluated(trained, model_file):
    loaded = models.load(model_file, BOARD)
    for name, weights in trained.model.policy.state_dict().items():
        assert torch.equal(weights, loaded.policy.state_dict()[name])
    assert GameConfig(**loaded.description["config"]) == CONFIG
    told = output("evaluate", trained.folder, "--opponents", "random", "--games", 6)
    assert re.match(r"2 random: win share \d\.\d\d \[", told)
    assert output("evaluate", model_file, "--opponents", "random", "--games", 6) == told


def test_a_model_plays_other_player_counts_editions_and_boards(model_file):
    for words, opponents in ((["--players", 5], 4), (["--edition", "2004"], 2), (["--board", "usa"], 2)):
        told = output("evaluate", model_file, "--opponents", "random", "--games", 5, *words)
        assert told.startswith(f"{opponents} random: win share ")


def test_a_model_is_read_without_unpickling(model_file, monkeypatch):
    def never(*arguments, **keywords):
        raise AssertionError("unpickled")

    monkeypatch.setattr(pickle, "loads", never)
    monkeypatch.setattr("cloudpickle.loads", never)
    models.load(model_file, BOARD)


def test_stable_baselines_reads_our_models(model_file):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(model_file, device="cpu")
    assert model.policy.observation_space.shape == (models.layout.observation_size(BOARD),)


def test_models_that_are_none_are_refused(model_file, tmp_path):
    whole = model_file.read_bytes()
    assert refusal("evaluate", tmp_path / "none.zip").endswith("none.zip: no such model file")
    (tmp_path / "letter.zip").write_text("Dear Sir", "utf-8")
    assert "letter.zip: no model (not a zip file, or half-written)" in refusal(
        "evaluate", tmp_path / "letter.zip"
    )
    model_file.write_bytes(whole[: len(whole) // 2])
    assert "model.zip: " in (told := refusal("evaluate", model_file))
    assert "half-written" in told
    model_file.write_bytes(whole[:3000] + bytes(2000) + whole[5000:])
    assert "model.zip: " in refusal("evaluate", model_file)
    model_file.write_bytes(whole)
    rewrite(model_file, "policy.pth", b"no weights")
    assert "model.zip: a damaged model" in refusal("evaluate", model_file)
    rewrite(model_file, models.DESCRIPTION, None)
    assert "no model of `powergrid train`, or half-written" in refusal("evaluate", model_file)


@pytest.mark.parametrize("what", ["action_table", "observation_layout"])
def test_a_model_for_another_layout_is_refused(model_file, what):
    with zipfile.ZipFile(model_file) as archive:
        description = json.loads(archive.read(models.DESCRIPTION))
    rewrite(model_file, models.DESCRIPTION, json.dumps({**description, what: "0123"}).encode())
    assert f"made for another {what.replace('_', ' ')} (0123)" in refusal("evaluate", model_file)


def test_other_raises_are_another_action_table(model_file):
    other = make_board(GameConfig(players=3, raises="all"))
    with pytest.raises(ValueError, match="made for another action table"):
        models.load(model_file, other)


def test_a_policy_draws_legal_actions_from_its_seed_alone(trained):
    agent = policy.NetworkAgent(trained.model.policy, "drawn")
    games = [Game(CONFIG, seed=seed) for seed in range(3)]
    played = [simulate.play([game.clone() for game in games], [agent], seed) for seed in (5, 5, 6)]
    digests = [[game.digest() for game in part] for part in played]
    assert digests[0] == digests[1] != digests[2]
