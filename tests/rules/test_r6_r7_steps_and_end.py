"""R6 and R7: the three Steps and the end of the game."""

import pytest

from powergrid_env import Game
from tests.builders import (
    a_game,
    buildable,
    cards,
    choices,
    cost,
    finish_phase,
    finish_round,
    legal,
    market,
    play,
    seat,
    stack,
    track,
)


def after_building(cities, *others, **more):
    """Phase 4 ends with these numbers of cities; the game stands in phase 5."""
    owners = [seat(cities=count) for count in (cities, *others)]
    game = a_game(*owners, phase="building", **more)
    finish_phase(game)
    return game


# -------------------------------------------------------------------------------------- Step 2


@pytest.mark.parametrize(("players", "needed"), [(3, 7), (4, 7), (5, 7), (6, 6)])
def test_r6_10_step_2_starts_after_phase_4_at_so_many_cities(players, needed):
    for cities, step in [(needed - 1, 1), (needed, 2), (needed + 2, 2)]:
        game = after_building(
            cities, players=players, market="10 13 15 16 | 18 20 25 36", stack="22 40 44 S3"
        )
        assert (game.phase, game.step_number) == ("bureaucracy", step)
        shown = "13 15 16 18 | 20 22 25 36" if step == 2 else "10 13 15 16 | 18 20 25 36"
        assert market(game) == shown


def test_r6_10_resupply_is_that_of_step_2_and_second_houses_wait_for_the_next_phase_4():
    game = a_game(seat(cities=6, money=900), seat("13"), phase="building", acted=[1, 2], track="10/10/10/5")
    assert_no_second_house(game)
    play(game, f"build {buildable(game)[0]}")
    assert_no_second_house(game)
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "15/13/12/6"
    finish_phase(game)
    finish_phase(game)
    assert (game.phase, game.player) == ("building", 2)
    assert {cost(game, f"build {city}") for city in buildable(game)} == {10, 15}


def assert_no_second_house(game):
    assert all(game.state.city_spaces[game.board.cities.index(city), 0] < 0 for city in buildable(game))


def test_r6_10_once_and_one_plant_only():
    game = after_building(7, 8, 9, players=4, market="10 13 15 16 | 18 20 25 36", stack="22 40 44 S3")
    assert (market(game), stack(game)) == ("13 15 16 18 | 20 22 25 36", "40 44 S3")
    game = after_building(9, step=2, market="10 13 15 16 | 18 20 25 36", stack="22 40 44 S3")
    assert (market(game), stack(game)) == ("10 13 15 16 | 18 20 25 36", "22 40 44 S3")


def test_r6_11_the_same_moment_in_2004():
    for cities, step, shown in [(6, 1, "10 13 15 16 | 18 20 25 36"), (7, 2, "13 15 16 18 | 20 22 25 36")]:
        game = after_building(cities, edition="2004", market="10 13 15 16 | 18 20 25 36", stack="22 40 44 S3")
        assert (game.step_number, market(game)) == (step, shown)
    game = after_building(
        7, edition="2004", market="10 13 15 16 | 18 20 25 36", stack="22 40 S3", track="1/1/1/1"
    )
    finish_phase(game)
    assert track(game) == "6/4/3/2"


def test_r6_11_two_players_of_2004_need_10_cities():
    for cities, step in [(9, 1), (10, 2)]:
        assert after_building(cities, 2, players=2, edition="2004").step_number == step


def test_r6_11_the_step_3_card_as_replacement_counts_as_phase_4():
    game = after_building(
        7, edition="2004", market="10 13 15 16 | 18 20 25 36", stack="S3 44", track="1/1/1/1"
    )
    # 10 leaves for Step 2, the card comes, 13 leaves: six plants, Step 3 in this phase 5.
    assert (game.step_number, market(game), stack(game)) == (3, "15 16 18 20 25 36", "44")
    finish_phase(game)
    assert track(game) == "4/5/4/2"


