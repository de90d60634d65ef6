"""A game as frames: the scene before the first decision, and what each decision changed."""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from powergrid_env.game import Game
from powergrid_env.pictures.lots import follow
from powergrid_env.pictures.scene import Scene, scene
from powergrid_env.record import walk


class Move(NamedTuple):
    """A decision: who, in words, and the scene that it led to."""

    seat: int
    words: str
    after: Scene


def played(game: Game) -> tuple[Scene, list[Move]]:
    """The scene that the game began with, and its decisions."""
    pairs: list[tuple[int, str]] = []
    scenes: list[Scene] = []
    for past, action in walk(game):
        assert past.player is not None  # a game that is over asks nobody
        scenes.append(scene(past))
        pairs.append((past.player, past.words(action)))
    scenes.append(scene(game))
    decisions = []
    lot = scenes[0]["lot"]
    for index, (seat, words) in enumerate(pairs):
        before, after = scenes[index], scenes[index + 1]
        lot = follow(lot, words, seat, before, after)
        decisions.append(Move(seat, words, cast(Scene, {**after, "lot": lot})))
    return scenes[0], decisions


def changes(before: Scene, after: Scene) -> dict[str, Any]:
    """The fields of `after` that differ from `before`."""
    old = cast(dict[str, Any], before)
    return {key: value for key, value in after.items() if value != old[key]}


def deltas(first: Scene, decisions: list[Move]) -> Iterator[dict[str, Any]]:
    """What each decision changed."""
    seen = first
    for decision in decisions:
        yield changes(seen, decision.after)
        seen = decision.after
