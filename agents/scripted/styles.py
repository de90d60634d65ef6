"""Styles of `balanced`: the same decisions with other numbers; a parameter may still be set by name."""

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
    parameters = settings_with(overbuild=3)


class StallerAgent(BalancedAgent):
    """Stays below the cities that start Step 2 until it is rich, and saves."""

    bot = "staller"
    parameters = settings_with(stall=1.5, reserve=10)


class HoarderAgent(BalancedAgent):
    """Fills the double storage whenever fuel is not dearer than it will be."""

    bot = "hoarder"
    parameters = settings_with(hoard=1.2)


class KeeperAgent(BalancedAgent):
    """Waits for few, large plants that stay to the end, and pays for them."""

    bot = "keeper"
    parameters = settings_with(keep=40, greed=0.6)


class GreenAgent(BalancedAgent):
    """Shuns plants that burn much."""

    bot = "green"
    parameters = settings_with(fuel=3, hoard=0.4)


class SpoilerAgent(BalancedAgent):
    """Raises what others want, up to nearly what it would be worth to them."""

    bot = "spoiler"
    parameters = settings_with(spoil=0.9)
