"""A ranking: how strong a model is in each game of the suite, and in the mean over them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist, fmean

import msgspec

from league.board.standing_columns import unanswered
from league.config.tournament import RatingAnchor, RatingConfig
from league.rank.suite import RankSuite, SuiteGame
from league.records.leaderboard import Leaderboard, Standing

MODEL = "model"
"""the name of the model in a ranking's run"""
_Z = NormalDist().inv_cdf(0.975)


class Against(msgspec.Struct, frozen=True):
    """A model against an anchor."""

    anchor: str
    points: float
    """expected points of 100, a draw half a point"""
    above: float
    """the probability of being stronger"""


class GameRank(msgspec.Struct, frozen=True):
    """A model in one game. The ratings of anchors fix its scale."""

    game: str
    name: str
    """a short name"""
    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    answered: bool
    """whether it played any match to its end; if it forfeited all, it is rated as weaker than every anchor"""
    rating: float
    low: float
    high: float
    anchors: tuple[Against, ...]


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a model is in the suite."""

    model: str
    player: str
    suite: int
    """version"""
    rating: float
    """the mean over the games"""
    low: float
    high: float
    floor: bool
    """whether it forfeited all matches of all games"""
    games: tuple[GameRank, ...]
    matches: int
    complete: bool
    run: str
    db: str
    head: str
    """of the hash chain of the run's log: `arena verify` recomputes it"""


def mean_rating(ranks: Sequence[GameRank]) -> tuple[float, float, float]:
    """Returns the mean rating over these games, and its 95% interval."""
    middle = fmean(rank.rating for rank in ranks)
    down, up = _doubts(ranks, len(ranks))
    return middle, middle - down, middle + up


def open_width(ranks: Sequence[GameRank]) -> float:
    """Returns the width of the interval of the mean as far as further matches can narrow it: 0 at the floor of all."""
    return sum(_doubts([rank for rank in ranks if rank.answered], len(ranks)))


def _doubts(ranks: Sequence[GameRank], count: int) -> tuple[float, float]:
    """Returns how far the mean over `count` games reaches down and up, as far as these games leave it open.

    Games are independent evidence: the standard error of a mean falls with their number.
    """
    down = math.sqrt(sum((rank.rating - rank.low) ** 2 for rank in ranks)) / count
    up = math.sqrt(sum((rank.high - rank.rating) ** 2 for rank in ranks)) / count
    return down, up


def game_ranks(of: RankSuite, board: Leaderboard) -> Iterator[GameRank]:
    """Yields how strong the model is in each game of the suite in which it has a match."""
    for game in of.games:
        row = _row(game, board)
        if row is None:
            continue
        answered, rating = not unanswered(row), (row.rating, row.low, row.high)
        if not answered:
            weakest = min((anchor.rating for _, anchor in _rated_anchors(game, of)), default=row.rating)
            rating = _below(weakest, row.rating, (row.high - row.low) / (2 * _Z))
        beaten = (Against(name, 0.0, 0.0) for name, _ in _rated_anchors(game, of))
        against = _against(row, game, of) if answered else beaten
        counts = row.games, row.wins, row.draws, row.losses, row.forfeits
        yield GameRank(game.id, game.name, *counts, answered, *rating, tuple(against))


def _below(weakest: float, mean: float, sd: float) -> tuple[float, float, float]:
    """Returns the median and the 95% interval of a normal distribution given that its value is below `weakest`.

    Whoever never answers loses to everyone who does. A few forfeits alone do not say so: after six of Kuhn poker the
    prior still holds a rating near that of random play.
    """
    normal = NormalDist(mean, max(sd, 1e-9))
    share = max(normal.cdf(weakest), 1e-300)
    return normal.inv_cdf(0.5 * share), normal.inv_cdf(0.025 * share), normal.inv_cdf(0.975 * share)


def _row(game: SuiteGame, board: Leaderboard) -> Standing | None:
    """Returns the row of the model in a game; None before its first match there."""
    return next((row for row in board.games.get(game.id, ()) if row.player == MODEL and row.games), None)


def _against(row: Standing, game: SuiteGame, of: RankSuite) -> Iterator[Against]:
    """Yields the model against each anchor, by TrueSkill's model; the strongest anchor comes first."""
    sd = (row.high - row.low) / (2 * _Z)
    beta = RatingConfig().beta
    for name, anchor in _rated_anchors(game, of):
        gap, doubt = row.rating - anchor.rating, math.hypot(sd, anchor.sd)
        points = NormalDist().cdf(gap / math.hypot(doubt, math.sqrt(2.0) * beta))
        yield Against(name, 100.0 * points, NormalDist().cdf(gap / max(doubt, 1e-9)))


def _rated_anchors(game: SuiteGame, of: RankSuite) -> list[tuple[str, RatingAnchor]]:
    """Returns the anchors of a game with their ratings, the strongest first."""
    names = {of.name(game, anchor): anchor for anchor in game.anchors}
    rated = ((names[anchor.player], anchor) for anchor in of.ratings if anchor.player in names)
    return sorted(rated, key=lambda pair: -pair[1].rating)
