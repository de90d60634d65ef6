"""Games at chosen positions, and questions about where they stand, both in the notation of the table.

Market `current | future`, `*` behind the plant under the discount token, `S3` the Step 3 card; stacks from the top;
tokens coal/oil/garbage/uranium. What a position leaves out is filled in: players without anything but 100 Elektro, the
lowest free plants on display, all others in the stack.

>>> game = a_game(seat(plants="10 25", fuel="2/0/0/0"), market="3* 4 5 6 | 7 8 9 11", stack="20 S3 30")
>>> play(game, "nominate 3, bid 1, pass, pass")
>>> market(game), plants(game, 0), money(game, 0)
('4 5 6 7 | 8 9 11 20', [3, 10, 25], 99)
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from powergrid_env import Game, GameConfig, IllegalAction
from powergrid_env.board import make_board
from powergrid_env.constants import STEP_3_CARD, TRUST, Resource

FUELS = [resource.name.lower() for resource in Resource]
ZONES = {
    "germany": ["red", "blue", "cyan", "yellow", "brown"],
    "usa": ["yellow", "red", "purple", "brown", "green"],
}
TRUST_START = {
    "germany": ["Flensburg", "Kiel", "Hamburg", "Bremen", "Wilhelmshaven", "Cuxhaven"],
    "usa": ["Chicago", "Cincinnati", "Duluth", "Fargo", "Knoxville", "Minneapolis"],
}
CONFIG_FIELDS = set(GameConfig.__dataclass_fields__) - {"players", "edition", "board", "regions", "rulings"}


# ------------------------------------------------------------------------------------ positions


def seat(
    plants: str = "", fuel: str = "0/0/0/0", cities: str | int = "", money: int = 100, **unknown: Any
) -> dict[str, Any]:
    """A player: plants `"10 25"`, fuel `"2/0/0/0"`, cities `"Essen, Köln"` or how many."""
    assert not unknown
    named = (
        cities if isinstance(cities, int) else [city.strip() for city in cities.split(",") if city.strip()]
    )
    return {"money": money, "plants": _numbers(plants), "fuel": tokens(fuel), "cities": named}


def a_game(
    *seats: dict[str, Any],
    players: int | None = None,
    phase: str = "auction",
    step: int = 1,
    round: int = 2,  # noqa: A002  # the name of the key in a position
    market: str | None = None,
    stack: str | None = None,
    track: str | None = None,
    edition: str = "recharged",
    board: str = "germany",
    regions: Sequence[str] | None = None,
    rulings: Mapping[str, Any] | None = None,
    seed: int = 0,
    **more: Any,
) -> Game:
    """A game at a position; `more` are other keys of a position, or fields of GameConfig."""
    players = players or max(3, len(seats))
    seats += (seat(),) * (players - len(seats))
    settings = {"raises": "all", **{name: more.pop(name) for name in CONFIG_FIELDS & set(more) - {"trust"}}}
    trust = more.pop("trust", None)
    if trust is False:
        settings["trust"] = False
    config = GameConfig(
        players=players,
        edition=edition,
        board=board,
        regions=regions or _zone(edition, board, players),
        rulings=rulings or {},
        **settings,
    )
    if config.trust:
        more["trust"] = trust = {"plants": [], "start_cities": TRUST_START[board], **(trust or {})}
    named = _with_cities(config, seats, trust or {})
    position = {
        "edition": edition,
        "board": board,
        "players": players,
        "regions": config.regions,
        "rulings": dict(config.rulings),
        "phase": phase,
        "step": step,
        "round": round,
        "order": list(range(players)),
        "seats": named,
        **_cards(config, named, trust or {}, step, market, stack),
        "track": tokens(track) if track else _full_track(config, seats, trust or {}),
        **more,
    }
    return Game.from_position(position, seed=seed, **settings)


def duel(*seats: dict[str, Any], **more: Any) -> Game:
    """A game of two at a position, against the Trust unless `more` say otherwise."""
    return a_game(*seats, players=2, **more)


def tokens(text: str) -> dict[str, int]:
    """`"1/0/2/0"` by name."""
    return dict(zip(FUELS, map(int, text.split("/")), strict=True))


def _numbers(text: str) -> list[Any]:
    return ["step3" if word == "S3" else int(word) for word in text.replace("*", "").replace("|", "").split()]


def _zone(edition: str, board: str, players: int) -> list[str]:
    return ZONES[board][: {2: 3, 3: 3, 4: 4}.get(players, 5)]


def _with_cities(
    config: GameConfig, seats: Sequence[dict[str, Any]], trust: dict[str, Any]
) -> list[dict[str, Any]]:
    """The seats with numbers of cities turned into names, the emptiest cities first."""
    made = make_board(config)
    zone = [city for city, inside in zip(made.cities, made.record.in_zone[0], strict=False) if inside]
    houses = Counter([*trust.get("start_cities", []), *trust.get("blocked_cities", [])])
    houses.update(city for one in seats if not isinstance(one["cities"], int) for city in one["cities"])
    named = []
    for one in seats:
        cities = one["cities"]
        if isinstance(cities, int):
            cities = sorted(zone, key=lambda city: houses[city])[:cities]
            houses.update(cities)
        named.append({**one, "cities": cities})
    return named


def _cards(
    config: GameConfig,
    seats: Sequence[dict[str, Any]],
    trust: dict[str, Any],
    step: int,
    market: str | None,
    stack: str | None,
) -> dict[str, Any]:
    """Market, discount and stack; cards named nowhere lie in the stack unless it is given, those above the market first."""
    record = make_board(config).record
    taken = [plant for one in seats for plant in one["plants"]] + trust.get("plants", [])
    taken += _numbers(market or "") + _numbers(stack or "")
    free = [
        int(plant) for plant in range(3, STEP_3_CARD) if record.plant_burn[plant] + record.plant_cities[plant]
    ]
    least = max(len(one["cities"]) for one in seats) if record.obsolete_plants else 0  # R4.12
    free = [plant for plant in free if plant not in taken and plant > least]
    cards: dict[str, Any] = {}
    if market is None:
        size = 6 if step == 3 else 8
        cards["market"], free = free[:size], free[size:]
    else:
        cards["market"] = _numbers(market)
        discounted = re.search(r"(\d+)\*", market)
        if discounted:
            cards["discount"] = int(discounted[1])
    is_step_3_due = step < 3 and "step3" not in cards["market"]
    highest = max((card for card in cards["market"] if card != "step3"), default=0)
    pile = sorted(free, key=lambda plant: (plant < highest, plant)) + ["step3"] * is_step_3_due
    cards["stack"] = pile if stack is None else _numbers(stack)
    return cards


def _full_track(config: GameConfig, seats: Sequence[dict[str, Any]], trust: dict[str, Any]) -> dict[str, int]:
    """The track of the start, less what plants hold beyond the supply."""
    record = make_board(config).record
    held = [sum(one["fuel"][fuel] for one in [*seats, {"fuel": _trust_fuel(trust)}]) for fuel in FUELS]
    return {
        fuel: min(int(record.track_start[row]), int(record.tokens[row]) - held[row])
        for row, fuel in enumerate(FUELS)
    }


def _trust_fuel(trust: dict[str, Any]) -> dict[str, int]:
    return {**tokens("0/0/0/0"), **trust.get("fuel", {})}


# ----------------------------------------------------------------------------------------- play


def play(game: Game, script: str) -> None:
    """Play decisions in words, separated by commas."""
    for words in script.split(","):
        game.play(words.strip())


def finish_phase(game: Game) -> None:
    """Everybody passes, and runs nothing, until the phase is over."""
    phase = game.phase
    while game.phase == phase:
        game.play("run none" if game.decision == "run" else "pass")


def finish_round(game: Game) -> None:
    """Everybody passes, and runs nothing, until the next round."""
    now = game.round_number
    while game.round_number == now and not game.over:
        finish_phase(game)


def assert_refused(game: Game, words: str, rule: str) -> None:
    """The action is illegal, the message cites the rule, and nothing has changed."""
    before = game.digest()
    with pytest.raises(IllegalAction, match=re.escape(rule) + r"(?!\d)"):
        game.play(words)
    assert game.digest() == before


# ------------------------------------------------------------------------------------ questions


def legal(game: Game) -> list[str]:
    """Legal actions in words."""
    return [game.words(action) for action in game.legal_actions()]


def bids(game: Game) -> list[int]:
    """Amounts that may be bid now."""
    return [int(words.split()[1]) for words in legal(game) if words.startswith("bid")]


def choices(game: Game) -> list[int]:
    """Plants that may be nominated now."""
    return [int(words.split()[1]) for words in legal(game) if words.startswith("nominate")]


def buildable(game: Game) -> list[str]:
    """Cities that may be built (placed in, marked) now."""
    return [words.split(" ", 1)[1] for words in legal(game) if words.split()[0] in ("build", "place", "mark")]


def cost(game: Game, words: str) -> int:
    """What an action costs the player to act."""
    player, after = game.player, game.clone()
    after.play(words)
    return money(game, player) - money(after, player)


def money(game: Game, player: int) -> int:
    """Elektro of a seat."""
    return int(game.state.money[player])


def plants(game: Game, player: int) -> list[int]:
    """Plants of a seat."""
    return [int(plant) for plant in game.state.plants[player] if plant]


def trust_plants(game: Game) -> list[int]:
    """Plants of the Trust."""
    return [int(plant) for plant in game.state.trust_plants if plant]


def fuel(game: Game, player: int) -> str:
    """Tokens on the plants of a seat."""
    return _spell(game.state.fuel[player])


def trust_fuel(game: Game) -> str:
    """Tokens on the plants of the Trust."""
    return _spell(game.state.trust_fuel)


def track(game: Game) -> str:
    """Tokens on the resource track."""
    return _spell(game.state.track)


def supply(game: Game) -> str:
    """Tokens in the supply."""
    return _spell(game.state.supply)


def market(game: Game) -> str:
    """The plants on display."""
    shown = game.state.market[: game.state.market_size]
    names = [_card(card) + ("*" if card == game.state.discount else "") for card in shown]
    return (
        " ".join(names)
        if game.step_number == 3
        else " ".join(names[:4] + ["|"] * (len(names) > 4) + names[4:])
    )


def stack(game: Game) -> str:
    """The stack from the top."""
    return " ".join(_card(card) for card in game.state.stack[: game.state.stack_size])


def cards(text: str) -> list[int]:
    """Numbers of the cards in a text of `market` or `stack`, in its order, the Step 3 card as 51."""
    return [STEP_3_CARD if card == "step3" else card for card in _numbers(text)]


def order(game: Game) -> list[int]:
    """The player order."""
    return [int(player) for player in game.state.order[: game.config.players]]


def houses(game: Game, city: str) -> list[int | str]:
    """Owners of a city's spaces, 10, 15 and 20: seat, "trust" or "" for a free one."""
    spaces = game.state.city_spaces[game.board.cities.index(city)]
    return ["trust" if owner == TRUST else "" if owner < 0 else int(owner) for owner in spaces]


def _card(card: int) -> str:
    return "S3" if card == STEP_3_CARD else str(card)


def _spell(counts: Any) -> str:
    return "/".join(str(int(count)) for count in counts)
