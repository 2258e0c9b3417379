"""tax-v0: a planner sets tax rates, workers choose how much they work."""

from games.native.tax.game import TaxGame

__all__ = ["TaxGame"]