def test_r6_12_no_other_trigger():
    # All 21 cities of the zone hold a house, nobody has the number: no Step 2 (A17).
    game = after_building(7, 7, 7, rulings={"step2_cities": 8}, market="10 13 15 16 | 18 20 25 36")
    assert (game.step_number, market(game)) == (1, "10 13 15 16 | 18 20 25 36")


# -------------------------------------------------------------------------------------- Step 3


def test_r6_20_the_plants_under_the_card_are_shuffled_when_it_is_drawn():
    piles = set()
    for seed in range(12):
        game = a_game(
            phase="bureaucracy", step=2, market="10 13 15 16 | 18 20 25 36", stack="S3 44 46 33 31", seed=seed
        )
        finish_phase(game)
        piles.add(stack(game))
    assert len(piles) > 6
    assert {tuple(sorted(cards(pile))) for pile in piles} == {(31, 33, 36, 44, 46)}


def test_r6_21_drawn_in_phase_2_the_card_lies_as_the_highest_plant_until_the_phase_ends():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 25 31 33", track="10/10/10/5")
    play(game, "nominate 6, bid 1, pass, pass")
    assert (market(game), sorted(cards(stack(game))), game.step_number) == (
        "7 10 11 12 | 13 14 15 S3",
        [25, 31, 33],
        2,
    )
    assert choices(game) == [7, 10, 11, 12]
    finish_phase(game)
    assert (market(game), sorted(cards(stack(game)))) == ("10 11 12 13 14 15", [25, 31, 33])
    assert (game.phase, game.step_number) == ("resources", 3)
    finish_phase(game)
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "13/14/13/6"
    assert cards(market(game)) == [11, 12, 13, 14, 15, ({25, 31, 33} - set(cards(stack(game)))).pop()]


