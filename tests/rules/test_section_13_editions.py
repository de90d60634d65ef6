"""Section 13: the rows in which the editions differ, and each of them overridden alone in both editions."""

from collections import Counter

import pytest

from powergrid_env import Game, GameConfig, rulings
from tests.builders import (
    a_game,
    assert_refused,
    buildable,
    cost,
    finish_phase,
    finish_round,
    legal,
    market,
    order,
    plants,
    play,
    seat,
    stack,
    supply,
    track,
)

EDITIONS = ["recharged", "2004"]
BOTH = pytest.mark.parametrize("edition", EDITIONS)


def deal(seed=0, players=4, **rows):
    edition = rows.pop("edition")
    return Game(players=players, edition=edition, seed=seed, rulings=rows)


def tops(seeds=range(40), **rows):
    return {int(deal(seed, **rows).state.stack[0]) for seed in seeds}


def test_every_row_is_overridden_in_this_file():
    assert [row for row in rulings.EDITION_ROWS if f"test_{row}" not in globals()] == []


def test_the_edition_sets_all_rows_at_once():
    rows = {
        edition: {
            row: rulings.spell(row, GameConfig(players=2, edition=edition).ruling(row))
            for row in rulings.EDITION_ROWS
        }
        for edition in EDITIONS
    }
    assert rows["recharged"] == {
        "opening_market": "random", "stack_top": "random_plug", "cards_removed": "by_back", "garbage_start": 9,
        "uranium_start": 2, "cheap_plant": "discount", "unsold": "discounted_leaves", "obsolete_plants": "stay",
        "step3_card_phases": "phases_2_5", "plant_limit": 3, "step2_cities": 7, "end_cities": 18, "tie_break": "money",
        "coal_storage": "no", "uranium_stop": 39,
    }  # fmt: skip
    assert rows["2004"] == {
        "opening_market": "fixed", "stack_top": "fixed", "cards_removed": "of_all", "garbage_start": 6,
        "uranium_start": 2, "cheap_plant": "none", "unsold": "lowest_leaves", "obsolete_plants": "leave",
        "step3_card_phases": "phases_2_4_5", "plant_limit": 4, "step2_cities": 10, "end_cities": 21,
        "tie_break": "money_then_cities", "coal_storage": "no", "uranium_stop": 0,
    }  # fmt: skip
    usa = {edition: GameConfig(edition=edition, board="usa") for edition in EDITIONS}
    assert [usa[edition].ruling("coal_storage") for edition in EDITIONS] == [1, 0]
    assert [usa[edition].ruling("uranium_stop") for edition in EDITIONS] == [0, 0]


# --------------------------------------------------------------------------------------- setup


@BOTH
def test_opening_market(edition):
    fixed = {
        market(deal(seed, edition=edition, opening_market="fixed")).replace("*", "") for seed in range(5)
    }
    assert fixed == {"3 4 5 6 | 7 8 9 10"}
    drawn = [deal(seed, edition=edition, opening_market="random") for seed in range(20)]
    assert len({market(game) for game in drawn}) > 15
    for game in drawn:
        dealt = [*game.state.market, *game.state.stack[: game.state.stack_size], *game.state.removed]
        assert max(game.state.market) <= 15
        assert Counter(int(card) for card in dealt if card) == Counter([*range(3, 41), 42, 44, 46, 50, 51])


@BOTH
def test_stack_top(edition):
    assert tops(edition=edition, stack_top="fixed", opening_market="fixed") == {13}
    assert tops(edition=edition, stack_top="random_plug", opening_market="fixed") == {11, 12, 13, 14, 15}


@BOTH
def test_cards_removed(edition):
    plugs = Counter()
    for seed in range(60):
        out = deal(seed, edition=edition, cards_removed="by_back").state.removed
        assert ((out > 0) & (out <= 15)).sum() == 1
        assert (out > 15).sum() == 3
        out = deal(seed, edition=edition, cards_removed="of_all").state.removed
        assert (out > 0).sum() == 4
        plugs[int(((out > 0) & (out <= 15)).sum())] += 1
    assert plugs[0] > 10
    assert len(plugs) > 1


