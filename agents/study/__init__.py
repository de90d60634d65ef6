"""Auction research that needs reference bots: what a lot is worth, by rollouts."""

from agents.study.lot_value import LotValue, lot_value
from agents.study.valuations import valuations

__all__ = ["LotValue", "lot_value", "valuations"]
