"""Section 14: every ruling, and every flag in both (all) values. The number in a name is that of the ruling."""

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, rulings
from tests.builders import (
    a_game,
    assert_refused,
    bids,
    buildable,
    cost,
    finish_phase,
    finish_round,
    fuel,
    houses,
    legal,
    market,
    money,
    order,
    play,
    seat,
    stack,
    supply,
    track,
    trust_fuel,
    trust_plants,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


def cards(text):
    return sorted(int(word) for word in text.replace("*", "").replace("|", "").split())


# ----------------------------------------------------------------------------------- the settings


def test_the_first_value_of_a_flag_is_the_default():
    assert rulings.DEFAULTS == {
        "bidding_order": rulings.BiddingOrder.SEAT,
        "discount_check": rulings.DiscountCheck.EACH,
        "scrap_fuel": rulings.ScrapFuel.KEEP_MAX,
        "late_start": rulings.LateStart.LOWEST_FREE_SPACE,
        "fuel": rulings.Fuel.OWN_PLANT,
        "house_cap": 22,
        "step3_at_step2_update": rulings.Step3AtStep2Update.SKIP,
        "step3_before_step2_resupply": rulings.Step3BeforeStep2Resupply.AS_IT_HAPPENED,
        "trust_plant_timing": rulings.TrustPlantTiming.AFTER_FIRST_ACQUISITION,
        "trust_uses_coal_storage": rulings.YesNo.YES,
        "trust_resupply_row": 2,
        "trust_stops_uranium": rulings.NoYes.NO,
        "start_city_choice": rulings.StartCityChoice.ANY_MARKED,
        "usa_storage": rulings.UsaStorage.TRACK_EMPTY,
    }


@pytest.mark.parametrize(
    ("name", "value"), [("fuel", "mixed"), ("house_cap", 21), ("trust_resupply_row", True), ("luck", 1)]
)
def test_an_unknown_ruling_or_value_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"rulings.*{name}"):
        GameConfig(rulings={name: value})


# ------------------------------------------------------------------------------------ A1 - A12


def test_a1_the_zone_is_drawn_uniformly_or_fixed():
    drawn = np.bincount([int(Game(players=3, seed=seed, board="usa").state.zone) for seed in range(1200)])
    assert len(drawn) == 12
    assert 60 < drawn.min() <= drawn.max() < 145  # 100 expected
    game = Game(players=3, regions=["red", "blue", "cyan"], seed=1)
    assert set(game.board.zones[game.state.zone]) == {"red", "blue", "cyan"}


@pytest.mark.parametrize(("setting", "shown"), [("public", True), ("hidden", False)])
def test_a2_money_is_public_by_default(setting, shown):
    one, other = (
        a_game(seat(money=50), seat(money=amount), money=setting).observation(0) for amount in (50, 31)
    )
    assert (one != other).any() == shown
    assert GameConfig().money == "public"


def test_a3_a_tie_without_plants_keeps_the_order():
    game = a_game(phase="bureaucracy", order=[1, 2, 0])
    finish_phase(game)
    assert order(game) == [1, 2, 0]


def test_a4_round_1_and_no_affordable_plant():
    game = a_game(seat(money=0), round=1, market=OPEN)
    assert legal(game) == ["pass"]
    game = a_game(seat(money=1), round=1, market=OPEN)
    assert legal(game) == ["nominate 3"]


@pytest.mark.parametrize(("ruling", "asked"), [("seat", [2, 3, 0, 1]), ("player_order", [2, 0, 3, 1])])
def test_a5_bidding_order(ruling, asked):
    game = a_game(players=4, order=[2, 0, 3, 1], market=OPEN, rulings={"bidding_order": ruling})
    play(game, "nominate 4")
    found = []
    for amount in range(4, 8):
        found.append(game.player)
        play(game, f"bid {amount}")
    assert found == asked
    assert game.player == 2


def test_a6_only_passing_the_choice_ends_the_phase_for_a_player():
    game = a_game(market=OPEN)
    play(game, "nominate 4, bid 4, bid 5, pass, pass")
    assert (game.player, game.decision) == (0, "choose")  # the outbid chooser goes on
    play(game, "pass, nominate 5")
    assert legal(game) == ["bid 5"]  # and now is out


def test_a7_no_bid_above_the_money():
    game = a_game(seat(money=5), market=OPEN)
    play(game, "nominate 4")
    assert bids(game) == [4, 5]
    assert_refused(game, "bid 6", "R2.9")


