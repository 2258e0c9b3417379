"""The leaderboard as data: one snapshot serves the live board, the printed one and the JSON."""

from __future__ import annotations

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
    turns: int = 0
    tokens: int = 0
    score: float = 0.0
    """mean return per match"""
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
    """best and worst rank, covering the true one with 95% probability"""
    above_next: float | None = None
    """probability of being better than the next row; None where the two cannot be compared"""
    online_rating: float | None = None
    online_low: float | None = None
    online_high: float | None = None
    """TrueSkill updated match by match in plan order, mean -/+ 1.96 sigma: moves with every match, and is too sure of
    itself where results choose the opponents; None where `rating` is that, or another method's"""


class MatchCounts(msgspec.Struct, frozen=True):
    """Where a run stands. planned = all matches of the plan so far, finished and void included."""

    planned: int = 0
    finished: int = 0
    void: int = 0
    in_flight: int = 0
    total: int | None = None
    """matches the run will have played at its end, where the matchmaker knows"""


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
    apart: tuple[tuple[str, str], ...] = ()
    """pairs of players in `standings` that met in no common game, directly or through others: nothing is said of which
    of them is better"""
