"""Comparisons of two players, counted: the input of the batch fit."""

from __future__ import annotations

from league.ratings.counts.bulk import bulk_table
from league.ratings.counts.comparisons import comparisons, weight
from league.ratings.counts.counts import Counts, Units
from league.ratings.counts.table import CountTable

__all__ = ["CountTable", "Counts", "Units", "bulk_table", "comparisons", "weight"]
