"""Styles of `balanced`: the same decisions with other numbers; a parameter may still be set by name.

The first number of each makes its habit; the others were searched for within it (agents/README.md, Tuning).
"""

from dataclasses import replace

from agents.scripted.balanced import BalancedAgent
from agents.scripted.base import Parameter
from agents.scripted.settings import PARAMETERS


def settings_with(**defaults: float) -> tuple[Parameter, ...]:
    """The parameters of `balanced` with other defaults."""
    return tuple(replace(item, default=defaults.get(item.name, item.default)) for item in PARAMETERS)


class SprinterAgent(BalancedAgent):
    """Builds far beyond what its plants supply, to take the cheap cities and to end the game early."""

    bot = "sprinter"
    parameters = settings_with(overbuild=5, reserve=1.7, greed=0.35, keep=29, fuel=1.4, hoard=0.77)


class StallerAgent(BalancedAgent):
    """Stays below the cities that start Step 2 until it is rich."""

    bot = "staller"
    parameters = settings_with(stall=2.9, reserve=0.4, keep=29, fuel=1, hoard=0.73, overbuild=1)


class HoarderAgent(BalancedAgent):
    """Fills the double storage whenever fuel is not dearer than it will be."""

    bot = "hoarder"
    parameters = settings_with(hoard=1.15, reserve=2.5, greed=0.35, keep=28, overbuild=0.6)


class KeeperAgent(BalancedAgent):
    """Wants few, large plants that stay to the end, and pays more for these than for others."""

    bot = "keeper"
    parameters = settings_with(keep=38, reserve=1.8, greed=0.33, fuel=1.4, hoard=0.43, overbuild=0.4)


class GreenAgent(BalancedAgent):
    """Shuns plants that burn much."""

    bot = "green"
    parameters = settings_with(fuel=4, reserve=1.2, greed=0.48, keep=32, hoard=0.6, overbuild=0.3)


class SpoilerAgent(BalancedAgent):
    """Raises what others want, up to nearly what it would be worth to them."""

    bot = "spoiler"
    parameters = settings_with(spoil=0.9)
