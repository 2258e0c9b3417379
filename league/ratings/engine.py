"""The rating engine of a run: joins results once, counts them once, and fits each table once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from games import UnknownName
from games.naming import parse_name
from league.config.tournament import RatingConfig
from league.ratings.comparisons import Counts, CountTable, bulk_table
from league.ratings.fit.cycles import cycle
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import fit_games
from league.ratings.fit.links import LINKS, Link
from league.ratings.fit.misfit import LEVEL, misfits
from league.ratings.fit.prior_sensitivity import dependence
from league.ratings.fit.roles import fit_roles
from league.ratings.fit.skill_model import BradleyTerry, SkillModel
from league.ratings.leaderboard import refine
from league.ratings.method import Ratings
from league.ratings.one_thread import one_thread
from league.ratings.online.anchors import anchors_of
from league.ratings.online.bulk import tallies
from league.ratings.online.ratings import OnlineRatings
from league.ratings.outcomes.plain import MatchLog
from league.ratings.registry import make
from league.ratings.voids import VoidLedger
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing, with_provisional, with_retired, without_score
from league.records.matches import Result, SeatResult
from league.records.player_ref import PlayerRef, lineage_of

Fits = dict[str | None, Fit]
"""per game, and over all games under None"""


class RatingEngine:
    """Leaderboards by a rating method (`config.method`) and a batch fit of all results.

    `trueskill`: the fit is of TrueSkill's own model (`SkillModel`); `bradley-terry`: of Bradley-Terry's. Either fit
    orders and rates the rows. Other methods (openskill, plugins) keep their own order and ratings; the fit of
    TrueSkill's model stands beside them.

    Snapshots of a training have the one before them as their parent, in addition to `config.lineage`. `snapshot` starts
    each fit from the last one, which takes a few ms for 64 players; `final` starts from nothing, so it depends on the
    results alone. `method`: a rating method to use instead of making the one that `config` names. `retired`: players
    that are marked as such, see `Standing.retired`.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig,
        players: Sequence[str],
        method: Ratings | None = None,
        retired: Collection[str] = (),
    ) -> None:
        self._retired = retired
        self._method = method or make(config.method, games, config, players)
        self._model: SkillModel = SkillModel(mu=config.mu, beta=config.beta, intervals=config.intervals)
        self._leads = parse_name(config.method).base == "trueskill"
        if isinstance(self._method, BradleyTerryRatings):
            self._model, self._method, self._leads = self._method.model, self._method.online, True
        self._counts = CountTable(games, players)
        self._games, self._players, self._config = games, players, config
        self._refs: dict[str, PlayerRef] = {}
        """what stands behind the names of trained players"""
        self._voids = VoidLedger()
        self._anchors = {game: anchors_of(config, game) for game in (None, *games)}
        self._last: Fits = {}
        """where the next fits may start"""
        self._cached: Leaderboard | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order."""
        results = list(results)
        if not results:
            return
        self._cached = None
        self._voids.add_results(results)
        self._note_refs(result.seats for result in results)
        if not isinstance(self._method, OnlineRatings):
            self._method.add(results)
            self._counts.add(results)
            return
        for joined in self._method.stream.add(results):
            self._method.fold(joined)
            self._counts.count(joined)
        self._counts.list_players(results)

    def fill(self, log: MatchLog) -> None:
        """Add a whole log at once, for `final`. Nothing can be added afterwards.

        If the batch fit rates the rows, the online ratings of plain matches are left out: `final` does not show them,
        and they take longer than all the rest.
        """
        self._cached = None
        self._note_refs((*log.plain.seats, *(result.seats for result in log.others)))
        self._counts = bulk_table(log, self._games, self._players)
        self._voids.add_log(log)
        if self._leads and isinstance(self._method, OnlineRatings):
            self._method.add(log.others)
            self._method.fill(tallies(log.plain))
        else:
            self._method.add(log.results())

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables; fitted again only if a result was added since."""
        if self._cached is None:
            self._cached = self._leaderboard(run, matches, self._last)
        return msgspec.structs.replace(self._cached, run=run, matches=matches)

    def final(self, run: str, matches: MatchCounts) -> Leaderboard:
        """All tables, the same for the same results whatever was shown before; with roles fitted, cycles, and a test of
        the anchors.

        Where the batch fit rates the rows, the online ratings are left out: they are for the live view.
        """
        return self._leaderboard(run, matches, None)

    @one_thread
    def _leaderboard(self, run: str, matches: MatchCounts, last: Fits | None) -> Leaderboard:
        plain = self._online(run, matches)
        if not any(row.games for row in plain.standings):
            return plain
        counts = self._counts.counts()
        single = {game: counts.only(game) for game, rows in plain.games.items() if rows}
        games = {game: self._fit(one, game, last) for game, one in single.items()}
        overall = games[counts.games[0]] if len(single) == len(counts.games) == 1 else self._fit(counts, None, last)
        roles = None
        if last is None:
            roles = self._fit_roles(plain, single, games)
            cycles = {
                game: cyclicity for game, one in single.items() if one.n.any() and (cyclicity := cycle(one)) is not None
            }
            plain = msgspec.structs.replace(plain, cycles=cycles, anchors=self._misfits(single))
        live, prior = last is not None, self._prior_warning(overall, counts)
        game_prior = {game: line for game, one in games.items() if (line := self._prior_warning(one, counts))}
        return refine(plain, overall, games, roles, lead=self._leads, online=live, prior=prior, game_prior=game_prior)

    def _misfits(self, single: Mapping[str, Counts]) -> dict[str, tuple[str, ...]]:
        """Per game whose matches contradict its anchors, a line for each. The level is that of all games together."""
        asked = {game: one for game, one in single.items() if len(self._anchors[game]) > 1}
        out = {}
        for game, one in asked.items():
            contradictions = misfits(self._model, one, self._anchors[game], self._parents(one), LEVEL / len(asked))
            if contradictions:
                out[game] = tuple(map(str, contradictions))
        return out

    def _online(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns the tables of the rating method."""
        plain = self._voids.entered(with_retired(self._method.snapshot(run, matches), self._retired))
        several = sum(any(row.games for row in rows) for rows in plain.games.values()) > 1
        return msgspec.structs.replace(
            plain,
            standings=with_provisional(without_score(plain.standings) if several else plain.standings),
            games={game: with_provisional(rows) for game, rows in plain.games.items()},
            repetition=self._counts.repetition(),
        )

    def _fit(self, counts: Counts, game: str | None, last: Fits | None) -> Fit:
        start = last.get(game) if last is not None else None
        parents, anchors = self._parents(counts), self._anchors
        if game:
            fit = self._model.fit(counts, parents, anchors[game], start)
        else:
            fit = fit_games(self._model, counts, parents, anchors, start)
        if last is not None:
            last[game] = fit
        return fit

    def _fit_roles(
        self, plain: Leaderboard, single: Mapping[str, Counts], games: Mapping[str, Fit]
    ) -> dict[str, Mapping[str, Fit]]:
        """Returns the fits of the roles. The only role of a game has the fit of the game."""
        fits: dict[str, Mapping[str, Fit]] = {}
        for game, tables in plain.roles.items():
            if len(tables) == 1 and game in games:
                fits[game] = dict.fromkeys(tables, games[game])
            elif len(tables) > 1 and not self._games[game].stakes and single[game].n.any():
                fits[game] = fit_roles(self._model, single[game]).roles
        return fits

    def _parents(self, counts: Counts) -> dict[str, str]:
        refs = {player: self._refs[player] for player in counts.players if player in self._refs}
        return {**lineage_of(refs), **self._config.lineage}

    def _note_refs(self, seated: Iterable[Iterable[SeatResult]]) -> None:
        self._refs.update((seat.player, seat.ref) for seats in seated for seat in seats if seat.ref is not None)

    def _prior_warning(self, fit: Fit, counts: Counts) -> str:
        """Empty with a lineage: its prior is meant to decide."""
        if self._parents(counts):
            return ""
        reliance = dependence(fit)
        return str(reliance) if reliance is not None and reliance.decides else ""


class BradleyTerryRatings:
    """The rating method `bradley-terry` by itself: every leaderboard is a final one.

    Takes the keywords of `OnlineRatings`, and `link`, as in `SkillModel`. The engine of a run takes over `model` and
    `online`.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig | None = None,
        players: Sequence[str] = (),
        link: str = "logit",
    ) -> None:
        config = config or RatingConfig()
        self.model = BradleyTerry(mu=config.mu, beta=config.beta, link=_link(link), intervals=config.intervals)
        self.online = OnlineRatings(games, config, players)
        self._engine = RatingEngine(games, config, players, method=self)
        self._cached: Leaderboard | None = None

    def add(self, results: Iterable[Result]) -> None:
        """As `OnlineRatings.add`, with its errors."""
        self._cached = None
        self._engine.add(results)

    def standings(self) -> tuple[Standing, ...]:
        """Returns the table over all games."""
        return self.snapshot("", MatchCounts()).standings

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Returns the tables per game."""
        return self.snapshot("", MatchCounts()).games

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Returns the tables per game and role."""
        return self.snapshot("", MatchCounts()).roles

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        if self._cached is None:
            self._cached = self._engine.final(run, matches)
        return msgspec.structs.replace(self._cached, run=run, matches=matches)


def _link(name: str) -> Link:
    for link in LINKS:
        if name == link:
            return link
    raise UnknownName("link", name, LINKS)
