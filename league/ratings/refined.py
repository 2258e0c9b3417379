"""The tables of a run: the counts and online ratings of the live view, ordered and rated by one fit of all results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from games.naming import parse_name
from league.config import RatingConfig
from league.ratings.batch import Batch, Lineage, refine
from league.ratings.counts import Counts, CountTable
from league.ratings.cyclic import cycle
from league.ratings.dependence import dependence
from league.ratings.fitted import Fit
from league.ratings.games import fit_games
from league.ratings.registry import Ratings, make
from league.ratings.roles import fit_roles
from league.ratings.sides import GameInfo
from league.ratings.skill_model import SkillModel
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing, with_provisional, without_score


class Refined:
    """A rating method by name (`config.method`) with the batch fit of its model.

    `trueskill`: the fit is of TrueSkill's own model (`SkillModel`), `bradley-terry`: of its own; either orders and
    rates the rows. Other methods (openskill, those of plugins) keep their own order and ratings and get those of
    TrueSkill's model beside them.

    `lineage` gives checkpoints their parents by the names of all players, beside those of `config.lineage`.
    `snapshot` starts each fit from the last one, a few ms for 64 players; `settled` starts from nothing, so that what
    is kept depends on the results alone.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig,
        players: Sequence[str],
        lineage: Lineage = lambda players: {},
    ) -> None:
        method = make(config.method, games, config, players)
        self._model: SkillModel = SkillModel(mu=config.mu, beta=config.beta, intervals=config.intervals)
        self._method: Ratings = method
        self._leads = parse_name(config.method).base == "trueskill"
        if isinstance(method, Batch):
            self._model, self._method, self._leads = method.model, method.ledger, True
        self._table = CountTable(games, players)
        self._games, self._lineage, self._config = games, lineage, config
        self._last: dict[str | None, Fit] = {}
        """per game, and over all games under None, the fit that the next may start from"""
        self._shown: Snapshot | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Take in results of matches that ended, each once, in any order."""
        results = list(results)
        self._method.add(results)
        self._table.add(results)
        self._shown = None if results else self._shown

    def fill(self, results: Iterable[Result], table: CountTable) -> None:
        """Take in a whole log, and its counts made in bulk (`league.ratings.bulk`); afterwards nothing can be added."""
        self._method.add(results)
        self._table = table

    def standings(self) -> tuple[Standing, ...]:
        """Over all games, without the fit."""
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
            self._shown = self._refined(run, matches, self._last)
        return msgspec.structs.replace(self._shown, run=run, matches=matches)

    def settled(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables, the same for the same results whatever was shown before."""
        return self._refined(run, matches, None)

    def _refined(self, run: str, matches: MatchCounts, last: dict[str | None, Fit] | None) -> Snapshot:
        plain = self._method.snapshot(run, matches)
        several = sum(any(row.games for row in rows) for rows in plain.games.values()) > 1
        plain = msgspec.structs.replace(
            plain,
            standings=with_provisional(without_score(plain.standings) if several else plain.standings),
            games={game: with_provisional(rows) for game, rows in plain.games.items()},
            repetition=self._table.repetition(),
        )
        if not any(row.games for row in plain.standings):
            return plain
        counts = self._table.counts()
        single = {game: counts.only(game) for game, rows in plain.games.items() if rows}
        games = {game: self._fit(one, game, last) for game, one in single.items()}
        overall = games[counts.games[0]] if len(single) == len(counts.games) == 1 else self._fit(counts, None, last)
        roles = self._roles(plain, single) if last is None else None
        if last is None:
            found = {game: cycle(one) for game, one in single.items() if one.n.any()}
            plain = msgspec.structs.replace(plain, cycles={game: c for game, c in found.items() if c is not None})
        return refine(plain, overall, games, roles, lead=self._leads, prior=self._prior(overall, counts))

    def _fit(self, counts: Counts, game: str | None, last: dict[str | None, Fit] | None) -> Fit:
        lineage = {**self._lineage(counts.players), **self._config.lineage}
        start = last.get(game) if last is not None else None
        fit = (self._model.fit if game else partial(fit_games, self._model))(
            counts, lineage, self._config.anchors, start
        )
        if last is not None:
            last[game] = fit
        return fit

    def _roles(self, plain: Snapshot, single: Mapping[str, Counts]) -> dict[str, Mapping[str, Fit]]:
        return {
            game: fit_roles(self._model, single[game]).roles
            for game, found in plain.roles.items()
            if len(found) > 1 and not self._games[game].stakes and single[game].n.any()
        }

    def _prior(self, fit: Fit, counts: Counts) -> str:
        """A lineage's prior is there to decide, so without one only."""
        if self._lineage(counts.players) or self._config.lineage:
            return ""
        found = dependence(fit)
        return str(found) if found is not None and found.decides else ""
