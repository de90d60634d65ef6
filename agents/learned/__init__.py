"""Bots that were trained: networks, saved models, and agents that play by them. Needs the extra `train` but for the names."""
