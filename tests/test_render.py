"""The board as text: what it shows, how wide it is, and that it shows nothing hidden."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from powergrid_env import Game
from powergrid_env.render import render_ansi
from powergrid_env.render_words import WIDTH
from tests.builders import a_game, play, seat
from tests.players import BOARDS, EDITIONS, choose

AUCTION = """
Round 6, Step 2, auction: p2 bids                                      recharged, germany, 3 players
Order     p0 p1 p2

Auction   20: 3 coal > 5; 25 bid by p1; still in: p0 p1 p2
          p2 may bid 26 to 107 or pass

Plants    16*        18         20         22         | 24         26         30         34
          2 oil      eco        3 coal     eco        | 2 garbage  2 oil      3 garbage  1 uranium
          > 3        > 2        > 5        > 2        | > 4        > 5        > 6        > 5
          5 cards in the stack, the next a socket; * minimum bid 1

Fuel      1    2    3    4    5    6    7    8    10   12   14   16   left  in supply  refill
  coal    ...  ...  .oo  ooo  ooo  ooo  ooo  ooo                        17          0      +5
  oil     ...  ...  ...  ...  ooo  ooo  ooo  ooo                        12          8      +3
  garbage ...  ...  ...  ...  ...  ooo  ooo  ooo                         9         13      +2
  uranium .    .    .    .    .    .    .    .    o    o    o    o       4          7      +1

Players      Elektro  cities  can supply   plants and fuel
          p0      61       3     3 of 7     10: 2 coal > 2  25: 2 coal > 5
                                            4 coal; room for 8 coal
          p1      44       2     2 of 2     5: 2 hybrid > 1  13: eco > 1
                                            2 coal, 1 oil; room for 4 coal or oil
          p2     107       1     1 of 13    11: 1 uranium > 2  21: 2 hybrid > 4  38: 3 garbage > 7
                                            1 coal, 3 oil, 2 garbage, 1 uranium; room for 6 garbage,
                                            2 uranium, 4 coal or oil

Cities    houses on the 10, 15 and 20 space
  cyan    Bremen           ...  Cuxhaven         ...  Flensburg        ...  Hamburg          ...
          Hannover         ...  Kiel             ...  Wilhelmshaven    ...
  red     Dortmund         2..  Duisburg         0..  Düsseldorf       ...  Essen            01.
          Kassel           1..  Münster          0..  Osnabrück        ...
  blue    Aachen           ...  Frankfurt (Main) ...  Köln             ...  Mainz            ...
          Mannheim         ...  Saarbrücken      ...  Trier            ...
