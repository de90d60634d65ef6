"""`powergrid replay`: records played again, every decision checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from powergrid_env import Game


def replay(
    file: Annotated[Path, typer.Argument(help="Records, one after another.")],
    game: Annotated[
        int,
        typer.Option(
            min=0,
            help="The game of the file that is shown or drawn, from 1; 0 shows none, and draws the first.",
        ),
    ] = 0,
    html: Annotated[
        Path | None, typer.Option(help="Page to write that plays the game back (the first, or --game).")
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Picture of that game at --at, .svg or .png.")] = None,
    at: Annotated[
        int, typer.Option(min=-1, help="Decision before which the picture is taken; -1 is the end.")
    ] = -1,
) -> None:
    """Play records again: every decision must be legal and every checksum and result right. Tells the first line that is not."""
    from powergrid_env import record
    from powergrid_env._files import replacing
    from powergrid_env.pictures import replay_html
    from training.table import ending

    if picture is not None and picture.suffix not in (".svg", ".png"):
        raise ValueError(f"picture is {picture}; allowed: a file that ends in .svg or .png")
    try:
        records = list(record.split(file.read_text("utf-8")))
    except ValueError as error:  # no record in it, or no text at all
        raise ValueError(f"{file}: {error}") from None
    if game > len(records):
        raise ValueError(f"game is {game}; allowed: 1 to {len(records)}, as many as {file} holds")
    for number, (first_line, text) in enumerate(records, 1):
        try:
            played = record.read(text, first_line)
        except record.RecordError as error:
            raise ValueError(f"{file}: {error}") from None
        if picture is not None and number == max(1, game):
            _draw(played, at, picture)
        if html is not None and number == max(1, game):
            with replacing(html) as draft:
                draft.write_text(replay_html(played), "utf-8")
        if number == game and html is None and picture is None:
            _show(played)
        elif game in (0, number):
            print(f"game {number}: {ending(played) if played.over else f'open, {played!r}'}")
    print(f"{len(records)} records in {file}, every decision checked")
    if picture is not None:
        print(f"game {max(1, game)} as a picture in {picture}")
    if html is not None:
        print(f"game {max(1, game)} to step through in {html}")


def _draw(game: "Game", at: int, path: Path) -> None:
    """The table before a decision, as a picture."""
    from powergrid_env._files import replacing
    from powergrid_env.pictures import board_svg, rgb_array
    from powergrid_env.record import walk

    moments = [moment.clone() for number, (moment, _) in enumerate(walk(game)) if number == at]
    if at >= 0 and not moments:
        raise ValueError(f"at is {at}; allowed: 0 to the last decision of the game, or -1 for its end")
    moment = moments[0] if moments else game
    with replacing(path) as draft:
        if path.suffix == ".svg":
            draft.write_text(board_svg(moment), "utf-8")
        else:
            from PIL import Image

            Image.fromarray(rgb_array(moment)).save(draft)


def _show(game: "Game") -> None:
    from powergrid_env.record import walk
    from powergrid_env.render import render_ansi
    from training.table import ending

    phase = ""
    for at, action in walk(game):
        if at.phase != phase:
            print(f"\n{render_ansi(at)}")
            phase = at.phase
        print(f"R{at.round_number} p{at.player}: {at.words(action)}")
    print(f"\n{render_ansi(game)}")
    if game.over:
        print(ending(game))
