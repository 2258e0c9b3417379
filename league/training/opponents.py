"""Which opponent the live policy meets: prioritised fictitious self-play over what it has met before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from games.randomness import Stream

Weighting = Literal["variance", "linear", "squared", "uniform"]


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


def weights(rates: Sequence[float], weighting: Weighting) -> list[float]:
    """How often each opponent should be met, from the live policy's win rates against them; sums to 1.

    x is the win rate: `variance` x(1-x) prefers equals, `linear` 1-x and `squared` (1-x)^2 those that are hard to
    beat (f_var and f_hard of AlphaStar, Vinyals et al. 2019, supplement). Where all weights vanish, as when every
    opponent always loses, or a rate is no number, the choice is uniform.
    """
    if not rates:
        return []
    raw = [_weight(x, weighting) if math.isfinite(x) else 0.0 for x in rates]
    total = math.fsum(raw)
    if not total > 1e-300 or not math.isfinite(total):
        return [1.0 / len(rates)] * len(rates)
    return [w / total for w in raw]


def _weight(rate: float, weighting: Weighting) -> float:
    x = min(1.0, max(0.0, rate))
    if weighting == "variance":
        return x * (1.0 - x)
    if weighting == "linear":
        return 1.0 - x
    return (1.0 - x) ** 2 if weighting == "squared" else 1.0


def draw(names: Sequence[str], rates: Sequence[float], weighting: Weighting, stream: Stream) -> str:
    """One opponent, drawn by `weights`."""
    return names[stream.weighted(weights(rates, weighting))]
