"""The arena: balanced seats, the same table for the same seed, forfeits, resuming, and sound statistics."""

import re
import time
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import agents
from agents import arena
from agents.arena import play, ratings, schedule, statistics
from agents.arena.results import COLUMNS
from powergrid_env.config import GameConfig

THREE = GameConfig(players=3)


class Raises(agents.ChoosingAgent):
    name = "raises"

    def choose(self, observation, mask, rng):
        raise RuntimeError("no idea")


class Cheats(agents.ChoosingAgent):
    """Plays an illegal action once it may buy fuel, a legal one before."""

    name = "cheats"

    def choose(self, observation, mask, rng):
        return np.flatnonzero(mask)[-1] if mask[0] == 0 else int(np.flatnonzero(mask == 0)[0])


class Sleeps(agents.ChoosingAgent):
    """Takes too long for every move, and counts them."""

    name = "sleeps"
    moves = 0

    def choose(self, observation, mask, rng):
        self.moves += 1
        time.sleep(0.2)
        return np.flatnonzero(mask)[0]


class Babbles(agents.ChoosingAgent):
    name = "babbles"

    def act(self, batch, lanes):
        return ["pass"] * len(lanes)


# ------------------------------------------------------------------------------------ schedule


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_everybody_sits_everywhere_and_follows_everybody_equally_often(size):
    rows = schedule.arrangements(tuple(range(size)))
    seats = Counter((seat, entrant) for row in rows for seat, entrant in enumerate(row))
    assert len(set(seats.values())) == 1
    assert len(seats) == size * size
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert len(neighbours) == size * (size - 1)
    assert len(set(neighbours.values())) == 1


def test_line_ups_are_all_choices_or_share_the_seats():
    assert schedule.line_ups(3, 3) == [(0, 1, 2)]
    assert schedule.line_ups(4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert schedule.line_ups(2, 4) == [(0, 0, 1, 1)]
    assert schedule.line_ups(1, 3) == [(0, 0, 0)]


def test_a_block_has_one_deck_and_blocks_have_different_ones():
    made = schedule.blocks(["a", "b", "c"], 3, 50, seed=1)
    assert [len(block.seats) for block in made] == [6] * 9
    assert len({block.game_seed for block in made}) == 9
    assert schedule.blocks(["a", "b", "c"], 3, 20, seed=1) == made[:4]


def test_the_same_agent_twice_is_one_entrant():
    made = schedule.blocks(["a", "b", "b"], 3, 3, seed=1)
    assert [block.seats for block in made] == [((0, 1, 1), (1, 0, 1), (1, 1, 0))]


# ------------------------------------------------------------------------------------ tournaments


def test_the_table_has_a_row_per_game_and_seat(tmp_path):
    out = tmp_path / "results.csv"
    results = arena.tournament(["balanced", "face_value", "random"], THREE, games=30, seed=1, out=out)
    assert len(results) == 30 * 3
    assert (results.groupby("game")["seat"].apply(list).map(lambda seats: seats == [0, 1, 2])).all()
    assert results.groupby("game")["win_share"].sum().eq(1).all()
    assert (results.groupby("game")["rank"].min() == 1).all()
    assert (results["forfeit"] == "").all()
    pd.testing.assert_frame_equal(arena.read_results(out), results)
    assert not (tmp_path / "results.csv.parts").exists()


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_the_same_tournament_gives_the_same_file(tmp_path, name):
    for folder in ("one", "two"):
        arena.tournament(["balanced", "random"], THREE, games=12, seed=2, out=tmp_path / folder / name)
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_processes_change_nothing(monkeypatch):
    monkeypatch.setattr(play, "GAMES_PER_CHUNK", 6)
    alone = arena.tournament(["face_value", "random"], THREE, games=12, seed=2)
    shared = arena.tournament(["face_value", "random"], THREE, games=12, seed=2, processes=2)
    pd.testing.assert_frame_equal(alone, shared)


def test_a_killed_tournament_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "GAMES_PER_CHUNK", 6)
    line = ["face_value", "random"]
    whole = arena.tournament(line, THREE, games=24, seed=2)
    played = []
    play_chunk = play.play_chunk

    def play_two(plan, chunk):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(chunk.number)
        return play_chunk(plan, chunk)

    out = tmp_path / "a.parquet"
    monkeypatch.setattr(play, "play_chunk", play_two)
    with pytest.raises(KeyboardInterrupt):
        arena.tournament(line, THREE, games=24, seed=2, out=out)
    assert not out.exists()
    monkeypatch.setattr(
        play, "play_chunk", lambda plan, chunk: played.append(chunk.number) or play_chunk(plan, chunk)
    )
    pd.testing.assert_frame_equal(arena.tournament(line, THREE, games=24, seed=2, out=out), whole)
    assert played == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"", "results is .*a.txt.*; allowed: a name that ends in"),
        ("a.csv", b"", "a.csv: no table of results"),
        ("a.csv", b"\xff\xfe", "a.csv: no table of results"),
        ("a.csv", b"agent,rank\n", "columns are missing: version"),
        ("a.csv", ",".join(name for name, _ in COLUMNS).encode(), "without a game"),
        ("a.parquet", b"agent", "a.parquet: no table of results"),
    ],
)
def test_a_file_without_results_is_refused(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=words):
        arena.read_results(tmp_path / name)


