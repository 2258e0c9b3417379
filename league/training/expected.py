"""What ratings expect of the live policy in a match, as a return."""

from __future__ import annotations

from collections.abc import Iterable

from arena.match import Episode
from league.training.matches import result_of_live
from league.training.population import Population
from league.training.rated import RatedLeague, expected_score


class Expected:
    """The score that ratings expect, in the scale of the game's returns: a baseline for what came of the match."""

    def __init__(self, league: RatedLeague, population: Population, beta: float, games: Iterable[str]) -> None:
        self._league, self._population, self._beta = league, population, beta
        self.scale: dict[str, list[float]] = {id: [0.0, 0.0] for id in games}
        """game -> sum of |return| of the live policy, and how many"""

    def add(self, episode: Episode) -> None:
        """A match that was played."""
        if episode.status != "void":
            scale = self.scale[episode.game]
            scale[0] += sum(map(abs, episode.returns.values())) / len(episode.returns)
            scale[1] += 1

    def of(self, episode: Episode, seat: str) -> float | None:
        """The return expected here; None where the live policy meets itself."""
        met = result_of_live(episode)
        total, n = self.scale[episode.game]
        if met is None or not n or not self._population.snapshots:
            return None
        newest = self._population.snapshots[-1].name
        return expected_score(self._league, newest, met[0], episode.game, self._beta) * total / n
