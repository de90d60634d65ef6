"""Masked self-play PPO for N players in one file, to be read from top to bottom.

    python -m training.selfplay_ppo                                     # trains, then plays bots
    python -m training.selfplay_ppo --evaluate runs/selfplay-3p-seed1   # plays bots with what was saved

One network sits in all seats of many games and learns from every seat's decisions. What makes N players different from
one: the decisions of a lane belong to different seats, and every seat is paid at the end of the game, whoever moved last.
So the successor of a decision is the next one *of the same seat*, or the end of the game (`credit`).

The network only ever meets its present self. `powergrid train --opponents "self balanced"` has a pool of past selves and
bots, and resumes exactly.
"""

import argparse
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

import agents
from powergrid_env import GameBatch, GameConfig, layout
from powergrid_env._files import replacing
from powergrid_env.actions import ActionTable
from powergrid_env.board import make_board
from training.evaluate import Standing, against
from training.process import learning
from training.settings import setting

if TYPE_CHECKING:
    from agents.base import Actions, Lanes

MODEL_FILE = "model.pt"
LAST_RATE = 0.1  # of the learning rate, at the end


@dataclass(frozen=True)
class Settings:
    """What shapes a run; every field is an option of the command line.

    Raises:
        ValueError: names the field, what was given and what is allowed.
    """

    players: int = setting(3, "Seats, 2 to 6; the network has all of them.")
    edition: str = setting("recharged", "recharged or 2004.")
    board: str = setting("germany", "germany, usa, or a folder with cities.csv and edges.csv.")
    reward: str = setting("win", "win, rank or margin: what the end of a game pays.")
    steps: int = setting(1_000_000, "Decisions in all, of all seats together.")
    lanes: int = setting(64, "Games played at once.")
    rollout: int = setting(128, "Decisions per lane between two updates.")
    batch: int = setting(1024, "Decisions per gradient step.")
    epochs: int = setting(4, "Passes over what a rollout brought.")
    width: int = setting(128, "Units of each of the two hidden layers.")
    learning_rate: float = setting(1e-3, "Step of Adam at the start; falls in a line to a tenth.")
    clip: float = setting(0.2, "How far one update may move the policy.")
    entropy: float = setting(0.01, "Weight of the entropy bonus.")
    value_weight: float = setting(0.5, "Weight of the value loss.")
    gae_lambda: float = setting(0.95, "How far advantages look ahead in a seat's own decisions.")
    seed: int = setting(1, "Where all chance comes from.")
    threads: int = setting(1, "Threads of the network.")
    bots: str = setting("random face_value", "Bots to be measured against, one field of each.")
    games: int = setting(300, "Games against each bot at the end.")
    examine: int = setting(20, "Updates between two looks at 30 games against each bot; 0 takes none.")
    out: str = setting("", "Folder of the run; runs/selfplay-<players>p-seed<seed> if left out.")

    def __post_init__(self) -> None:
        for name in ("steps", "lanes", "rollout", "batch", "epochs", "width", "threads", "games"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; allowed: 1 or more")
        if self.examine < 0:
            raise ValueError(f"examine is {self.examine}; allowed: 0 or more")
        for name in ("learning_rate", "clip", "entropy", "value_weight", "gae_lambda"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; allowed: 0 to 1")
        for bot in self.bots.split():
            agents.make(bot)

    @property
    def folder(self) -> Path:
        """Where the run is written."""
        return Path(self.out or f"runs/selfplay-{self.players}p-seed{self.seed}")

    def config(self) -> GameConfig:
        """The game; decisions with a single answer are played without asking."""
        return GameConfig(self.players, self.edition, self.board, reward=self.reward, skip_forced=True)


class Network(nn.Module):
    """Two shared layers, then a head for the policy and one for the value to the seat that sees the observation."""

    def __init__(self, observation_size: int, num_actions: int, width: int) -> None:
        super().__init__()
        first, second = nn.Linear(observation_size, width), nn.Linear(width, width)
        self.body = nn.Sequential(first, nn.Tanh(), second, nn.Tanh())
        self.policy = nn.Linear(width, num_actions)
        self.value = nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # begins near the uniform draw
        nn.init.zeros_(self.policy.bias)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """`(k, D)` and `(k, A)` bool to the draw over legal actions and the values `(k,)`."""
        hidden = self.body(observations)
        logits = self.policy(hidden)
        lowest = torch.finfo(logits.dtype).min  # with -inf the entropy is no number
        legal = logits.masked_fill(~masks, lowest)
        return torch.distributions.Categorical(logits=legal, validate_args=False), self.value(hidden)[:, 0]


class NetworkAgent:
    """A network as an agent, for tournaments and evaluations; takes its likeliest action."""

    def __init__(self, network: Network, name: str = "selfplay") -> None:
        self.network = network
        self.name = name

    def reset(self, seed: int) -> None:
        """There is no chance in it."""

    def act(self, batch: GameBatch, lanes: "Lanes") -> "Actions":
        """One legal action per lane."""
        observations, masks = batch.observe(lanes=lanes), batch.masks(lanes=lanes)
        with torch.no_grad():
            draw, _ = self.network(torch.from_numpy(observations), torch.from_numpy(masks).bool())
        return draw.logits.argmax(dim=1).numpy()


# ------------------------------------------------------------------------------------------ experience


class Experience:
    """Decisions of `N` lanes in `P + T` rows: those that the last update left open, then `T` new ones.

    Open is a decision whose seat was neither asked again nor paid, so that its successor is not known yet. It is learnt
    from after the next rollout; left out, the end of a game would not reach a seat that is asked no more. Row `s < P`
    is for the open decision of seat `s`, if there is one.
    """

    def __init__(self, players: int, rows: int, batch: GameBatch) -> None:
        shape = (players + rows, batch.num_games)
        self.players = players
        self.observations = np.zeros((*shape, batch.observation_size), np.float32)
        self.masks = np.zeros((*shape, batch.num_actions), np.int8)
        self.actions = np.zeros(shape, np.int64)
        self.log_probs = np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)
        self.seats = np.zeros(shape, np.int64)
        self.is_filled = np.zeros(shape, np.bool_)
        self.is_filled[players:] = True
        self.is_end = np.zeros(shape, np.bool_)  # the game ended with this decision
        self.rewards = np.zeros((*shape, players), np.float32)  # of all seats, where it did

    def collect(self, batch: GameBatch, network: Network) -> list[int]:
        """Fill the new rows by letting the network play all seats; the rounds of the games that ended."""
        rounds: list[int] = []
        for row in range(self.players, len(self.actions)):
            self.seats[row] = batch.player
            observations = torch.from_numpy(batch.observe(self.observations[row]))
            masks = torch.from_numpy(batch.masks(self.masks[row])).bool()
            with torch.no_grad():
                draw, values = network(observations, masks)
                actions = draw.sample()
                self.log_probs[row] = draw.log_prob(actions).numpy()
            self.values[row], self.actions[row] = values.numpy(), actions.numpy()
            # The safety cap pays 0 to all, and ends a game like any other end.
            self.rewards[row], terminated, truncated = batch.step(self.actions[row])
            self.is_end[row] = terminated | truncated
            if self.is_end[row].any():
                rounds += batch.final_states["round_number"].tolist()
        return rounds

    def carry(self, is_open: npt.NDArray[np.bool_]) -> None:
        """Move the open decisions `(P + T, N)` to the first rows."""
        rows, lanes = np.nonzero(is_open)
        seats = self.seats[rows, lanes]
        for name in ("observations", "masks", "actions", "log_probs", "values", "seats"):
            array = getattr(self, name)
            array[seats, lanes] = array[rows, lanes]
        self.is_filled[: self.players] = False
        self.is_filled[seats, lanes] = True


def credit(seen: Experience, lam: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Generalised advantages along each seat's own decisions, and which decisions are open.

    The discount is 1: a game is won or lost as a whole, and a seat may decide many times in a row.

    Returns:
        advantages `(P + T, N)` and is_open `(P + T, N)`; the advantage of an open decision means nothing.
    """
    advantages, is_open = np.zeros_like(seen.values), np.zeros_like(seen.is_filled)
    per_seat = seen.rewards.shape[1:]
    # Of what follows in time, a decision of that seat or the end of the game, in each lane `(N, P)`:
    next_value, next_advantage, paid = (np.zeros(per_seat, np.float32) for _ in range(3))
    is_followed = np.zeros(per_seat, np.bool_)
    for row in reversed(range(len(seen.values))):
        end = seen.is_end[row]
        next_value[end] = next_advantage[end] = 0
        paid[end], is_followed[end] = seen.rewards[row, end], True

        lanes = np.flatnonzero(seen.is_filled[row])
        mine, values = (lanes, seen.seats[row, lanes]), seen.values[row, lanes]
        advantages[row, lanes] = paid[mine] + next_value[mine] - values + lam * next_advantage[mine]
        is_open[row, lanes] = ~is_followed[mine]

        next_value[mine] = values
        next_advantage[mine] = np.where(is_followed[mine], advantages[row, lanes], 0)
        paid[mine], is_followed[mine] = 0, True
    return advantages, is_open


# -------------------------------------------------------------------------------------------- learning


def update(
    network: Network,
    optimiser: torch.optim.Optimizer,
    seen: Experience,
    advantages: npt.NDArray[np.float32],
    ready: npt.NDArray[np.bool_],
    settings: Settings,
) -> dict[str, float]:
    """The passes of PPO over the decisions that are `ready` `(P + T, N)`; curves by name."""
    observations, masks, actions, old_log_probs, old_values, gains = (
        torch.from_numpy(array[ready])
        for array in (seen.observations, seen.masks, seen.actions, seen.log_probs, seen.values, advantages)
    )
    masks, returns = masks.bool(), gains + old_values
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    curves = []
    for _ in range(settings.epochs):
        for part in torch.randperm(len(gains)).split(settings.batch):
            draw, values = network(observations[part], masks[part])
            log_ratio = draw.log_prob(actions[part]) - old_log_probs[part]
            ratio = log_ratio.exp()
            bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy_loss = -torch.minimum(ratio * gains[part], bounded * gains[part]).mean()
            value_loss = (values - returns[part]).square().mean()
            entropy = draw.entropy().mean()
            optimiser.zero_grad()
            (policy_loss + settings.value_weight * value_loss - settings.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
            kl, clipped = (ratio - 1 - log_ratio).mean(), (ratio != bounded).float().mean()
            curves.append([one.item() for one in (policy_loss, value_loss, entropy, kl, clipped)])
    names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
    found = {f"train/{name}": value for name, value in zip(names, np.mean(curves, axis=0), strict=True)}
    unexplained = (returns - old_values).var() / (returns.var() + 1e-8)
    return found | {"train/explained_variance": 1 - unexplained.item()}


def train(settings: Settings) -> Network:
    """A whole run; its folder then holds `model.pt` and the curves. Ctrl-C ends it early, and saves.

    Raises:
        ValueError: the folder holds a run.
    """
    if settings.folder.exists():
        raise ValueError(f"out is {str(settings.folder)!r}, which exists; allowed: a new folder")
    with learning(settings.threads):
        torch.manual_seed(settings.seed)
        return _train(settings)


def _train(settings: Settings) -> Network:
    config = settings.config()
    batch = GameBatch(config, settings.lanes, seed=settings.seed)
    network = Network(batch.observation_size, batch.num_actions, settings.width)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, eps=1e-5)
    seen = Experience(config.players, settings.rollout, batch)
    writer = SummaryWriter(str(settings.folder / "tensorboard"))
    per_update = settings.lanes * settings.rollout
    num_updates, games, begin = -(-settings.steps // per_update), 0, time.monotonic()
    try:
        for number in range(1, num_updates + 1):
            left = 1 - (number - 1) / num_updates
            optimiser.param_groups[0]["lr"] = settings.learning_rate * (LAST_RATE + (1 - LAST_RATE) * left)
            rounds = seen.collect(batch, network)
            advantages, is_open = credit(seen, settings.gae_lambda)
            curves = update(network, optimiser, seen, advantages, seen.is_filled & ~is_open, settings)
            seen.carry(is_open)

            games += len(rounds)
            curves["games/played"] = games
            curves["time/fps"] = number * per_update / (time.monotonic() - begin)
            if rounds:
                curves["games/rounds"] = float(np.mean(rounds))
            if settings.examine and number % settings.examine == 0:
                for bot, standing in measure(network, settings, games=30).items():
                    curves[f"examination/win_share_{bot}"] = standing.share
            for name, value in curves.items():
                writer.add_scalar(name, value, number * per_update)
    except KeyboardInterrupt:
        print("stopped; what was learnt so far is saved", file=sys.stderr)
    finally:
        writer.close()
        save(network, settings)
    print(f"{games:,} games in {time.monotonic() - begin:.0f} s; model and curves in {settings.folder}")
    return network


# ------------------------------------------------------------------------------------ saved and measured


def measure(network: Network, settings: Settings, games: int) -> dict[str, Standing]:
    """Win share against a field of each bot, over games not trained on (training/evaluate.py)."""
    config, agent = settings.config(), NetworkAgent(network)
    with learning(settings.threads):
        return {bot: against(agent, [bot], config, games, settings.seed) for bot in settings.bots.split()}


def digests(config: GameConfig) -> list[str]:
    """What a network and a game must share: the meaning of its outputs and of its inputs."""
    board = make_board(config)
    return [ActionTable(board).digest(), layout.digest(board)]


def save(network: Network, settings: Settings) -> None:
    """Write the weights, with what they fit, in one move: a reader meets the old file or the new one."""
    what = {"settings": asdict(settings), "digests": digests(settings.config())}
    content = io.BytesIO()  # given a file, torch hides what the disk says
    torch.save({**what, "weights": network.state_dict()}, content)
    with replacing(settings.folder / MODEL_FILE) as draft:
        draft.write_bytes(content.getbuffer())


def load(path: str | Path, config: GameConfig | None = None) -> tuple[Network, Settings]:
    """A saved network, for the game it was trained on or another one with the same actions and observations.

    Raises:
        ValueError: no model there, a damaged one, or one that does not fit.
    """
    path = Path(path) / MODEL_FILE if Path(path).is_dir() else Path(path)
    try:
        content = torch.load(path, weights_only=True)  # a file from elsewhere runs no code
        settings, weights = Settings(**content["settings"]), content["weights"]
        fits = content["digests"] == digests(config or settings.config())
        network = Network(weights["body.0.weight"].shape[1], len(weights["policy.bias"]), settings.width)
        network.load_state_dict(weights)
    except Exception as error:  # whatever torch says of a file that is none of ours
        raise ValueError(f"{path}: no model of selfplay_ppo, or damaged ({type(error).__name__})") from None
    if not fits:
        raise ValueError(f"{path}: made for another action table or observation layout")
    return network.eval(), settings


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line; with --evaluate the options of the run are the defaults."""
    parser = argparse.ArgumentParser("selfplay_ppo", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for item in fields(Settings):
        option = "--" + item.name.replace("_", "-")
        parser.add_argument(option, type=item.type, default=item.default, help=item.metadata["help"])
    parser.add_argument("--evaluate", metavar="RUN", help="Train nothing; play bots with the model of a run.")
    try:
        run = parser.parse_args(arguments).evaluate
        if run:
            parser.set_defaults(**asdict(load(run)[1]))
        values = vars(parser.parse_args(arguments))
        values.pop("evaluate")
        settings = Settings(**values)
        network = load(run, settings.config())[0] if run else train(settings)
        for bot, standing in measure(network, settings, settings.games).items():
            print(f"against {settings.players - 1} {bot}: {standing}")
    except (ValueError, OSError) as error:
        parser.exit(2, f"selfplay_ppo: {error}\n")


if __name__ == "__main__":
    main()
