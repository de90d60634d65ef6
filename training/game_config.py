"""The GameConfig that the words of a command line or of a run's settings stand for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from powergrid_env import GameConfig


def parse_rulings(text: str) -> dict[str, Any]:
    """Rulings written `name=value name=value`.

    Raises:
        ValueError: a word without `=`.
    """
    rulings: dict[str, Any] = {}
    for item in text.replace(",", " ").split():
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"rulings is {text!r}; allowed: name=value, separated by blanks")
        rulings[name] = int(value) if value.lstrip("-").isdigit() else value
    return rulings


def make_config(
    players: int, edition: str, board: str, regions: str = "", rulings: str = "", **more: Any
) -> "GameConfig":
    """The config of a command line or of a run.

    Args:
        players: seats, 2 to 6.
        edition: recharged or 2004.
        board: germany, usa or a folder.
        regions: names separated by blanks; none lets the seed draw them.
        rulings: `name=value`, separated by blanks.
        **more: other fields of GameConfig.

    Raises:
        ValueError: names the field, what was given and what is allowed.
    """
    from powergrid_env import GameConfig
    from powergrid_env.board import make_board

    zone = tuple(regions.replace(",", " ").split()) or None
    config = GameConfig(
        players=players, edition=edition, board=board, regions=zone, rulings=parse_rulings(rulings), **more
    )
    make_board(config)  # regions that do not touch are found here, before any work
    return config
