"""The rules of the game, one file per phase (`begin`, `verify`, `apply`, `is_over`), and what phases share."""