def test_r6_21_third_houses_in_the_same_round():
    owners = [seat(cities="Essen"), seat(cities="Essen"), seat(cities="Köln")]
    game = a_game(*owners, step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 25 31 33")
    play(game, "nominate 6, bid 1, pass, pass, pass, pass")
    finish_phase(game)
    assert (game.phase, game.player) == ("building", 2)
    assert cost(game, "build Essen") == 6 + 20


def test_r6_21_further_replacements_come_from_the_new_stack():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 31")
    play(game, "nominate 6, bid 1, pass, pass, nominate 7, bid 7, pass")
    assert (market(game), stack(game)) == ("10 11 12 13 | 14 15 31 S3", "")
    play(game, "nominate 11, bid 11")
    assert (market(game), game.step_number) == ("12 13 14 15 31", 3)  # nothing drawn, 10 and the card leave


def test_r6_22_drawn_in_phase_5_step_3_begins_with_the_next_round():
    game = a_game(
        players=4,
        phase="bureaucracy",
        step=2,
        market="10 13 15 16 | 18 20 25 36",
        stack="S3 44 46",
        track="1/1/1/1",
    )
    finish_phase(game)
    assert track(game) == "7/5/4/3"
    assert (market(game), sorted(cards(stack(game)))) == ("13* 15 16 18 20 25", [36, 44, 46])
    assert (game.phase, game.step_number) == ("auction", 3)
    assert choices(game) == [13, 15, 16, 18, 20, 25]


def test_r6_23_drawn_in_phase_4_of_2004_step_3_begins_with_phase_5():
    owners = [
        seat(cities="Essen, Münster, Duisburg, Dortmund", money=500),
        seat(cities="Köln"),
        seat(cities="Köln"),
    ]
    game = a_game(
        *owners, phase="building", acted=[1, 2], step=2, edition="2004",
        market="5 7 10 11 | 12 14 15 16", stack="S3 44 46", track="1/1/1/1",
    )  # fmt: skip
    play(game, "build Düsseldorf")  # the 5th city: 5 leaves, the card comes, 7 leaves
    assert (market(game).replace("| ", ""), sorted(cards(stack(game)))) == ("10 11 12 14 15 16", [44, 46])
    assert (game.step_number, "Köln" in buildable(game)) == (2, False)
    finish_phase(game)
    assert (game.phase, game.step_number) == ("bureaucracy", 3)
    finish_phase(game)
    assert track(game) == "4/5/4/2"


def test_r6_24_drawn_as_the_replacement_for_step_2_it_counts_as_phase_5():
    game = after_building(7, players=4, market="10 13 15 16 | 18 20 25 36", stack="S3 44 46", track="1/1/1/1")
    assert (game.phase, game.step_number) == ("bureaucracy", 2)
    assert cards(market(game)) == [15, 16, 18, 20, 25, 36]
    finish_phase(game)
    assert track(game) == "7/5/4/3"
    # Part (d) is skipped, and Step 3 has begun.
    assert (market(game), sorted(cards(stack(game))), game.step_number) == ("15* 16 18 20 25 36", [44, 46], 3)
    # Skipped once: in the next round one card comes for the unsold 15 and one by part (d).
    finish_round(game)
    assert (market(game), stack(game)) == ("18* 20 25 36 44 46", "")


def test_r6_25_the_card_before_step_2_in_phase_5():
    game = a_game(
        players=4,
        phase="bureaucracy",
        step=1,
        market="10 13 15 16 | 18 20 25 36",
        stack="S3 44 46",
        track="1/1/1/1",
    )
    finish_phase(game)
    assert track(game) == "6/4/3/2"  # resupply already done is not corrected
    shown, pile = cards(market(game)), cards(stack(game))
    assert (len(shown), shown[:5], len(pile)) == (6, [15, 16, 18, 20, 25], 2)
    assert sorted([shown[5], *pile]) == [36, 44, 46]
    assert game.step_number == 3


def test_r6_25_the_card_before_step_2_in_phase_2():
    game = a_game(step=1, market="6* 7 10 11 | 12 13 14 15", stack="S3 31")
    play(game, "nominate 6, bid 1, pass, pass")
    assert (market(game), game.step_number) == ("7 10 11 12 | 13 14 15 S3", 1)
    finish_phase(game)
    # 7 leaves and 31 comes for Step 2; then 10 and the card leave.
    assert (market(game), stack(game), game.step_number) == ("11 12 13 14 15 31", "", 3)


def test_r6_26_six_plants_all_current_and_one_discounted():
    game = a_game(step=3, market="24* 25 30 31 36 38", stack="40 44")
    assert choices(game) == [24, 25, 30, 31, 36, 38]
    play(game, "nominate 25, bid 25, pass, pass")
    assert market(game) == "24* 30 31 36 38 40"
    finish_phase(game)
    assert market(game) == "30 31 36 38 40 44"  # 24 unsold under the token


@pytest.mark.parametrize("edition", ["recharged", "2004"])
def test_r6_27_market_sizes(edition):
    sizes = {1: set(), 2: set(), 3: set()}
    for players in range(2, 7):
        game = Game(players=players, edition=edition, seed=players, raises=[0])
        while not game.over:
            if game.decision == "choose":
                sizes[game.step_number].add(int(game.state.market_size))
            actions = game.legal_actions()  # few plants, many cities
            has_plants = game.state.num_plants[game.player] > 1
            game.play(
                actions[0 if game.decision == "bid" or (game.decision == "choose" and has_plants) else -1]
            )
    assert (sizes[1], sizes[2], max(sizes[3])) == ({8}, {8}, 6)


# ----------------------------------------------------------------------------------------- end


@pytest.mark.parametrize(("players", "needed"), [(3, 17), (4, 17), (5, 15), (6, 14)])
def test_r7_1_the_game_ends_after_phase_4_at_so_many_cities(players, needed):
    for cities in (needed - 1, needed, needed + 1):
        game = after_building(cities, players=players, step=2)
        assert game.over == (cities >= needed)
        assert game.phase == ("over" if game.over else "bureaucracy")


def test_r7_1_all_finish_phase_4_and_may_build_beyond():
    owners = [seat(cities=12, money=300), seat(cities=13, money=300), seat(cities=16, money=300)]
    game = a_game(*owners, players=4, phase="building", step=2, acted=[3])
    for _ in range(2):
        play(game, f"build {buildable(game)[0]}")
        assert not game.over
    assert game.state.num_cities[2] == 18
    play(game, "pass")
    assert (game.player, len(buildable(game)) > 0) == (1, True)
    play(game, "pass, pass")
    result = game.result()
    assert (game.player, game.decision, legal(game)) == (None, None, [])
    assert (result.cities, result.reason, result.truncated) == ([12, 13, 18, 0], "cities", False)
    assert "R7.1" in game.explain("pass")


def test_r7_2_no_income_and_the_largest_supply_counts():
    owners = [
        seat("5 12 16", "3/3/0/0", 10, 40),  # 1 + 2 + 3
        seat("20 29 42", "5/2/0/0", 15, 40),  # 5 + 4 + 6, the hybrid on oil
        seat("36 38 46", "6/0/3/0", 17, 40),  # 7 + 7 + 7, capped by the cities
    ]
    game = a_game(*owners, phase="building", step=2)
    finish_phase(game)
    assert game.result().supplied == [6, 15, 17]
    assert game.result().money == [40, 40, 40]


def test_r7_3_most_supplied_cities_wins_whoever_ended_the_game():
    game = a_game(seat("36", "3/0/0/0", 17), seat("31 33", "3/0/0/0", 15, money=1), phase="building", step=2)
    finish_phase(game)
    result = game.result()
    assert (result.supplied, result.winners, result.ranks) == ([7, 10, 0], [1], [2, 1, 3])


def test_r7_3_ties_by_money():
    game = a_game(seat("37", cities=17, money=20), seat("33", cities=15, money=35), phase="building", step=2)
    finish_phase(game)
    assert (game.result().supplied, game.result().winners, game.result().ranks) == ([4, 4, 0], [1], [2, 1, 3])


@pytest.mark.parametrize(
    ("edition", "winners", "ranks"), [("recharged", [0, 1], [1, 1, 3]), ("2004", [0], [1, 2, 3])]
)
def test_r7_3_then_by_cities_in_2004_and_shared_in_recharged(edition, winners, ranks):
    game = a_game(
        seat("37", cities=17, money=20), seat("33", cities=15, money=20), phase="building", step=2, edition=edition,
        market="18 19 20 21 | 22 23 24 25",
    )  # fmt: skip
    finish_phase(game)
    assert (game.result().winners, game.result().ranks) == (winners, ranks)


def test_r7_3_a_remaining_tie_is_shared():
    owners = [seat("37", cities=17, money=20), seat("33", cities=17, money=20)]
    game = a_game(*owners, phase="building", step=2, edition="2004", market="18 19 20 21 | 22 23 24 25")
    finish_phase(game)
    assert game.result().winners == [0, 1]
    assert game.result().rewards == pytest.approx([0.25, 0.25, -0.5])


def test_r7_4_no_round_limit_but_a_safety_cap_that_is_no_rule():
    game = a_game(round=60, max_rounds=61, phase="building")
    finish_round(game)
    assert (game.over, game.round_number) == (False, 61)
    finish_round(game)
    result = game.result()
    assert (game.over, result.truncated, result.reason, result.winners) == (True, True, "max_rounds", [])


def test_r7_4_neither_a_full_board_nor_an_empty_stack_ends_the_game():
    game = a_game(seat(cities=14), seat(cities=14), seat(cities=14), step=2, stack="S3 40", max_rounds=1000)
    for _ in range(100):
        finish_round(game)
    assert (game.over, game.round_number, market(game), stack(game)) == (False, 102, "", "")
