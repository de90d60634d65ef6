"""`powergrid value`: what a lot is worth, by rollouts of reference bots."""

from pathlib import Path
from typing import Annotated

import typer

from training.commands.options import Seed


def value(
    position: Annotated[Path, typer.Argument(help="Position in phase 2, .toml or .json.")],
    plant: Annotated[
        int, typer.Option(help="At a choice: the plant to value; 0 where one is under the hammer.")
    ] = 0,
    player: Annotated[int, typer.Option(help="Seat that values it; -1 is the one to act.")] = -1,
    prices: Annotated[
        str, typer.Option(help='Prices to try, as "20 30 40"; spread over the cash if left out.')
    ] = "",
    reference: Annotated[str, typer.Option(help="Bot that plays on.")] = "balanced",
    rollouts: Annotated[int, typer.Option(min=2, help="Games per price.")] = 200,
    seed: Seed = 0,
) -> None:
    """Value a lot: win chance if bought at a price against if not, by rollouts with common random numbers."""
    from agents.study import lot_value
    from powergrid_env import Game
    from training.commands.frames import print_frame
    from training.simulate import read_position

    wanted = prices.replace(",", " ").split()
    if not all(price.isdigit() for price in wanted):
        raise ValueError(f"prices is {prices!r}; allowed: whole numbers, separated by blanks")
    found = lot_value(
        Game.from_position(read_position(position), seed=seed),
        None if player < 0 else player,
        plant or None,
        [int(price) for price in wanted] or None,
        reference,
        rollouts,
        seed,
    )
    print_frame(found.chances)
    more = "at least " if found.capped else ""
    print(
        f"plant {found.plant} is worth {more}{found.value:.0f} Elektro [{found.low:.0f}, {found.high:.0f}] to player "
        f"{found.player}; win share without it {found.without:.2f}; {found.rollouts} games per price"
    )
