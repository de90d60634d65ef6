"""R2.20 to R2.24: the discount token."""

import pytest

from tests.builders import (
    a_game,
    bids,
    finish_phase,
    market,
    play,
    stack,
)

OPEN = "3* 4 5 6 | 7 8 9 10"


def test_r2_20_the_token_lies_on_the_lowest_current_plant_at_the_start_of_every_phase_2():
    for step, shown, then in [
        (1, "6 7 10 11 | 12 13 14 15", "6* 7 10 11 | 12 13 14 16"),
        (2, "16 17 19 20 | 22 24 25 30", "16* 17 19 20 | 21 22 24 25"),
        (3, "24 25 30 31 36 38", "25* 30 31 33 36 38"),
    ]:
        pile = {1: "16 17 S3", 2: "21 33 S3", 3: "33 40"}[step]
        game = a_game(phase="bureaucracy", step=step, market=shown, stack=pile)
        assert game.state.discount == 0
        finish_phase(game)
        assert market(game) == then
        game.play(f"nominate {game.state.discount}")
        assert bids(game)[0] == 1


def test_r2_21_the_token_is_put_aside_when_its_plant_is_bought_and_does_not_wander():
    game = a_game(market="6* 7 10 11 | 12 13 14 15", stack="16 17 S3")
    play(game, "nominate 6, bid 2, pass, pass")
    assert market(game) == "7 10 11 12 | 13 14 15 16"
    game.play("nominate 7")
    assert bids(game)[0] == 7
    play(game, "bid 7, pass, pass")
    assert market(game) == "10 11 12 13 | 14 15 16 17"  # nothing left unsold under the token


def test_r2_22_no_plant_is_discounted_outside_phase_2():
    game = a_game(market="6* 7 10 11 | 12 13 14 15")
    assert game.state.discount == 6
    finish_phase(game)
    while game.phase != "auction":
        assert game.state.discount == 0
        finish_phase(game)
    assert market(game).count("*") == 1


def test_r2_23_a_smaller_replacement_leaves_and_the_token_with_it():
    game = a_game(market="8* 13 15 20 | 25 30 31 36", stack="7 5 40 S3")
    play(game, "nominate 15, bid 15, pass, pass")
    # 7 is out; 5 is not checked any more and lies in the market.
    assert (market(game), stack(game)) == ("5 8 13 20 | 25 30 31 36", "40 S3")
    assert bids(game.play("nominate 8"))[0] == 8
    play(game, "bid 8, pass, pass")
    assert market(game) == "5 13 20 25 | 30 31 36 40"  # and 5 was never discounted


def test_r2_23_the_plant_that_lost_the_token_stays_when_nobody_buys_it():
    game = a_game(market="8* 13 15 20 | 25 30 31 36", stack="7 40 S3")
    play(game, "nominate 15, bid 15, pass, pass")
    finish_phase(game)
    assert market(game) == "8 13 20 25 | 30 31 36 40"


def test_r2_23_every_replacement_is_checked_until_one_is_smaller():
    game = a_game(market="8* 13 15 20 | 25 30 31 36", stack="40 7 42 S3")
    play(game, "nominate 13, bid 13, pass, pass, nominate 15, bid 15, pass")
    assert (market(game), stack(game)) == ("8 20 25 30 | 31 36 40 42", "S3")


def test_r2_23_no_check_when_the_discounted_plant_itself_was_bought():
    game = a_game(market="8* 13 15 20 | 25 30 31 36", stack="7 40 S3")
    play(game, "nominate 8, bid 1, pass, pass")
    assert (market(game), stack(game)) == ("7 13 15 20 | 25 30 31 36", "40 S3")


def test_r2_23_the_step_3_card_counts_as_highest():
    game = a_game(step=2, market="8* 13 15 20 | 25 30 31 36", stack="S3 40 42")
    play(game, "nominate 13, bid 13, pass, pass")
    assert market(game) == "8* 15 20 25 | 30 31 36 S3"


@pytest.mark.parametrize("step", [1, 2])
def test_r2_24_the_unsold_discounted_plant_leaves_and_is_replaced(step):
    game = a_game(step=step, market="5* 7 8 9 | 10 12 14 20", stack="18 25 30 S3")
    play(game, "nominate 7, bid 7, pass, pass")
    assert market(game) == "5* 8 9 10 | 12 14 18 20"
    finish_phase(game)
    assert (market(game), stack(game)) == ("8 9 10 12 | 14 18 20 25", "30 S3")


def test_r2_24_only_one_plant_leaves_when_all_pass():
    game = a_game(market="5* 7 8 9 | 10 12 14 20", stack="18 25 30 S3")
    finish_phase(game)
    assert (market(game), stack(game)) == ("7 8 9 10 | 12 14 18 20", "25 30 S3")


def test_r2_24_comes_before_step_3():
    # 7 under the token leaves, its replacement is the Step 3 card, then the lowest (8) leaves: A31.
    game = a_game(step=2, market="7* 8 9 10 | 12 14 18 20", stack="S3 25")
    finish_phase(game)
    assert (market(game), stack(game), game.step_number) == ("9 10 12 14 18 20", "25", 3)
