"""Match counts of players, and the rows of the leaderboard made from counts and ratings."""

from __future__ import annotations

import functools
import sys
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt

import numpy as np

from league.outcomes.arrays import parts_of
from league.outcomes.repeats import NEVER
from league.outcomes.table import Outcomes, RatedUnit
from league.ratings.online.trueskill import Rating
from league.records.leaderboard import Standing
from league.records.matches import SeatResult

TallyKey = tuple[str, str, str]
"""game, role, player"""
Z95 = 1.959963984540054
"""97.5% quantile of the standard normal: the interval of a row is mu -/+ Z95 sigma"""


NUMBERS = ("games", "wins", "draws", "losses", "forfeits", "turns", "tokens", "prompt_tokens")
"""the counts of a tally that are whole numbers of each match"""


class Tally:
    """The counts of one player in one role of one game."""

    __slots__ = (*NUMBERS, "distinct", "faults", "score", "squares")

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.forfeits = self.turns = 0
        self.tokens = self.prompt_tokens = 0
        self.distinct = 0
        """matches that repeat no earlier one: the evidence of the ratings"""
        self.faults: dict[str, int] = {}
        self.score = self.squares = 0.0
        """sums of the returns and of their squares, added in plan order"""

    def spend(self, seat: SeatResult, times: int) -> None:
        """Add turns, tokens and failed attempts."""
        self.turns += times * seat.turns
        self.tokens += times * seat.tokens
        self.prompt_tokens += times * seat.prompt_tokens
        add_faults(self.faults, seat.faults, times)

    def add(self, other: Tally) -> None:
        """Add another role's or game's counts."""
        for name in (*NUMBERS, "distinct", "score", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        add_faults(self.faults, other.faults)


def add_faults(faults: dict[str, int], more: Mapping[str, int], times: int = 1) -> None:
    """Add failed attempts by category."""
    for category, failed in more.items():
        faults[category] = faults.get(category, 0) + times * failed


class TallySheet:
    """The tallies of a table of outcomes. The entries of each kind of unit are read once."""

    def __init__(self) -> None:
        self._places: dict[TallyKey, int] = {}
        self._starts = array("q", [0])
        """the first entry of each kind of unit"""
        self._numbers, self._scores = array("q"), array("d")
        """`NUMBERS` and place, and return, of each entry"""
        self._faults: list[tuple[int, TallyKey, Mapping[str, int]]] = []
        """kind of unit, place, failed attempts"""

    def tallies(self, rows: Outcomes) -> dict[TallyKey, Tally]:
        """Returns the tallies of all rows, by game, role and player."""
        self._read(rows.units)
        starts, scores = np.array(self._starts), np.array(self._scores)
        *numbers, place = np.array(self._numbers, np.int64).reshape(-1, len(NUMBERS) + 1).T
        times = np.bincount(rows.unit, minlength=len(starts) - 1)
        each, size = np.repeat(times, np.diff(starts)), len(self._places)
        sums = {name: np.bincount(place, each * column, size) for name, column in zip(NUMBERS, numbers, strict=True)}
        sizes = np.diff(starts)[rows.unit]
        entries = parts_of(starts[rows.unit], sizes)  # in plan order: bincount adds one after the other
        of, score = place[entries], scores[entries]
        sums["distinct"] = np.bincount(of, np.repeat(rows.since != NEVER, sizes), size)
        made = [Tally() for _ in range(size)]
        for name, column in sums.items():
            for tally, number in zip(made, column.astype(np.int64).tolist(), strict=True):
                setattr(tally, name, number)
        returns = np.bincount(of, score, size).tolist(), np.bincount(of, score * score, size).tolist()
        for tally, score_sum, squares in zip(made, *returns, strict=True):
            tally.score, tally.squares = score_sum, squares
        for unit, key, faults in self._faults:
            add_faults(made[self._places[key]].faults, faults, int(times[unit]))
        return {key: made[number] for key, number in self._places.items() if made[number].games}

    def _read(self, units: Sequence[RatedUnit]) -> None:
        for number in range(len(self._starts) - 1, len(units)):
            for outcome in units[number].outcomes:
                sides = outcome.by_side(outcome.entries)[1] if outcome.groups else outcome.ranks
                level = sides.count(0) > 1 or len(sides) == 1
                for seat, rank in zip(outcome.entries, outcome.ranks, strict=True):
                    key = units[number].game, seat.role, seat.player
                    won, drawn = rank <= 0 and not level, rank <= 0 and level
                    self._numbers.extend((1, won, drawn, rank > 0, seat.forfeited))
                    place = self._places.setdefault(key, len(self._places))
                    self._numbers.extend((seat.turns, seat.tokens, seat.prompt_tokens, place))
                    self._scores.append(seat.score)
                    if seat.faults:
                        self._faults.append((number, key, seat.faults))
            self._starts.append(len(self._scores))


def total(tallies: Iterable[Tally]) -> Tally:
    """Returns the sum, in the order given."""
    out = Tally()
    for tally in tallies:
        out.add(tally)
    return out


def table(rows: Mapping[str, tuple[Rating, Tally]], unrated: Collection[str] = ()) -> tuple[Standing, ...]:
    """Returns the table of some players: by rating, then name; players without a match come last. Ranks 1, 2, 3, ...

    `unrated`: players whose matches move no rating; they come after the others, by mean return.
    """

    def place(row: tuple[str, tuple[Rating, Tally]]) -> tuple[bool, bool, float, str]:
        player, (rating, tally) = row
        by_return = player in unrated
        return tally.games == 0, by_return, -(mean(tally) if by_return else rating.mu), player

    ordered = enumerate(sorted(rows.items(), key=place), 1)
    return tuple(_standing(player, rank, *row, player not in unrated) for rank, (player, row) in ordered)


def mean(tally: Tally) -> float:
    """Return per match, 0 before the first."""
    return tally.score / tally.games if tally.games else 0.0


def _reach(tally: Tally) -> float | None:
    """Returns half the 95% interval of the mean return; None if all returns are equal: their variance is unknown.

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


def _standing(player: str, rank: int, of: Rating, tally: Tally, rated: bool) -> Standing:
    spread = Z95 * of.sigma
    score, reach = mean(tally), _reach(tally)
    return Standing(
        player=player,
        rank=rank,
        rating=of.mu,
        low=of.mu - spread,
        high=of.mu + spread,
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
