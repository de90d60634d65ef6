"""Evaluation and examination: seeds, seats and intervals, purchases of an auction."""

import re

import pytest

import agents
from powergrid_env import Game, GameConfig
from tests.tiny_run import CONFIG

pytest.importorskip("torch")

from training import auctions, evaluate, examine, simulate

pytestmark = pytest.mark.train


# -------------------------------------------------------------------------------------- evaluation


def test_training_and_evaluation_use_other_seeds(trained):
    plan = list(evaluate._chunks((0, 1, 1), 3000, seed=2))
    seeds = [block.game_seed for chunk in plan for block in chunk.blocks]
    assert len(set(seeds)) == 1000
    assert not set(seeds) & set(trained.env.games.batch.seeds.tolist())
    # the first games of training are counted up as well
    assert trained.settings.seed + trained.settings.lanes < min(seeds)


def test_every_block_seats_the_line_up_in_all_ways():
    (chunk,) = evaluate._chunks((0, 1, 1), 7, seed=0)
    assert [block.seats for block in chunk.blocks] == [((0, 1, 1), (1, 0, 1), (1, 1, 0))] * 3
    assert chunk.num_games == 9


def test_a_share_of_nothing_has_an_interval_too():
    found = evaluate.against(agents.make("random"), ["balanced"], CONFIG, 30)
    assert found.share == found.low == 0
    assert 0.05 < found.high < 0.4


class Broken:
    name = "broken"

    def reset(self, seed):
        pass

    def act(self, batch, lanes):
        raise IndexError("a hole")


def test_forfeits_are_told_whoever_fails(monkeypatch):
    found = evaluate.against(Broken(), ["random"], CONFIG, 12)
    assert found.share == 0
    assert re.search(
        r"; broken forfeited 12 of 12 seats, the first by IndexError: a hole \(test_eval", str(found)
    )
    monkeypatch.setattr(evaluate, "make_agent", lambda name, config: Broken())
    found = evaluate.against(agents.make("random"), ["broken"], CONFIG, 12)
    assert found.share == 1
    assert "; broken forfeited 24 of 24 seats" in str(found)
    monkeypatch.undo()
    assert "forfeited" not in str(evaluate.against(agents.make("random"), ["random"], CONFIG, 12))


def test_a_focal_agent_beats_weaker_ones_and_residents_keep_an_invader_down():
    strong, weak = agents.make("face_value"), "random"
    assert evaluate.against(strong, [weak], CONFIG, 60).low > 1 / 3
    assert evaluate.against(strong, [weak], CONFIG, 60, resident=True).high < 1 / 3


# ---------------------------------------------------------------------------------------- auctions


def test_purchases_say_who_paid_what():
    game = Game(players=3, seed=7)
    chooser = game.player
    for text in ("nominate 5", "bid 5", "bid 6", "pass", "bid 9", "pass"):
        game.play(text)
    game.play(int(game.legal_actions()[0]))
    assert auctions.purchases(game) == [auctions.Purchase(seat=chooser, plant=5, price=9, minimum=5)]


def test_purchases_of_whole_games_add_up():
    fresh = [Game(GameConfig(players=3), seed=seed) for seed in range(4)]
    for game in simulate.play(fresh, [agents.make("random"), agents.make("face_value")], 1):
        sold = auctions.purchases(game)
        assert all(one.price >= one.minimum for one in sold)
        owned = {int(plant) for seat in range(3) for plant in game.state.plants[seat] if plant}
        assert owned <= {one.plant for one in sold}
        assert len({one.plant for one in sold}) == len(sold)
        assert all(one.minimum in (1, one.plant) for one in sold)


def test_an_examination_tells_of_every_opponent(trained):
    scalars = examine.examine(trained.trained_agent(), [agents.make("random")], CONFIG, 3)
    assert set(scalars) == {
        "examination/win_share_random", "auction/plants_per_game", "auction/price_over_minimum",
        "auction/bought_above_minimum", "auction/mean_plant_number",
    }  # fmt: skip
    assert 0 <= scalars["examination/win_share_random"] <= 1
    assert scalars["auction/plants_per_game"] >= 1
