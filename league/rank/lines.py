"""A ranking as text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from league.board.cells import clean, fit, number
from league.rank.ranking import GameRank, Ranking

_LABEL = 12
"""cells of a game's short name"""


def ranking_lines(ranking: Ranking) -> Iterator[str]:
    """Yields the rating, a line for each game, and how others check it."""
    interval = f"95% between {number(ranking.low)} and {number(ranking.high)}"
    if ranking.floor:
        yield f"{clean(ranking.model)} is at the floor: it forfeited all of its {ranking.matches:,} matches"
    else:
        yield f"{clean(ranking.model)}: {number(ranking.rating)} ({interval}), the mean over {len(ranking.games)} games"
        if below := sum(not rank.answered for rank in ranking.games):
            yield f"{below} of them at the floor, which counts as weaker than every anchor there"
    yield f"{'game':{_LABEL}} rating 95%          W-D-L   expected points of 100 against"
    yield from map(_game, ranking.games)
    yield f"suite {ranking.suite}, {ranking.matches:,} matches in run {ranking.run} of {ranking.db}"
    head = ranking.head[:32]
    command = shlex.join(["arena", "verify", ranking.run, "--db", ranking.db, "--head", head])
    yield f"head of the log: {head} (`{clean(command)}` replays it)"


def _game(rank: GameRank) -> str:
    label = fit(clean(rank.name), _LABEL).ljust(_LABEL)
    if not rank.answered:
        return f"{label} at the floor: forfeited all of {rank.matches:,} matches"
    counts = f"{rank.wins}-{rank.draws}-{rank.losses}"
    against = ", ".join(f"{one.anchor} {one.points:.0f}" for one in rank.anchors)
    return f"{label} {number(rank.rating):>6} {f'{number(rank.low)} to {number(rank.high)}':12} {counts:7} {against}"