def test_a8_scrap_before_the_replacement_is_seen():
    game = a_game(seat("20 21 22"), market=OPEN, stack="30 S3")
    play(game, "nominate 3, bid 1, pass, pass")
    assert (game.decision, stack(game), market(game)) == ("scrap", "30 S3", "4 5 6 7 | 8 9 10")


@pytest.mark.parametrize(
    ("ruling", "shown", "pile"),
    [("each", "4 5 8 9 | 10 11 12 20", "S3"), ("first_only", "3 4* 5 8 | 9 10 12 20", "11 S3")],
)
def test_a9_discount_check(ruling, shown, pile):
    game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="20 3 11 S3", rulings={"discount_check": ruling})
    play(game, "nominate 6, bid 6, pass, pass, nominate 7, bid 7, pass")
    assert (market(game), stack(game)) == (shown, pile)


def test_a9_the_first_replacement_is_checked_in_both_values():
    for ruling in ("each", "first_only"):
        game = a_game(market="4* 5 6 7 | 8 9 10 12", stack="3 20 11 S3", rulings={"discount_check": ruling})
        play(game, "nominate 6, bid 6, pass, pass")
        assert (market(game), stack(game)) == ("4 5 7 8 | 9 10 12 20", "11 S3")


def test_a9_first_only_the_discounted_plant_leaves_unsold_though_a_lower_one_has_come():
    game = a_game(
        market="4* 5 6 7 | 8 9 10 12", stack="20 3 11 30 S3", rulings={"discount_check": "first_only"}
    )
    play(game, "nominate 6, bid 6, pass, pass, nominate 7, bid 7, pass")
    finish_phase(game)
    assert (market(game), stack(game)) == ("3 5 8 9 | 10 11 12 20", "30 S3")


@pytest.mark.parametrize("ruling", ["keep_max", "choose"])
def test_a10_tokens_of_a_scrapped_plant_may_be_given_up_by_wish(ruling):
    game = a_game(
        seat("10 25 33", "2/0/0/0"),
        market="34* 35 36 40 | 42 44 46 50",
        track="20/18/9/2",
        rulings={"scrap_fuel": ruling},
    )
    play(game, "nominate 40, bid 40, pass, pass, scrap 10")
    if ruling == "choose":
        assert legal(game) == ["pass", "give up coal"]
        assert_refused(game, "give up oil", "R2.32")
        play(game, "give up coal, pass")
    assert (fuel(game, 0), game.player) == ("1/0/0/0" if ruling == "choose" else "2/0/0/0", 1)


def test_a10_choose_ends_with_what_lay_on_the_scrapped_plant():
    game = a_game(
        seat("10 25 16", "8/2/0/0"),
        market="34* 35 36 40 | 42 44 46 50",
        track="16/18/9/2",
        rulings={"scrap_fuel": "choose"},
    )
    play(game, "nominate 40, bid 40, pass, pass, scrap 10")
    # 4 coal cannot be stored and are gone; 4 is all that fits on 10, so nothing more may be given up.
    assert (fuel(game, 0), game.player, game.decision) == ("4/2/0/0", 1, "choose")


def test_a11_building_in_round_1_is_allowed_never_obliged():
    game = a_game(round=1, phase="building")
    assert legal(game)[0] == "pass"
    play(game, "build Essen, pass, pass")
    assert list(game.state.num_cities[:3]) == [0, 0, 1]


@pytest.mark.parametrize(("ruling", "price"), [("lowest_free_space", 15), ("empty_only", None)])
def test_a12_late_start(ruling, price):
    game = a_game(
        seat(), seat(cities="Essen"), phase="building", step=2, acted=[2, 1], rulings={"late_start": ruling}
    )
    assert cost(game, "build Köln") == 10
    if price:
        assert cost(game, "build Essen") == price
    else:
        assert_refused(game, "build Essen", "R4.2")
        play(game, "build Duisburg")
        assert cost(game, "build Essen") == 15  # the ruling is about the first city alone


# ----------------------------------------------------------------------------------- A13 - A21


def test_a13_the_two_cities_of_a_metropolis_are_ordinary():
    game = a_game(seat(cities="Essen"), seat(cities="Duisburg"), phase="building", step=2, acted=[1, 2])
    assert cost(game, "build Duisburg") == 15
    play(game, "build Duisburg")
    assert (houses(game, "Essen"), houses(game, "Duisburg")) == ([0, "", ""], [1, 0, ""])


