"""The opponent `self`: past policies of the learner, drawn game by game, the harder ones more often.

A learner that only meets its present self may chase its own tail: it unlearns what beat an older self. The pool keeps
snapshots; a snapshot that the learner loses to comes up more often (as in prioritised fictitious self-play), and the
other bots of the field are a fixed point.
"""

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from training.policies import PolicyAgent

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from agents.base import Actions, Lanes
    from powergrid_env.batch import GameBatch

CAPACITY = 8
MEMORY = 0.98  # of the running win share against a snapshot, per game
EVEN = 0.2  # share of the draws that goes to all snapshots alike


class PolicyPool:
    """An agent that is another snapshot in every game.

    Attributes:
        name: "self".
        win_share: `(S,)` the learner's running win share against each snapshot, oldest first.
    """

    name = "self"

    def __init__(self) -> None:
        self.policies: list[MaskableActorCriticPolicy] = []
        self.agents: list[PolicyAgent] = []
        self.win_share = np.zeros(0)
        self._games = np.zeros(0, np.int64)  # seed of the game in each lane when its snapshot was drawn
        self._members = np.zeros(0, np.int64)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Take all chance from `seed`."""
        self.rng = np.random.default_rng(seed)
        for agent in self.agents:
            agent.reset(int(self.rng.integers(2**62)))

    def add(self, policy: "MaskableActorCriticPolicy") -> None:
        """Keep a copy of a policy; when the pool is full, the snapshot that is beaten most makes room."""
        if len(self.agents) == CAPACITY:
            self._drop(int(np.argmax(self.win_share)))
        snapshot = copy.deepcopy(policy).eval()
        for parameter in snapshot.parameters():
            parameter.requires_grad_(False)
        self.policies.append(snapshot)
        self.agents.append(PolicyAgent(snapshot, f"self {len(self.agents)}"))
        self.agents[-1].reset(int(self.rng.integers(2**62)))
        self.win_share = np.append(self.win_share, 1 / 3)

    def _drop(self, place: int) -> None:
        del self.policies[place], self.agents[place]
        self.win_share = np.delete(self.win_share, place)
        self._games[self._members == place] = -1  # these games draw again
        self._members[self._members > place] -= 1

    def chances(self) -> npt.NDArray[np.float64]:
        """`(S,)` how likely each snapshot is to be drawn."""
        hardness = (1 - self.win_share) ** 2 + 1e-3
        return EVEN / len(hardness) + (1 - EVEN) * hardness / hardness.sum()

    def members(self, batch: "GameBatch", lanes: "Lanes") -> npt.NDArray[np.int64]:
        """`(k,)` the snapshot that plays in each lane, drawn when a game is first seen."""
        if len(self._games) < len(batch):
            grown = len(batch) - len(self._games)
            self._games = np.append(self._games, np.full(grown, -1))
            self._members = np.append(self._members, np.zeros(grown, np.int64))
        fresh = lanes[self._games[lanes] != batch.seeds[lanes]]
        self._members[fresh] = self.rng.choice(len(self.agents), size=len(fresh), p=self.chances())
        self._games[fresh] = batch.seeds[fresh]
        return self._members[lanes]

    def act(self, batch: "GameBatch", lanes: "Lanes") -> "Actions":
        """One legal action per lane."""
        members = self.members(batch, lanes)
        actions = np.zeros(len(lanes), np.int64)
        for place, agent in enumerate(self.agents):
            mine = members == place
            if mine.any():
                actions[mine] = agent.act(batch, lanes[mine])
        return actions

    def learn_result(self, member: int, share: float) -> None:
        """Count a game of the learner against a snapshot, won by `share`."""
        self.win_share[member] = MEMORY * self.win_share[member] + (1 - MEMORY) * share

    def state(self) -> dict[str, Any]:
        """All that the pool's future follows from, as plain data and tensors."""
        return {
            "policies": [policy.state_dict() for policy in self.policies],
            "win_share": self.win_share.tolist(),
            "games": self._games.tolist(),
            "members": self._members.tolist(),
            "rng": self.rng.bit_generator.state,
            "generators": [agent.generator.get_state() for agent in self.agents],
        }

    def set_state(self, state: dict[str, Any], policy: "MaskableActorCriticPolicy") -> None:
        """Take back what `state` gave; `policy` says how the networks are built."""
        self.policies, self.agents, self.win_share = [], [], np.zeros(0)
        for weights, generator in zip(state["policies"], state["generators"], strict=True):
            self.add(policy)
            self.policies[-1].load_state_dict(weights)
            self.agents[-1].generator.set_state(generator)
        self.win_share = np.array(state["win_share"], np.float64)
        self._games = np.array(state["games"], np.int64)
        self._members = np.array(state["members"], np.int64)
        self.rng.bit_generator.state = state["rng"]