def test_parts_of_another_tournament_are_refused(tmp_path, monkeypatch):
    out = tmp_path / "a.csv"

    def stop(plan, chunk):
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "play_chunk", stop)
    with pytest.raises(KeyboardInterrupt):
        arena.tournament(["random"], THREE, games=3, seed=2, out=out)
    with pytest.raises(ValueError, match="parts of another tournament"):
        arena.tournament(["random"], THREE, games=3, seed=3, out=out)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"agents": ["balanced", "no_such_bot"]}, "no_such_bot"),
        ({"agents": ["balanced:reserve=1000"]}, "reserve"),
        ({"agents": []}, "agents is empty"),
        ({"games": 0}, "games is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"processes": 0}, "processes is 0"),
        ({"seconds_per_move": 0}, "seconds_per_move is 0"),
        ({"out": "a.txt"}, r"a\.txt"),
        ({"agents": [Raises()], "processes": 2}, "by name"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_is_played(fields, words, monkeypatch):
    monkeypatch.setattr(play, "play_chunk", lambda plan, chunk: pytest.fail("it played"))
    with pytest.raises(ValueError, match=words):
        arena.tournament(**{"agents": ["random"], "config": THREE, "games": 3, **fields})


# ------------------------------------------------------------------------------------ forfeits


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        (Raises(), r"^RuntimeError: no idea \(test_arena.py:\d+\)$"),
        (Cheats(), "illegal action"),
        (Babbles(), "answered with an array"),
    ],
)
def test_a_bot_that_fails_forfeits_and_the_games_go_on(bot, reason):
    results = arena.tournament([bot, "face_value", "random"], THREE, games=12, seed=1)
    mine = results["agent"] == bot.name
    assert results.loc[mine, "forfeit"].str.contains(reason).all()
    assert (results.loc[mine, "rank"] == 3).all()
    assert (results.loc[mine, "win_share"] == 0).all()
    assert (results.loc[~mine, "forfeit"] == "").all()
    assert results.groupby("game")["win_share"].sum().eq(1).all()
    table = arena.standings(results, with_ratings=False).set_index("agent")
    assert table.loc[bot.name, "forfeits"] == 12
    told = statistics.forfeits_in_words(results)
    assert re.match(rf"{bot.name} forfeited 12 of 12 seats, the first by .*{reason.strip('^$')}", told)
    assert statistics.forfeits_in_words(results[~mine]) == ""


def test_a_bot_that_sleeps_forfeits():
    bot = Sleeps()
    results = arena.tournament([bot, "face_value", "random"], THREE, games=6, seed=1, seconds_per_move=0.05)
    assert bot.moves <= 6  # one in each game, and nobody waits for another
    mine = results["agent"] == "sleeps"
    assert results.loc[mine, "forfeit"].str.contains("s for a move|too slow").all()
    assert (results.loc[~mine, "forfeit"] == "").all()


# ------------------------------------------------------------------------------------ statistics


def test_one_bot_against_itself_wins_par_in_every_seat():
    results = arena.tournament(["balanced"], THREE, games=300, seed=3)
    table = arena.seat_shares(results)
    assert table["win_share"].sum() == pytest.approx(1)
    assert (abs(table["win_share"] - 1 / 3) < 0.11).all()
    assert arena.standings(results).loc[0, "win_share"] == pytest.approx(1 / 3)


