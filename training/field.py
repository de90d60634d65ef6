"""The field: who sits opposite the learner in each game, bots and the learner's own past.

A learner that only meets its present self may chase its own tail and unlearn what beat an older one. `self` in a field
stands for a pool of snapshots of the learner. One that the learner loses to comes up more often (prioritised fictitious
self-play), and the scripted bots beside it are a fixed point.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agents.learned.policy import NetworkAgent
from powergrid_env import GameConfig
from training.by_name import make_bot

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from agents import Agent
    from agents.base import Actions, Lanes
    from powergrid_env.batch import GameBatch

SELF = "self"
CAPACITY = 8  # snapshots in the pool
MEMORY = 0.98  # of the running win share against a snapshot, per game
EVEN = 0.2  # part of the draws that goes to all snapshots alike


class Member:
    """An agent of the field. Its chance comes from the run's seed, so that a resumed run goes on with the same."""

    def __init__(self, name: str, agent: "Agent", seed: int) -> None:
        self.name = name
        self.agent = agent
        agent.reset(seed)

    def reset(self, seed: int) -> None:
        """Keeps the chance it has: the games reset who sits down anew."""

    def act(self, batch: "GameBatch", lanes: "Lanes") -> "Actions":
        """One legal action per lane."""
        return self.agent.act(batch, lanes)


class Field:
    """Draws the opponents of each game; an instance is the `opponents` of a VecEnv.

    Args:
        names: bots or model files; `self` for the pool.
        config: what is played.
        seed: of the members' chance.
        new_policy: builds a network for a snapshot.
        advisor: the bot whose answers the learner sees, if it does.

    Attributes:
        bots: members that stay.
        pool: snapshots, oldest first.
        win_share: the learner's running win share against each snapshot, by its name.

    Raises:
        ValueError: an unknown bot.
    """

    def __init__(
        self,
        names: Sequence[str],
        config: GameConfig,
        seed: int,
        new_policy: "Callable[[], MaskableActorCriticPolicy]",
        advisor: "Agent | None" = None,
    ) -> None:
        self.names = list(names)
        self.num_seats = config.players - 1
        self.par = 1 / config.players
        self.seed = seed
        self.new_policy = new_policy
        self.advisor = advisor
        self.bots = {
            name: Member(name, make_bot(name, config), seed + place)
            for place, name in enumerate(dict.fromkeys(names))
            if name != SELF
        }
        self.pool: list[Member] = []
        self.win_share: dict[str, float] = {}

    @property
    def has_pool(self) -> bool:
        """Does the learner meet its past?"""
        return SELF in self.names

    def __call__(self, rng: np.random.Generator) -> list[Member]:
        """The opponents of a game, clockwise from the learner."""
        return [self._draw(rng) for _ in range(self.num_seats)]

    def _draw(self, rng: np.random.Generator) -> Member:
        name = self.names[rng.integers(len(self.names))]
        return self.pool[rng.choice(len(self.pool), p=self.chances())] if name == SELF else self.bots[name]

    def chances(self) -> npt.NDArray[np.float64]:
        """`(S,)` how likely each snapshot is to be drawn."""
        lost = np.array([(1 - self.win_share[member.name]) ** 2 + 1e-3 for member in self.pool])
        return EVEN / len(lost) + (1 - EVEN) * lost / lost.sum()

    def add_snapshot(self, weights: Mapping[str, Any], decisions: int) -> None:
        """Keep the weights of a policy; when the pool is full, the snapshot that is beaten most makes room."""
        if len(self.pool) == CAPACITY:
            self.pool.remove(max(self.pool, key=lambda member: self.win_share[member.name]))
        self.pool.append(self._snapshot(weights, f"{SELF}@{decisions}", decisions))
        self.win_share[self.pool[-1].name] = self.par

    def _snapshot(self, weights: Mapping[str, Any], name: str, seed: int) -> Member:
        policy = self.new_policy()
        policy.load_state_dict(weights)
        return Member(name, NetworkAgent(policy.eval(), name, advisor=self.advisor), self.seed + seed)

    def count(self, name: str, share: float) -> None:
        """Count a game in which the learner met a member and won by `share`."""
        if name in self.win_share:
            self.win_share[name] = MEMORY * self.win_share[name] + (1 - MEMORY) * share

    # ------------------------------------------------------------------------------------- resuming

    def state(self, seated: Sequence[Any]) -> dict[str, Any]:
        """Plain data and tensors: the pool, and those who sit in running games, `seated` in the order of the games."""
        snapshots = {member.name: member for member in (*seated, *self.pool) if member.name not in self.bots}
        return {
            "snapshots": {
                name: {
                    "weights": member.agent.policy.state_dict(),
                    "chance": member.agent.generator.get_state(),
                }
                for name, member in snapshots.items()
            },
            "pool": [member.name for member in self.pool],
            "seated": [member.name for member in seated],
            "win_share": dict(self.win_share),
        }

    def set_state(self, state: dict[str, Any]) -> list[Member]:
        """Take back what `state` gave; those who sit in running games."""
        members = dict(self.bots)
        for name, content in state["snapshots"].items():
            members[name] = self._snapshot(content["weights"], name, 0)
            members[name].agent.generator.set_state(content["chance"])
        self.pool = [members[name] for name in state["pool"]]
        self.win_share = dict(state["win_share"])
        return [members[name] for name in state["seated"]]
