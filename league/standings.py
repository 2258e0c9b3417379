"""The leaderboard as data: one snapshot serves the live board, the printed one and the JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Standing(msgspec.Struct, frozen=True, omit_defaults=False):
    """A row of the leaderboard. `low` and `high` bound the rating with 95% probability under the model.

    By the rating methods `trueskill` and `bradley-terry` rank, rating and interval are those of one fit of all results,
    once there is one; a table from before the first fit has those of the online update.
    """

    player: str
    rank: int | None
    """None where the table also has somebody that this player cannot be compared with (`Snapshot.apart`)"""
    rating: float
    low: float
    high: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    faults: dict[str, int] = {}
    """failed attempts by category"""
    distinct: int | None = None
    """matches that repeat no earlier one move for move: what ratings and intervals rest on; None: not counted"""
    turns: int = 0
    tokens: int = 0
    score: float | None = 0.0
    """mean return per match; None over several games, whose returns are on different scales"""
    score_low: float | None = None
    score_high: float | None = None
    """95% interval of it (Student's t over matches, as if they were independent); None below two different returns"""
    rated: bool = True
    """False where only matches of games that are not rated were played: rating, low and high then say nothing"""
    bt_rating: float | None = None
    """rating of the batch fit, on the same scale; None where there is none. The rating itself, but for methods that
    make their own, such as openskill"""
    bt_low: float | None = None
    bt_high: float | None = None
    """95% interval of it"""
    rank_low: int | None = None
    rank_high: int | None = None
    """best and worst rank; the ranges of all rows hold at once with 95% probability"""
    above_next: float | None = None
    """probability of being better than the next row; None where the two cannot be compared"""
    online_rating: float | None = None
    online_low: float | None = None
    online_high: float | None = None
    """TrueSkill updated match by match in plan order, mean -/+ 1.96 sigma: moves with every match, and is too sure of
    itself where results choose the opponents; None where `rating` is that, or another method's"""
    provisional: bool = False
    """whether it played far fewer matches than the others (`with_provisional`), so that its place may well change"""
    p_best: float | None = None
    """probability of being the best of all"""
    p_order: float | None = None
    """probability that the rows up to this one are the best, in this order: for the first row that of being the best,
    for the last that of the whole order"""


class MatchCounts(msgspec.Struct, frozen=True):
    """Where a run stands. planned = all matches of the plan so far, finished and void included."""

    planned: int = 0
    finished: int = 0
    void: int = 0
    in_flight: int = 0
    total: int | None = None
    """matches the run will have played at its end, where the matchmaker knows"""


class Repetition(msgspec.Struct, frozen=True):
    """How many matches of a game repeat earlier ones move for move."""

    matches: int
    repeats: int

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.repeats / self.matches if self.matches else 0.0


class Cycle(msgspec.Struct, frozen=True):
    """Cycles in a game, more than chance makes of a league in which one number orders the players."""

    p_value: float
    """the probability of so much or more in such a league"""
    share: float
    """of the energy of the log odds that no ranking explains, 0 to 1"""
    explained: float
    """share of what a ranking leaves in pairs it was not fitted to that the disc dimension explains there, 0 to 1"""
    players: tuple[str, ...]
    """the clearest cycle by the disc, each beating the next and the last the first; () if there is none"""
    win_rate: float
    """the least of their predicted win rates"""
    places: dict[str, tuple[float, float]]
    """player -> its place (x, y) on the disc, which adds x_i y_j - y_i x_j to the log odds of i against j"""


class Snapshot(msgspec.Struct, frozen=True):
    """All that a board shows of a run at one moment."""

    run: str
    standings: tuple[Standing, ...]
    """over all games"""
    games: dict[str, tuple[Standing, ...]]
    """per game"""
    roles: dict[str, dict[str, tuple[Standing, ...]]]
    """per game and role"""
    matches: MatchCounts
    pools: tuple[tuple[str, ...], ...] = ()
    """groups of players that never met, directly or through others, where there is more than one: between them ratings
    rest on the prior alone"""
    apart: tuple[str, ...] = ()
    """players that share no game with some other one: nothing is said of which of the two is better over all games, and
    so nothing of their rank"""
    repetition: dict[str, Repetition] = {}
    """per game in which a match repeats another one"""
    cycles: dict[str, Cycle] = {}
    """per game in which cycles are found; made for settled tables only"""
    prior: str = ""
    """between whom the prior decides how far they are apart, where it does (`league.ratings.dependence`): one line"""


_FEW = 3
"""times fewer matches than the median row that make a row provisional"""


def with_provisional(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """The rows, those marked that rest on less than a third of the matches of the median row."""
    played = sorted(_evidence(row) for row in rows if row.games)
    median = played[len(played) // 2] if played else 0
    few = [row.games > 0 and _FEW * _evidence(row) < median for row in rows]
    return tuple(msgspec.structs.replace(row, provisional=mark) for row, mark in zip(rows, few, strict=True))


def _evidence(row: Standing) -> int:
    return row.games if row.distinct is None else row.distinct


def without_score(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Rows over several games: a mean of returns on different scales says nothing."""
    return tuple(msgspec.structs.replace(row, score=None, score_low=None, score_high=None) for row in rows)
