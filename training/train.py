"""Training a bidder: MaskablePPO in one seat of many games at once, against a field of bots.

`train` is the whole of it from top to bottom; `Run` holds what its steps share.
"""

import os
import platform
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecEnv

from agents.learned import models
from agents.learned.networks import make_policy, policy_class
from agents.learned.policy import MODEL_FILE, NetworkAgent
from powergrid_env.board import make_board
from training import checkpoints
from training.advised import Advised
from training.by_name import make_bot
from training.callbacks import Checkpoints, CriticFirst, GameCurves, ProgressBar, StopSignal
from training.examine import examine
from training.field import Field
from training.process import learning
from training.sb3_vec_env import make_vec_env
from training.settings import TrainSettings, read_run, write_run
from training.shaping import ShapedReward

LAST_RATE = 0.1  # of the learning rate, at the end
PACKAGES = ("powergrid-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")


def train(settings: TrainSettings, resume: bool = False) -> "Run":
    """Train a learner; its folder then holds model.zip, run.toml, checkpoints and TensorBoard logs.

    Ctrl-C ends the run after the running update, with everything saved; a second one at once, with the last checkpoint.

    Args:
        settings: what shapes the run.
        resume: go on from the last checkpoint in `settings.folder`; `steps` alone may differ from its run.toml.

    Raises:
        ValueError: a setting that is not allowed, or a folder that fits not.
    """
    with learning(settings.threads):
        return _train(settings, resume)


def _train(settings: TrainSettings, resume: bool) -> "Run":
    run = Run(settings)
    run.open_folder(resume)
    model = run.model
    progress = ProgressBar(settings.steps, run.curves.note)
    saving = Checkpoints(settings.checkpoint, run.save_checkpoint, run.stop)
    model.set_logger(configure(str(run.folder / "tensorboard"), ["tensorboard"]))
    try:
        with run.stop:
            left = settings.steps - model.num_timesteps
            callbacks = [CriticFirst(settings.critic_first), run.curves, saving, progress]
            model.learn(left, callbacks, reset_num_timesteps=not resume)
    finally:
        progress.bar.stop()
        run.save_model(run.folder / MODEL_FILE)
        run.write()
    return run


