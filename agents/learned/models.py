"""Saved policies: the zip file of stable-baselines3 with a plain description beside the weights.

What stable-baselines3 stores under `data` is pickled, and reading a pickle runs whatever its author put in; the
`custom_objects` of its `load` replace the entries that one names, not the others. We never read `data`. The network is
built from `powergrid.json`, a member that we add, and its weights come from the `.pth` members, read by torch with
`weights_only=True`. So a model file from elsewhere can be wrong, but it cannot run code. `MaskablePPO.load` still reads
our files, for who trusts them.
"""

import io
import json
import pickle
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.learned.networks import make_policy
from powergrid_env import layout
from powergrid_env._files import replacing
from powergrid_env.actions import ActionTable
from powergrid_env.board import Board, make_board
from powergrid_env.config import GameConfig

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

DESCRIPTION = "powergrid.json"
FORMAT = 1
NOT_SAVED = ["_last_obs", "_last_episode_starts", "_last_original_obs", "ep_info_buffer", "ep_success_buffer"]


@dataclass(frozen=True)
class Model:
    """A policy as it was saved.

    Attributes:
        policy: the networks.
        description: what `powergrid.json` says.
        parameters: state dictionaries by name, the optimiser's among them.
    """

    policy: MaskableActorCriticPolicy
    description: dict[str, Any]
    parameters: dict[str, Any]


def digests(board: Board) -> dict[str, str]:
    """What a model must share with a board: the meaning of its outputs and of its inputs."""
    return {"action_table": ActionTable(board).digest(), "observation_layout": layout.digest(board)}


def save(model: "MaskablePPO", path: Path, board: Board, network: dict[str, Any], **about: Any) -> None:
    """Write a model, in the form that `MaskablePPO.load` reads as well.

    Args:
        model: what was trained.
        path: file to write, in one move: a reader meets the old file or the new one.
        board: the board it was trained on.
        network: arguments of `make_policy`.
        about: plain data for the description.
    """
    with replacing(path) as draft:
        with open(draft, "wb") as file:
            model.save(file, exclude=NOT_SAVED)
        with zipfile.ZipFile(draft, "a") as archive:
            archive.writestr(DESCRIPTION, _described(board, network, about))


def save_policy(
    policy: MaskableActorCriticPolicy, path: Path, board: Board, network: dict[str, Any], **about: Any
) -> None:
    """Write weights and description alone, the smallest form; arguments as of `save`."""
    weights = io.BytesIO()
    torch.save(policy.state_dict(), weights)
    with replacing(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("policy.pth", weights.getvalue())
        archive.writestr(DESCRIPTION, _described(board, network, about))


def export(path: Path, out: Path) -> None:
    """Write a model in its smallest form, as `save_policy` does.

    Raises:
        ValueError: as of `load`.
    """
    description = describe(path)
    board = make_board(GameConfig(**description["config"]))
    known = {"format", "network", *digests(board)}
    about = {name: value for name, value in description.items() if name not in known}
    save_policy(load(path, board).policy, out, board, description["network"], **about)


def _described(board: Board, network: dict[str, Any], about: dict[str, Any]) -> str:
    return json.dumps({"format": FORMAT, **digests(board), "network": network, **about}, indent=1)


def describe(path: Path) -> dict[str, Any]:
    """What is written in a model about it.

    Raises:
        ValueError: no such file, no model, or a broken one.
    """
    if not path.is_file():
        raise ValueError(f"{path}: no such model file")
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken:
                raise ValueError(f"{path}: half-written or damaged, {broken} cannot be read")
            description: dict[str, Any] = json.loads(archive.read(DESCRIPTION))
    except zipfile.BadZipFile:
        raise ValueError(f"{path}: no model (not a zip file, or half-written)") from None
    except KeyError:
        raise ValueError(
            f"{path}: no model of `powergrid train`, or half-written: {DESCRIPTION} is missing"
        ) from None
    return description


def load(path: Path, board: Board) -> Model:
    """Read a model for a board.

    Raises:
        ValueError: no such file, no model, a broken one, or one for another action table or observation layout.
    """
    description = describe(path)
    _check(path, description, board)
    try:
        with zipfile.ZipFile(path) as archive:
            parameters = {
                name.removesuffix(".pth"): _read_weights(archive.read(name))
                for name in archive.namelist()
                if name.startswith("policy") and name.endswith(".pth")
            }
        policy = make_policy(board, description["network"])
        policy.load_state_dict(parameters["policy"])
    except (KeyError, TypeError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path}: a damaged model ({type(error).__name__}: {error})") from None
    return Model(policy.eval(), description, parameters)


def _read_weights(content: bytes) -> dict[str, Any]:
    weights: dict[str, Any] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    return weights


def _check(path: Path, description: dict[str, Any], board: Board) -> None:
    if description.get("format") != FORMAT:
        raise ValueError(
            f"{path}: format {description.get('format')!r}; this version reads {FORMAT}; use the version of "
            "powergrid-env that wrote it, or train anew"
        )
    for name, digest in digests(board).items():
        if description.get(name) != digest:
            what = name.replace("_", " ")
            raise ValueError(
                f"{path}: made for another {what} ({description.get(name)}), here it is {digest}; the board, its number "
                "of cities, `raises` and the version of powergrid-env have to be alike"
            )
