"""`powergrid value`: what the lot of a position is worth to a player."""

from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Seed


def value(
    position: Annotated[Path, typer.Argument(help="Position in an auction, .toml or .json.")],
    player: Annotated[int | None, typer.Option(help="Seat that values; the one to act if left out.")] = None,
    plant: Annotated[int | None, typer.Option(help="At a choice: the plant of the current market.")] = None,
    prices: Annotated[
        str, typer.Option(help='Elektro to try, as "10 15 20"; spread up to the cash if left out.')
    ] = "",
    reference: Annotated[str, typer.Option(help="Bot that plays all seats from then on.")] = "balanced",
    rollouts: Annotated[int, typer.Option(min=2, help="Games per price.")] = 200,
    seed: Seed = 0,
) -> None:
    """Value a lot by rollouts: the win share if bought at each price, against not buying it."""
    from agents.study import lot_value
    from powergrid_env import Game
    from training.commands.frames import print_frame
    from training.simulate import read_position

    game = Game.from_position(read_position(position), seed=seed)
    found = lot_value(game, player, plant, _numbers(prices), reference, rollouts, seed)
    print_frame(found.chances, f"plant {found.plant} for seat {found.player}; without it {found.without:.2f}")
    at_least = "at least " if found.capped else ""
    print(
        f"worth {at_least}{found.value:.1f} Elektro [{found.low:.1f}, {found.high:.1f}], {found.rollouts} rollouts per price"
    )


def _numbers(text: str) -> list[int] | None:
    """Whole numbers, or None for an empty text.

    Raises:
        ValueError: something else.
    """
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"prices is {text!r}; allowed: whole numbers, as '10 15 20'")
    return [int(word) for word in words] or None
