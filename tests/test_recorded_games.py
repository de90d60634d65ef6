"""Whole games of a public engine and of people, replayed: every state, set of legal actions and result.

What the files hold, and what may differ, stands in data_games/README.md.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from powergrid_env import Game
from powergrid_env.invariants import problems
from powergrid_env.rulings import Fuel

FOLDER = Path(__file__).parent / "data_games"
MOST_ABOVE_LEAST = 100  # our bids go up to the least bid and so much more
DECISIONS = {
    "nominate": ["choose"],
    "pass": ["choose", "bid", "buy", "build"],
    "bid": ["bid"],
    "scrap": ["scrap"],
    "give": ["give_up"],
    "buy": ["buy"],
    "build": ["build"],
    "run": ["run"],
    "burn": ["burn"],
}


def read_games(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


GAMES = {
    f"{source}-{place}-{game['edition']}-{game['board']}-{game['players']}": game
    for source in ("oracle", "recorded")
    for place, game in enumerate(read_games(f"{source}_games.jsonl.gz"))
}


# ----------------------------------------------------------------------------------- in the words of the files


def standing(game: Game) -> dict[str, Any]:
    state, seats = game.state, range(game.config.players)
    market = ["step3" if card == 51 else card for card in state.market[: state.market_size].tolist()]
    owners = dict(zip(game.board.cities, state.city_spaces.tolist(), strict=False))
    stands = {
        "phase": game.phase,
        "step": game.step_number,
        "round": game.round_number,
        "player": game.player,
        "money": state.money[: game.config.players].tolist(),
        "plants": [state.plants[seat, : state.num_plants[seat]].tolist() for seat in seats],
        "fuel": state.fuel[: game.config.players].tolist(),
        "cities": [sorted(city for city, spaces in owners.items() if seat in spaces) for seat in seats],
        "market": market,
        "discount": int(state.discount) or None,
        "track": state.track.tolist(),
        "supply": state.supply.tolist(),
        "storage": int(state.storage),
        "order": state.order[: game.config.players].tolist(),
        "stack_len": int(state.stack_size),
    }
    if state.auction_plant:
        bidder = int(state.auction_bidder)
        stands["auction"] = {
            "chooser": int(state.auction_chooser),
            "plant": int(state.auction_plant),
            "bid": int(state.auction_bid),
            "bidder": None if bidder < 0 else bidder,
        }
    return stands


def our_legal(game: Game) -> set[str]:
    """Legal actions; tokens one at a time, without the discounted plant for whom its number is too dear."""
    legal = game.legal_actions()
    bids = legal[legal > 0] if game.decision == "bid" else legal[:0]
    if len(bids):  # a run of rows; the words of the first and the last tell all
        least, most = (int(game.words(action).removeprefix("bid ")) for action in (bids[0], bids[-1]))
        assert most - least == bids[-1] - bids[0] == len(bids) - 1
        return {f"bid {bid}" for bid in range(least, most + 1)} | ({"pass"} if legal[0] == 0 else set())
    names = {game.words(action) for action in legal}
    names = {name for name in names if not name.startswith("buy ") or name.startswith("buy 1 ")}
    names = {name.replace("buy 1 ", "buy ") for name in names}
    discount = int(game.state.discount)
    if game.decision == "choose" and discount > game.state.money[game.player]:
        names.discard(f"nominate {discount}")
    return names


def their_legal(entry: dict[str, Any]) -> set[str]:
    names = set()
    for name in entry["legal"]:
        if ".." in name:
            least, most = map(int, name.removeprefix("bid ").split(".."))
            names |= {f"bid {bid}" for bid in range(least, min(most, least + MOST_ABOVE_LEAST) + 1)}
        else:
            names.add(name)
    return names


def is_asked(game: Game, entry: dict[str, Any]) -> bool:
    """A decision with one answer only need not be asked by both engines."""
    verb = entry["words"].split()[0]
    single = entry.get("optional") or (verb == "burn" and game.config.ruling("fuel") == Fuel.OWN_PLANT)
    return not single or (game.player == entry["seat"] and game.decision in DECISIONS[verb])


def put_stack(game: Game, entry: dict[str, Any]) -> Game:
    """The Step 3 card had the stack shuffled: go on with the order of the file."""
    assert entry["drawn_after_reshuffle"] == []
    position = game.to_position()
    assert sorted(position["stack"]) == sorted(entry["stack_after"])
    return Game.from_position(position | {"stack": entry["stack_after"]})


def replay(told: dict[str, Any], start: dict[str, Any]) -> Game:
    """Play a game of the files through; with fuel = own_plant the legal `run` and `burn` may be fewer."""
    game = Game.from_position(start, raises="all")
    decisions = told["decisions"]
    for number, entry in enumerate(decisions):
        where = f"decision {number}: {entry['words']}"
        if is_asked(game, entry):
            assert game.player == entry["seat"], where
            ours, theirs = our_legal(game), their_legal(entry)
            fewer = game.decision in ("run", "burn") and game.config.ruling("fuel") == Fuel.OWN_PLANT
            assert ours <= theirs if fewer else ours == theirs, where
            game.play(entry["words"])
        if "stack_after" in entry:
            game = put_stack(game, entry)
        assert problems(game.state, game.board) == [], where
        ahead = number + 1 < len(decisions) and not is_asked(game, decisions[number + 1])
        if entry["after"] is not None and not ahead:
            stands = standing(game)
            assert {key: stands.get(key) for key in entry["after"]} == entry["after"], where
            assert ("auction" in stands) == ("auction" in entry["after"]), where
    result = game.result()
    assert result is not None
    assert {key: result[key] for key in ("supplied", "money", "winners")} == told["final"]
    return game


@pytest.mark.parametrize("name", GAMES)
def test_every_state_and_every_legal_action_is_the_same(name: str) -> None:
    game = replay(GAMES[name], GAMES[name]["position0"])
    assert game.config.rulings == {"fuel": "pool"}


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game["own_plant_equal"]])
def test_the_default_ruling_on_fuel_gives_the_same_game(name: str) -> None:
    start = {key: value for key, value in GAMES[name]["position0"].items() if key != "rulings"}
    game = replay(GAMES[name], start)
    assert game.config.rulings == {}


def test_both_editions_both_boards_and_the_rare_things_are_there() -> None:
    assert len(GAMES) == 12
    assert {(game["edition"], game["board"]) for game in GAMES.values()} == {
        ("recharged", "germany"),
        ("recharged", "usa"),
        ("2004", "germany"),
        ("2004", "usa"),
    }
    events = {event for game in GAMES.values() for event in game["events"]}
    assert {
        "step3 drawn in auction",
        "step3 drawn in bureaucracy",
        "coal from the storage",
        "nobody bought",
    } <= events
