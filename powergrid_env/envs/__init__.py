"""Adapters for the ecosystem: PettingZoo (aec.py), Gymnasium with one learner (single.py) and with many (vector.py)."""
