"""The agent that a command line names: a bot, a model file, or the folder of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

import agents
from agents.human import HumanAgent
from agents.learned.policy import MODEL_FILE, load_agent
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig

if TYPE_CHECKING:
    from agents import Agent


def make_agent(text: str, config: GameConfig) -> "Agent":
    """An agent for games of a config; a model plays its likeliest action.

    Raises:
        ValueError: no bot and no model, or a model that does not fit the config.
    """
    path = Path(text)
    if path.suffix == ".zip" or path.is_dir() or path.is_file():
        file = path / MODEL_FILE if path.is_dir() else path
        return load_agent(file, make_board(config), file.name)
    try:
        return agents.make(text)
    except ValueError as error:
        if text.partition(":")[0] in agents.names():  # a bot with a wrong parameter
            raise
        raise ValueError(f"{error}; nor is there a model file {text}") from None


def make_bot(text: str, config: GameConfig) -> "Agent":
    """As `make_agent`, for games by the thousand: a bot or a model, and nobody at the terminal.

    Raises:
        ValueError: as `make_agent`, or a person.
    """
    agent = make_agent(text, config)
    if isinstance(agent, HumanAgent):
        raise ValueError(f"agent is {text!r}, who answers at the terminal; allowed: bots and models")
    return agent
