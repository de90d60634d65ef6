"""Networks and the agents that play by them: shared weights, advice, imitation, and the smallest form of a model."""

import zipfile
from dataclasses import replace

import numpy as np
import pytest

import agents
from powergrid_env import GameConfig
from powergrid_env.actions import ActionTable
from powergrid_env.batch import GameBatch
from powergrid_env.board import make_board
from powergrid_env.layout import layout
from tests.command import output, refusal
from training.settings import TrainSettings

torch = pytest.importorskip("torch")

from agents.learned import models, networks, policy
from agents.learned.entities import entities
from training import evaluate, imitation
from training import train as training

pytestmark = pytest.mark.train

CONFIG = GameConfig(players=3)
BOARD = make_board(CONFIG)
SHAPE = {"kind": "entities", "layers": [24, 16], "activation": "relu"}
ADVISED = {**SHAPE, "advisor": "balanced"}


@pytest.fixture
def batch():
    """Games of bots in different phases, the advice known."""
    games = GameBatch(CONFIG, 64, seed=3, autoreset=False)
    bot = agents.make("balanced")
    for step in range(60):
        lanes = np.flatnonzero((games.player >= 0) & (np.arange(64) % 60 >= step % 60))
        games.step(bot.act(games, lanes), lanes)
    return games


def _made(shape, seed=1):
    torch.manual_seed(seed)
    made = networks.make_policy(BOARD, shape)
    with torch.no_grad():  # else actions hardly differ before training
        for weights in made.action_net.parameters():
            weights.mul_(30) if weights.ndim > 1 else None
    return made.eval()


def test_every_number_of_the_observation_belongs_to_one_entity():
    found = entities(BOARD, True)
    parts = [found.general, found.seats, found.places, found.cities, found.plants]
    size = layout(BOARD)[-1].slice.stop + ActionTable(BOARD).count
    assert sorted(np.concatenate([part.reshape(-1) for part in parts])) == list(range(size))


def test_cities_are_read_alike(batch):
    made, found = _made(SHAPE), entities(BOARD, False)
    seen = torch.from_numpy(batch.observe())
    order = torch.randperm(len(BOARD.cities), generator=torch.Generator().manual_seed(0))
    moved = seen.clone()
    moved[:, found.cities.reshape(-1)] = seen[:, found.cities[order].reshape(-1)]
    builds = slice(found.build, found.build + len(order))
    with torch.no_grad():
        before, after = (made.extract_features(rows) for rows in (seen, moved))
        assert torch.allclose(made.value_net(before), made.value_net(after), atol=1e-5)
        scores = [
            made.action_net(rows)[:, builds] - made.action_net.all(rows[:, :16])[:, builds]
            for rows in (before, after)
        ]
    assert scores[0].std() > 0.01
    assert torch.allclose(scores[0][:, order], scores[1], atol=1e-4)


def test_opponents_are_read_alike(batch):
    made, found = _made(SHAPE), entities(BOARD, False)
    seen = torch.from_numpy(batch.observe())
    mixed = seen.clone()
    rows = [0, 2, 1, 3, 4, 5]
    mixed[:, found.seats.reshape(-1)] = seen[:, found.seats[rows].reshape(-1)]
    slots = found.plants[found.seat_plants : found.seat_plants + 24].reshape(6, 4, -1)
    mixed[:, slots.reshape(-1)] = seen[:, slots[rows].reshape(-1)]
    assert not torch.equal(seen, mixed)
    with torch.no_grad():
        values = [made.value_net(made.extract_features(some)) for some in (seen, mixed)]
    assert values[0].std() > 1e-3
    assert torch.allclose(*values, atol=1e-5)


def test_a_policy_that_learnt_nothing_follows_its_advisor(batch):
    torch.manual_seed(0)
    bot = agents.make("balanced")
    agent = policy.NetworkAgent(networks.make_policy(BOARD, ADVISED), "advised", True, bot)
    lanes = np.flatnonzero(batch.player >= 0)
    assert (agent.act(batch, lanes) == bot.act(batch, lanes)).all()
    drawn = policy.NetworkAgent(agent.policy, "drawn", False, bot)
    assert (drawn.act(batch, lanes) == bot.act(batch, lanes)).mean() > 0.5


def test_the_advisor_needs_a_network_that_listens():
    with pytest.raises(ValueError, match="advisor is 'balanced'; allowed: one with the kind entities alone"):
        TrainSettings(advisor="balanced")


