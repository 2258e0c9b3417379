"""`arena rank MODEL`: a model among rated anchors in a pinned suite of games."""

from __future__ import annotations

from league.rank.play import rank_model
from league.rank.ranking import GameRank, Ranking
from league.rank.suite import RankSuite, suite

__all__ = ["GameRank", "RankSuite", "Ranking", "rank_model", "suite"]
