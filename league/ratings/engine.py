"""The rating engine of a run: joins results once, counts them once, and fits each table once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec

from games.naming import parse_name
from league.config.tournament import RatingConfig
from league.outcomes.table import OutcomeTable
from league.ratings.comparisons import Counts, CountTable
from league.ratings.fit.cycles import cycle
from league.ratings.fit.dispersion import ALIKE, few_tasks
from league.ratings.fit.drift import Drift, drifts, present_fit
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import mean_over_games
from league.ratings.fit.many_players import MANY
from league.ratings.fit.misfit import LEVEL, misfits
from league.ratings.fit.prior_sensitivity import dependence
from league.ratings.fit.skill_draws import DRAWS, LIVE, SkillDraws
from league.ratings.fit.skill_model import BradleyTerry, SkillModel, fit_roles
from league.ratings.leaderboard import VoidLedger, refine
from league.ratings.method import Ratings
from league.ratings.one_thread import one_thread
from league.ratings.online.ratings import OnlineRatings
from league.ratings.online.state import anchors_of
from league.ratings.points import reference_of, with_points
from league.ratings.registry import make
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, with_provisional, with_retired, without_score
from league.records.matches import Result
from league.records.player_ref import lineage_of
from league.store.stored_log import StoredLog

SKIPPED = (
    f"more than {MANY:,} players: no tables by role, and no tests of cycles and anchors, "
    "which take a matrix of all pairs of players"
)
"""the line of a game whose field is too large for what takes a matrix of all pairs"""
TESTED = 1_000_000
"""comparisons above which a large field is not tested for drift: each player that changes takes another pass"""
Fits = dict[str | None, Fit]
"""per game, and over all games under None"""


class RatingEngine:
    """Leaderboards by a rating method (`config.method`) and a batch fit of all results.

    `trueskill`: the fit is of TrueSkill's own model (`SkillModel`); `bradley-terry`: of Bradley-Terry's. Either fit
    orders and rates the rows. Methods of plugins keep their own order and ratings; the fit of
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
        online = self._method if isinstance(self._method, OnlineRatings) else None
        self._outcomes = online.outcomes if online else OutcomeTable(games)
        self._counts = CountTable(games, players, self._outcomes)
        self._games, self._players, self._config = games, players, config
        self._anchors = {game: anchors_of(config, game) for game in games}
        self._last: Fits = {}
        """where the next fits may start"""
        self._fits: Fits = {}
        """the fits of the last leaderboard"""
        self._lines: dict[str | None, str] = {}
        """the warnings about the prior of the last leaderboard"""
        self._draws = DRAWS
        self._cached: Leaderboard | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order."""
        results = list(results)
        if not results:
            return
        self._cached = None
        if not isinstance(self._method, OnlineRatings):
            self._method.add(results)
        self._outcomes.add(results)

    def fill(self, log: StoredLog) -> None:
        """Add a whole log at once. Nothing can be added afterwards."""
        self._cached = None
        self._outcomes.fill(log.columns())
        if not isinstance(self._method, OnlineRatings):
            self._method.add(log.results())

    def follows(self) -> bool:
        """Returns whether the stored ranks of all results are those that follow from them. Raises InputError for ranks
        of other matches.
        """
        return self._outcomes.follows()

    def snapshot(self, run: str, matches: MatchCounts, *, precise: bool = False) -> Leaderboard:
        """Returns all tables, from few draws or, `precise`, from those of a final table; made again only if a result
        was added since, or for another number of draws.
        """
        draws = DRAWS if precise else LIVE
        if self._cached is None or self._draws != draws:
            self._draws = draws
            self._cached = self._leaderboard(run, matches, self._last)
        return msgspec.structs.replace(self._cached, run=run, matches=matches)

    def final(self, run: str, matches: MatchCounts) -> Leaderboard:
        """All tables, the same for the same results whatever was shown before; with roles fitted, cycles, and a test of
        the anchors.

        Where the batch fit rates the rows, the online ratings are left out: they are for the live view.
        """
        return self._leaderboard(run, matches, None)

    def posterior(self, game: str | None = None) -> SkillDraws | None:
        """Returns the draws behind the table of a game, or behind that over all games, of the last leaderboard; None
        before the first, and for a table without a fit.
        """
        fit = self._fits.get(game)
        return None if fit is None else fit.posterior

    @one_thread
    def _leaderboard(self, run: str, matches: MatchCounts, last: Fits | None) -> Leaderboard:
        plain, counts = self._read(run, matches, final=last is None)
        if not any(row.games for row in plain.standings):
            return plain
        single = {game: counts.only(game) for game, rows in plain.games.items() if rows}
        games = {game: self._fit(one, game, last) for game, one in single.items()}
        changes = self._follow_changes(single, games) if last is None else {}
        compared = {game: games[game] for game, one in single.items() if one.n.any()}
        overall = mean_over_games(compared, counts) if compared else self._model.fit(counts)
        self._fits = dict[str | None, Fit](games) | {None: overall}
        roles = None
        if last is None:
            few = {game: one for game, one in single.items() if not (games[game].many and one.n.any())}
            plain = _without_roles(plain, single.keys() - few)
            roles = self._fit_roles(plain, single, games)
            cycles = {
                game: cyclicity for game, one in few.items() if one.n.any() and (cyclicity := cycle(one)) is not None
            }
            checks = self._residual_checks(single, games, changes)
            plain = msgspec.structs.replace(plain, cycles=cycles, anchors=self._misfits(few), checks=checks)
        lines = self._lines = self._prior_warnings(counts)
        live, prior = last is not None, lines[None]
        game_prior = {game: lines[game] for game in games if lines[game]}
        board = refine(plain, overall, games, roles, lead=self._leads, online=live, prior=prior, game_prior=game_prior)
        reference = reference_of(self._config.reference, self._players, board.standings)
        return with_points(board, self._fits, reference, live=live)

    def _read(self, run: str, matches: MatchCounts, final: bool) -> tuple[Leaderboard, Counts]:
        """Returns the tables of the rating method, and the counts, which another core makes meanwhile: numpy computes
        without Python's lock.
        """
        self._outcomes.rows()
        with ThreadPoolExecutor(1) as other:
            counting = other.submit(self._counts.counts)
            plain = self._online(run, matches, final)
            counts = counting.result()
        return msgspec.structs.replace(plain, repetition=self._counts.repetition()), counts

    def _follow_changes(self, single: Mapping[str, Counts], games: dict[str, Fit]) -> dict[str, tuple[Drift, ...]]:
        """Returns the players of each game that change, and gives the game a fit with their present skill."""
        out: dict[str, tuple[Drift, ...]] = {}
        for game, one in single.items():
            out[game] = ()
            if one.n.any() and not (games[game].many and one.n.sum() > TESTED):
                sequence, parents = self._counts.sequence(game), self._parents(one)
                out[game] = drifts(self._model, one, sequence, games[game], parents)
                if games[game].many:  # to fit parts of players takes a matrix of all pairs
                    continue
                names = [drift.player for drift in out[game]]
                games[game] = present_fit(self._model, one, sequence, games[game], names, parents, self._anchors[game])
        return out

    def _residual_checks(
        self, single: Mapping[str, Counts], games: Mapping[str, Fit], changes: Mapping[str, Sequence[Drift]]
    ) -> dict[str, tuple[str, ...]]:
        """Per game whose residuals contradict the model, a line for each player that changes and for few tasks."""
        tasks, out = self._counts.tasks(), {}
        for game, one in single.items():
            if one.n.any():
                many = games[game].many
                lines = [*(change.line(not many) for change in changes[game]), *([SKIPPED] if many else [])]
                if game in tasks and (spread := games[game].dispersion[game]) >= ALIKE:
                    lines.append(few_tasks(tasks[game], int(one.n.sum()), spread))
                if lines:
                    out[game] = tuple(lines)
        return out

    def _misfits(self, single: Mapping[str, Counts]) -> dict[str, tuple[str, ...]]:
        """Per game whose matches contradict its anchors, a line for each. The level is that of all games together."""
        asked = {game: one for game, one in single.items() if len(self._anchors[game]) > 1}
        out = {}
        for game, one in asked.items():
            contradictions = misfits(self._model, one, self._anchors[game], self._parents(one), LEVEL / len(asked))
            if contradictions:
                out[game] = tuple(map(str, contradictions))
        return out

    def _online(self, run: str, matches: MatchCounts, final: bool) -> Leaderboard:
        """Returns the tables of the rating method.

        Finally, the games whose rows a fit rates are not rated online: that takes longer than all the rest.
        """
        if final and self._leads and isinstance(self._method, OnlineRatings):
            plain = Leaderboard(run, *self._method.tables(without=_fitted(self._games)), matches)
        else:
            plain = self._method.snapshot(run, matches)
        plain = VoidLedger(self._outcomes.rows()).entered(with_retired(plain, self._retired))
        several = sum(any(row.games for row in rows) for rows in plain.games.values()) > 1
        return msgspec.structs.replace(
            plain,
            standings=with_provisional(without_score(plain.standings) if several else plain.standings),
            games={game: with_provisional(rows) for game, rows in plain.games.items()},
        )

    def _fit(self, counts: Counts, game: str, last: Fits | None) -> Fit:
        start = last.get(game) if last is not None else None
        rough = start is not None and start.number == self._draws == LIVE
        fit = self._model.fit(counts, self._parents(counts), self._anchors[game], start, rough=rough)
        if last is not None:
            last[game] = fit = replace(fit, number=self._draws)
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
        refs = {player: ref for player in counts.players if (ref := self._counts.refs.get(player)) is not None}
        return {**lineage_of(refs), **self._config.lineage}

    def _prior_warnings(self, counts: Counts) -> dict[str | None, str]:
        """Returns the warning for each of the fits, "" for none. With a lineage there is none: its prior is meant to
        decide. A fit that was moved keeps that of the fit before.
        """
        if self._parents(counts):
            return dict.fromkeys(self._fits, "")
        lines: dict[int, str] = {}
        for key, fit in self._fits.items():
            if fit.ready is not None and key in self._lines:
                lines.setdefault(id(fit), self._lines[key])
            elif id(fit) not in lines:
                reliance = dependence(fit)
                lines[id(fit)] = str(reliance) if reliance is not None and reliance.decides else ""
        return {key: lines[id(fit)] for key, fit in self._fits.items()}


class BradleyTerryRatings:
    """The rating method `bradley-terry` by itself: every leaderboard is a final one.

    Takes the keywords of `OnlineRatings`. The engine of a run takes over `model` and `online`.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig | None = None,
        players: Sequence[str] = (),
    ) -> None:
        config = config or RatingConfig()
        self.model = BradleyTerry(mu=config.mu, beta=config.beta, intervals=config.intervals)
        self.online = OnlineRatings(games, config, players)
        self._engine = RatingEngine(games, config, players, method=self)
        self._cached: Leaderboard | None = None

    def add(self, results: Iterable[Result]) -> None:
        """As `OnlineRatings.add`, with its errors."""
        self._cached = None
        self._engine.add(results)

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        if self._cached is None:
            self._cached = self._engine.final(run, matches)
        return msgspec.structs.replace(self._cached, run=run, matches=matches)


def _without_roles(board: Leaderboard, games: Collection[str]) -> Leaderboard:
    """Returns the leaderboard without the tables by role of some games, but for those of one role."""
    roles = {game: {} if game in games and len(tables) > 1 else tables for game, tables in board.roles.items()}
    return msgspec.structs.replace(board, roles=roles)


def _fitted(games: Mapping[str, GameInfo]) -> set[str]:
    """Returns the games in which a fit rates all tables: matches of single seats, which are compared one by one."""
    return {
        game
        for game, info in games.items()
        if info.rated and info.payoff in ("zero_sum", "constant_sum") and not (info.by_pairing or info.teams)
    }
