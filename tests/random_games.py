"""Random games over everything that can be played, compiled: for tests of what must hold in every state."""

from collections.abc import Iterator
from typing import Any

from powergrid_env import engine
from powergrid_env._jit import rule
from powergrid_env.config import GameConfig
from powergrid_env.constants import PASS, Decision, Phase
from powergrid_env.invariants import first_problem
from powergrid_env.rng import draw_below
from powergrid_env.rules.facts import cities_of_run
from powergrid_env.rulings import CHOICES, EDITION_ROWS, NUMBERS, spell

BOARDS = ("germany", "usa")


@rule
def pick_action(state: Any, board: Any, mask: Any, dice: Any, eager: bool) -> int:
    """A legal action of `mask`, drawn by the generator of the record `dice`.

    An eager player buys, builds and supplies more often than not, so that games get on; a bid stays a coin.
    """
    count = 0
    for action in range(len(mask)):
        count += int(mask[action])
    if eager and state.decision == Decision.RUN and draw_below(dice, 8) > 0:
        best, most = -1, -1
        for action in range(len(mask)):
            if mask[action]:
                cities = cities_of_run(state, board, int(state.player), action - int(board.first_run))
                if cities > most:
                    best, most = action, cities
        return best
    may_pass = mask[PASS] == 1
    if may_pass and state.decision == Decision.BID and draw_below(dice, 2) == 0:
        return PASS
    skip = int(eager and may_pass and count > 1 and draw_below(dice, 8) > 0)
    wanted = draw_below(dice, count - skip) + skip
    for action in range(len(mask)):
        if mask[action]:
            if wanted == 0:
                return action
            wanted -= 1
    return -1


def configs(max_rounds: int = 60) -> Iterator[GameConfig]:
    """Both editions on both boards with 2 to 6 players, both decks, Trust and start cities; then every ruling once."""
    for edition in ("recharged", "2004"):
        for board in BOARDS:
            for players in range(2, 7):
                for deck in ("base", "new"):
                    plain = {
                        "edition": edition,
                        "board": board,
                        "players": players,
                        "deck": deck,
                        "max_rounds": max_rounds,
                    }
                    yield GameConfig(**plain)
                    if edition == "recharged":
                        yield GameConfig(**plain, start_cities=True)
                        if players == 2:
                            yield GameConfig(**plain, trust=False)
                            yield GameConfig(**plain, trust=False, start_cities=True)
    yield from ruling_configs(max_rounds)


def ruling_configs(max_rounds: int) -> Iterator[GameConfig]:
    """Every other choice of every ruling, in a game where it matters."""
    for name, members in CHOICES.items():
        for member in members:
            rulings = {name: spell(name, member)}
            if name == "trust_plant_timing" or name.startswith("trust_"):
                yield GameConfig(players=2, board="usa", rulings=rulings, max_rounds=max_rounds)
                yield GameConfig(players=2, rulings=rulings, max_rounds=max_rounds)
            elif name in EDITION_ROWS:
                for edition in ("recharged", "2004"):
                    yield GameConfig(
                        players=4, edition=edition, board="usa", rulings=rulings, max_rounds=max_rounds
                    )
            else:
                starts = name == "start_city_choice"
                yield GameConfig(
                    players=4, board="usa", rulings=rulings, start_cities=starts, max_rounds=max_rounds
                )
    for name, numbers in NUMBERS.items():
        for number in {numbers[0], numbers[-1]}:
            yield GameConfig(players=2, rulings={name: number}, max_rounds=max_rounds)


@rule
def advance(states: Any, boards: Any, mask: Any, dice: Any, eager: bool) -> int:
    """Play one drawn action; returns the phase reached."""
    engine.fill_mask(states[0], boards[0], mask)
    engine.apply(states[0], boards[0], pick_action(states[0], boards[0], mask, dice[0], eager))
    return int(states[0].phase)


@rule
def play_checked(states: Any, boards: Any, mask: Any, dice: Any, eager: bool) -> tuple[int, int]:
    """Play a game to its end; returns the number of decisions and the first problem met, 0 none."""
    state, board = states[0], boards[0]
    decisions = 0
    problem = first_problem(state, board)
    while problem == 0 and state.phase != Phase.OVER:
        engine.fill_mask(state, board, mask)
        engine.apply(state, board, pick_action(state, board, mask, dice[0], eager))
        decisions += 1
        problem = first_problem(state, board)
    return decisions, problem