def test_intervals_hold_the_share_and_narrow_with_blocks():
    rng = np.random.default_rng(0)
    few, many = (rng.random(count) for count in (20, 500))
    share, low, high = statistics.share_with_interval(few, np.ones(20))
    assert low < share < high
    _, near_low, near_high = statistics.share_with_interval(many, np.ones(500))
    assert near_high - near_low < (high - low) / 2


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(1)
    covered = 0
    for repeat in range(100):
        blocks = rng.binomial(6, 0.4, size=80) / 6
        _, low, high = statistics.share_with_interval(blocks, np.ones(80), seed=repeat)
        covered += low <= 0.4 <= high
    assert 88 <= covered <= 100


@pytest.mark.parametrize("share", [0, 1])
def test_blocks_that_all_agree_leave_room_for_another_end(share):
    lengths = []
    for blocks in (4, 40):
        sums, counts = np.full(blocks, 6.0 * share), np.full(blocks, 6.0)
        found, low, high = statistics.share_with_interval(sums, counts)
        assert found == share == (high if share else low)
        lengths.append(high - low)
    assert lengths == pytest.approx([0.490, 0.088], abs=0.001)  # Wilson: z**2 / (blocks + z**2)


def test_ratings_find_the_strengths_that_made_the_ranks():
    rng = np.random.default_rng(2)
    truth = np.array([-1.0, 0.0, 1.0])
    entrants = np.tile([0, 1, 2], (4000, 1))
    noise = rng.gumbel(
        size=entrants.shape
    )  # the order of strengths with Gumbel noise is a Plackett-Luce draw
    ranks = 1 + np.argsort(np.argsort(-(truth[entrants] + noise), axis=1), axis=1)
    assert ratings.fit(entrants, ranks, np.ones(4000), 3) == pytest.approx(truth, abs=0.08)


def test_ratings_of_a_bot_that_always_wins_are_finite_and_ties_rate_equal():
    entrants = np.tile([0, 1, 2], (50, 1))
    rating = ratings.fit(entrants, np.tile([1, 2, 2], (50, 1)), np.ones(50), 3)
    assert np.isfinite(rating).all()
    assert rating[0] > rating[1] == pytest.approx(rating[2])


def test_the_rating_of_a_bot_that_always_wins_has_an_interval_without_end():
    results = arena.tournament(["face_value", "random"], THREE, games=12, seed=0)
    table = ratings.with_intervals(results).set_index("agent")
    assert np.isfinite(table["rating"]).all()
    assert table.loc["face_value", ["rating_low", "rating_high"]].tolist() == [-np.inf, np.inf]
    assert table.loc["random", ["rating_low", "rating_high"]].tolist() == [0, 0]


@pytest.mark.parametrize("anchor", ["balanced", "d"])
def test_a_rating_is_held_by_results_either_way(anchor):
    entrants = np.array(
        [[0, 1], [1, 2], [2, 1], [2, 3]]
    )  # a before b, b and the anchor in turn, the anchor before c
    found = ratings.held(entrants, np.tile([1, 2], (4, 1)), ["a", "b", anchor, "c"])
    assert found.tolist() == [False, True, True, False]


def test_a_rating_between_the_anchors_is_held():
    entrants, ranks = np.array([[2, 1], [1, 0]]), np.tile([1, 2], (2, 1))
    assert ratings.held(entrants, ranks, ["random", "b", "balanced"]).all()


def test_ratings_are_anchored_on_random_and_balanced():
    results = arena.tournament(["balanced", "face_value", "random"], THREE, games=60, seed=1)
    table = arena.standings(results).set_index("agent")
    assert table.loc["random", "rating"] == 0
    assert table.loc["balanced", "rating"] == 100
    assert 0 < table.loc["face_value", "rating"] < 100


def test_comparisons_and_differences_mirror_each_other():
    results = arena.tournament(["balanced", "face_value", "random"], THREE, games=60, seed=1)
    ahead = arena.pairwise(results).set_index(["agent", "other"])["ahead"]
    assert ahead["balanced", "random"] + ahead["random", "balanced"] == pytest.approx(1)
    difference = arena.paired_differences(results).set_index(["agent", "other"])
    shares = results.groupby("agent")["win_share"].mean()
    expected = shares["balanced"] - shares["random"]
    assert difference.loc[("balanced", "random"), "difference"] == pytest.approx(expected)


def test_the_plot_is_drawn(tmp_path):
    results = arena.tournament(["face_value", "random"], THREE, games=12, seed=1)
    statistics.plot_standings(arena.standings(results), str(tmp_path / "shares.png"))
    assert (tmp_path / "shares.png").stat().st_size > 1000
