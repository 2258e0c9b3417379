"""A ranking as text."""

from __future__ import annotations

from collections.abc import Iterator

from league.board.cells import clean, fit, number
from league.config.tournament import TournamentConfig
from league.matchmaking.planner import Planner
from league.rank.ranking import GameRank, Ranking
from league.rank.suite import RankSuite
from league.tournament.lineup import assemble
from league.tournament.spec import tournament_spec

_LABEL = 42
"""cells of a game's id"""


def cost_lines(config: TournamentConfig, of: RankSuite) -> Iterator[str]:
    """Yields what a ranking takes at most."""
    lineup = assemble(config)
    spec = tournament_spec(config, lineup, {})
    outside = lineup.outside
    lineup.close()
    total = Planner(spec).total
    size = f"{len(of.games)} games, {len(config.players) - 1} rated anchors"
    yield (
        f"suite {of.version}: {size}, at most {total:,} matches in {config.rounds} rounds; "
        "it ends earlier if the interval is narrow enough"
    )
    if outside:
        yield "the model is at an endpoint, which may cost money: --rounds 2 first shows the tokens of a match"


def ranking_lines(ranking: Ranking) -> Iterator[str]:
    """Yields the rating, a line for each game, and how others check it."""
    interval = f"95% between {number(ranking.low)} and {number(ranking.high)}"
    if ranking.floor:
        yield f"{clean(ranking.model)} is at the floor: it gave no legal answer in any of {ranking.matches:,} matches"
    else:
        yield f"{clean(ranking.model)}: {number(ranking.rating)} ({interval}), the mean over {len(ranking.games)} games"
    yield f"{'game':{_LABEL}}  rating  95%            W   D   L  expected points of 100 against"
    yield from map(_game, ranking.games)
    yield f"suite {ranking.suite}, {ranking.matches:,} matches in run {ranking.run} of {ranking.db}"
    yield f"head of the log: {ranking.head[:32]} (`arena verify --run {ranking.run} --db {ranking.db}` replays it)"


def _game(rank: GameRank) -> str:
    label = fit(clean(rank.game), _LABEL).ljust(_LABEL)
    if not rank.answered:
        return f"{label}  no legal answer in {rank.matches:,} matches"
    counts = f"{rank.wins:>3} {rank.draws:>3} {rank.losses:>3}"
    against = ", ".join(f"{one.anchor} {one.points:.0f}" for one in rank.anchors)
    return f"{label}  {number(rank.rating):>6}  {f'{number(rank.low)} to {number(rank.high)}':13} {counts}  {against}"
