"""The table as an array of pixels, without a display."""

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from powergrid_env.arguments import whole_number
from powergrid_env.game import Game
from powergrid_env.pictures.sheet import WIDTH, board_svg


def rgb_array(game: Game, width: int = WIDTH) -> npt.NDArray[np.uint8]:
    """The table as pixels.

    Args:
        game: the game.
        width: of the picture in pixels; the height follows from the board.

    Returns:
        `(height, width, 3)` uint8, red, green, blue.

    Raises:
        ImportError: the extra `pictures` is not installed.
        ValueError: a width that is no whole number from 100 to 10000.
    """
    width = whole_number("width", width, 100, 10_000)
    render, open_image, fonts = _tools()
    picture = render(svg_string=board_svg(game), width=width, skip_system_fonts=True, font_files=fonts)
    with open_image(io.BytesIO(bytes(picture))) as image:
        return np.array(image.convert("RGB"), np.uint8)


@lru_cache(maxsize=1)
def _tools() -> tuple[Any, Any, list[str]]:
    """Who turns SVG into PNG, who reads PNG, and fonts that look the same everywhere."""
    try:
        import matplotlib
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            f"pictures as pixels need {error.name}: pip install 'powergrid-env[pictures]'"
        ) from error
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
    return resvg_py.svg_to_bytes, Image.open, [str(folder / name) for name in names]
