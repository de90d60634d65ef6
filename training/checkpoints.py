"""Checkpoints that go on exactly: all that the next update follows from, in one file.

The file is written by `torch.save` and read with `weights_only=True`: tensors and plain data, nothing that runs. It is
written at the start of a rollout, when no rollout is half-filled, and replaced in one move: a full disk or a killed
process costs what was learnt since the last one.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from stable_baselines3.common.vec_env import VecEnvWrapper

from powergrid_env._files import replacing

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv

RESUME_FILE = "resume.pt"


def save(path: Path, state: dict[str, Any]) -> None:
    """Write a state in one move."""
    content = io.BytesIO()  # given a file, torch hides what the disk says
    torch.save(state, content)
    with replacing(path) as draft:
        draft.write_bytes(content.getbuffer())


def load(path: Path) -> dict[str, Any]:
    """Read a state.

    Raises:
        ValueError: no such file, or a damaged one.
    """
    if not path.is_file():
        raise ValueError(f"{path.parent} has no {path.name}: the run stopped before its first checkpoint")
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch's for torn files: RuntimeError, UnpicklingError, EOFError, others
        raise ValueError(f"{path}: damaged, {type(error).__name__}") from None


# --------------------------------------------------------------------------------------- the learner


def learner_state(model: "MaskablePPO") -> dict[str, Any]:
    """Networks, optimiser, counters and random generators of a model between two rollouts."""
    return {
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "num_timesteps": model.num_timesteps,
        "num_updates": model._n_updates,
        "last_observations": torch.from_numpy(np.array(model._last_obs)),
        "last_episode_starts": torch.from_numpy(np.array(model._last_episode_starts)),
        "torch_random": torch.get_rng_state(),
        "numpy_random": _plain(np.random.get_state(legacy=False)),  # noqa: NPY002  # SB3 shuffles with it
    }


def set_learner_state(model: "MaskablePPO", state: dict[str, Any]) -> None:
    """Take back what `learner_state` gave."""
    model.policy.load_state_dict(state["policy"])
    model.policy.optimizer.load_state_dict(state["optimizer"])
    model.num_timesteps = state["num_timesteps"]
    model._n_updates = state["num_updates"]
    model._last_obs = state["last_observations"].numpy()
    model._last_episode_starts = state["last_episode_starts"].numpy()
    torch.set_rng_state(state["torch_random"])
    np.random.set_state(_arrays(state["numpy_random"]))  # noqa: NPY002


# ----------------------------------------------------------------------------------------- the games


def games_state(env: "VecEnv") -> list[dict[str, torch.Tensor]]:
    """The games of a VecEnv, who sits where, and what is counted by lane."""
    return [_raw(vars(owner)) for owner in _owners(env)]


def set_games_state(env: "VecEnv", state: list[dict[str, torch.Tensor]]) -> None:
    """Take back what `games_state` gave, into a VecEnv of the same settings that was reset before."""
    for owner, fields in zip(_owners(env), state, strict=True):
        for name, content in fields.items():
            array = vars(owner)[name]
            # Else a list of the lanes that ended in the last step: the next one renews it.
            if array.nbytes == len(content):
                array.view(np.ndarray).reshape(-1).view(np.uint8)[...] = content.numpy()


def _owners(env: "VecEnv") -> list[object]:
    """What holds arrays by lane: wrappers, VecEnv, vector environment, seats, batch."""
    owners: list[object] = []
    while isinstance(env, VecEnvWrapper):
        owners.append(env)
        env = env.venv
    return [*owners, env, env.env, env.games, env.games.batch]


def _raw(fields: dict[str, Any]) -> dict[str, torch.Tensor]:
    """All arrays among the attributes of an object, as bytes."""
    return {
        name: torch.from_numpy(np.frombuffer(value.tobytes(), np.uint8).copy())
        for name, value in fields.items()
        if isinstance(value, np.ndarray) and value.size
    }


def _plain(state: dict[str, Any]) -> dict[str, Any]:
    """Numpy's state of a generator with lists for arrays."""
    return {key: _plain(value) if isinstance(value, dict) else _listed(value) for key, value in state.items()}


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _arrays(state: dict[str, Any]) -> dict[str, Any]:
    inner = {
        key: np.array(value, np.uint32) if isinstance(value, list) else value
        for key, value in state["state"].items()
    }
    return {**state, "state": inner}
