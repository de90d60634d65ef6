"""Imitation: a network learns what a bot would have done, before it learns by itself what wins.

The data set is games in which the bot is asked about every decision. At first it plays all seats; then the network plays
in one seat of each game (or more), so that it sees the positions its own mistakes lead to and is told what the bot would do there
(DAgger, Ross et al. 2011). The value function learns who won those games, so that it knows from the start what it is
asked about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy, mse_loss

from agents.learned.policy import NetworkAgent
from powergrid_env import GameConfig
from powergrid_env._files import replacing
from powergrid_env.batch import GameBatch
from training.process import learning

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    from agents import Agent

VALUE_WEIGHT = 0.25  # of the value's squared error beside the cross-entropy of the actions
MAX_NORM = 1.0  # of a gradient


@dataclass(frozen=True)
class Demonstrations:
    """Decisions and what a teacher would play.

    Attributes:
        observations: `(M, D)` float16.
        masks: `(M, A)` bool, legal actions.
        actions: `(M,)` int64, the teacher's.
        returns: `(M,)` float32, what the game paid the player to act.
    """

    observations: npt.NDArray[np.float16]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.actions)


def demonstrate(
    config: GameConfig,
    teacher: "Agent",
    games: int,
    seed: int,
    student: "Agent | None" = None,
    seats: int = 1,
) -> Demonstrations:
    """Play games in which the teacher is asked about every decision that leaves a choice.

    Args:
        config: what is played.
        teacher: answers everywhere, and plays the seats that the student has not.
        games: all at once.
        seed: of the games and of both agents' chance.
        student: plays some seats, drawn for each game; None for nowhere.
        seats: how many of them.
    """
    batch = GameBatch(config, games, seed, autoreset=False)
    for place, agent in enumerate((teacher, student)):
        if agent is not None:
            agent.reset(seed + place)
    rng = np.random.default_rng(seed)
    sits = np.argsort(rng.random((games, config.players)), axis=1) < (seats if student else 0)
    seen: list[tuple[npt.NDArray[Any], ...]] = []
    paid = np.zeros((games, config.players), np.float32)
    while len(lanes := np.flatnonzero(batch.player >= 0)):
        masks = batch.masks(lanes=lanes).astype(np.bool_)
        actions = teacher.act(batch, lanes)
        players = batch.player[lanes]
        asked = masks.sum(axis=1) > 1
        observations = batch.observe(lanes=lanes[asked]).astype(np.float16)
        seen.append((observations, masks[asked], actions[asked], lanes[asked], players[asked]))
        if student:
            mine = np.flatnonzero(sits[lanes, players])
            actions = actions.copy()
            if len(mine):
                actions[mine] = student.act(batch, lanes[mine])
        rewards, _, _ = batch.step(actions, lanes)
        paid[lanes] += rewards
    observations, masks, actions, lanes, players = (np.concatenate(part) for part in zip(*seen, strict=True))
    return Demonstrations(observations, masks, actions, paid[lanes, players])


def learn(
    policy: "MaskableActorCriticPolicy",
    optimizer: torch.optim.Optimizer,
    shown: Demonstrations,
    batch_size: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """One pass over demonstrations.

    Returns:
        means over the pass, each batch before it was learnt from: `agreement`, the share of decisions in which the likeliest
        action is the teacher's; `loss`, the cross-entropy; `value_error`, the squared error of the value.
    """
    sums = {"agreement": 0.0, "loss": 0.0, "value_error": 0.0}
    order = rng.permutation(len(shown))
    policy.train()
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        observations = torch.from_numpy(shown.observations[rows].astype(np.float32))
        masks, actions = torch.from_numpy(shown.masks[rows]), torch.from_numpy(shown.actions[rows])
        features = policy.extract_features(observations)
        latent, latent_value = policy.mlp_extractor(features)
        logits = policy.action_net(latent).masked_fill(~masks, -1e9)
        loss = cross_entropy(logits, actions)
        value_error = mse_loss(
            policy.value_net(latent_value).squeeze(1), torch.from_numpy(shown.returns[rows])
        )
        optimizer.zero_grad()
        (loss + VALUE_WEIGHT * value_error).backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), MAX_NORM)
        optimizer.step()
        agreement = (logits.argmax(1) == actions).float().mean()
        for name, value in (("agreement", agreement), ("loss", loss), ("value_error", value_error)):
            sums[name] += value.item() * len(rows) / len(order)
    policy.eval()
    return sums


def imitate(
    policy: "MaskableActorCriticPolicy",
    config: GameConfig,
    teacher: "Agent",
    decisions: int,
    seed: int,
    games: int = 512,
    batch_size: int = 1024,
    learning_rate: float = 1e-3,
    keep: Path | None = None,
    on_pass: Callable[[int, dict[str, float]], Any] = lambda shown, found: None,
) -> None:
    """Teach a policy until it has seen so many decisions; each is seen once.

    The learning rate falls in a line to a tenth. The network plays in no seat for the first tenth, then in one seat of each game.

    Args:
        policy: what learns, in place.
        config: what is played.
        teacher: whom to follow.
        decisions: in all.
        seed: where all chance comes from.
        games: played at once for a pass.
        batch_size: decisions per gradient step.
        learning_rate: of Adam, at the start.
        keep: folder for the data set, a file `shown-0000.npz` per pass with the arrays of `Demonstrations`.
        on_pass: told the decisions of each pass and what `learn` found.
    """
    rng = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(policy.parameters(), learning_rate)
    student = NetworkAgent(policy, "student")
    done = passes = 0
    while done < decisions:
        part = done / decisions
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * (1 - 0.9 * part)
        shown = demonstrate(config, teacher, games, int(rng.integers(2**31)), student if part > 0.1 else None)
        with learning(threads=1):  # a small network is quicker on one
            found = learn(policy, optimizer, shown, batch_size, rng)
        if keep:
            with replacing(keep / f"shown-{passes:04d}.npz") as draft:
                np.savez_compressed(draft, **vars(shown))
        done, passes = done + len(shown), passes + 1
        on_pass(len(shown), found)
