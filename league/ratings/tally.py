"""Counts beside the ratings, and the rows of the leaderboard made from both."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable, Mapping
from math import sqrt

from league.records import SeatResult
from league.standings import Standing

Z95 = 1.959963984540054
"""97.5% quantile of the standard normal: the interval of a row is mu -/+ Z95 sigma"""


class Cell:
    """One rating: N(mu, var)."""

    __slots__ = ("mu", "var")

    def __init__(self, mu: float, var: float) -> None:
        self.mu, self.var = mu, var


class Tally:
    """What one player did in one role of one game. All but the two sums are whole numbers, so their order is free."""

    __slots__ = (
        "distinct",
        "draws",
        "faults",
        "forfeits",
        "games",
        "losses",
        "score",
        "squares",
        "tokens",
        "turns",
        "wins",
    )

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.forfeits = self.turns = self.tokens = 0
        self.distinct = 0
        """matches that repeat no earlier one: the evidence"""
        self.faults: dict[str, int] = {}
        self.score = self.squares = 0.0
        """sums of the returns and of their squares, added in plan order"""

    def count(self, seat: SeatResult, rank: int, level: bool) -> None:
        """Count one match; `level` says that the rank is shared. First place alone wins, shared it draws."""
        self.games += 1
        if rank > 0:
            self.losses += 1
        elif level:
            self.draws += 1
        else:
            self.wins += 1
        self.forfeits += seat.forfeited
        self.turns += seat.turns
        self.tokens += seat.tokens
        if seat.faults:
            for category, times in seat.faults.items():
                self.faults[category] = self.faults.get(category, 0) + times

    def add(self, other: Tally) -> None:
        """Add another role's or game's counts."""
        self.games += other.games
        self.distinct += other.distinct
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses
        self.forfeits += other.forfeits
        self.turns += other.turns
        self.tokens += other.tokens
        self.score += other.score
        self.squares += other.squares
        for category, times in other.faults.items():
            self.faults[category] = self.faults.get(category, 0) + times


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum, in the order given."""
    out = Tally()
    for tally in tallies:
        out.add(tally)
    return out


def table(rows: Mapping[str, tuple[Cell, Tally]], unrated: Collection[str] = ()) -> tuple[Standing, ...]:
    """The leaderboard of some players: by rating, then name; who has not played comes last. Ranks 1, 2, 3, ...

    `unrated`: those whose matches move no rating; they come after the others, by mean return.
    """

    def place(row: tuple[str, tuple[Cell, Tally]]) -> tuple[bool, bool, float, str]:
        player, (cell, tally) = row
        without = player in unrated
        return tally.games == 0, without, -(mean(tally) if without else cell.mu), player

    ordered = enumerate(sorted(rows.items(), key=place), 1)
    return tuple(_standing(player, rank, *row, player not in unrated) for rank, (player, row) in ordered)


def mean(tally: Tally) -> float:
    """Return per match, 0 before the first."""
    return tally.score / tally.games if tally.games else 0.0


def _reach(tally: Tally) -> float | None:
    """Half the 95% interval of the mean return; None where no two differ: how much they vary is unknown.

    Repeated matches tell nothing new: the mean is as uncertain as that of the distinct ones.
    """
    if tally.distinct < 2:
        return None
    spread = tally.squares - tally.score * tally.score / tally.games
    if spread <= tally.games * sys.float_info.epsilon * tally.squares:  # what rounding makes of 0
        return None
    variance = spread / (tally.games - 1)
    return _student(tally.distinct - 1) * sqrt(variance / tally.distinct)


@functools.lru_cache(maxsize=4096)
def _student(freedom: int) -> float:
    """The 97.5% quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def _standing(player: str, rank: int, cell: Cell, tally: Tally, rated: bool) -> Standing:
    spread = Z95 * cell.var**0.5
    score, reach = mean(tally), _reach(tally)
    return Standing(
        player=player,
        rank=rank,
        rating=cell.mu,
        low=cell.mu - spread,
        high=cell.mu + spread,
        games=tally.games,
        distinct=tally.distinct,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        forfeits=tally.forfeits,
        faults=dict(sorted(tally.faults.items())),
        turns=tally.turns,
        tokens=tally.tokens,
        score=score,
        score_low=None if reach is None else score - reach,
        score_high=None if reach is None else score + reach,
        rated=rated,
    )