class Run:
    """What a run is made of.

    Attributes:
        folder: where everything is written.
        model: the learner.
        env, outer_env: the games it learns from, and what its reward is shaped by around them.
        field: the learner's opponents.
        curves: results of the games so far.
    """

    def __init__(self, settings: TrainSettings) -> None:
        self.settings = settings
        self.config = settings.config()
        self.board = make_board(self.config)
        self.network: dict[str, Any] = {
            "kind": settings.kind,
            "layers": settings.layers,
            "activation": settings.activation,
        }
        self.advisor = make_bot(settings.advisor, self.config) if settings.advisor else None
        if settings.advisor:
            self.network["advisor"] = settings.advisor
        self.field = Field(settings.opponent_names, self.config, settings.seed, self.new_policy, self.advisor)
        self.examiners = [make_bot(name, self.config) for name in self.field.bots]
        self.curves = GameCurves(self.field.count)
        self.stop = StopSignal()
        self._seconds_before, self._begin = 0.0, time.monotonic()
        self.env = make_vec_env(self.config, settings.lanes, self.field, settings.seed, settings.threads)
        self.outer_env: VecEnv = Advised(self.env, self.advisor) if self.advisor else self.env
        if settings.shaping:
            self.outer_env = ShapedReward(self.outer_env, self.env.games, settings.shaping, settings.gamma)
        kind, keywords = policy_class(board=self.board, **self.network)
        self.model = MaskablePPO(
            kind,
            self.outer_env,
            learning_rate=lambda left: settings.learning_rate * (LAST_RATE + (1 - LAST_RATE) * left),
            n_steps=settings.rollout,
            batch_size=settings.batch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            policy_kwargs=keywords,
            seed=settings.seed,
            device="cpu",
        )

    @property
    def seconds(self) -> float:
        """Seconds from the beginning of the run, those before it was resumed included."""
        return self._seconds_before + time.monotonic() - self._begin

    def new_policy(self) -> MaskableActorCriticPolicy:
        """An untrained network, always the same; leaves torch's generator as it is."""
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(self.settings.seed)
            return make_policy(self.board, self.network)

    def trained_agent(self) -> NetworkAgent:
        """The learner as an agent that plays its likeliest action."""
        return NetworkAgent(self.model.policy, "trained", True, self.advisor)

    def untrained_agent(self) -> NetworkAgent:
        """The network as it was before training, drawing its actions; it has no likeliest one worth the name."""
        return NetworkAgent(self.new_policy(), "untrained", advisor=self.advisor)

    # ----------------------------------------------------------------------------------- the folder

    def open_folder(self, resume: bool) -> None:
        """Make the folder of the run, or go on from what it holds."""
        if self.settings.warm_start and not resume:
            self._load_warm_start(Path(self.settings.warm_start))
        if self.field.has_pool:
            self.field.add_snapshot(self.model.policy.state_dict(), 0)
        if resume:
            self.folder = self.settings.folder
            self._load_checkpoint()
            return
        self.folder = _free_folder(self.settings)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.write()

    def write(self) -> None:
        """Write run.toml: the settings and all that a reader of the run has to know."""
        done = {
            "decisions": self.model.num_timesteps,
            "games": self.curves.games,
            "seconds": round(self.seconds, 1),
        }
        write_run(
            self.folder,
            self.settings,
            done=done,
            digests=models.digests(self.board),
            versions={"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
            machine={"cpus": os.cpu_count() or 0, "threads": self.settings.threads},
        )

    def save_model(self, path: Path) -> None:
        """Write the policy as it is."""
        about = {
            "decisions": self.model.num_timesteps,
            "config": self.config.to_dict(),
            "seed": self.settings.seed,
        }
        models.save(self.model, path, self.board, self.network, **about)

    def save_checkpoint(self) -> None:
        """Write what the run goes on from, and the policy for who wants to look at its past; look how it plays."""
        if self.field.has_pool:
            self.field.add_snapshot(self.model.policy.state_dict(), self.model.num_timesteps)
        checkpoints.save(self.folder / checkpoints.RESUME_FILE, self.state())
        past = self.folder / "checkpoints"
        past.mkdir(exist_ok=True)
        self.save_model(past / f"{self.model.num_timesteps:09d}.zip")
        self.write()
        if self.settings.examine:
            found = examine(self.trained_agent(), self.examiners, self.config, self.settings.examine)
            for name, value in found.items():
                self.model.logger.record(name, value)

    def _load_warm_start(self, path: Path) -> None:
        found = models.load(path / MODEL_FILE if path.is_dir() else path, self.board)
        if found.description["network"] != self.network:
            raise ValueError(
                f"warm_start is {str(path)!r}, whose network is {found.description['network']}; allowed: {self.network}"
            )
        self.model.policy.load_state_dict(found.policy.state_dict())

    # ------------------------------------------------------------------------------------- resuming

    def state(self) -> dict[str, Any]:
        """All that the next update follows from."""
        return {
            "learner": checkpoints.learner_state(self.model),
            "games": checkpoints.games_state(self.outer_env),
            "curves": self.curves.state(),
            "field": self.field.state(self.env.games.agents),
            "seconds": self.seconds,
        }

    def _load_checkpoint(self) -> None:
        before, _ = read_run(self.folder)
        if replace(before, steps=self.settings.steps, out=self.settings.out) != self.settings:
            raise ValueError(
                f"{self.folder}: its run.toml has other settings; only steps may change when a run goes on"
            )
        state = checkpoints.load(self.folder / checkpoints.RESUME_FILE)
        if state["learner"]["num_timesteps"] >= self.settings.steps:
            done = state["learner"]["num_timesteps"]
            raise ValueError(f"{self.folder} already has {done} decisions; allowed: --steps above that")
        self.outer_env.reset()
        checkpoints.set_games_state(self.outer_env, state["games"])
        self.env.games.agents = list(self.field.set_state(state["field"]))
        checkpoints.set_learner_state(self.model, state["learner"])
        self.curves.set_state(state["curves"])
        self._seconds_before = state["seconds"]


def _free_folder(settings: TrainSettings) -> Path:
    """The folder asked for, or the first free one of that name.

    Raises:
        ValueError: the folder asked for by name holds something.
    """
    folder = settings.folder
    if settings.out:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(
                f"out is {settings.out!r}, which exists; allowed: a new folder, or --resume {settings.out}"
            )
        return folder
    number = 1
    while folder.exists():
        number += 1
        folder = settings.folder.with_name(f"{settings.folder.name}-{number}")
    return folder
