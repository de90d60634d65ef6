"""Power Grid as a reinforcement-learning environment: a compiled rules engine, one game, batches, PettingZoo and Gymnasium."""

from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig
from powergrid_env.envs import registration as _registration
from powergrid_env.envs.aec import env, parallel_env, raw_env
from powergrid_env.game import Game
from powergrid_env.notation import IllegalAction

__all__ = ["Game", "GameBatch", "GameConfig", "IllegalAction", "env", "parallel_env", "raw_env"]

_registration.register()
