"""Other libraries on the same games, each in one small file; they need the extra `others`."""