@pytest.mark.parametrize(("ruling", "cap"), [(22, 22), (20, 20), ("none", None)])
def test_a14_house_limit(ruling, cap):
    cities = cap or 22
    game = a_game(
        seat(cities=cities - 1, money=900),
        players=4,
        phase="building",
        step=2,
        acted=[1, 2, 3],
        rulings={"house_cap": ruling},
    )
    first, second = buildable(game)[:2]
    play(game, f"build {first}")
    if cap:
        assert_refused(game, f"build {second}", "R4.10")
    else:
        play(game, f"build {second}")
        assert game.state.num_cities[0] == 23


def test_a15_equal_or_lower_plants_leave_in_2004():
    game = a_game(
        seat(cities=5, money=99),
        phase="building",
        acted=[1, 2],
        edition="2004",
        market="6 7 8 9 | 10 12 14 20",
        stack="30 31 S3",
    )
    play(game, f"build {buildable(game)[0]}")
    assert market(game) == "7 8 9 10 | 12 14 20 30"


@pytest.mark.parametrize("ruling", ["own_plant", "pool"])
def test_a16_a_plant_burns_what_lies_on_it(ruling):
    # 29 and 35 with 2 coal and 2 oil: oil must lie on 35, so hybrid 29 is full of coal.
    game = a_game(
        seat("29 35", "2/2/0/0", 7), phase="bureaucracy", step=2, track="20/18/9/2", rulings={"fuel": ruling}
    )
    play(game, "run 29")
    if ruling == "pool":
        assert legal(game) == ["burn 0 coal", "burn 1 coal"]
        play(game, "burn 0 coal")
    assert fuel(game, 0) == {"own_plant": "1/2/0/0", "pool": "2/1/0/0"}[ruling]


def test_a16_the_ruling_decides_which_mixes_are_possible():
    # 3 oil and the one coal that does not fit on 8 fill hybrid 5.
    asked = {}
    for ruling in ("own_plant", "pool"):
        owner = seat("5 8", "7/3/0/0", 7)
        game = a_game(owner, phase="bureaucracy", step=2, track="17/18/9/2", rulings={"fuel": ruling})
        play(game, "run 5")
        asked[ruling] = legal(game)
    assert asked == {
        "own_plant": ["burn 0 coal", "burn 1 coal"],
        "pool": ["burn 0 coal", "burn 1 coal", "burn 2 coal"],
    }


def test_a17_no_step_2_because_all_10_spaces_are_full():
    game = a_game(
        seat(cities=7), seat(cities=7), seat(cities=7), phase="building", rulings={"step2_cities": 8}
    )
    finish_phase(game)
    assert game.step_number == 1


@pytest.mark.parametrize(
    ("ruling", "shown", "pile"),
    [("skip", [15, 16, 18, 20, 25, 36], [44, 46]), ("perform", [15, 16, 18, 20, 25], None)],
)
def test_a18_step_3_card_as_the_step_2_replacement(ruling, shown, pile):
    game = a_game(
        seat(cities=7), phase="building", market="10 13 15 16 | 18 20 25 36", stack="S3 44 46",
        rulings={"step3_at_step2_update": ruling}, track="1/1/1/1",
    )  # fmt: skip
    finish_phase(game)
    finish_phase(game)
    assert track(game) == "6/4/3/2"
    assert game.step_number == 3
    if ruling == "skip":
        assert (cards(market(game)), cards(stack(game))) == (shown, pile)
    else:  # the highest of the six goes under the stack, one of 44 and 46 comes
        assert cards(market(game))[:5] == shown
        assert sorted(cards(market(game))[5:] + cards(stack(game))) == [36, 44, 46]
        assert stack(game).split()[-1] == "36"


@pytest.mark.parametrize(("ruling", "after"), [("as_it_happened", "6/4/3/2"), ("step2", "7/5/4/3")])
def test_a19_step_3_card_before_step_2_in_phase_5(ruling, after):
    game = a_game(
        players=4, phase="bureaucracy", market="10 13 15 16 | 18 20 25 36", stack="S3 44 46", track="1/1/1/1",
        rulings={"step3_before_step2_resupply": ruling},
    )  # fmt: skip
    finish_phase(game)
    assert (track(game), game.step_number) == (after, 3)
    # Without the card on top both resupply by Step 1.
    game = a_game(
        players=4,
        phase="bureaucracy",
        stack="40 S3 44",
        track="1/1/1/1",
        rulings={"step3_before_step2_resupply": ruling},
    )
    finish_phase(game)
    assert track(game) == "6/4/3/2"


