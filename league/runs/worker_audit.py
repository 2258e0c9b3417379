"""Failures per worker, and workers whose results differ from those of the others beyond chance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from league.outcomes.outcome import arranged, ranks_of
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Result

_EXPECTED = 5.0
"""the smallest sum of variances for which the chi-square of a worker is meaningful"""


@dataclass
class Account:
    """The failures of one worker. Those of a player are in its standing."""

    matches: int = 0
    turns: int = 0
    forfeits: int = 0
    void: int = 0
    truncated: int = 0
    """matches cut off at their turn limit"""
    faults: dict[str, int] = field(default_factory=dict)
    """failed attempts by category: truncated, empty, unparsable, illegal, timeout, error"""


@dataclass(frozen=True)
class Deviation:
    """A worker's results against the others' on the same cells.

    `chi2` sums the players' standardised residuals there, `freedom` is its degrees of freedom; `p` is its chance under
    no difference, corrected for the number of workers; `deviates` is whether p is below the requested level.
    `player` is the one whose score moved most, by `score` points per match.
    """

    worker: str
    matches: int
    chi2: float
    freedom: int
    p: float
    player: str
    score: float
    deviates: bool


class WorkerAudit:
    """The accounts of a run's workers and the comparison of their results, updated match by match."""

    def __init__(self, games: Mapping[str, GameInfo]) -> None:
        self._games = games
        self._alone = {game: msgspec.structs.replace(info, stakes=False) for game, info in games.items()}
        """each match by itself, whatever its pairing decides"""
        self.accounts: dict[str, Account] = {}
        self._cells: dict[tuple[str, str, str], dict[str, _Sums]] = {}

    def add(self, results: Iterable[Result]) -> None:
        """Add results, each once."""
        for result in results:
            self.count(result)
            self.compare(result)

    def count(self, result: Result) -> None:
        """Add a result to the account of its worker."""
        account = self.accounts.setdefault(result.worker, Account())
        account.matches += 1
        account.void += result.status == "void"
        account.truncated += result.status == "truncated"
        for seat in result.seats:
            account.forfeits += seat.forfeited
            account.turns += seat.turns
            for category, times in seat.faults.items():
                account.faults[category] = account.faults.get(category, 0) + times

    def compare(self, result: Result) -> None:
        """Add a result to the cell of its seating, if it can be compared."""
        info = self._games[result.game]
        if info.size != 2 or info.payoff == "general_sum" or not is_counted(result, info):
            return
        alone = self._alone[result.game]
        ranks = () if info.stakes else result.ranks
        [outcome] = arranged((result,), alone, ranks or ranks_of((result,), alone))
        if outcome.rated and not outcome.groups:
            first, second = outcome.ranks
            score = 0.5 if first == second else float(first < second)
            if info.stakes:
                score = outcome.entries[0].score
            key = result.game, outcome.entries[0].player, outcome.entries[1].player
            played = self._cells.setdefault(key, {})
            played[result.worker] = played.get(result.worker, _Sums()).plus(score)

    def deviations(self, level: float = 0.001) -> list[Deviation]:
        """Compare each worker's results with those of all others on the same cells; the largest deviation comes first.

        A cell is a game and a seating. Within a cell every worker should see the same mean score: a worker's
        residual is its scores less the mean of the whole cell, its variance that of a draw without replacement.
        Residuals are summed per player (a backend that weakens one model does so in either seat) and tested together,
        as the chess testers' chi-square per worker. Cells that one worker played alone are skipped; only zero- and
        constant-sum games of two sides count. The score is 1, 1/2 or 0, with stakes the return in half
        standard deviations of its cell. `p` is Bonferroni-corrected. A worker that deviates is left out of what the
        others are compared with, so that it does not make them look odd; of two that differ, both are named: the
        results cannot tell which one is wrong.
        """
        named: list[Deviation] = []
        while True:
            compared = self._compared({d.worker for d in named}, level)
            if len(compared) < 3 or not compared[0].deviates:
                return named + compared
            named.append(compared[0])

    def _compared(self, without: Collection[str], level: float) -> list[Deviation]:
        """Returns the deviation of each worker that is not in `without` from the others, largest first."""
        residuals: dict[str, list[_Residual]] = {}
        for (game, a, b), played in self._cells.items():
            rest = {name: sums for name, sums in played.items() if name not in without}
            for name, residual in _residuals(a, b, rest, self._games[game].stakes):
                residuals.setdefault(name, []).append(residual)
        deviations = [_deviation(name, rows, len(residuals), level) for name, rows in residuals.items()]
        return sorted(deviations, key=lambda d: (d.p, -d.chi2, d.worker))


class _Sums(NamedTuple):
    """The scores of one worker in one cell: their number, sum and sum of squares."""

    matches: int = 0
    points: float = 0.0
    squares: float = 0.0

    def plus(self, score: float) -> _Sums:
        return _Sums(self.matches + 1, self.points + score, self.squares + score * score)


class _Residual(NamedTuple):
    """One worker in one cell: matches, points of player `a` in the first seat above expectation, their variance."""

    a: str
    b: str
    matches: int
    points: float
    variance: float


def _residuals(a: str, b: str, played: Mapping[str, _Sums], stakes: bool) -> Iterator[tuple[str, _Residual]]:
    if len(played) < 2:
        return
    n, points, squares = (sum(column) for column in zip(*played.values(), strict=True))
    mean = points / n
    variance = squares / n - mean * mean
    if variance > 1e-12 * squares:
        unit = 2.0 * variance**0.5 if stakes else 1.0
        for name, (count, total, _) in played.items():
            spread = variance / unit**2 * count * (n - count) / (n - 1)
            yield name, _Residual(a, b, count, (total - count * mean) / unit, spread)


def _deviation(name: str, rows: Sequence[_Residual], tested: int, level: float) -> Deviation:
    import numpy as np
    from scipy.special import chdtrc

    players = sorted({row.a for row in rows} | {row.b for row in rows})
    place = {player: i for i, player in enumerate(players)}
    points, matches = np.zeros(len(players)), np.zeros(len(players))
    covariance = np.zeros((len(players), len(players)))
    for row in rows:
        pair = [place[row.a], place[row.b]]
        points[pair] += row.points, -row.points
        matches[pair] += row.matches
        covariance[np.ix_(pair, pair)] += row.variance * np.array([[1.0, -1.0], [-1.0, 1.0]])
    value = float(points @ np.linalg.pinv(covariance, hermitian=True) @ points)
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True))
    p = min(1.0, float(chdtrc(freedom, value)) * tested)
    worst = int(np.argmax(np.abs(points) / np.sqrt(np.diag(covariance))))
    enough = sum(row.variance for row in rows) >= _EXPECTED
    score = float(points[worst] / matches[worst])
    return Deviation(
        name, sum(row.matches for row in rows), value, freedom, p, players[worst], score, p < level and enough
    )
