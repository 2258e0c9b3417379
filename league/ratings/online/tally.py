"""Match counts of players, and the rows of the leaderboard made from counts and ratings."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable, Mapping
from math import sqrt

from league.records.leaderboard import Standing
from league.records.matches import SeatResult

Z95 = 1.959963984540054
"""97.5% quantile of the standard normal: the interval of a row is mu -/+ Z95 sigma"""


class Gaussian:
    """One rating: N(mu, var)."""

    __slots__ = ("mu", "var")

    def __init__(self, mu: float, var: float) -> None:
        self.mu, self.var = mu, var


class Tally:
    """The counts of one player in one role of one game. All but the two sums are whole numbers, added in any order."""

    __slots__ = (
        "distinct",
        "draws",
        "faults",
        "forfeits",
        "games",
        "losses",
        "prompt_tokens",
        "score",
        "squares",
        "tokens",
        "turns",
        "wins",
    )

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.forfeits = self.turns = 0
        self.tokens = self.prompt_tokens = 0
        self.distinct = 0
        """matches that repeat no earlier one: the evidence of the ratings"""
        self.faults: dict[str, int] = {}
        self.score = self.squares = 0.0
        """sums of the returns and of their squares, added in plan order"""

    def count(self, seat: SeatResult, rank: int, level: bool, times: int = 1) -> None:
        """Count equal matches. First place wins, or draws if `level` says that it is shared."""
        self.games += times
        if rank > 0:
            self.losses += times
        elif level:
            self.draws += times
        else:
            self.wins += times
        if seat.forfeited:
            self.forfeits += times
        self.spend(seat, times)

    def spend(self, seat: SeatResult, times: int) -> None:
        """Add turns, tokens and failed attempts."""
        self.turns += times * seat.turns
        self.tokens += times * seat.tokens
        self.prompt_tokens += times * seat.prompt_tokens
        if seat.faults:
            for category, failed in seat.faults.items():
                self.faults[category] = self.faults.get(category, 0) + times * failed

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
        self.prompt_tokens += other.prompt_tokens
        self.score += other.score
        self.squares += other.squares
        for category, times in other.faults.items():
            self.faults[category] = self.faults.get(category, 0) + times


def total(tallies: Iterable[Tally]) -> Tally:
    """Returns the sum, in the order given."""
    out = Tally()
    for tally in tallies:
        out.add(tally)
    return out


def table(rows: Mapping[str, tuple[Gaussian, Tally]], unrated: Collection[str] = ()) -> tuple[Standing, ...]:
    """Returns the table of some players: by rating, then name; players without a match come last. Ranks 1, 2, 3, ...

    `unrated`: players whose matches move no rating; they come after the others, by mean return.
    """

    def place(row: tuple[str, tuple[Gaussian, Tally]]) -> tuple[bool, bool, float, str]:
        player, (gaussian, tally) = row
        by_return = player in unrated
        return tally.games == 0, by_return, -(mean(tally) if by_return else gaussian.mu), player

    ordered = enumerate(sorted(rows.items(), key=place), 1)
    return tuple(_standing(player, rank, *row, player not in unrated) for rank, (player, row) in ordered)


def mean(tally: Tally) -> float:
    """Returns per match, 0 before the first."""
    return tally.score / tally.games if tally.games else 0.0


def _reach(tally: Tally) -> float | None:
    """Returns half the 95% interval of the mean return; None if all are equal: their variance is unknown then.

    Repeated matches are not new evidence: the mean is as uncertain as that of the distinct matches.
    """
    if tally.distinct < 2:
        return None
    spread = tally.squares - tally.score * tally.score / tally.games
    if spread <= tally.games * sys.float_info.epsilon * tally.squares:  # 0 up to rounding
        return None
    variance = spread / (tally.games - 1)
    return _student(tally.distinct - 1) * sqrt(variance / tally.distinct)


@functools.lru_cache(maxsize=4096)
def _student(freedom: int) -> float:
    """Returns the 97.5% quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def _standing(player: str, rank: int, gaussian: Gaussian, tally: Tally, rated: bool) -> Standing:
    spread = Z95 * gaussian.var**0.5
    score, reach = mean(tally), _reach(tally)
    return Standing(
        player=player,
        rank=rank,
        rating=gaussian.mu,
        low=gaussian.mu - spread,
        high=gaussian.mu + spread,
        games=tally.games,
        distinct=tally.distinct,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        forfeits=tally.forfeits,
        faults=dict(sorted(tally.faults.items())),
        turns=tally.turns,
        tokens=tally.tokens,
        prompt_tokens=tally.prompt_tokens,
        score=score,
        score_low=None if reach is None else score - reach,
        score_high=None if reach is None else score + reach,
        rated=rated,
    )
