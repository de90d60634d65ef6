"""Tables: they say what was played, every payment in them adds up, and files hold what frames hold."""

import pandas as pd
import pytest

from powergrid_env import Game, GameConfig
from powergrid_env.tables import TABLES, TRUST_SEAT, Played, frames, read_records, write
from tests import golden

SETTINGS = [
    GameConfig(players=2),
    GameConfig(players=3, board="usa"),
    GameConfig(players=4, edition="2004"),
    GameConfig(players=2, edition="2004", board="usa"),
    GameConfig(players=5, start_cities=True, deck="new"),
    GameConfig(players=6, board="usa"),
]


def games(count, first_seed=0):
    """Random games of all settings."""
    for number in range(count):
        yield Played.of(golden.play(SETTINGS[number % len(SETTINGS)], first_seed + number), number)


def check_every_payment(tables):
    sold = tables["lots"][tables["lots"]["winner"] != TRUST_SEAT]
    flows = [
        sold.groupby(["game_id", "winner"])["price"].sum().mul(-1).rename_axis(["game_id", "player"]),
        tables["fuel_buys"].groupby(["game_id", "player"])["price"].sum().mul(-1),
        tables["builds"].groupby(["game_id", "player"])["price"].sum().mul(-1),
        tables["powering"].groupby(["game_id", "player"])["income"].sum(),
    ]
    ends = tables["standings"].set_index(["game_id", "player"])["money"].astype(int)
    total = pd.concat(flows, axis=1).sum(axis=1).reindex(ends.index, fill_value=0) + 50
    assert total.astype(int).tolist() == ends.tolist()


def test_every_payment_adds_up_to_the_money_at_the_end(tables):
    check_every_payment(tables)


@pytest.mark.slow
def test_every_payment_adds_up_in_500_games():
    check_every_payment(frames(games(500, first_seed=1000)))


def test_each_lot_was_won_by_its_last_bid(tables):
    bids = tables["bids"]
    made = bids[bids["action"] == "bid"]
    last = made.groupby(["game_id", "lot_id"]).last()
    lots = tables["lots"][tables["lots"]["winner"] != TRUST_SEAT].set_index(["game_id", "lot_id"])
    assert (last["amount"] == lots["price"]).all()
    assert (last["player"] == lots["winner"]).all()
    assert (lots["price"] >= lots["minimum"]).all()
    assert (lots["winner_cash"] >= lots["price"]).all()
    contested = lots.dropna(subset=["second_bid"])
    assert len(contested) > 100
    assert (contested["second_bid"] < contested["price"]).all()
    assert (made["jump"] == made["amount"] - made["min_allowed"]).all()
    assert (made["amount"] <= made["cash_before"]).all()
    assert (bids["n_active"] == bids["still_in"].str.split().str.len()).all()


def test_the_trust_takes_plants_for_nothing(tables):
    taken = tables["lots"][tables["lots"]["winner"] == TRUST_SEAT]
    assert len(taken) > 20
    assert (taken["price"] == 0).all()
    assert (taken["winner_agent"] == "trust").all()
    two = tables["games"].query("players == 2 and edition == 'recharged'")["game_id"]
    assert set(taken["game_id"]) <= set(two)


def test_one_row_per_round_house_and_income(tables):
    ends = tables["standings"].set_index(["game_id", "player"])
    houses = tables["builds"].groupby(["game_id", "player"]).size().reindex(ends.index, fill_value=0)
    assert houses.tolist() == ends["cities"].tolist()
    rounds = tables["rounds"].groupby("game_id").size()
    assert rounds.tolist() == tables["games"]["rounds"].tolist()
    incomes = tables["powering"].groupby("game_id").size()
    paid_rounds = tables["games"]["rounds"] - (
        tables["games"]["reason"] == "cities"
    )  # R7.2: no income at the end
    expected = paid_rounds * tables["games"]["players"]
    assert incomes.tolist() == expected.tolist()


def test_standings_and_games_agree_with_the_result():
    game = golden.play(GameConfig(players=4))
    tables = frames([Played.of(game, 7, agents=["a", "b", "c", "d"])])
    result = game.result()
    standings = tables["standings"]
    assert standings["supplied"].tolist() == result.supplied
    assert standings["rank"].tolist() == result.ranks
    assert standings["agent"].tolist() == ["a", "b", "c", "d"]
    assert standings["reward"].tolist() == pytest.approx(result.rewards)
    assert tables["games"].loc[0, "winners"] == " ".join(map(str, result.winners))
    assert set(tables["bids"]["game_id"]) == {7}


def test_unfinished_games_have_tables_too():
    game = Game(players=3, seed=1).play(1).play(7)
    tables = frames([Played.of(game)])
    assert len(tables["lots"]) == 0
    assert len(tables["bids"]) == 1
    assert tables["standings"]["rank"].isna().all()


def test_no_games_no_rows():
    assert all(len(frame) == 0 for frame in frames([]).values())


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_files_hold_what_frames_hold(tmp_path, kind):
    played = list(games(12))
    counts = write(iter(played), tmp_path / "out", kind)
    whole = frames(played)
    for name in TABLES:
        path = tmp_path / "out" / f"{name}.{kind}"
        back = pd.read_parquet(path) if kind == "parquet" else pd.read_csv(path)
        assert len(back) == counts[name] == len(whole[name])
        assert list(back.columns) == list(whole[name].columns)
        for column in whole[name].select_dtypes("number"):
            assert back[column].sum() == pytest.approx(float(whole[name][column].sum()))
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {f".{kind}"}


def test_tables_of_record_files(tmp_path):
    first, second = golden.play(SETTINGS[1]), golden.play(SETTINGS[2])
    (tmp_path / "one.txt").write_text(first.record(["x", "y", "z"]) + second.record(), encoding="utf-8")
    (tmp_path / "two.txt").write_text(second.record(), encoding="utf-8")
    played = list(read_records([tmp_path / "one.txt", tmp_path / "two.txt"]))
    tables = frames(played)
    assert tables["games"]["game_id"].tolist() == [0, 1, 2]
    assert tables["games"]["agents"].tolist() == ["x | y | z", "p0 | p1 | p2 | p3", "p0 | p1 | p2 | p3"]
    check_every_payment(tables)


def test_a_record_with_a_hidden_stack_has_tables():
    from tests.test_record import TABLE

    tables = frames([Played.of(Game.replay(TABLE))])
    assert tables["lots"]["price"].tolist() == [4, 6, 7]
    assert tables["lots"]["winner_agent"].tolist() == ["Cem", "Bea", "Ann"]


def test_damaged_and_foreign_files_give_one_clear_line_and_no_tables(tmp_path):
    good = golden.play(SETTINGS[1]).record()
    (tmp_path / "bad.txt").write_text(good.replace("bid 7", "bid 8", 1), encoding="utf-8")
    (tmp_path / "foreign.bin").write_bytes(bytes(range(256)))
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    for name, words in (
        ("bad.txt", "bad.txt: line "),
        ("foreign.bin", "cannot be read"),
        ("empty.txt", "no record"),
    ):
        with pytest.raises(ValueError, match=words):
            write(read_records([tmp_path / name]), tmp_path / "out")
    with pytest.raises(ValueError, match="nothing.txt: no such file or directory"):
        write(read_records([tmp_path / "nothing.txt"]), tmp_path / "out")
    with pytest.raises(ValueError, match="format is 'xls'; allowed: parquet, csv"):
        write([], tmp_path / "out", "xls")
    assert list((tmp_path / "out").iterdir()) == []
