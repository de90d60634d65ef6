"""The contract of agents: names, parameters, chance from the seed alone, and the shortest way to write a bot."""

import re
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import agents
from agents import ladder, registry
from agents.scripted.balanced import BalancedAgent
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.envs import opponents
from tests.players import BOTS


class FirstLegal(agents.ChoosingAgent):
    """Plays the first legal action, or with `last` the last one."""

    name = "first"

    def __init__(self, last: int = 0) -> None:
        self.last = last

    def choose(self, observation, mask, rng):
        return np.flatnonzero(mask)[-1 if self.last else 0]


class DrawsLegal(agents.ChoosingAgent):
    name = "draws"

    def choose(self, observation, mask, rng):
        return rng.choice(np.flatnonzero(mask))


def a_batch(num_games=8, **fields):
    return GameBatch(GameConfig(**fields), num_games=num_games, seed=5)


def all_lanes(batch):
    return np.arange(batch.num_games)


def test_our_bots_are_listed():
    assert set(agents.names()) >= set(BOTS)
    assert agents.names() == sorted(agents.names())


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_an_agent_that_answers_legally_for_the_lanes_asked(name):
    batch = a_batch()
    agent = agents.make(name)
    assert isinstance(agent, agents.Agent)
    assert agent.name == name
    lanes = np.array([5, 2])
    actions = agent.act(batch, lanes)
    assert actions.shape == (2,)
    assert actions.dtype == np.int64
    assert batch.masks()[lanes, actions].all()


def test_parameters_are_numbers_by_name():
    agent = agents.make("balanced:reserve=12,greed=0.4")
    assert agent.name == "balanced:reserve=12,greed=0.4"
    values = dict(zip([item.name for item in agent.parameters], agent.settings, strict=True))
    assert values["reserve"] == 12
    assert values["greed"] == 0.4


def test_every_bot_has_at_most_eight_parameters_each_with_a_default_in_its_range():
    for name in BOTS:
        parameters = agents.make(name).parameters
        assert len(parameters) <= 8
        for item in parameters:
            assert item.low <= item.default <= item.high
            assert item.meaning


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("balancd", ["balancd", "balanced", "random"]),
        ("balanced:reserv=12", ["reserv", "reserve", "greed"]),
        ("balanced:reserve=-1", ["reserve", "-1", "0 to 80"]),
        ("balanced:reserve=nan", ["reserve", "0 to 80"]),
        ("balanced:reserve=much", ["reserve", "much", "0 to 80"]),
        ("balanced:reserve=1,reserve=2", ["reserve", "twice"]),
        ("balanced:12", ["12", "key=value"]),
        ("random:seed=3", ["seed", "none"]),
        (7, ["7"]),
        (None, ["None"]),
    ],
)
def test_a_wrong_name_or_parameter_says_what_is_allowed(text, words):
    with pytest.raises(ValueError) as caught:  # its words are looked at
        agents.make(text)
    for word in words:
        assert word in str(caught.value)


def test_other_packages_add_bots_by_entry_point(monkeypatch):
    point = EntryPoint("first", f"{__name__}:FirstLegal", registry.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: FirstLegal)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [point] if group == registry.GROUP else [])
    assert agents.names() == ["first"]
    assert agents.make("first:last=1").last == 1
    assert agents.make("first:1").last == 1  # what has no key goes to the first parameter
    with pytest.raises(ValueError, match="first has no parameter 'most'; known: last"):
        agents.make("first:most=1")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("tests.no_such_file:Bot", "cannot be loaded from tests.no_such_file:Bot: No module named"),
        ("no_package.bots:Bot", "cannot be loaded from no_package.bots:Bot: No module named 'no_package'"),
        (
            "tests.test_agents:Bots",
            "cannot be loaded from tests.test_agents:Bots: .* has no attribute 'Bots'",
        ),
    ],
)
def test_an_entry_point_to_nothing_is_told(value, words, monkeypatch):
    point = EntryPoint("ghost", value, registry.GROUP)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [point])
    with pytest.raises(ValueError, match=f"agent 'ghost' {words}"):
        agents.make("ghost")


def test_a_bot_whose_file_needs_a_package_says_which(monkeypatch, tmp_path):
    (tmp_path / "needy_bots.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("needy", "needy_bots:Bot", registry.GROUP)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [point])
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        agents.make("needy")


def test_a_bot_with_parameters_of_its_own_has_its_chance():
    class Patient(DrawsLegal):
        def __init__(self, patience=1.0):
            self.patience = patience

    batch, one, other = a_batch(num_games=16), Patient(), Patient(2)
    before = one.act(batch, all_lanes(batch)).tolist()
    assert before == other.act(batch, all_lanes(batch)).tolist()
    one.reset(0)
    assert one.act(batch, all_lanes(batch)).tolist() == before
    one.reset(1)
    assert one.act(batch, all_lanes(batch)).tolist() != before


def test_a_choosing_agent_answers_lane_by_lane():
    batch = a_batch()
    masks = batch.masks()
    lanes = np.array([3, 1])
    assert FirstLegal().act(batch, lanes).tolist() == [np.flatnonzero(masks[lane])[0] for lane in lanes]
    assert FirstLegal(last=1).act(batch, lanes).tolist() == [
        np.flatnonzero(masks[lane])[-1] for lane in lanes
    ]


def test_chance_comes_from_the_seed_alone():
    batch = a_batch(num_games=64)
    for agent in (DrawsLegal(), agents.make("random")):
        answers = []
        for seed in (1, 2, 1):
            agent.reset(seed)
            answers.append(agent.act(batch, all_lanes(batch)).tolist())
        assert answers[0] == answers[2]
        assert answers[0] != answers[1]


@pytest.mark.parametrize("name", BOTS)
def test_a_scripted_bot_answers_the_same_whoever_else_is_asked(name):
    batch = a_batch(num_games=16)
    for _ in range(60):
        batch.step(batch.random_actions())
    agent = agents.make(name)
    together = agent.act(batch, all_lanes(batch))
    backwards = agent.act(batch, all_lanes(batch)[::-1])
    alone = [int(agent.act(batch, np.array([lane]))[0]) for lane in range(16)]
    assert together.tolist() == backwards[::-1].tolist() == alone


def test_random_draws_every_legal_action():
    batch = a_batch(num_games=1)
    agent = agents.make("random")
    drawn = set()
    for seed in range(100):
        agent.reset(seed)
        drawn.add(int(agent.act(batch, np.array([0]))[0]))
    assert drawn == set(np.flatnonzero(batch.masks()[0]).tolist())


def test_the_bot_of_the_readme_is_short_and_runs(capsys):
    page = ladder.README.read_text(encoding="utf-8")
    (code,) = (
        block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class Thrifty" in block
    )
    assert len([line for line in code.splitlines() if line]) <= 20
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert "thrifty" in capsys.readouterr().out


def test_the_readme_shows_the_parameters_of_the_code():
    page = ladder.README.read_text(encoding="utf-8")
    assert ladder.put(page, "parameters", ladder.parameters()) == page, "run `python -m agents.ladder`"
    assert ladder.parameters() in page


def test_a_bot_shows_its_name():
    assert repr(BalancedAgent(reserve=3)) == "<agent balanced:reserve=3>"
