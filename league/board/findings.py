"""Says in at most three sentences what a leaderboard tells: who is surely better, what is open, what to play next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import NamedTuple

from league.board.cells import clean
from league.board.standing_columns import chance, rank_groups, rank_ranges, unanswered
from league.records.leaderboard import Standing

NAMES = 3
"""names of a group that a sentence lists"""
PAIRS = 2
"""open pairs that a sentence lists"""
_SURE_Z = NormalDist().inv_cdf(0.975)
_LEAST_Z = 0.2
"""below this distance in standard errors nearly a hundred times as many matches would be needed: too close to say"""


class OpenPair(NamedTuple):
    """Two neighbours of which it is not known who is better."""

    upper: Standing
    lower: Standing
    matches: float
    """further matches of each after which the better one would be known, if the gap stays as it is"""


def findings(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Returns the sentences about the rows of a table; () for fewer than two ranked players.

    Of several groups that never met, the sentences are about the first: nothing compares players of two groups.
    """
    rows = [row for row in standings if row.rated and row.rank and not row.retired and row.games]
    rows = rank_groups(rows)[0] if rows else []
    if len(rows) < 2 or any(row.rank_low is None for row in rows):
        return ()
    groups = list(_groups(rows))
    pairs = [pair for group in groups for pair in _open(group)]
    return tuple(filter(None, (_sure(rows, groups), _unknown(pairs), _next(pairs))))


def _groups(rows: Sequence[Standing]) -> Iterator[list[Standing]]:
    """Yields groups of which each is surely better than the next: no range of ranks reaches into another group."""
    group: list[Standing] = []
    lowest = 0
    for place, (row, (_, worst)) in enumerate(zip(rows, rank_ranges(rows, rows), strict=True), 1):
        group.append(row)
        lowest = max(lowest, worst)
        if lowest <= place:
            yield group
            group = []
    if group:
        yield group


def _sure(rows: Sequence[Standing], groups: Sequence[Sequence[Standing]]) -> str:
    if len(groups) > 1:
        first, second, *others = map(_listed, groups)
        sentence = f"Surely better (95%): {first} than {second}"
        return sentence + "".join(f", and these than {other}" for other in others[:1]) + _rest(others[1:]) + "."
    upper, lower = max(
        (_split(rows, place) for place in range(1, len(rows))), key=lambda pair: len(pair[0]) * len(pair[1])
    )
    if upper and lower:
        return f"Surely better (95%): {_listed(upper)} than {_listed(lower)}."
    return "No player is surely better than another yet (95%)."


def _split(rows: Sequence[Standing], place: int) -> tuple[list[Standing], list[Standing]]:
    """Returns the rows whose ranks are surely at most `place`, and those whose ranks are surely below it."""
    ranges = list(zip(rows, rank_ranges(rows, rows), strict=True))
    return [row for row, (_, worst) in ranges if worst <= place], [row for row, (best, _) in ranges if best > place]


def _rest(others: Sequence[str]) -> str:
    return f", and so on for {len(others)} more group{'s' * (len(others) > 1)}" if others else ""


def _unknown(pairs: Sequence[OpenPair]) -> str:
    if not pairs:
        return ""
    listed = ", ".join(
        f"{clean(pair.upper.player)} above {clean(pair.lower.player)} ({chance(pair.upper.above_next)})"
        for pair in pairs[:PAIRS]
    )
    more = len(pairs) - PAIRS
    return f"Not known yet: {listed}{f', and {more} more pair' + 's' * (more > 1) if more > 0 else ''}."


def _next(pairs: Sequence[OpenPair]) -> str:
    if not pairs:
        return ""
    pair = min(pairs, key=lambda pair: pair.matches)
    names = f"{clean(pair.upper.player)} and {clean(pair.lower.player)}"
    if pair.matches == float("inf"):
        return f"Next: {names} are too close to tell apart soon; take them as equal."
    return f"Next: about {_round(pair.matches):,} more matches of {names} each would tell them apart."


def _open(group: Sequence[Standing]) -> Iterator[OpenPair]:
    """Yields the neighbours of a group whose order is open, with the matches that would decide it.

    The standard error of a gap falls with the root of the matches, so a gap of z errors needs (1.96 / z)^2 times as
    many.
    """
    for upper, lower in pairwise(group):
        if upper.above_next is None or unanswered(lower):
            continue
        z = NormalDist().inv_cdf(min(max(upper.above_next, 1e-9), 1 - 1e-9))
        matches = min(row.distinct or row.games for row in (upper, lower))
        factor = max((_SURE_Z / z) ** 2 - 1.0, 0.1) if z > _LEAST_Z else float("inf")
        yield OpenPair(upper, lower, matches * factor)


def _listed(rows: Sequence[Standing]) -> str:
    names = [clean(row.player) for row in rows]
    if len(names) > NAMES:
        return f"{', '.join(names[: NAMES - 1])} and {len(names) - NAMES + 1} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _round(n: float) -> int:
    """Returns a number with at most two digits that are not 0."""
    return max(1, int(float(f"{n:.1e}")))
