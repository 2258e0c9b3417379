"""One match: how it is played and what is kept of it."""

from arena.match.loop import play, play_async, void
from arena.match.opening import check_opening
from arena.match.policy import IllegalPolicy
from arena.match.records import (
    CATEGORIES,
    Category,
    Decision,
    Episode,
    MatchPlan,
    Sample,
    Status,
    Turn,
    decode,
    encode,
)

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