@BOTH
@pytest.mark.parametrize(("garbage", "price"), [(6, 7), (9, 6), (0, 0)])
def test_garbage_start(edition, garbage, price):
    game = deal(edition=edition, garbage_start=garbage)
    assert (track(game), supply(game)) == (f"24/18/{garbage}/2", f"0/6/{24 - garbage}/10")
    assert game.board.record.price[2, garbage] == price


@BOTH
@pytest.mark.parametrize(("uranium", "price"), [(2, 14), (4, 10), (12, 1)])
def test_uranium_start(edition, uranium, price):
    game = deal(edition=edition, uranium_start=uranium)
    assert (game.state.track[3], game.state.supply[3]) == (uranium, 12 - uranium)
    assert game.board.record.price[3, uranium] == price


# ------------------------------------------------------------------------------------- auction


@BOTH
def test_cheap_plant(edition):
    for row, least in [("discount", 1), ("none", 6)]:
        game = a_game(edition=edition, market="6 7 10 11 | 12 13 14 15", rulings={"cheap_plant": row})
        play(game, "nominate 6")
        assert legal(game)[0] == f"bid {least}"


@BOTH
@pytest.mark.parametrize("cheap_plant", ["discount", "none"])
def test_unsold(edition, cheap_plant):
    shown, without_8 = "8 10 13 14 | 15 16 19 20", "10 13 14 15 | 16 19 20 26"
    for row in ("discounted_leaves", "lowest_leaves"):
        rows = {"unsold": row, "cheap_plant": cheap_plant}
        game = a_game(edition=edition, market=shown, stack="26 30 31 S3", rulings=rows)
        finish_phase(game)
        # Never two plants; without a token nothing can leave under it.
        nothing = row == "discounted_leaves" and cheap_plant == "none"
        assert market(game) == (shown if nothing else without_8)
        game = a_game(edition=edition, market=shown, stack="26 30 31 S3", rulings=rows)
        play(game, "nominate 10, bid 10, pass, pass, pass, pass")
        leaves = row == "discounted_leaves" and cheap_plant == "discount"
        assert market(game) == ("13 14 15 16 | 19 20 26 30" if leaves else "8 13 14 15 | 16 19 20 26")


@BOTH
@pytest.mark.parametrize("limit", [3, 4])
def test_plant_limit(edition, limit):
    game = a_game(
        seat("20 21 25"), edition=edition, market="6 7 8 9 | 10 11 12 14", rulings={"plant_limit": limit}
    )
    play(game, "nominate 7, bid 7, pass, pass")
    assert game.decision == ("scrap" if limit == 3 else "choose")
    assert plants(game, 0) == [7, 20, 21, 25]


# ------------------------------------------------------------------------------- building, Steps


@BOTH
def test_obsolete_plants(edition):
    for row, shown in [("leave", "7 8 9 10 | 12 14 20 30"), ("stay", "6 7 8 9 | 10 12 14 20")]:
        game = a_game(
            seat(cities=5, money=99), phase="building", acted=[1, 2], edition=edition,
            market="6 7 8 9 | 10 12 14 20", stack="30 31 S3", rulings={"obsolete_plants": row},
        )  # fmt: skip
        play(game, f"build {buildable(game)[0]}")
        assert market(game) == shown


@BOTH
@pytest.mark.parametrize("needed", [5, 8])
def test_step2_cities(edition, needed):
    for cities, step in [(needed - 1, 1), (needed, 2)]:
        game = a_game(
            seat(cities=cities),
            phase="building",
            edition=edition,
            rulings={"step2_cities": needed},
            market="10 13 15 16 | 18 20 25 36",
        )
        finish_phase(game)
        assert game.step_number == step


