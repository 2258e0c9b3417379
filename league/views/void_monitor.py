"""How many of its matches each player made void, by phase: a void match is no loss, whoever caused it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from league.records.matches import Result

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


__all__ = ["VoidMonitor"]
