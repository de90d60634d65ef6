"""The search for parameters: what it draws, what it keeps, and which seeds it plays."""

import re

import pytest

import agents
from agents import tuning


def values(name):
    return {key: float(value) for key, value in re.findall(r"(\w+)=([\d.e+-]+)", name)}


def test_the_bot_as_it_is_comes_first_and_the_others_near_it():
    first, *others = tuning.draw("balanced", 20, width=0.1, seed=1)
    assert first.name == "balanced"
    assert len(others) == 19
    for one in others:
        assert agents.make(one.name).name == one.name
        for item in agents.make("balanced").parameters:
            reach = 0.05 * (item.high - item.low)
            assert abs(values(one.name)[item.name] - item.default) <= reach + 0.005


def test_a_parameter_of_a_style_stays_within_its_bounds():
    drawn = tuning.draw("sprinter:reserve=40", 30, width=0.2, seed=2, within={"overbuild": (2, 6)})
    overbuilt = [values(one.name)["overbuild"] for one in drawn[1:]]
    assert min(overbuilt) < 2.5
    assert max(overbuilt) > 5.5
    assert all(2 <= value <= 6 for value in overbuilt)
    assert all(32 <= values(one.name)["reserve"] <= 48 for one in drawn)


@pytest.mark.parametrize(
    "text", ["overbuild", "overbuild=3", "overbuild=5:2", "overbuild=a:b", "overbuild=1.2.3:4", "=1:2"]
)
def test_bounds_are_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r"within is .*; allowed: a parameter with its bounds"):
        tuning.bounds(text)


def test_what_cannot_be_searched_is_refused():
    with pytest.raises(ValueError, match="within names 'patience'; allowed: reserve, greed"):
        tuning.draw("balanced", 4, width=0.2, seed=0, within={"patience": (0, 1)})
    with pytest.raises(ValueError, match="within is overbuild=0:99; allowed: 0:8"):
        tuning.draw("balanced", 4, width=0.2, seed=0, within={"overbuild": (0, 99)})
    with pytest.raises(ValueError, match="bot is 'random'; allowed: a scripted bot with parameters"):
        tuning.draw("random", 4, width=0.2, seed=0)


def test_the_better_half_plays_on_with_twice_the_games(monkeypatch):
    played = []

    def score(name, field, games, seed):
        played.append((name, games, seed))
        return values(name).get("greed", 0.0)

    monkeypatch.setattr(tuning, "score", score)
    drawn = tuning.draw("balanced", 16, width=0.5, seed=3)
    kept = tuning.halve(drawn, ["balanced"], games=10, seed=50)
    assert [(games, seed) for _, games, seed in played] == [(10, 50)] * 16 + [(20, 51)] * 8 + [(40, 52)] * 4
    assert [one.name for one in kept] == [
        one.name for one in sorted(drawn, key=lambda one: -values(one.name).get("greed", 0.0))[:4]
    ]


def test_a_better_bot_scores_more():
    field = ["face_value"]
    strong, weak = (tuning.score(name, field, 24, 5, tuning.KINDS[:1]) for name in ("balanced", "random"))
    assert strong > 1.5
    assert weak < 0.5
