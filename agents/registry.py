"""Agents by name, as the environments find them: the entry-point group `powergrid_env.agents`.

`balanced:reserve=12,greed=0.4` calls the factory that the group lists as `balanced` with these two keywords. What
stands without a key goes to the first parameter of the factory, as in `policy:runs/first/model.zip`.
"""

from powergrid_env.envs.opponents import GROUP, make, names

__all__ = ["GROUP", "make", "names"]
