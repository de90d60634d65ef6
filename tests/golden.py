"""Golden games: whole games as readable text, replayed by test_golden.py.

`python -m tests.golden` writes them anew; look at the difference before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from powergrid_env import Game, GameConfig
from powergrid_env.constants import Resource
from powergrid_env.record import write

FOLDER = Path(__file__).parent / "golden_games"
SEED = 2004
SETTINGS = {
    f"{edition}_{board}_{players}": GameConfig(players=players, edition=edition, board=board)
    for edition in ("recharged", "2004")
    for board in ("germany", "usa")
    for players in range(2, 7)
} | {
    "recharged_usa_2_start_cities": GameConfig(players=2, board="usa", start_cities=True),
    "recharged_germany_4_new_deck_start_cities": GameConfig(players=4, deck="new", start_cities=True),
}


def pick(game: Game, random: np.random.Generator) -> int:
    """A random action that keeps a game going: passes and jumps seldom, runs most plants."""
    actions = [int(action) for action in game.legal_actions()]
    match game.decision:
        case "run":
            return max(actions[-3:]) if random.random() < 0.8 else actions[-1]
        case "bid":
            return (
                actions[0] if actions[0] == 0 and random.random() < 0.6 else actions[min(1, len(actions) - 1)]
            )
        case "choose" | "buy" | "build" if len(actions) > 1 and random.random() < 0.85:
            return int(random.choice(actions[1:]))
    return int(random.choice(actions))


def play(config: GameConfig, seed: int = SEED, stop: int | None = None) -> Game:
    """The golden game of a setting, or that of another seed; to its end, or so many decisions of it."""
    game, random = Game(config, seed=seed), np.random.default_rng(seed)
    while not game.over and (stop is None or len(game._actions) < stop):
        game.play(pick(game, random))
    return game


def annotated(game: Game) -> Iterator[str]:
    """Lines of the record, with the table as comments wherever a phase begins."""
    replay = Game(game.config, seed=game.seed)
    before = ""
    head, body = write(game).split("---\n")
    yield from head.splitlines()
    yield "---"
    for line, action in zip(body.splitlines(), [*game._actions, None], strict=True):
        begins = f"R{replay.round_number} {replay.phase}"
        if begins != before:
            yield from (f"# {text}" for text in table(replay))
            before = begins
        yield line
        if action is not None:
            replay.play(action)


def table(game: Game) -> Iterator[str]:
    """The board in a few lines."""
    state = game.state
    market = " ".join(str(card) for card in state.market[: state.market_size])
    order = " ".join(f"p{seat}" for seat in state.order if seat >= 0)
    yield (
        f"round {game.round_number} {game.phase}, Step {game.step_number}, order {order}, market {market}, "
        f"stack {state.stack_size}, track {' '.join(map(str, state.track))}, legal {len(game.legal_actions())}"
    )
    for seat in range(game.config.players):
        plants = " ".join(map(str, state.plants[seat, : state.num_plants[seat]])) or "-"
        fuel = " ".join(
            f"{state.fuel[seat, kind]} {kind.name.lower()}" for kind in Resource if state.fuel[seat, kind]
        )
        yield f"  p{seat}: {state.money[seat]} Elektro, plants {plants}, {fuel or 'no fuel'}, {state.num_cities[seat]} cities"


def text(config: GameConfig) -> str:
    """Text of the golden game of a setting."""
    return "\n".join(annotated(play(config))) + "\n"


if __name__ == "__main__":
    for name, setting in SETTINGS.items():
        (FOLDER / f"{name}.txt").write_text(text(setting), encoding="utf-8")
        print(FOLDER / f"{name}.txt")
