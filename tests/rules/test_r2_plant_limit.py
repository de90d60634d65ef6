"""R2.30 to R2.33: the plant limit, and the tokens of a plant that goes."""

from tests.builders import (
    a_game,
    assert_refused,
    cards,
    finish_phase,
    fuel,
    legal,
    order,
    plants,
    play,
    seat,
    stack,
    supply,
    track,
)


def test_r2_30_one_of_the_old_plants_goes_when_the_limit_is_passed():
    game = a_game(seat("20 21 25"), market="6* 7 8 9 | 10 11 12 13")
    play(game, "nominate 6, bid 1, pass, pass")
    assert legal(game) == ["scrap 20", "scrap 21", "scrap 25"]
    assert_refused(game, "scrap 6", "R2.30")
    assert_refused(game, "pass", "R2.30")
    game.play("scrap 21")
    assert plants(game, 0) == [6, 20, 25]
    assert 21 not in [*cards(stack(game)), *game.state.market]


def test_r2_30_the_limit_is_4_in_2004_with_two_players():
    game = a_game(seat("20 21 25"), players=2, edition="2004", market="6 7 8 9 | 10 11 12 14")
    play(game, "nominate 6, bid 6, pass")
    assert (plants(game, 0), game.player) == ([6, 20, 21, 25], 1)
    game = a_game(seat("19 20 21 25"), players=2, edition="2004", market="6 7 8 9 | 10 11 12 14")
    play(game, "nominate 6, bid 6, pass")
    assert legal(game) == ["scrap 19", "scrap 20", "scrap 21", "scrap 25"]
    assert plants(game.play("scrap 25"), 0) == [6, 19, 20, 21]


def test_r2_31_tokens_move_to_plants_that_can_hold_them_the_new_one_included():
    game = a_game(seat("14 18 22", fuel="0/0/4/0"), market="19* 23 24 26 | 27 28 29 30")
    play(game, "nominate 24, bid 24, pass, pass, scrap 14")
    assert (fuel(game, 0), supply(game)) == ("0/0/4/0", "0/6/11/10")


def test_r2_31_what_cannot_be_stored_goes_to_the_supply_never_to_the_track():
    game = a_game(seat("14 11 22", fuel="0/0/3/2"), market="19* 23 24 26 | 27 28 29 30", track="20/10/5/1")
    play(game, "nominate 26, bid 26, pass, pass, scrap 14")
    assert (fuel(game, 0), track(game), supply(game)) == ("0/0/0/2", "20/10/5/1", "4/14/19/9")


def test_r2_31_coal_goes_to_the_coal_storage_in_the_usa():
    game = a_game(
        seat("10 11 22", fuel="4/0/0/0"), board="usa", market="19* 23 24 26 | 27 28 29 30", track="20/10/5/1"
    )
    play(game, "nominate 26, bid 26, pass, pass, scrap 10")
    assert (fuel(game, 0), game.state.storage, supply(game)) == ("0/0/0/0", 4, "0/14/19/11")


def test_r2_32_as_many_tokens_as_possible_are_kept():
    game = a_game(seat("10 25 33", fuel="2/0/0/0"), market="34* 35 36 40 | 42 44 46 50")
    play(game, "nominate 40, bid 40, pass, pass, scrap 10")
    assert (plants(game, 0), fuel(game, 0), game.player) == ([25, 33, 40], "2/0/0/0", 1)


def test_r2_32_the_player_chooses_only_where_coal_and_oil_compete_for_hybrid_room():
    game = a_game(seat("21 29 24", fuel="3/3/0/0"), market="6* 7 8 9 | 10 11 12 13", track="20/10/5/1")
    play(game, "nominate 6, bid 1, pass, pass, scrap 21")
    assert (game.decision, legal(game)) == ("give_up", ["give up coal", "give up oil"])
    assert_refused(game, "pass", "R2.32")
    assert ends_of_giving_up(game) == {"2/0/0/0", "1/1/0/0", "0/2/0/0"}


def ends_of_giving_up(game):
    if game.decision != "give_up":
        return {fuel(game, 0)}
    return set().union(*(ends_of_giving_up(game.clone().play(words)) for words in legal(game)))


def test_r2_32_coal_that_fits_on_a_coal_plant_does_not_compete():
    # Room after the scrap: 6 coal on 31, 2 on hybrid 29; 6 coal stay, of the 4 oil two go.
    game = a_game(seat("21 29 31", fuel="6/4/0/0"), market="33* 34 35 36 | 37 38 39 40")
    play(game, "nominate 33, bid 1, pass, pass, scrap 21")
    assert (fuel(game, 0), game.player) == ("6/2/0/0", 1)


def test_r2_33_below_the_limit_nothing_may_be_scrapped():
    game = a_game(seat("20 21"), market="6* 7 8 9 | 10 11 12 13")
    play(game, "nominate 6, bid 1, pass, pass")
    assert (plants(game, 0), game.player, game.decision) == ([6, 20, 21], 1, "choose")
    finish_phase(game)
    while game.round_number == 2:
        assert not any("scrap" in words or "sell" in words for words in legal(game))
        assert_refused(game, "scrap 6", "R0.10")
        game.play("run none" if game.decision == "run" else "pass")
    assert sorted(order(game)) == [0, 1, 2]
