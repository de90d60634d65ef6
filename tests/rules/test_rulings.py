"""Section 14: the rulings as settings, and those on the start (A1, A2). The others stand in test_rulings_*.py."""

import numpy as np
import pytest

from powergrid_env import Game, GameConfig, rulings
from tests.builders import (
    a_game,
    seat,
)

# ------------------------------------------------------------------------------------ the settings


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


def test_every_ruling_can_be_set_by_words_or_number_and_is_part_of_the_config():
    for name, kind in rulings.CHOICES.items():
        for member in kind:
            config = GameConfig(players=4, rulings={name: member.name.lower()})
            assert (config.ruling(name), dict(config.rulings)) == (member, {name: member.name.lower()})
    for name, numbers in rulings.NUMBERS.items():
        for number in numbers:
            assert GameConfig(players=4, rulings={name: number}).ruling(name) == number
    assert GameConfig(players=4, rulings={"fuel": "pool"}) != GameConfig(players=4)


# --------------------------------------------------------------------------------------- the start


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
