"""Search bots, and those that are no program: legal answers, budgets, chance, and that search finds what is to be found."""

import time

import numpy as np
import pytest

import agents
from agents.human import HumanAgent
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.constants import Decision

SEARCHERS = ["rollout", "ismcts"]


def late_batch(rounds=5, players=3, num_games=6, seed=2, decision=None, **fields):
    """Games that `balanced` has played up to a round, and to a decision."""
    batch = GameBatch(GameConfig(players=players, **fields), num_games=num_games, seed=seed, autoreset=False)
    bot = agents.make("balanced")
    while True:
        early = batch.states["round_number"] < rounds
        if decision is not None:
            early |= batch.states["decision"] != decision
        lanes = np.flatnonzero(early & (batch.player >= 0))
        if not len(lanes):
            return batch
        batch.step(bot.act(batch, lanes), lanes)


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(
    "kind", [{}, {"edition": "2004", "board": "usa"}, {"players": 2}, {"skip_forced": True}], ids=str
)
def test_search_answers_legally(name, kind):
    batch = late_batch(rounds=4, **kind)
    bot = agents.make(f"{name}:simulations=16")
    for _ in range(6):
        lanes = np.flatnonzero(batch.player >= 0)
        actions = bot.act(batch, lanes)
        assert (batch.verify(actions, lanes) == 0).all()
        batch.step(actions, lanes)


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_with_a_budget_of_simulations_follows_from_its_seed(name):
    batch = late_batch()
    before = batch.states.tobytes()
    bot = agents.make(f"{name}:simulations=24")
    answers = []
    for _ in range(2):
        bot.reset(3)
        answers.append(bot.act(batch, np.arange(6)).tolist())
    assert answers[0] == answers[1]
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_keeps_to_its_time(name):
    batch = late_batch(decision=Decision.BUILD)
    bot = agents.make(f"{name}:time=0.2")
    bot.act(batch, np.array([0]))
    begin = time.process_time()
    bot.act(batch, np.array([0]))
    assert time.process_time() - begin < 1.0


def test_a_person_answers_by_number_or_in_words():
    batch = GameBatch(GameConfig(players=3), num_games=1, seed=1)
    shown = []
    lines = iter(["", "bid 4", "nominate 50", "99", "1"])
    first = int(HumanAgent(lambda prompt: next(lines), shown.append).act(batch, np.array([0]))[0])
    assert first == np.flatnonzero(batch.masks()[0])[0]
    words = batch.game(0).words(first)
    assert any(words in text for text in shown)
    assert any("R2" in text for text in shown)  # the refusals cite the rule
    again = HumanAgent(lambda prompt: words, shown.append).act(batch, np.array([0]))
    assert again.tolist() == [first]


def test_a_policy_needs_a_model_file(tmp_path):
    with pytest.raises(ValueError, match=r"no_model\.zip"):
        agents.make(f"policy:{tmp_path}/no_model.zip")
    with pytest.raises(ValueError, match="policy needs path"):
        agents.make("policy")
    (tmp_path / "model.zip").write_bytes(b"no zip")
    bot = agents.make(f"policy:{tmp_path}")
    with pytest.raises(ValueError, match="no model"):
        bot.act(GameBatch(GameConfig(players=3), num_games=2, seed=1), np.arange(2))
