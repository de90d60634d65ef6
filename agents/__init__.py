"""Bots that play Power Grid."""
