"""Adapters for the ecosystem: PettingZoo (aec.py), Gymnasium with one learner (single.py) and with many (vector.py)."""

from powergrid_env.envs.single import PowerGridEnv
from powergrid_env.envs.vector import PowerGridVectorEnv

__all__ = ["PowerGridEnv", "PowerGridVectorEnv"]