"""


def a_running_game(decisions: int, seed: int = 3, **settings: Any) -> Game:
    game = Game(seed=seed, **settings)
    dice = np.random.default_rng(seed)
    for _ in range(decisions):
        if game.over:
            break
        game.play(choose(game.action_mask(), dice))
    return game


def block(game: Game, word: str) -> str:
    """The part of the text that begins with a word."""
    (found,) = (part for part in render_ansi(game).split("\n\n") if part.startswith(word))
    return found


def a_table(**more: Any) -> Game:
    cards = {"market": "16* 18 20 22 | 24 26 30 34", "stack": "36 17 S3 3 4"}
    return a_game(
        seat(plants="10 25", fuel="4/0/0/0", cities="Essen, Duisburg, Münster", money=61),
        seat(plants="5 13", fuel="2/1/0/0", cities="Kassel, Essen", money=44),
        seat(plants="11 21 38", fuel="1/3/2/1", cities="Dortmund", money=107),
        step=2,
        round=6,
        track="17/12/9/4",
        regions=["red", "blue", "cyan"],
        **{**cards, **more},
    )


def test_an_auction_as_a_person_sees_it() -> None:
    game = a_table()
    play(game, "nominate 20, bid 20, bid 25")
    assert render_ansi(game) == AUCTION.strip()


@pytest.mark.parametrize(("edition", "board", "players"), list(product(EDITIONS, BOARDS, range(2, 7))))
def test_it_fits_in_100_columns_at_every_point_of_a_game(edition: str, board: str, players: int) -> None:
    game = Game(edition=edition, board=board, players=players, raises="all", seed=1, max_rounds=12)
    game.names = ["Maximiliane Mustermann"] * players
    dice = np.random.default_rng(1)
    while not game.over:
        for _ in range(int(dice.integers(1, 40))):
            if not game.over:
                game.play(choose(game.action_mask(), dice))
        lines = render_ansi(game).split("\n")
        assert max(map(len, lines)) <= WIDTH
        assert lines == [line.rstrip() for line in lines]


def test_colours_are_for_terminals_and_change_no_letter() -> None:
    game = a_table()
    plain, painted = render_ansi(game), render_ansi(game, color=True)
    assert "\033" not in plain
    assert painted != plain
    assert [line.rstrip() for line in re.sub(r"\033\[[0-9;]*m", "", painted).split("\n")] == plain.split("\n")


def test_ri_2_the_order_of_the_stack_does_not_show() -> None:
    game = a_running_game(100, players=4)
    shown = {render_ansi(game.redeterminise(player=0, seed=seed)) for seed in range(20)}
    assert shown == {render_ansi(game)}


def test_ri_3_hidden_money_is_for_its_owner_and_for_no_viewer() -> None:
    game = a_running_game(60, players=3, money="hidden")
    amounts = [str(int(money)) for money in game.state.money[:3]]

    def shown(viewer: int | None) -> list[str]:
        lines = render_ansi(game, viewer=viewer).split("Players")[1].split("\n")
        return [
            next(line.split()[1] for line in lines if line.startswith(f"{'':10}p{seat} "))
            for seat in range(3)
        ]

    assert shown(None) == amounts
    for viewer in range(3):
        assert shown(viewer) == [amount if player == viewer else "?" for player, amount in enumerate(amounts)]
    public = a_running_game(60, players=3)
    assert render_ansi(public, viewer=0) == render_ansi(public)


def test_who_builds_sees_what_each_city_costs() -> None:
    game = a_table(phase="building", market="16 18 20 22 | 24 26 30 34")
    cities = block(game, "Cities")
    assert "what p2 would pay" in cities
    shown = dict(re.findall(r"(\S+(?: \S+)*) +[.0-9T]{3} +(\d+)", cities))
    legal = [game.words(int(action)) for action in game.legal_actions()]
    assert {f"build {city}" for city in shown} >= set(legal) - {"pass"}
    for city, price in shown.items():
        if f"build {city}" in legal:
            assert game.state.money[2] - game.clone().play(f"build {city}").state.money[2] == int(price)
        else:
            assert int(price) > game.state.money[2]


def test_the_bids_that_may_be_made_are_those_that_are_legal() -> None:
    game = a_table(raises=(0, 1, 2, 5, 10, 11, 100))
    play(game, "nominate 18, bid 18")
    assert block(game, "Auction").splitlines()[1].strip() == "p1 may bid 19 to 21, 24, 29, 30 or pass"
    play(game, "pass, pass, nominate 16")
    assert block(game, "Auction").splitlines()[1].strip() == "p1 may bid 1 to 3, 6, 11, 12"


def test_the_end_names_the_winner_and_ranks_all() -> None:
    game = a_running_game(5000, players=3)
    result = game.result()
    lines = block(game, "Result").splitlines()
    assert lines[0].split(maxsplit=1)[1] == f"p{result.winners[0]} won"
    for line, player in zip(lines[1:], np.argsort(result.ranks), strict=True):
        assert line.split()[:2] == [f"{result.ranks[player]}.", f"p{player}:"]
        assert f"supplies {result.supplied[player]} cities, {result.money[player]} Elektro" in line
    capped = a_running_game(5000, players=3, max_rounds=1)
    assert "nobody won" in block(capped, "Result")


def test_names_of_players_stand_beside_their_seats() -> None:
    game = a_running_game(30, players=3)
    game.names = ["Ada", "Bo", "Cy"]
    text = render_ansi(game)
    assert all(name in text for name in ("p0 Ada", "p1 Bo", "p2 Cy"))


def test_what_only_some_games_have() -> None:
    trust = render_ansi(a_running_game(40, players=2))
    assert re.search(r"Trust \(T\): \d+ houses left  10: 2 coal > 2", trust)
    assert "T.." in trust
    assert re.search(
        r"\d+ coal in the storage, at 8 each", render_ansi(a_running_game(40, players=3, board="usa"))
    )
    assert "Trust" not in render_ansi(a_running_game(40, players=2, trust=False))
    markers = block(a_running_game(3, players=3, start_cities=True), "Cities")
    assert sorted(re.findall(r"\.\.\.  (m\d)", markers)) == ["m0", "m1", "m2"]
    classic = block(a_running_game(4, players=3, edition="2004"), "Plants")
    assert "minimum bid 1" not in classic
    assert "the next a" not in classic


def test_r6_21_the_step_3_card_lies_on_display_as_the_highest() -> None:
    game = a_table(market="16* 18 20 22 | 24 26 30 S3", stack="36 17 34 3 4")
    heads, burns, _, stack = block(game, "Plants").splitlines()
    assert heads.split()[-2:] == ["Step", "3"]
    assert len(burns) < heads.index("Step")
    assert "5 cards in the stack" in stack
