"""The leaderboard as data, for the live board, the printed board and JSON."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from importlib import import_module
from typing import Any, Literal

import msgspec

from games import MissingPackage, UnknownName
from games.sanitize import printable


class Standing(msgspec.Struct, frozen=True, omit_defaults=False):
    """A row of the leaderboard. `low` and `high` bound the rating with 95% probability under the model, as comparisons
    with other players see it (quasi-standard errors); the interval need not be symmetric.

    With the rating methods `trueskill` and `bradley-terry`, rank, rating and interval come from one fit of all results;
    before the first fit they come from the online update.
    """

    player: str
    rank: int | None
    """among the players that matches link to this one (`Leaderboard.pools`). None without a match, and over several
    games for a player that shares no game with some other one of them (`Leaderboard.apart`)"""
    rating: float
    low: float
    high: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    faults: dict[str, int] = {}
    """failed attempts by category, such as `timeout`; those in void matches included"""
    distinct: int | None = None
    """matches that repeat no earlier one move for move, the evidence of ratings and intervals; None: not counted"""
    turns: int = 0
    tokens: int = 0
    """completion tokens, those of void matches included"""
    prompt_tokens: int = 0
    voids: int = 0
    """matches that this player made void; `games` has none of them"""
    score: float | None = 0.0
    """mean return per match; None over several games, because their returns have different scales"""
    score_low: float | None = None
    score_high: float | None = None
    """95% interval of `score` (Student's t over matches, as if independent); None if all returns are equal"""
    rated: bool = True
    """False if the player played only games that are not rated: rating, low and high then have no meaning"""
    bt_rating: float | None = None
    """rating of the batch fit, on the same scale; None without a fit. Equal to `rating`, except for methods with
    ratings of their own, such as a plugin's"""
    bt_low: float | None = None
    bt_high: float | None = None
    """95% interval of `bt_rating`"""
    one_sided: Literal["", "low", "high"] = ""
    """which bound alone holds with 95%: `low` of a player that won every match, `high` of one that lost every match.
    How far away the other bound is rests on the prior"""
    points: float | None = None
    """expected points of 100 against the table's reference player, a draw half a point; None without a fit or a link to
    that player"""
    points_low: float | None = None
    points_high: float | None = None
    """95% interval of `points`; 100 is no bound of an unbeaten player, 0 none of one that lost everything, and both are
    `points` in the row of the reference player itself"""
    rank_low: int | None = None
    rank_high: int | None = None
    """best and worst rank; the ranges of all rows hold together with 95% probability"""
    above_next: float | None = None
    """probability of being better than the next row, above 95% only if the rank ranges of the two do not overlap; None
    if the two cannot be compared"""
    online_rating: float | None = None
    online_low: float | None = None
    online_high: float | None = None
    """TrueSkill updated match by match in plan order, mean -/+ 1.96 sigma. It moves with every match, and its interval
    is too narrow if results choose the opponents; None if `rating` is that itself, or another method's"""
    provisional: bool = False
    """whether the player has far fewer matches than the others (`with_provisional`), so that its rank may well
    change"""
    p_best: float | None = None
    """probability of being the best player that is not retired; None for a retired one"""
    p_order: float | None = None
    """probability that the rows up to this one are the best, in this order: `p_best` for the first row, the probability
    of the whole order for the last; retired players are left out"""
    retired: bool = False
    """whether the player is paired no more"""

    @property
    def timeouts(self) -> int:
        """Number of attempts that took too long."""
        return self.faults.get("timeout", 0)


class MatchCounts(msgspec.Struct, frozen=True):
    """The progress of a run. planned: all matches of the plan so far, including finished and void ones."""

    planned: int = 0
    finished: int = 0
    void: int = 0
    in_flight: int = 0
    total: int | None = None
    """matches the run will have at its end, if the matchmaker knows"""


class Repetition(msgspec.Struct, frozen=True):
    """The number of matches of a game that repeat earlier ones move for move."""

    matches: int
    repeats: int

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.repeats / self.matches if self.matches else 0.0


class Cycle(msgspec.Struct, frozen=True):
    """Cycles in a game beyond what chance produces when one number orders all players."""

    p_value: float
    """the probability of as many cycles or more in such a league"""
    share: float
    """of the energy of the log odds that no ranking explains, 0 to 1"""
    explained: float
    """the share of a ranking's residual that the disc dimension explains in held-out pairs, 0 to 1"""
    players: tuple[str, ...]
    """the clearest cycle on the disc, each beating the next and the last the first; () if there is none"""
    win_rate: float
    """the smallest of their predicted win rates"""
    places: dict[str, tuple[float, float]]
    """player -> its place (x, y) on the disc, which adds x_i y_j - y_i x_j to the log odds of i against j"""


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a run at one moment."""

    run: str
    standings: tuple[Standing, ...]
    """over all games"""
    games: dict[str, tuple[Standing, ...]]
    """per game"""
    roles: dict[str, dict[str, tuple[Standing, ...]]]
    """per game and role"""
    matches: MatchCounts
    pools: tuple[tuple[str, ...], ...] = ()
    """groups of players that never met, directly or through others, if there are several, the largest first: each is
    ranked by itself, and between groups ratings rest on the prior alone"""
    apart: tuple[str, ...] = ()
    """players that share no game with some other player: the two cannot be compared over all games, so neither has a
    rank"""
    repetition: dict[str, Repetition] = {}
    """per game in which a match repeats another one"""
    cycles: dict[str, Cycle] = {}
    """per game in which cycles are found; in final leaderboards only"""
    prior: str = ""
    """one line, if the prior decides how far some players are apart (`league.ratings.fit.prior_sensitivity`)"""
    game_pools: dict[str, tuple[tuple[str, ...], ...]] = {}
    """`pools` of each game that has several"""
    game_prior: dict[str, str] = {}
    """`prior` of each game that has one"""
    anchors: dict[str, tuple[str, ...]] = {}
    """game -> a line for each contradiction between its matches and its anchors; in final leaderboards only"""
    checks: dict[str, tuple[str, ...]] = {}
    """game -> a line for each term that its residuals ask for; in final leaderboards only"""

    @property
    def several_games(self) -> bool:
        """Whether more than one game was played; otherwise the overall table equals the game's."""
        return sum(map(bool, self.games.values())) > 1

    def frame(self, game: str = "") -> Any:
        """Returns a pandas DataFrame with a row per player, over all games or of one.

        Raises MissingPackage without pandas, and UnknownName for a game without standings.
        """
        if game and game not in self.games:
            raise UnknownName("game", game, list(self.games))
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise MissingPackage("Leaderboard.frame", "pandas", "pandas") from None
        return pandas.DataFrame([msgspec.to_builtins(row) for row in (self.games[game] if game else self.standings)])

    def _repr_html_(self) -> str:
        """Returns the standings over all games as a table for a notebook."""
        heads = ("rank", "player", "rating", "95% interval", "matches", "won", "drawn", "lost", "forfeits")
        rows = "".join(_table_row(_cells(row), "td") for row in self.standings)
        return f"<table><caption>{_escaped(self.run)}</caption>{_table_row(heads, 'th')}{rows}</table>"


def _cells(row: Standing) -> tuple[str, ...]:
    rank = "" if row.rank is None else str(row.rank)
    rating = (f"{row.rating:.1f}", f"{row.low:.1f} to {row.high:.1f}") if row.rated else ("", "")
    counts = (row.games, row.wins, row.draws, row.losses, row.forfeits)
    return rank, row.player, *rating, *map(str, counts)


def _table_row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_escaped(cell)}</{tag}>" for cell in cells) + "</tr>"


