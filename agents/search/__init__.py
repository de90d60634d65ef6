"""Search bots: compiled loops over copies of a game whose hidden cards are dealt anew."""
