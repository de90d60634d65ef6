"""Power Grid as a reinforcement-learning environment: a compiled rules engine, one game, batches, PettingZoo and Gymnasium."""

from powergrid_env.config import GameConfig
from powergrid_env.game import Game
from powergrid_env.notation import IllegalAction

__all__ = ["Game", "GameConfig", "IllegalAction"]