@pytest.mark.parametrize(("edition", "winners"), [("recharged", [0, 1]), ("2004", [0])])
def test_a20_a_tie_after_money(edition, winners):
    game = a_game(
        seat("13", cities=17),
        seat("22", cities=1),
        phase="building",
        step=2,
        edition=edition,
        market="18 19 20 21 | 23 24 25 26",
    )
    finish_phase(game)
    assert game.result().winners == winners


def test_a21_no_other_end():
    # All 21 cities of the zone are full in Step 3, no plant is left: the game goes on.
    full = [seat(cities=16), seat(cities=16), seat(cities=16)]
    game = a_game(*full, step=3, market="", stack="", max_rounds=500)
    for _ in range(50):
        finish_round(game)
    assert not game.over


# ----------------------------------------------------------------------------------- A22 - A36


@pytest.mark.parametrize(
    ("ruling", "waits"), [("after_first_acquisition", False), ("when_first_human_is_done", True)]
)
def test_a22_moment_of_the_trusts_plant(ruling, waits):
    game = a_game(players=2, market=OPEN, stack="11 20 21 S3", rulings={"trust_plant_timing": ruling})
    play(game, "nominate 4, bid 4, bid 5, pass")  # the second human wins the first auction
    assert trust_plants(game) == ([] if waits else [7])
    play(game, "nominate 5, bid 5")
    assert trust_plants(game) == ([8] if waits else [7])
    # When the first human buys first, or passes, both readings agree.
    for script, taken in [("nominate 4, bid 4, pass", 7), ("pass", 6)]:
        game = a_game(players=2, market=OPEN, stack="11 20 21 S3", rulings={"trust_plant_timing": ruling})
        play(game, script)
        assert trust_plants(game) == [taken]


