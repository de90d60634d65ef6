"""Bots for Power Grid, by name: `agents.make("balanced:reserve=12")`; README.md describes them and their strength."""

from agents.base import Agent, ChoosingAgent
from agents.registry import make, names

__all__ = ["Agent", "ChoosingAgent", "make", "names"]
