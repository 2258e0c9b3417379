"""Plays one match and records it as an Episode."""

from arena.match.illegal_policy import IllegalPolicy
from arena.match.loop import play, play_async, void
from arena.match.opening import check_opening
from arena.records import CATEGORIES, Category, Decision, Episode, MatchPlan, Sample, Status, Turn, decode, encode

__all__ = [
    "CATEGORIES",
    "Category",
    "Decision",
    "Episode",
    "IllegalPolicy",
    "MatchPlan",
    "Sample",
    "Status",
    "Turn",
    "check_opening",
    "decode",
    "encode",
    "play",
    "play_async",
    "void",
]
