"""A ranking as text."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Iterator

from league.board.cells import clean, fit, number
from league.rank.ranking import GameRank, Ranking

_LABEL = 12
"""cells of a game's short name"""
_WIDTH = 80
"""cells of a line"""


def ranking_lines(ranking: Ranking) -> Iterator[str]:
    """Yields the rating, a line for each game, and how others check it."""
    if ranking.floor:
        yield f"{clean(ranking.model)} is at the floor: it forfeited all of its {ranking.matches:,} matches"
    else:
        text = rating_text(ranking.rating, ranking.low, ranking.high, len(ranking.games))
        yield f"{clean(ranking.model)}: {text}"
        if below := sum(not rank.answered for rank in ranking.games):
            yield f"{below} of them at the floor, which counts as weaker than every anchor there"
    yield from game_lines(ranking.games)
    yield f"suite {ranking.suite}, {ranking.matches:,} matches in run {ranking.run} of {ranking.db}"
    head = ranking.head[:32]
    command = shlex.join(["arena", "verify", ranking.run, "--db", ranking.db, "--head", head])
    yield f"head of the log: {head} (`{clean(command)}` replays it)"


def rating_text(rating: float, low: float, high: float, count: int) -> str:
    """Returns a rating with its 95% interval, and over how many games it is the mean."""
    over = f", the mean over {count} games" if count > 1 else ""
    return f"{number(rating)} (95% between {number(low)} and {number(high)}){over}"


def game_lines(ranks: Iterable[GameRank]) -> Iterator[str]:
    """Yields the head of a table, and a line for each game, or two where there are many anchors."""
    yield f"{'game':{_LABEL}} rating 95%          W-D-L    points of 100 against"
    for rank in ranks:
        label = fit(clean(rank.name), _LABEL).ljust(_LABEL)
        if not rank.answered:
            yield f"{label} at the floor: forfeited all of {rank.matches:,} matches"
            continue
        rating = f"{number(rank.rating):>6} {f'{number(rank.low)} to {number(rank.high)}':12}"
        start = f"{label} {rating} {f'{rank.wins}-{rank.draws}-{rank.losses}':8} "
        against = ", ".join(f"{one.anchor}\0{one.points:.0f}" for one in rank.anchors)
        wrapped = textwrap.wrap(start + against, _WIDTH, subsequent_indent=" " * len(start), drop_whitespace=False)
        yield from (line.rstrip().replace("\0", " ") for line in wrapped)
