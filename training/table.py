"""One game at a table of bots and people: whose turn it is, what a bot answers, how a decision reads."""

from collections.abc import Sequence

import numpy as np

from agents.base import Agent
from powergrid_env import Game
from powergrid_env.batch import GameBatch
from powergrid_env.constants import MAX_BUY
from powergrid_env.notation import action_table
from powergrid_env.rules import building, facts


class Table:
    """A game with a bot, or None for a person, in each seat.

    Args:
        game: the game.
        agents: by seat.
        seed: of the bots' chance.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None], seed: int) -> None:
        self.game = game
        self.agents = list(agents)
        game.names = [agent.name if agent else "you" for agent in agents]
        for place, agent in enumerate({id(agent): agent for agent in agents if agent}.values()):
            agent.reset(seed + place)

    @property
    def waits_for_person(self) -> bool:
        """Is it a person's turn?"""
        return self.game.player is not None and self.agents[self.game.player] is None

    def bot_answer(self) -> int:
        """What the bot whose turn it is plays."""
        agent = self.agents[self.game.player or 0]
        assert agent is not None
        return int(agent.act(GameBatch.from_games([self.game]), np.arange(1))[0])

    def play(self, action: int | str) -> str:
        """Play a decision; what was played, as `p1 balanced: bid 12`.

        Raises:
            IllegalAction: the game is untouched.
        """
        seat = self.game.player
        number = self.game.parse(action) if isinstance(action, str) else action
        said = f"p{seat} {self.game.names[seat or 0]}: {self.game.words(number)}"
        self.game.play(number)
        return said


def options(game: Game) -> list[tuple[int, str]]:
    """Legal actions in words, with what they cost."""
    return [
        (int(action), f"{game.words(action)}{_cost(game, int(action))}") for action in game.legal_actions()
    ]


def _cost(game: Game, action: int) -> str:
    """Elektro that a purchase or a house costs now."""
    block, row = action_table(game.board).decode(action)
    state, board = game.state, game.board.record
    if block == "buy":
        return f" ({int(facts.fuel_price(state, board, row // MAX_BUY, row % MAX_BUY + 1))} Elektro)"
    if block == "city" and game.decision == "build":
        return f" ({int(building.price(state, board, int(state.player), row))} Elektro)"
    return ""


def ending(game: Game) -> str:
    """How a game ended, in a line."""
    result = game.result()
    assert result is not None
    names = game.names or [f"p{seat}" for seat in range(game.config.players)]
    seats = (
        f"p{seat} {names[seat]} {result.supplied[seat]} supplied, {result.money[seat]} Elektro"
        for seat in np.argsort(result.ranks, kind="stable")
    )
    winners = " and ".join(f"p{seat}" for seat in result.winners) or "nobody (safety cap)"
    return f"{winners} won after {result.rounds} rounds: {'; '.join(seats)}"
