"""The names under which Gymnasium and PettingZoo find the environments."""

from typing import Any

import gymnasium
import pettingzoo

IDS: dict[str, dict[str, Any]] = {
    "PowerGrid-v0": {},
    "power_grid/recharged-v0": {"edition": "recharged"},
    "power_grid/2004-v0": {"edition": "2004"},
}
"""Ids and what they fix. The number behind `v` moves when behaviour, observations or action ids move."""


def register() -> None:
    """Make the ids known to `gymnasium.make`, `gymnasium.make_vec` and, from its release 1.27 on, `pettingzoo.make`."""
    for name, fields in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="powergrid_env.envs.single:PowerGridEnv",
                vector_entry_point="powergrid_env.envs.vector:PowerGridVectorEnv",
                kwargs=dict(fields),
            )
        if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="powergrid_env.envs.aec:env", kwargs=dict(fields))
            pettingzoo.register(
                "parallel", name, entry_point="powergrid_env.envs.aec:parallel_env", kwargs=dict(fields)
            )
