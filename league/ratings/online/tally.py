"""Match counts of players, and the rows of the leaderboard made from counts and ratings."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from league.outcomes.arrays import Ints, parts_of
from league.outcomes.table import Outcomes
from league.outcomes.units import NEVER, Duels, RatedUnit
from league.ratings.online.trueskill import Rating
from league.records.leaderboard import Standing
from league.records.matches import SeatResult

Floats = NDArray[np.float64]
TallyKey = tuple[str, str, str]
"""game, role, player"""
Z95 = 1.959963984540054
"""97.5% quantile of the standard normal: the interval of a row is mu -/+ Z95 sigma"""


COUNTS = ("games", "wins", "draws", "losses", "forfeits")
"""what each match adds to a tally"""
COSTS = ("turns", "tokens", "prompt_tokens")
"""what players spent in all of them"""
NUMBERS = (*COUNTS, *COSTS)
_AT_ONCE = 500_000
"""rows whose returns are added at once: gigabytes otherwise, for millions"""


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
        self._sizes: list[Ints] = [np.zeros(0, np.int64)]
        """how many entries each kind of unit has"""
        self._entries: list[Floats] = [np.zeros((0, len(COUNTS) + 2))]
        """(., 7): `COUNTS`, place and return of each entry"""

    def tallies(self, rows: Outcomes) -> dict[TallyKey, Tally]:
        """Returns the tallies of all rows, by game, role and player."""
        self._read(rows)
        kinds, table = np.concatenate(self._sizes), np.concatenate(self._entries)
        *numbers, place, scores = table.T
        place = place.astype(np.int64)
        times, size = np.bincount(rows.unit, minlength=len(kinds)), len(rows.spent.keys)
        each, starts = np.repeat(times, kinds), np.cumsum(kinds) - kinds
        sums = {name: np.bincount(place, each * column, size) for name, column in zip(COUNTS, numbers, strict=True)}
        distinct, scores_of, squares = np.zeros(size, np.int64), np.zeros(size), np.zeros(size)
        for some in range(0, len(rows.unit), _AT_ONCE):
            unit, since = (column[some : some + _AT_ONCE] for column in (rows.unit, rows.since))
            entries = parts_of(starts[unit], kinds[unit])  # in plan order, in which sums add one after the other
            of, score = place[entries], scores[entries]
            distinct += np.bincount(of[np.repeat(since != NEVER, kinds[unit])], minlength=size)
            np.add.at(scores_of, of, score)
            np.add.at(squares, of, score * score)
        sums["distinct"] = distinct
        sums |= zip(COSTS, rows.spent.numbers, strict=True)
        made = [Tally() for _ in range(size)]
        for name, column in sums.items():
            for tally, number in zip(made, column.astype(np.int64).tolist(), strict=True):
                setattr(tally, name, number)
        for tally, score_sum, of_squares in zip(made, scores_of.tolist(), squares.tolist(), strict=True):
            tally.score, tally.squares = score_sum, of_squares
        for payer, faults in rows.spent.faults:
            add_faults(made[payer].faults, faults)
        paid = zip(rows.spent.keys, made, strict=True)
        return {key: tally for key, tally in paid if key is not None and tally.games}

    def _read(self, rows: Outcomes) -> None:
        first = sum(map(len, self._sizes))
        duels, others = rows.units.parted(first)
        places = {key: place for place, key in enumerate(rows.spent.keys)}
        listed = [(number, *entry) for number in others for entry in _of_unit(rows.units[number], places)]
        table = np.concatenate([_of_duels(duels, rows, places), np.array(listed).reshape(-1, len(COUNTS) + 3)])
        unit = table[:, 0].astype(np.int64) - first
        self._sizes.append(np.bincount(unit, minlength=len(rows.units) - first))
        self._entries.append(table[np.argsort(unit, kind="stable"), 1:])


def _of_duels(duels: Duels, rows: Outcomes, places: Mapping[TallyKey | None, int]) -> Floats:
    """Returns (2 D, 8): the unit of each entry, and what `_of_unit` says of it."""
    games, table = list(rows.games), np.zeros((len(rows.seats), 3))
    of, at = np.unique(duels.seats, return_index=True)
    for number, game in zip(of.tolist(), np.tile(duels.game, 2)[at].tolist(), strict=True):
        seat = rows.seats[number]
        table[number] = seat.forfeited, places[games[game], seat.role, seat.player], seat.score
    seat, won = duels.seats.T.reshape(-1), duels.ranks.T.reshape(-1) <= 0
    level = np.repeat((duels.ranks <= 0).all(0), 2)
    columns = duels.unit.repeat(2), np.ones(len(seat)), won & ~level, won & level, ~won, *table[seat].T
    return np.stack(columns, 1).astype(np.float64)


def _of_unit(unit: RatedUnit, places: Mapping[TallyKey | None, int]) -> Iterator[tuple[float, ...]]:
    """Yields the entries of a unit, each with its return."""
    for outcome in unit.outcomes:
        sides = outcome.by_side(outcome.entries)[1] if outcome.groups else outcome.ranks
        level = sides.count(0) > 1 or len(sides) == 1
        for seat, rank in zip(outcome.entries, outcome.ranks, strict=True):
            won, drawn = rank <= 0 and not level, rank <= 0 and level
            place = places[unit.game, seat.role, seat.player]
            yield 1, won, drawn, rank > 0, seat.forfeited, place, seat.score


def total(tallies: Iterable[Tally]) -> Tally:
    """Returns the sum, in the order given."""
    out = Tally()
    for tally in tallies:
        out.add(tally)
    return out


def table(rows: Mapping[str, tuple[Rating, Tally]], unrated: Collection[str] = ()) -> tuple[Standing, ...]:
    """Returns the table of some players: by rating, then name; players without a match come last, without a rank.

    `unrated`: players whose matches move no rating; they come after the others, by mean return.
    """

    def place(row: tuple[str, tuple[Rating, Tally]]) -> tuple[bool, bool, float, str]:
        player, (rating, tally) = row
        by_return = player in unrated
        return tally.games == 0, by_return, -(mean(tally) if by_return else rating.mu), player

    ordered = enumerate(sorted(rows.items(), key=place), 1)
    return tuple(
        _standing(player, rank if row[1].games else None, *row, player not in unrated)
        for rank, (player, row) in ordered
    )


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


def _standing(player: str, rank: int | None, of: Rating, tally: Tally, rated: bool) -> Standing:
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
