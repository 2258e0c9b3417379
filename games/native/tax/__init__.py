"""tax-v0: a planner sets tax rates, workers choose how much they work."""

from games.native.tax.game import tax

__all__ = ["tax"]
