"""Which opponent the live policy meets: prioritised fictitious self-play over what it has met before."""

from __future__ import annotations

from collections.abc import Sequence

from games.randomness import Stream
from league.matchmaking.pfsp import Kind, weights


class Record:
    """How the live policy did against one opponent lately: an exponential average over matches.

    `decay` per match; 0.99 looks about 100 matches back. An unseen opponent counts as even.
    """

    __slots__ = ("decay", "games", "points", "seen")

    def __init__(self, decay: float = 0.99) -> None:
        self.decay = decay
        self.points = 0.0
        """decayed sum of results: 1 a win, 0.5 a draw"""
        self.games = 0.0
        """decayed number of matches"""
        self.seen = 0
        """matches ever"""

    def add(self, result: float) -> None:
        """Count a match: 1 for a win of the live policy, 0.5 for a draw, 0 for a loss."""
        self.points = self.decay * self.points + result
        self.games = self.decay * self.games + 1.0
        self.seen += 1

    @property
    def rate(self) -> float:
        """The live policy's win rate, with one even match (a win and a loss of half a match) as prior; in (0, 1)."""
        return (self.points + 0.5) / (self.games + 1.0)

    def state(self) -> list[float]:
        """Points, games and matches ever, as plain JSON."""
        return [self.points, self.games, self.seen]

    @classmethod
    def of(cls, state: Sequence[float], decay: float = 0.99) -> Record:
        """Restore what `state` gave."""
        record = cls(decay)
        record.points, record.games, record.seen = float(state[0]), float(state[1]), int(state[2])
        return record


def draw(names: Sequence[str], rates: Sequence[float], kind: Kind, stream: Stream) -> str:
    """One opponent, drawn by PFSP from the live policy's win rates against them."""
    return names[stream.weighted(weights(rates, kind).tolist())]
