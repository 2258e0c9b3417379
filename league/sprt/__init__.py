"""Sequential tests on seat-rotated pairs: whether one player is stronger than another."""

from __future__ import annotations

from league.sprt.estimate import Estimate
from league.sprt.gate import Gate, Verdict
from league.sprt.pairs import pair_category, pairs
from league.sprt.pentanomial import category

__all__ = ["Estimate", "Gate", "Verdict", "category", "pair_category", "pairs"]
