"""How much a player's exact strength in a game depends on the words in which the game is written.

NashConv is measured in the game itself and in wordings of it (`veil`), which are the same game. For a player that does
not read, all are equal. Wordings are a random sample, so the two figures have intervals:

- the mean over wordings, with Student's t;
- the gap, the mean difference between two wordings (Gini's), a U-statistic with the standard error of the jackknife.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from itertools import combinations
from statistics import fmean, stdev

import msgspec

import games
from arena import players
from arena.evaluation.report import exact_values
from arena.players import Player
from games import InputError
from games.naming import Name

FEWEST = 3
"""wordings: the jackknife needs two values without any one"""


class Wording(msgspec.Struct, frozen=True):
    """NashConv in one wording."""

    game: str
    nash_conv: float


class WordingEstimate(msgspec.Struct, frozen=True):
    """A figure over random wordings with its 95% interval."""

    value: float
    low: float
    high: float


class InvarianceGap(msgspec.Struct, frozen=True):
    """A player's NashConv in a game and in wordings of it."""

    player: str
    game: str
    nash_conv: float
    """in the game itself"""
    wordings: tuple[Wording, ...]
    mean: WordingEstimate
    """NashConv in a random wording"""
    gap: WordingEstimate
    """by how much NashConv differs between two random wordings"""


def measure_wordings(
    player: Player | str,
    game: str,
    count: int,
    *,
    first: int = 1,
    make: Callable[[str], Player] = players.make,
    progress: Callable[[int, int], None] = lambda measured, total: None,
) -> InvarianceGap:
    """Measure a player in a game of OpenSpiel and in the wordings `first`, `first + 1`, ..., `count` of them.

    Raises InputError if the game has no wordings or cannot be measured exactly, or the player reveals no policy.
    """
    if count < FEWEST:
        raise InputError(f"{count} wordings give no interval; measure at least {FEWEST}")
    plain = games.make(game).spec.id
    ids = [plain, *(str(Name("veil", {"of": plain, "words": first + i})) for i in range(count))]
    boards = [games.make(id) for id in ids]
    with closing(make(player)) if isinstance(player, str) else nullcontext(player) as subject:
        values: list[float] = []
        for board in boards:
            progress(len(values), len(boards))
            if why := subject.supports(board):
                raise InputError(f"{subject.name} cannot play {board.spec.id}: {why}")
            exact, not_exact = exact_values(subject, board)
            if exact is None:
                raise InputError(not_exact)
            values.append(exact.nash_conv)
        name = subject.name
    worded = tuple(Wording(board.spec.id, value) for board, value in zip(boards[1:], values[1:], strict=True))
    return InvarianceGap(name, plain, values[0], worded, mean_of(values[1:]), gap_of(values[1:]))


def mean_of(values: Sequence[float]) -> WordingEstimate:
    """Returns the mean with Student's interval."""
    return _estimate(fmean(values), stdev(values) / math.sqrt(len(values)), len(values))


def gap_of(values: Sequence[float]) -> WordingEstimate:
    """Returns the mean difference between two of the values with the interval of the jackknife, at least 0."""
    gap, n = _difference(values), len(values)
    without = [_difference([*values[:i], *values[i + 1 :]]) for i in range(n)]
    error = math.sqrt((n - 1) / n * sum((value - fmean(without)) ** 2 for value in without))
    return _estimate(gap, error, n)


def _difference(values: Sequence[float]) -> float:
    return fmean(abs(a - b) for a, b in combinations(values, 2))


def _estimate(value: float, error: float, n: int) -> WordingEstimate:
    from scipy.stats import t

    margin = float(t.ppf(0.975, n - 1)) * error
    return WordingEstimate(value, max(0.0, value - margin), value + margin)


def gap_lines(report: InvarianceGap) -> list[str]:
    """Returns an invariance gap as text."""
    values = [wording.nash_conv for wording in report.wordings]
    width = max(len(wording.game) for wording in report.wordings)
    return [
        f"{report.player} in {report.game} and {len(values)} wordings of it",
        f"{'NashConv in the game itself':<38} {report.nash_conv:.4f}",
        f"{'in a wording, mean':<38} {_written(report.mean)}",
        f"{'in a wording, lowest and highest':<38} {min(values):.4f} and {max(values):.4f}",
        f"{'gap: two wordings differ on average by':<38} {_written(report.gap)}",
        *(f"  {wording.game:<{width}} {wording.nash_conv:.4f}" for wording in report.wordings),
    ]


def _written(estimate: WordingEstimate) -> str:
    return f"{estimate.value:.4f}  95% [{estimate.low:.4f}, {estimate.high:.4f}]"
