"""Public environments of similar kind, played at random by the same protocol; those that are installed."""

import importlib
import importlib.util
import pkgutil
import random
from collections.abc import Callable, Iterator
from typing import Any

from training.bench.environments import aec

OPEN_SPIEL = ("connect_four", "backgammon", "hearts", "gin_rummy")
RLCARD = ("leduc-holdem", "no-limit-holdem", "uno")
PETTINGZOO = ("connect_four", "gin_rummy", "texas_holdem_no_limit", "chess")


def found() -> Iterator[tuple[str, Callable[[], Iterator[None]]]]:
    """Name and stream of decisions of every public environment that is installed."""
    if importlib.util.find_spec("pyspiel"):
        for game in OPEN_SPIEL:
            yield f"open_spiel {game}", lambda game=game: open_spiel(game)  # type: ignore[misc]
    if importlib.util.find_spec("rlcard"):
        for game in RLCARD:
            yield f"rlcard {game}", lambda game=game: rlcard(game)  # type: ignore[misc]
    for game in PETTINGZOO:
        module = _pettingzoo_module(game)
        if module is not None:
            yield f"pettingzoo {game}", lambda module=module: aec(module.env())  # type: ignore[misc]


def open_spiel(name: str) -> Iterator[None]:
    """Legal actions, one of them drawn, applied; chance nodes are played but not counted."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(0)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                yield


def rlcard(name: str) -> Iterator[None]:
    """Legal actions, one of them drawn, step."""
    import rlcard as package

    env, rng = package.make(name), random.Random(0)
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            yield


def _pettingzoo_module(game: str) -> Any:
    """The newest version of a classic PettingZoo environment; None when what it needs is not installed."""
    try:
        classic = importlib.import_module("pettingzoo.classic")
        names = [module.name for module in pkgutil.iter_modules(classic.__path__)]
        versions = sorted(name for name in names if name.rpartition("_v")[0] == game)
        return importlib.import_module(f"pettingzoo.classic.{versions[-1]}") if versions else None
    except ImportError:
        return None
