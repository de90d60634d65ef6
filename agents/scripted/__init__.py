"""Scripted bots: compiled functions of the position and a seed, which read only what their player may know."""
