"""The online ratings of the live view with the intervals of the batch fit beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from league.config import RatingConfig
from league.ratings.bradley_terry import BradleyTerry
from league.ratings.counts import CountTable
from league.ratings.fitted import Fit
from league.ratings.refine import Batch, Lineage, refine
from league.ratings.registry import make
from league.ratings.roles import fit_roles
from league.ratings.sides import GameInfo
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing


class Refined:
    """A rating method by name (`config.method`), whose tables get the columns of a Bradley-Terry fit of all results.

    `lineage` gives checkpoints their parents by the names of all players, beside those of `config.lineage`.
    `snapshot` starts each fit from the last one, 1 to 2 ms for 64 players; `settled` starts from nothing, so that what
    is kept depends on the results alone.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig,
        players: Sequence[str],
        lineage: Lineage = lambda players: {},
    ) -> None:
        self._method = make(config.method, games, config, players)
        if isinstance(self._method, Batch):
            self._method.lineage = lineage
        self._table = CountTable(games, players)
        self._games, self._lineage, self._config = games, lineage, config
        self._batch = BradleyTerry(mu=config.mu, beta=config.beta)
        self._fit: Fit | None = None
        self._shown: Snapshot | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Take in results of matches that ended, each once, in any order."""
        results = list(results)
        self._method.add(results)
        self._table.add(results)
        self._shown = None if results else self._shown

    def standings(self) -> tuple[Standing, ...]:
        """Over all games, without the columns of the fit."""
        return self._method.standings()

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game, likewise."""
        return self._method.by_game()

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role, likewise."""
        return self._method.by_role()

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables; fitted again only where a result was added since."""
        if self._shown is None:
            self._shown = self._refined(run, matches, warm=True)
        return msgspec.structs.replace(self._shown, run=run, matches=matches)

    def settled(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables, the same for the same results whatever was shown before."""
        return self._refined(run, matches, warm=False)

    def _refined(self, run: str, matches: MatchCounts, *, warm: bool) -> Snapshot:
        plain = self._method.snapshot(run, matches)
        if not any(row.games for row in plain.standings):
            return plain
        counts = self._table.counts()
        lineage = {**self._lineage(counts.players), **self._config.lineage}
        fit = self._batch.fit(counts, lineage, self._config.anchors, self._fit if warm else None)
        if warm:
            self._fit = fit
        if warm:
            return refine(plain, fit)
        single = {game: counts.only(game) for game, rows in plain.games.items() if rows}
        roles = {
            game: fit_roles(self._batch, single[game]).roles
            for game, found in plain.roles.items()
            if len(found) > 1 and not self._games[game].stakes and single[game].n.any()
        }
        games = {game: self._batch.fit(one, lineage, self._config.anchors) for game, one in single.items()}
        return refine(plain, fit, games, roles)
