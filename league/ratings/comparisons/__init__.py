"""Comparisons of two players, counted: the input of the batch fit."""

from __future__ import annotations

from league.ratings.comparisons.count_arrays import Counts, Units
from league.ratings.comparisons.from_outcomes import comparisons, weight
from league.ratings.comparisons.table import CountTable

__all__ = ["CountTable", "Counts", "Units", "comparisons", "weight"]