def test_an_advised_run_is_saved_and_plays(tmp_path):
    settings = TrainSettings(
        steps=512, lanes=16, rollout=16, batch=128, kind="entities", network="24 16", advisor="balanced",
        critic_first=300, opponents="face_value self", examine=2, checkpoint=256, out=str(tmp_path / "run"), shaping=0.1,
    )  # fmt: skip
    run = training.train(settings)
    agent = agents.make(f"policy:{run.folder}")
    assert evaluate.against(agent, ["random"], run.config, 9).share > 0.5
    longer = training.train(replace(settings, steps=768), resume=True)
    assert longer.model.num_timesteps == 768


def test_the_policy_keeps_still_while_the_critic_learns_first(tmp_path):
    settings = TrainSettings(
        steps=512, lanes=16, rollout=16, batch=128, network="16", critic_first=1000, examine=0, opponents="random",
        out=str(tmp_path / "run"),
    )  # fmt: skip
    run = training.train(settings)
    fresh = run.new_policy()
    assert torch.equal(run.model.policy.action_net.weight, fresh.action_net.weight)
    assert not torch.equal(run.model.policy.value_net.weight, fresh.value_net.weight)


# ------------------------------------------------------------------------------------------- imitation


def test_demonstrations_are_what_the_teacher_would_play():
    teacher = agents.make("face_value")
    shown = imitation.demonstrate(CONFIG, teacher, 4, 5, agents.make("random"), seats=1)
    assert (shown.masks.sum(axis=1) > 1).all()
    assert shown.masks[np.arange(len(shown)), shown.actions].all()
    again = imitation.demonstrate(CONFIG, teacher, 4, 5, agents.make("random"), seats=1)
    assert np.array_equal(shown.actions, again.actions)
    assert set(np.unique(shown.returns)) <= {-0.5, 0.25, 1.0, 0.0}


def test_a_student_comes_to_play_as_its_teacher():
    torch.manual_seed(1)
    student = networks.make_policy(BOARD, {"kind": "flat", "layers": [32], "activation": "tanh"})
    passes = []
    imitation.imitate(
        student, CONFIG, agents.make("face_value"), 40_000, 1, games=32, batch_size=64, learning_rate=3e-3,
        on_pass=lambda shown, found: passes.append(found["agreement"]),
    )  # fmt: skip
    assert passes[-1] > passes[0] + 0.05, passes


def test_imitation_is_where_a_run_begins(tmp_path):
    file, data = tmp_path / "start.zip", tmp_path / "data"
    words = ["imitate", "--teacher", "face_value", "--decisions", "500", "--games", "4", "--network", "16"]
    assert "plays as face_value does in " in output(*words, "--out", file, "--data", data)
    with np.load(data / "shown-0000.npz") as arrays:
        assert len(arrays["actions"]) == len(arrays["observations"]) > 0
    words = ["train", *"--steps 128 --lanes 8 --rollout 16 --games 0 --warm-start".split(), file]
    begun = training.Run(
        TrainSettings(lanes=8, network="16", warm_start=str(file), out=str(tmp_path / "begun"))
    )
    begun.open_folder(resume=False)
    for name, weights in models.load(file, BOARD).policy.state_dict().items():
        assert torch.equal(weights, begun.model.policy.state_dict()[name]), name
    output(*words, "--network", 16, "--out", tmp_path / "run")
    assert refusal(*words, "--network", 32, "--out", tmp_path / "other").startswith("warm_start is ")
    assert not (tmp_path / "other").exists()


def test_the_smallest_form_holds_weights_and_description_alone(tmp_path):
    made = _made(ADVISED)
    models.save_policy(made, tmp_path / "small.zip", BOARD, ADVISED, seed=4)
    with zipfile.ZipFile(tmp_path / "small.zip") as archive:
        assert sorted(archive.namelist()) == ["policy.pth", "powergrid.json"]
    loaded = models.load(tmp_path / "small.zip", BOARD)
    assert loaded.description["seed"] == 4
    for name, weights in made.state_dict().items():
        assert torch.equal(weights, loaded.policy.state_dict()[name])


def test_export_leaves_out_what_only_training_needs(tmp_path):
    settings = TrainSettings(
        steps=128, lanes=8, rollout=16, network="16", examine=0, opponents="random", out=str(tmp_path / "run")
    )
    run = training.train(settings)
    output("export", run.folder, "--out", tmp_path / "small.zip")
    whole, small = (models.load(file, BOARD) for file in (run.folder / "model.zip", tmp_path / "small.zip"))
    assert small.description == whole.description
    assert set(small.parameters) == {"policy"}
    assert all(
        torch.equal(weights, small.parameters["policy"][name])
        for name, weights in whole.parameters["policy"].items()
    )
    assert (tmp_path / "small.zip").stat().st_size < (run.folder / "model.zip").stat().st_size / 2
    told = refusal("export", tmp_path / "none", "--out", tmp_path / "other.zip")
    assert told == f"{tmp_path / 'none'}: no such model file"
