"""Plays one match and records it as an Episode."""

from arena.match.illegal_policy import IllegalPolicy
from arena.match.loop import play, play_async, void
from arena.match.opening import check_opening
from arena.match.page import CSS, match_html, standalone_html
from arena.match.positions import MatchPosition, iter_positions, move_line, positions
from arena.records import CATEGORIES, Category, Decision, Episode, MatchPlan, Sample, Status, Turn, decode, encode

__all__ = [
    "CATEGORIES",
    "CSS",
    "Category",
    "Decision",
    "Episode",
    "IllegalPolicy",
    "MatchPlan",
    "MatchPosition",
    "Sample",
    "Status",
    "Turn",
    "check_opening",
    "decode",
    "encode",
    "iter_positions",
    "match_html",
    "move_line",
    "play",
    "play_async",
    "positions",
    "standalone_html",
    "void",
]