def _escaped(text: str) -> str:
    return escape(printable(text))


_FEW = 3
"""A row is provisional with this many times fewer matches than the median row."""


def with_provisional(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Returns the rows; those with less than a third of the matches of the median row are marked provisional."""
    played = sorted(_evidence(row) for row in rows if row.games)
    median = played[len(played) // 2] if played else 0
    few = [row.games > 0 and _FEW * _evidence(row) < median for row in rows]
    return tuple(msgspec.structs.replace(row, provisional=mark) for row, mark in zip(rows, few, strict=True))


def _evidence(row: Standing) -> int:
    return row.games if row.distinct is None else row.distinct


def with_retired(board: Leaderboard, players: Collection[str]) -> Leaderboard:
    """Returns the leaderboard with the rows of these players marked as retired."""
    if not players:
        return board

    def marked(rows: Sequence[Standing]) -> tuple[Standing, ...]:
        return tuple(msgspec.structs.replace(row, retired=True) if row.player in players else row for row in rows)

    return msgspec.structs.replace(
        board,
        standings=marked(board.standings),
        games={game: marked(rows) for game, rows in board.games.items()},
        roles={game: {r: marked(rows) for r, rows in roles.items()} for game, roles in board.roles.items()},
    )


def without_score(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Returns rows over several games, without the mean return: the games' returns have different scales."""
    return tuple(msgspec.structs.replace(row, score=None, score_low=None, score_high=None) for row in rows)
