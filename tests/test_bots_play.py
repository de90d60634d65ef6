"""The scripted bots play every kind of game legally to its end, know nothing hidden, and are as strong as they should be."""

import numpy as np
import pytest

import agents
from agents import arena
from powergrid_env import hidden
from powergrid_env._jit import rule
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.constants import EndReason
from powergrid_env.rng import first_word
from tests.players import BOTS

KINDS = [
    *(
        {"players": players, "edition": edition}
        for players in range(2, 7)
        for edition in ("recharged", "2004")
    ),
    {"players": 4, "board": "usa"},
    {"players": 5, "board": "usa", "edition": "2004"},
    {"players": 2, "trust": False},
    {"players": 2, "start_cities": True},
    {"players": 4, "start_cities": True},
    {"players": 3, "deck": "new"},
    {"players": 3, "money": "hidden"},
    {"players": 3, "raises": (0,)},
    {"players": 3, "raises": "all"},
    {"players": 3, "skip_forced": True},
    {
        "players": 3,
        "rulings": {"scrap_fuel": "choose", "fuel": "pool", "usa_storage": "always"},
        "board": "usa",
    },
    {"players": 3, "rulings": {"start_city_choice": "own", "late_start": "empty_only"}, "start_cities": True},
]


@rule
def deal_anew(states, boards, words):
    for lane in range(len(states)):
        if states[lane].player >= 0:
            hidden.redeterminise(states[lane], boards[0], int(states[lane].player), words[lane])


def play(names, config, num_games, seed=0):
    """Play a batch with the bots taking turns in the seats; yields the batch before every move."""
    bots = [agents.make(name) for name in names]
    batch = GameBatch(config, num_games=num_games, seed=seed, autoreset=False)
    seats = (np.arange(num_games)[:, None] + np.arange(config.players)) % len(bots)
    while (batch.player >= 0).any():
        yield batch
        lanes = np.flatnonzero(batch.player >= 0)
        who = seats[lanes, batch.player[lanes]]
        for bot in np.unique(who):
            mine = lanes[who == bot]
            batch.step(bots[bot].act(batch, mine), mine)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_bots_play_every_kind_of_game_to_its_end(kind):
    config = GameConfig(**kind)
    for batch in play(BOTS, config, num_games=27):
        last = batch
    assert (last.states["end_reason"] == EndReason.CITIES).all()


@pytest.mark.parametrize(
    "kind", [{"players": 3}, {"players": 4, "edition": "2004", "board": "usa"}, {"players": 2}], ids=str
)
def test_bots_know_nothing_hidden(kind):
    config = GameConfig(**kind)
    bots = [agents.make(name) for name in BOTS]
    words = np.array([first_word(seed) for seed in range(18)], np.uint64)
    changed = 0
    for number, batch in enumerate(play(BOTS, config, num_games=18, seed=3)):
        if number % 7:
            continue
        lanes = np.flatnonzero(batch.player >= 0)
        before = [bot.act(batch, lanes) for bot in bots]
        kept = batch.states.copy()
        deal_anew(batch.states, batch.board.records, words)
        changed += int((kept["stack"] != batch.states["stack"]).any(axis=1).sum())
        for name, bot, answers in zip(BOTS, bots, before, strict=True):
            assert bot.act(batch, lanes).tolist() == answers.tolist(), name
        batch.states[:] = kept
    assert changed > 100


@pytest.mark.parametrize("name", ["balanced", "spoiler", "face_value"])
def test_with_hidden_money_bots_do_not_look_at_that_of_others(name):
    config = GameConfig(players=3, money="hidden")
    bot = agents.make(name)
    for number, batch in enumerate(play(["balanced"], config, num_games=6, seed=4)):
        if number % 5:
            continue
        lanes = np.flatnonzero(batch.player >= 0)
        before = bot.act(batch, lanes)
        kept = batch.states.copy()
        for lane in lanes:
            for seat in range(3):
                if seat != batch.states["player"][lane]:
                    batch.states["money"][lane, seat] += 37
        assert bot.act(batch, lanes).tolist() == before.tolist()
        batch.states[:] = kept


def test_the_same_seeds_give_the_same_games():
    config = GameConfig(players=4)
    ends = []
    for _ in range(2):
        for batch in play(BOTS, config, num_games=9, seed=8):
            last = batch
        ends.append(last.states.tobytes())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("board", ["germany", "usa"])
@pytest.mark.parametrize("players", [3, 4])
def test_balanced_beats_random_and_face_value(players, board):
    config = GameConfig(players=players, board=board)
    results = arena.tournament(["balanced", *["random"] * (players - 1)], config, games=240, seed=1)
    table = arena.standings(results, with_ratings=False).set_index("agent")
    assert table.loc["balanced", "win_share"] >= 0.98
    results = arena.tournament(["balanced", "face_value"], config, games=240, seed=2)
    ahead = arena.pairwise(results).set_index(["agent", "other"])
    assert ahead.loc[("balanced", "face_value"), "ahead"] >= 0.85
