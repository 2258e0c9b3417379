"""How many matches of a player were void that can make them void: an endpoint's server decides when it fails."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from league.records.matches import Result

_MATCHES = 20
"""the fewest matches of a player that can raise an alarm"""
_SHARE = 0.05
"""the smallest share of void matches that raises an alarm"""


class VoidMonitor:
    """`add` each result once, in any order. Counts the matches of the `watched` players."""

    def __init__(self, watched: Collection[str]) -> None:
        self._counts = {player: [0, 0] for player in watched}
        """player -> matches, void ones"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results."""
        for result in results if self._counts else ():
            for player in {seat.player for seat in result.seats} & self._counts.keys():
                self._counts[player][0] += 1
                self._counts[player][1] += result.status == "void"

    def alarms(self) -> tuple[str, ...]:
        """A line for each player with many void matches."""
        return tuple(
            f"{player}: {void:,} of {matches:,} matches are void ({void / matches:.0%}), and none of them is a loss: "
            "if its server fails when it loses, its rating is too high"
            for player, (matches, void) in self._counts.items()
            if matches >= _MATCHES and void >= _SHARE * matches
        )


__all__ = ["VoidMonitor"]