@BOTH
@pytest.mark.parametrize("needed", [9, 19])
def test_end_cities(edition, needed):
    for cities in (needed - 1, needed):
        game = a_game(
            seat(cities=cities), phase="building", step=2, edition=edition, market="20 21 22 23 | 24 25 26 27",
            rulings={"end_cities": needed},
        )  # fmt: skip
        finish_phase(game)
        assert game.over == (cities == needed)


@BOTH
def test_step3_card_phases(edition):
    for row, step in [("phases_2_5", 2), ("phases_2_4_5", 3)]:
        game = a_game(
            seat(cities=7), phase="building", edition=edition, market="10 13 15 16 | 18 20 25 36", stack="S3 44 46",
            rulings={"step3_card_phases": row},
        )  # fmt: skip
        finish_phase(game)
        assert (game.step_number, game.phase) == (step, "bureaucracy")
        finish_phase(game)
        assert game.step_number == 3


@BOTH
def test_tie_break(edition):
    for row, winners in [("money", [0, 1]), ("money_then_cities", [0])]:
        game = a_game(
            seat("13", cities=17), seat("22", cities=1), phase="building", step=2, edition=edition,
            market="18 19 20 21 | 23 24 25 26", rulings={"tie_break": row},
        )  # fmt: skip
        finish_phase(game)
        assert game.result().winners == winners


# ---------------------------------------------------------------------------------------- maps


@BOTH
@pytest.mark.parametrize("board", ["germany", "usa"])
def test_uranium_stop(edition, board):
    for row, uranium in [(39, 5), (37, 6), ("none", 6)]:
        game = a_game(
            step=2,
            edition=edition,
            board=board,
            market="36 37 38 39 | 40 42 44 46",
            track="5/5/5/5",
            rulings={"uranium_stop": row},
        )
        play(game, "nominate 39, bid 39, pass, pass")
        finish_round(game)
        assert game.state.track[3] == uranium


@BOTH
@pytest.mark.parametrize("board", ["germany", "usa"])
def test_coal_storage(edition, board):
    for row in ("yes", "no"):
        has = row == "yes"
        game = a_game(
            seat("8"), phase="resources", acted=[1, 2], edition=edition, board=board, track="0/18/6/2",
            rulings={"coal_storage": row},
        )  # fmt: skip
        assert (game.state.storage, game.state.supply[0]) == ((24, 0) if has else (0, 24))
        if has:
            assert cost(game, "buy 2 coal") == 16
        else:
            assert_refused(game, "buy 2 coal", "R3.7")


def test_two_players_the_trust_is_a_row_as_well():
    official, unofficial, old = (
        Game(players=2, edition=edition, trust=trust, seed=1)
        for edition, trust in [("recharged", None), ("recharged", False), ("2004", None)]
    )
    assert (official.phase, unofficial.phase, old.phase) == ("trust_setup", "auction", "auction")
    record = unofficial.board.record  # keeps the Recharged numbers of RC.7
    assert (record.plant_limit, record.step2_cities, record.end_cities, unofficial.state.stack_size) == (
        3,
        7,
        18,
        29,
    )
    assert sorted(order(unofficial)) == [0, 1]
    game = a_game(players=2, trust=False, phase="bureaucracy", track="10/10/10/5", stack="40 S3")
    finish_phase(game)
    assert (track(game), stack(game).endswith("10")) == ("13/12/11/6", True)


def test_start_cities_are_a_row_of_recharged_only():
    assert Game(players=3, start_cities=True, seed=0).phase == "start_cities"
    with pytest.raises(ValueError, match="start_cities"):
        Game(players=3, start_cities=True, edition="2004", seed=0)


@pytest.mark.parametrize("board", ["germany", "usa"])
def test_what_the_editions_share(board):
    new, old = (Game(players=4, edition=edition, board=board, seed=0).board.record for edition in EDITIONS)
    for field in (
        "start_money",
        "income",
        "resupply",
        "space_price",
        "price",
        "plant_kind",
        "plant_burn",
        "plant_cities",
        "tokens",
    ):
        assert (new[field] == old[field]).all(), field
