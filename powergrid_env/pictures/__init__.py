"""Pictures of a game: the table as SVG, as pixels, and a whole game as a page to step through."""

from powergrid_env.pictures.raster import rgb_array
from powergrid_env.pictures.replay import replay_html
from powergrid_env.pictures.sheet import board_svg

__all__ = ["board_svg", "replay_html", "rgb_array"]
