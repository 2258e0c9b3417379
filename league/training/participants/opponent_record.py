"""A policy's results against one opponent in training."""

from __future__ import annotations

from collections.abc import Sequence

_DECAY = 0.99
"""of the average, per match"""


class OpponentRecord:
    """The live policy's recent results against one opponent: an exponential average over matches.

    The average covers about the last 100 matches. The rate starts at 0.5.
    """

    __slots__ = ("games", "matches", "points")

    def __init__(self) -> None:
        self.points = 0.0
        """decayed sum of results: 1 for a win, 0.5 for a draw"""
        self.games = 0.0
        """decayed number of matches"""
        self.matches = 0
        """number of matches, not decayed"""

    def add(self, result: float) -> None:
        """Count a match: 1 if the live policy won, 0.5 for a draw, 0 if it lost."""
        self.points = _DECAY * self.points + result
        self.games = _DECAY * self.games + 1.0
        self.matches += 1

    @property
    def rate(self) -> float:
        """The live policy's win rate in (0, 1). The prior is one match, half won and half lost."""
        return (self.points + 0.5) / (self.games + 1.0)

    def to_list(self) -> list[float]:
        """Points, games and matches seen, as plain JSON."""
        return [self.points, self.games, self.matches]

    @classmethod
    def from_list(cls, state: Sequence[float]) -> OpponentRecord:
        """Restore what `to_list` returned."""
        record = cls()
        record.points, record.games, record.matches = float(state[0]), float(state[1]), int(state[2])
        return record
