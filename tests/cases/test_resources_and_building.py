"""Rule cases C31-C48: resources and building."""

import pytest

from tests.builders import a_game, assert_refused, buildable, cost, fuel, legal, money, play, seat, track


def buyer(plants, held="0/0/0/0", *others, money=100, **more):
    acted = list(range(1, max(3, len(others) + 1)))
    return a_game(seat(plants, held, money=money), *others, phase="resources", acted=acted, **more)


def builder(cities, *others, money=100, **more):
    seats = [seat(cities=cities, money=money), *(seat(cities=theirs) for theirs in others)]
    return a_game(*seats, phase="building", acted=list(range(1, max(3, len(seats)))), **more)


def test_c31_storage_of_one_plant():
    game = buyer("14")
    play(game, "buy 4 garbage")
    assert_refused(game, "buy 1 garbage", "R3.4")
    for script in ("buy 4 coal", "buy 4 oil", "buy 2 coal, buy 2 oil"):
        play(buyer("5"), script)
    assert_refused(buyer("5", "3/0/0/0"), "buy 2 oil", "R3.4")


def test_c32_storage_of_two_plants():
    game = buyer("5 8", "9/0/0/0")
    assert_refused(game, "buy 2 oil", "R3.4")
    assert fuel(game.clone().play("buy 1 oil"), 0) == "9/1/0/0"
    assert fuel(game.clone().play("buy 1 coal"), 0) == "10/0/0/0"


def test_c33_prices_at_the_start():
    game = buyer("8 16 14")
    assert [cost(game, f"buy {what}") for what in ("5 coal", "4 oil", "2 garbage")] == [7, 13, 12]
    assert track(game.play("buy 5 coal"))[:2] == "19"
    assert cost(buyer("11"), "buy 2 uranium") == 30


def test_c34_prices_of_a_thinner_track():
    assert cost(buyer("7", track="20/11/9/2"), "buy 5 oil") == 28
    assert cost(buyer("11 17", track="20/11/9/5"), "buy 3 uranium") == 30


def test_c35_eco_plants_burn_nothing():
    assert legal(buyer("13 18")) == ["pass"]


def test_c36_an_empty_row():
    game = buyer("4", track="0/18/9/2")
    assert legal(game) == ["pass"]
    assert_refused(game, "buy 1 coal", "R3.7")


def test_c37_usa_storage():
    holders = [seat("20 25 31", "16/0/0/0"), seat("10", "4/0/0/0")]
    game = buyer("8", "0/0/0/0", *holders, money=60, board="usa", track="0/18/9/2")
    assert game.state.storage == 4
    play(game, "buy 2 coal")
    assert (money(game, 0), game.state.storage) == (44, 2)


def test_c38_usa_burnt_coal_is_resupplied_from_the_storage():
    holders = [seat("20 25 31", "16/0/0/0"), seat("10", "4/0/0/0")]
    game = a_game(seat("8", "4/0/0/0", 3), *holders, board="usa", phase="bureaucracy", track="0/18/9/2")
    assert game.state.storage == 0
    play(game, "run 8")
    assert game.state.storage == 3
    play(game, "run none, run none")
    assert (track(game), game.state.storage) == ("3/20/10/3", 0)
    assert game.board.record.price[0, 3] == 8


@pytest.mark.parametrize("ruling", ["track_empty", "always"])
def test_c39_usa_row_before_storage(ruling):
    holders = [seat("20 25", "10/0/0/0"), seat("8", "1/0/0/0")]
    game = buyer("10", "0/0/0/0", *holders, board="usa", track="7/18/9/2", rulings={"usa_storage": ruling})
    assert (game.state.storage, cost(game, "buy 1 coal")) == (6, 6)
    play(game, "buy 1 coal")
    assert (track(game), game.state.storage) == ("6/18/9/2", 6)


def test_c40_building_example_step_1():
    game = builder("Essen, Münster")
    assert [cost(game, f"build {city}") for city in ("Duisburg", "Dortmund", "Aachen")] == [10, 12, 21]


def test_c41_building_example_step_2():
    game = builder("Essen, Münster", "Düsseldorf, Köln", step=2)
    assert [cost(game, f"build {city}") for city in ("Düsseldorf", "Köln")] == [17, 21]
    play(game, "build Düsseldorf")
    assert cost(game, "build Köln") == 19
    play(game, "build Köln")
    assert money(game, 0) == 64


@pytest.mark.parametrize(("edition", "price"), [("recharged", 15), ("2004", 14)])
def test_c42_essen_to_dortmund(edition, price):
    assert cost(builder("Essen", edition=edition), "build Dortmund") == price


@pytest.mark.parametrize(("houses", "price"), [(0, 16), (1, 21), (2, 26), (3, None)])
def test_c43_spaces_of_step_3(houses, price):
    game = builder("Essen", *["Münster"] * houses, step=3)
    if price:
        assert cost(game, "build Münster") == price
    else:
        assert_refused(game, "build Münster", "R4.4")


def test_c44_no_way_through_regions_out_of_play():
    game = builder("Minneapolis", board="usa", regions=["green", "red", "yellow"])
    assert cost(game, "build Kansas City") == 26


def test_c45_two_cities_joined_at_cost_0():
    for first, second in [("Philadelphia", "New York"), ("New York", "Philadelphia")]:
        game = builder("Washington", board="usa", regions=["brown", "yellow", "green"])
        assert cost(game, f"build {first}") == 13
        play(game, f"build {first}")
        assert cost(game, f"build {second}") == 10


def test_c46_building_without_fuel_in_round_1():
    game = builder("", round=1)
    play(game.clone(), "build Essen")
    play(game, "pass")
    assert game.phase == "bureaucracy"


def test_c47_the_first_house_costs_10():
    game = builder("")
    assert {cost(game, f"build {city}") for city in buildable(game)} == {10}
    assert legal(builder("", money=9)) == ["pass"]


def test_c48_no_second_house_in_an_own_city():
    assert_refused(builder("Essen", step=2), "build Essen", "R4.5")