def test_a23_the_trust_fuels_its_plants_in_ascending_order():
    game = a_game(players=2, phase="resources", trust={"plants": [7, 12]}, track="0/4/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "0/4/0/0"
    game = a_game(players=2, phase="resources", trust={"plants": [5, 10]}, track="2/1/9/2")
    play(game, "pass")
    assert trust_fuel(game) == "2/1/0/0"  # 5 takes coal and oil first, 10 gets one coal


@pytest.mark.parametrize(("ruling", "taken", "left"), [("yes", "3/0/0/0", 21), ("no", "2/0/0/0", 22)])
def test_a24_the_trust_and_the_usa_coal_storage(ruling, taken, left):
    game = a_game(
        players=2, board="usa", phase="resources", trust={"plants": [20]}, track="2/18/9/2", storage=22,
        rulings={"trust_uses_coal_storage": ruling},
    )  # fmt: skip
    play(game, "pass")
    assert (trust_fuel(game), game.state.storage) == (taken, left)


@pytest.mark.parametrize(
    ("row", "after"), [(2, ["13/12/11/6", "14/12/12/6"]), (3, ["14/12/11/6", "15/13/12/6"])]
)
def test_a25_resupply_row_with_the_trust(row, after):
    for step in (1, 2):
        game = a_game(
            players=2, phase="bureaucracy", step=step, track="10/10/10/5", rulings={"trust_resupply_row": row}
        )
        finish_phase(game)
        assert track(game) == after[step - 1]


@pytest.mark.parametrize(("ruling", "uranium"), [("no", 5), ("yes", 4)])
def test_a26_the_trust_and_the_uranium_stop(ruling, uranium):
    game = a_game(
        players=2, step=2, market="36* 37 38 39 | 40 42 44 46", stack="20 21 22 23 S3", track="5/5/5/5",
        rulings={"trust_stops_uranium": ruling},
    )  # fmt: skip
    play(game, "pass, pass")
    finish_round(game)
    assert (trust_plants(game), game.state.track[3]) == ([39], uranium)


@pytest.mark.parametrize(
    ("ruling", "open_to_2"), [("any_marked", {"Berlin", "Leipzig", "Stuttgart"}), ("own", {"Stuttgart"})]
)
def test_a27_own_or_any_marked_city(ruling, open_to_2):
    game = a_game(
        phase="building", start_cities=True, start_markers={"Berlin": 0, "Leipzig": 1, "Stuttgart": 2},
        regions=["brown", "yellow", "purple"], rulings={"start_city_choice": ruling},
    )  # fmt: skip
    assert game.player == 2
    assert set(buildable(game)) == open_to_2
    if ruling == "own":
        assert_refused(game, "build Berlin", "RS.2")


def test_a28_markers_do_not_count_against_the_uranium_supply():
    game = a_game(
        phase="bureaucracy",
        start_cities=True,
        start_markers={"Essen": 0, "Köln": 1, "Kiel": 2},
        track="1/1/1/1",
    )
    assert supply(game) == "23/23/23/11"
    finish_phase(game)
    assert track(game) == "5/3/2/2"


@pytest.mark.parametrize("ruling", ["track_empty", "always"])
def test_a29_coal_from_the_storage_while_the_row_is_not_empty(ruling):
    def buyer(coal):
        return a_game(
            seat("20"), board="usa", phase="resources", acted=[1, 2], track=f"{coal}/18/9/2", storage=24 - coal,
            rulings={"usa_storage": ruling},
        )  # fmt: skip

    game = buyer(7)
    assert cost(game, "buy 1 coal") == 6  # the cheaper row first, in both values
    # 3 tokens on the 8-space, and a storage at 8: `always` leaves the row alone.
    game = buyer(3)
    play(game, "buy 2 coal")
    assert money(game, 0) == 84
    assert (track(game)[0], game.state.storage) == {"track_empty": ("1", 21), "always": ("3", 19)}[ruling]


def test_a30_plants_put_under_the_stack_are_public():
    game = a_game(phase="bureaucracy", step=2, market="10 13 15 16 | 18 20 25 36", stack="22 40 42 S3")
    finish_phase(game)
    for seed in range(5):
        assert stack(game.redeterminise(player=0, seed=seed)).endswith("S3 36")


def test_a31_unsold_discounted_plant_first_then_the_step_3_card():
    game = a_game(step=2, market="6* 7 10 11 | 12 13 14 15", stack="S3 25")
    play(game, "nominate 11, bid 11, pass, pass, pass, pass")
    # 6 leaves and 25 comes for it; then 7 and the card leave.
    assert (market(game), stack(game)) == ("10 12 13 14 15 25", "")


def test_a32_step_3_card_for_the_plant_nobody_bought_in_2004():
    game = a_game(step=2, edition="2004", market="6 7 10 11 | 12 13 14 15", stack="S3 25 31")
    finish_phase(game)
    assert (market(game), game.phase, game.step_number) == ("10 11 12 13 14 15", "resources", 3)


def test_a33_the_last_player_pays_exactly_the_minimum():
    game = a_game(market=OPEN)
    play(game, "pass, pass, nominate 6")
    assert legal(game) == ["bid 6"]
    assert_refused(game, "bid 7", "R2.11")


def test_a34_uranium_stops_in_the_round_in_which_39_is_bought():
    game = a_game(step=2, market="36* 37 38 39 | 40 42 44 46", track="5/5/5/5")
    play(game, "nominate 39, bid 39, pass, pass")
    finish_round(game)
    assert game.state.track[3] == 5


def test_a35_running_for_nothing_returns_tokens_to_the_supply():
    game = a_game(seat("17", "0/0/0/1", 0), phase="bureaucracy")
    play(game, "run 17")
    assert (fuel(game, 0), supply(game), money(game, 0)) == ("0/0/0/0", "0/6/15/10", 110)


def test_a36_recharged_keeps_plants_below_the_cities():
    game = a_game(
        seat(cities=6, money=99), phase="building", acted=[1, 2], market="3 4 5 6 | 7 8 9 10", stack="30 S3"
    )
    play(game, f"build {buildable(game)[0]}")
    assert market(game) == "3 4 5 6 | 7 8 9 10"


def test_every_ruling_can_be_set_by_words_or_number_and_is_part_of_the_config():
    for name, kind in rulings.CHOICES.items():
        for member in kind:
            config = GameConfig(players=4, rulings={name: member.name.lower()})
            assert (config.ruling(name), dict(config.rulings)) == (member, {name: member.name.lower()})
    for name, numbers in rulings.NUMBERS.items():
        for number in numbers:
            assert GameConfig(players=4, rulings={name: number}).ruling(name) == number
    assert GameConfig(players=4, rulings={"fuel": "pool"}) != GameConfig(players=4)
