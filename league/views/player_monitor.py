"""Monitors of a run over its players: broken rules by round and how far they spread, and percentiles across games."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean, median
from typing import Any

from league.records.matches import Result

_RISE = 0.2
"""an alarm's rise of the share of seats with failed attempts"""
_SPREAD = 0.5
"""the share of the players that fail, from which an alarm says that it spreads"""
_SEATS = 40
"""seats that the first and the last rounds need before they are compared"""


class PlayerMonitor:
    """`add` each result once, in any order. Void matches do not count.

    A seat fails if one of its attempts failed (illegal, unparsable, empty, ...) or it forfeited.
    """

    def __init__(self) -> None:
        self._rounds: dict[int, dict[str, list[int]]] = {}
        """round -> player -> seats, seats that failed"""
        self._scores: dict[tuple[str, str], dict[str, list[float]]] = {}
        """(game, role) -> player -> its returns"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results."""
        for result in results:
            if result.status == "void":
                continue
            for seat in result.seats:
                counts = self._rounds.setdefault(result.round, {}).setdefault(seat.player, [0, 0])
                counts[0] += 1
                counts[1] += bool(seat.faults) or seat.forfeited
                scores = self._scores.setdefault((result.game, seat.role), {}).setdefault(seat.player, [])
                scores.append(seat.score)

    def violations(self) -> list[dict[str, float]]:
        """Returns for each round the share of the seats that failed, and the share of the players with such a seat."""
        return [
            {"round": number, "seats": _failed(players), "players": fmean(n > 0 for _, n in players.values())}
            for number, players in sorted(self._rounds.items())
        ]

    def percentiles(self) -> dict[str, dict[str, Any]]:
        """Returns for each player the lowest and the median of its percentiles in each game and role.

        A percentile is the share of the other players with a lower mean return, plus half of those with the same: 0.5
        in the middle. Games of different scales become comparable. Roles of fewer than two players have none.
        """
        percentiles: dict[str, dict[str, float]] = {}
        for (game, role), players in sorted(self._scores.items()):
            means = {player: fmean(scores) for player, scores in players.items()}
            order = sorted(means.values())
            for player, mean in means.items() if len(means) > 1 else ():
                below, same = bisect_left(order, mean), bisect_right(order, mean) - bisect_left(order, mean) - 1
                percentiles.setdefault(player, {})[f"{game}/{role}"] = (below + same / 2) / (len(order) - 1)
        return {
            player: {"games": games, "low": min(games.values()), "median": median(games.values())}
            for player, games in sorted(percentiles.items())
        }

    def alarms(self) -> tuple[str, ...]:
        """Returns a line if many more seats fail in the last third of the rounds than in the first."""
        numbers = sorted(self._rounds)
        third = len(numbers) // 3
        if not third:
            return ()
        early, late = ([self._rounds[n] for n in some] for some in (numbers[:third], numbers[-third:]))
        if min(sum(n for players in part for n, _ in players.values()) for part in (early, late)) < _SEATS:
            return ()
        before, now = (fmean(map(_failed, part)) for part in (early, late))
        if now <= before + _RISE:
            return ()
        failing: dict[str, int] = {}
        for players in late:
            for player, (_, failed) in players.items():
                failing[player] = failing.get(player, 0) + failed
        spread = fmean(n > 0 for n in failing.values())
        who = f"{spread:.0%} of the players" if spread >= _SPREAD else _names(failing)
        return (f"broken rules rise: {now:.0%} of the seats in the last rounds, it was {before:.0%}; by {who}",)


def _failed(players: Mapping[str, list[int]]) -> float:
    return sum(failed for _, failed in players.values()) / max(1, sum(seats for seats, _ in players.values()))


def _names(failing: Mapping[str, int]) -> str:
    worst = sorted((player for player, n in failing.items() if n), key=lambda player: (-failing[player], player))
    return ", ".join(worst[:3])


_MATCHES = 20
"""the fewest matches of a player that can raise an alarm"""
_SHARE = 0.05
"""the smallest share of void matches that raises an alarm"""


class VoidMonitor:
    """`add` each result once, in any order."""

    def __init__(self) -> None:
        self._matches: Counter[str] = Counter()
        self._voids: dict[str, Counter[str]] = {}

    def add(self, results: Iterable[Result]) -> None:
        """Add results."""
        for result in results:
            self._matches.update({seat.player for seat in result.seats})
            for seat in result.seats:
                if seat.void_phase:
                    self._voids.setdefault(seat.player, Counter())[seat.void_phase] += 1

    def phases(self) -> Mapping[str, Mapping[str, int]]:
        """Returns for each player that made matches void how many, by the phase of its turn."""
        return {player: dict(sorted(phases.items())) for player, phases in sorted(self._voids.items())}

    def alarms(self) -> tuple[str, ...]:
        """Returns a line for each player with many void matches."""
        return tuple(
            f"{player} made {void:,} of its {matches:,} matches void ({void / matches:.0%}; {_listed(phases)}), and "
            "none of them is a loss: if it fails when it loses, its rating is too high"
            for player, phases in self.phases().items()
            if (matches := self._matches[player]) >= _MATCHES and (void := sum(phases.values())) >= _SHARE * matches
        )


def _listed(phases: Mapping[str, int]) -> str:
    return ", ".join(f"{n:,} in phase {phase}" for phase, n in phases.items())
