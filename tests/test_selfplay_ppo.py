"""The single file of self-play PPO: credit along each seat's own decisions, what a run writes, and that it learns."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from powergrid_env import GameBatch, GameConfig

torch = pytest.importorskip("torch")

from training import selfplay_ppo
from training.selfplay_ppo import Experience, Network, Settings, credit, load, main, measure, train

pytestmark = pytest.mark.train

TINY = Settings(steps=512, lanes=8, rollout=32, batch=64, width=16, games=6, examine=2, bots="random")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The settings of a tiny run that came to its end, and its network."""
    settings = replace(TINY, out=str(tmp_path_factory.mktemp("runs") / "tiny"))
    return settings, train(settings)


def refused(capsys, *arguments):
    """The line with which a command line is refused."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("selfplay_ppo: ")
    assert told.count("\n") == 1
    return told.removeprefix("selfplay_ppo: ").strip()


# -------------------------------------------------------------------------------------------- credit


def one_lane(seats, values, end=None, rewards=(0, 0, 0)):
    """Experience of one lane of three players; its game ended with decision `end`."""
    rows = len(seats)
    seen = SimpleNamespace(
        seats=np.array(seats)[:, None],
        values=np.array(values, np.float32)[:, None],
        is_filled=np.ones((rows, 1), np.bool_),
        is_end=np.zeros((rows, 1), np.bool_),
        rewards=np.zeros((rows, 1, 3), np.float32),
    )
    if end is not None:
        seen.is_end[end] = True
        seen.rewards[end] = rewards
    return seen


def test_the_end_of_a_game_reaches_every_seat_whoever_moved_last():
    seen = one_lane([0, 1, 2, 2], [0.5, 0.25, 0.0, 0.125], end=3, rewards=(1, -0.5, -0.5))
    advantages, is_open = credit(seen, lam=0.0)
    assert not is_open.any()
    assert advantages[:, 0].tolist() == [1 - 0.5, -0.5 - 0.25, 0.125 - 0.0, -0.5 - 0.125]


def test_a_decision_is_followed_by_the_next_of_its_own_seat():
    seen = one_lane([0, 1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4, 0.5])
    advantages, is_open = credit(seen, lam=0.5)
    assert is_open[:, 0].tolist() == [False, False, False, True, True]
    second = 0.5 - 0.3  # the last one of seat 0 is open, so nothing is known of what lies behind it
    np.testing.assert_allclose(advantages[:3, 0], [0.3 - 0.1 + 0.5 * second, 0.4 - 0.2, second], rtol=1e-6)


def test_nothing_flows_from_one_game_into_the_one_before():
    alone = one_lane([0, 1], [0.1, 0.2], end=1, rewards=(1, -1, 0))
    followed = one_lane([0, 1, 1, 0, 1], [0.1, 0.2, 9.0, 9.0, 9.0], end=1, rewards=(1, -1, 0))
    np.testing.assert_array_equal(credit(followed, 0.9)[0][:2], credit(alone, 0.9)[0])


def test_empty_rows_are_no_decisions():
    seen = one_lane([0, 0, 0], [0.1, 7.0, 0.3], end=2, rewards=(1, 0, 0))
    seen.is_filled[1] = False
    advantages, is_open = credit(seen, lam=1.0)
    assert not is_open.any()
    np.testing.assert_allclose(advantages[[0, 2], 0], [0.9, 0.7], rtol=1e-6)


def test_every_decision_is_learnt_from_once_and_every_seat_is_paid():
    torch.set_num_threads(1)
    config = GameConfig(players=3, skip_forced=True, reward="rank")
    batch = GameBatch(config, 8, seed=3)
    seen = Experience(3, 64, batch)
    network = Network(batch.observation_size, batch.num_actions, 8)
    asked = [set() for _ in range(8)]  # seats that have decided in the running game of a lane
    decisions = learnt = payments = 0
    for _ in range(12):
        seen.collect(batch, network)
        assert np.take_along_axis(seen.masks[3:], seen.actions[3:, :, None], axis=2).all()
        advantages, is_open = credit(seen, 0.0)
        decisions += seen.actions[3:].size
        learnt += (seen.is_filled & ~is_open).sum()
        for lane in range(8):
            last = {}
            for row in np.flatnonzero(seen.is_filled[:, lane]):
                last[seen.seats[row, lane]] = row
                asked[lane].add(seen.seats[row, lane])
                if seen.is_end[row, lane]:
                    assert set(last) == asked[lane]
                    for seat, of_seat in last.items():
                        gain = seen.rewards[row, lane, seat] - seen.values[of_seat, lane]
                        assert advantages[of_seat, lane] == pytest.approx(gain, abs=1e-6)
                        payments += 1
                    last.clear()
                    asked[lane].clear()
        open_now = {
            (seen.seats[row, lane], lane): seen.actions[row, lane] for row, lane in np.argwhere(is_open)
        }
        seen.carry(is_open)
        carried = {(seat, lane): seen.actions[seat, lane] for seat, lane in np.argwhere(seen.is_filled[:3])}
        assert carried == open_now
    assert learnt == decisions - len(open_now)
    assert payments >= 3 * 8


# ---------------------------------------------------------------------------------------------- runs


def test_a_run_writes_a_model_and_curves(run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    settings, _ = run
    assert {path.name for path in settings.folder.iterdir()} == {"model.pt", "tensorboard"}
    events = EventAccumulator(str(settings.folder / "tensorboard"))
    events.Reload()
    assert set(events.Tags()["scalars"]) >= {
        "train/policy_loss", "train/value_loss", "train/entropy", "train/kl", "train/clipped",
        "train/explained_variance", "games/played", "time/fps", "examination/win_share_random",
    }  # fmt: skip


def test_the_same_seed_gives_the_same_network(run, tmp_path):
    _, network = run
    again = train(replace(TINY, out=str(tmp_path / "again"), examine=0))
    for name, weights in network.state_dict().items():
        assert torch.equal(weights, again.state_dict()[name]), name


def test_what_is_saved_plays_as_what_was_trained(run, capsys):
    settings, network = run
    read, same = load(settings.folder)
    assert same == settings
    batch = GameBatch(settings.config(), 16, seed=5)
    lanes = np.arange(16)
    answers = [selfplay_ppo.NetworkAgent(one).act(batch, lanes).tolist() for one in (network, read)]
    assert answers[0] == answers[1]
    main(["--evaluate", str(settings.folder), "--players", "4"])
    assert capsys.readouterr().out.startswith("against 3 random: win share ")


def test_ctrl_c_saves(tmp_path, monkeypatch, capsys):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(selfplay_ppo, "update", interrupt)
    settings = replace(TINY, out=str(tmp_path / "run"))
    train(settings)
    assert "what was learnt so far is saved" in capsys.readouterr().err
    assert load(settings.folder)[1] == settings


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "9"], "players is 9; allowed:"),
        (["--lanes", "0"], "lanes is 0; allowed: 1 or more"),
        (["--clip", "2"], "clip is 2.0; allowed: 0 to 1"),
        (["--examine", "-1"], "examine is -1; allowed: 0 or more"),
        (["--bots", "nobody"], "agent is 'nobody'; known:"),
        (["--evaluate", "nowhere"], "nowhere: no model of selfplay_ppo"),
    ],
)
def test_mistakes_are_one_line(capsys, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert words in refused(capsys, *arguments)
    assert not list(tmp_path.iterdir())


def test_a_run_is_not_written_over(run, capsys):
    assert "which exists; allowed: a new folder" in refused(capsys, "--out", str(run[0].folder))


def test_models_that_do_not_fit_are_refused(run, tmp_path):
    settings, _ = run
    with pytest.raises(ValueError, match="made for another action table or observation layout"):
        load(settings.folder, GameConfig(players=3, raises=(0, 1)))
    half = tmp_path / "half.pt"
    half.write_bytes((settings.folder / "model.pt").read_bytes()[:2000])
    with pytest.raises(ValueError, match="no model of selfplay_ppo, or damaged"):
        load(half)


@pytest.mark.slow
def test_it_learns_to_beat_random(tmp_path):
    """A minute of one core: the interval lies wholly above half of the wins, where a third is par."""
    settings = Settings(steps=300_000, games=300, examine=0, bots="random", out=str(tmp_path / "run"))
    standing = measure(train(settings), settings, settings.games)["random"]
    assert standing.low > 0.5, standing
