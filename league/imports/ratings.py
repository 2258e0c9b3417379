"""From matches to a leaderboard: the fit of the boards for players, TrueSkill for teams, and what follows in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np

from games import InputError, UnknownName
from league.board.findings import findings
from league.board.state import Panel
from league.imports.counts import compared, standings
from league.imports.matches import ImportedMatch, ImportedMatches, span
from league.imports.teams import Z95, joined, rated_rows, team_ratings
from league.ratings.fit.dispersion import ALIKE, few_tasks
from league.ratings.fit.drift import drifts
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import mean_over_games
from league.ratings.fit.links import CDFS
from league.ratings.fit.skill_model import SkillModel
from league.ratings.leaderboard import refine
from league.ratings.one_thread import one_thread
from league.ratings.points import with_points
from league.records.leaderboard import Leaderboard, MatchCounts, Standing, with_provisional

FEW = 5
"""matches below which a rating rests on the prior"""
_DRIFTS, _TESTED = 3, 300_000
"""players that are named as changing; comparisons above which nobody is tested for that"""
_GROUPS, _NAMES = 3, 4
"""groups that never met, and names of each, in a sentence"""


class RatedResults(Leaderboard, frozen=True, eq=False, kw_only=True):
    """The leaderboard of results from elsewhere: the tables of a `Leaderboard`, what they say in words, and
    probabilities.
    """

    about: tuple[str, ...] = ()
    """what the reader of the tables must know of the data"""
    fits: Mapping[str | None, Any] = {}
    """the fit of each game, and over all games under None; a game of teams has none"""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the table over all games tells, and what its reader must know."""
        return (*findings(self.standings), *_groups(self.pools), *_apart(self.apart), *self.about)

    def probability(self, a: str, b: str, game: str = "") -> float | None:
        """Returns the probability that a is better than b, over all games or in one; None if no matches link the two,
        directly or through others.

        Raises UnknownName for a player or a game without matches.
        """
        if game and game not in self.games:
            raise UnknownName("game", game, list(self.games))
        rows = {row.player: row for row in (self.games[game] if game else self.standings)}
        for player in (a, b):
            if player not in rows:
                raise UnknownName("player", player, list(rows))
        pools = self.game_pools.get(game, ()) if game else self.pools
        if any((a in pool) != (b in pool) for pool in pools):
            return None
        fit: Fit | None = self.fits.get(game or None)
        if fit is None:
            return _above(rows[a], rows[b])
        i, j = fit.players.index(a), fit.players.index(b)
        linked = fit.played[i] and fit.played[j] and (fit.comparable is None or fit.comparable[i, j])
        return fit.posterior.above(a, b) if linked else None

    def __repr__(self) -> str:
        """Returns the board as text."""
        from league.board.printed import board_text

        return board_text(self, panels=self.panels()).plain

    def panels(self) -> tuple[Panel, ...]:
        """Returns what stands below the table and what follows from it."""
        return (Panel("the data", self.about, wraps=True),)


def _above(one: Standing, other: Standing) -> float:
    """Returns the probability that the skill of one row is above that of the other, both normal and independent."""
    spread = ((one.high - one.low) ** 2 + (other.high - other.low) ** 2) ** 0.5 / (2.0 * Z95)
    return NormalDist().cdf((one.rating - other.rating) / spread)


@one_thread
def leaderboard(read: ImportedMatches, reference: str = "") -> RatedResults:
    """Returns the leaderboard of matches. `reference`: the player of the expected points; default: the one of most
    matches in the largest group. Raises InputError for a reference without a match.
    """
    matches = read.matches
    names = sorted({match.game for match in matches})
    of_teams = [name for name in names if any(len(s) > 1 for m in matches if m.game == name for s in m.sides)]
    fits, checks = _fits([match for match in matches if match.game not in of_teams])
    games = {name: with_provisional(standings([m for m in matches if m.game == name])) for name in names}
    total, done = with_provisional(standings(matches)), MatchCounts(len(matches), len(matches), total=len(matches))
    plain = Leaderboard(read.name, total, games, {}, done, checks=checks)
    per_game = {game: fit for game, fit in fits.items() if game is not None}
    board = refine(plain, fits[None], per_game, online=False) if fits else plain
    board = _with_teams(board, matches, of_teams)
    board = with_points(board, fits, _reference(board, fits, reference), live=False)
    content = {name: getattr(board, name) for name in Leaderboard.__struct_fields__}
    return RatedResults(**content, about=tuple(_about(board, fits, read, of_teams)), fits=fits)


def _fits(matches: Sequence[ImportedMatch]) -> tuple[dict[str | None, Fit], dict[str, tuple[str, ...]]]:
    """Returns the fit of each game and over all of them, {} without matches; and per game a line for each term that its
    residuals ask for.
    """
    if not matches:
        return {}, {}
    dated = span(matches) is not None
    players = compared(sorted(matches, key=lambda match: match.date or 0.0) if dated else matches)
    model, fits, checks = SkillModel(), dict[str | None, Fit](), dict[str, tuple[str, ...]]()
    for game in players.counts.games:
        one = players.counts.only(game)
        fit = fits[game] = model.fit(one)
        lines = list[str]()
        if dated and one.n.sum() <= _TESTED and not fit.many:
            changes = drifts(model, one, players.sequence(game), fit)
            lines = [change.line(present=False) for change in changes[:_DRIFTS]]
            lines += [f"{len(changes) - _DRIFTS} more players change"] if len(changes) > _DRIFTS else []
        if game in players.tasks and fit.dispersion[game] >= ALIKE:
            lines.append(few_tasks(players.tasks[game], int(one.n.sum()), fit.dispersion[game]))
        checks |= {game: tuple(lines)} if lines else {}
    per_game = {game: fit for game, fit in fits.items() if game is not None}
    return fits | {None: mean_over_games(per_game, players.counts)}, checks


def _with_teams(board: Leaderboard, matches: Sequence[ImportedMatch], of_teams: Sequence[str]) -> Leaderboard:
    """Returns the leaderboard with the tables of games of teams; the overall table is theirs if all games are."""
    games, pools = dict(board.games), dict(board.game_pools)
    for game in of_teams:
        here = [match for match in matches if match.game == game]
        if span(here) is not None:
            here.sort(key=lambda match: match.date or 0.0)
        groups = joined(here)
        games[game] = rated_rows(games[game], team_ratings(here), groups)
        pools |= {game: tuple(map(tuple, groups))} if len(groups) > 1 else {}
    whole = {"games": games, "game_pools": pools}
    if len(of_teams) == len(games) == 1:
        whole |= {"standings": games[of_teams[0]], "pools": pools.get(of_teams[0], ())}
    elif len(of_teams) == len(games):
        groups = joined(matches)
        rows = rated_rows(board.standings, team_ratings(matches), groups)
        whole |= {"standings": rows, "pools": tuple(map(tuple, groups)) if len(groups) > 1 else ()}
    return msgspec.structs.replace(board, **whole)


def _reference(board: Leaderboard, fits: Mapping[str | None, Fit], name: str) -> str:
    """Returns the player against whom points are expected; "" without a fit."""
    rows = {row.player: row for row in board.standings}
    if name and name not in rows:
        raise UnknownName("player", name, list(rows))
    if not fits:
        if name:
            raise InputError("matches of teams have no expected points against a player; leave out --reference")
        return ""
    first = set(board.pools[0]) if board.pools else set(rows)
    ranked = [row for row in board.standings if row.player in first and row.rank is not None]
    return name or max(ranked, key=lambda row: row.games, default=board.standings[0]).player


def _about(
    board: Leaderboard, fits: Mapping[str | None, Fit], read: ImportedMatches, of_teams: Sequence[str]
) -> list[str]:
    """Returns what the reader of the tables must know of the data."""
    lines = [_size(board, read)]
    overall = fits.get(None)
    for game, fit in fits.items():
        if game is not None:
            lines += _seat(fit, game, read.seats, named=len(board.games) > 1)
    if overall is not None:
        perfect = overall.posterior.unbeaten | overall.posterior.winless
        place = {player: i for i, player in enumerate(overall.players)}
        rows = [row for row in board.standings if row.player in place]
        weak = sum(row.games < FEW or bool(perfect[place[row.player]]) for row in rows)
        if weak:
            lines.append(
                f"{weak:,} of {len(rows):,} players won or lost everything or have fewer than {FEW} matches: how far "
                "they are from others rests on the prior."
            )
    if of_teams:
        where = f" in {', '.join(of_teams)}" if len(board.games) > 1 else ""
        order = "their dates" if span(read.matches) is not None else "the file"
        lines.append(
            f"Teams{where} are rated by TrueSkill, match by match in the order of {order}; players who were always in "
            "one team share a rank. The table says of no two of them who is surely better."
        )
        if len(of_teams) < len(board.games):
            lines.append("The table over all games leaves out the games of teams.")
    return lines + [note[0].upper() + note[1:] + "." for note in read.notes]


def _size(board: Leaderboard, read: ImportedMatches) -> str:
    when = span(read.matches)
    dates = ""
    if when is not None:
        dates = ", {} to {}".format(*(datetime.fromtimestamp(day, UTC).date().isoformat() for day in when))
    results = f"{len(read.matches):,} result{'s' * (len(read.matches) > 1)}"
    return f"{results} of {len(board.standings):,} players{dates}."


def _seat(fit: Fit, game: str, seats: tuple[str, str], *, named: bool) -> list[str]:
    """Returns a sentence on what the first seat is worth between equal players, with a 95% interval."""
    effects = fit.seats.get(game, ())
    if len(effects) != 2 or not effects[0].sd:
        return []
    unit, margin, cdf = fit.scoring.unit, fit.scoring.margin, CDFS[fit.scoring.link]
    gaps = 2.0 * (effects[0].advantage + np.array([0.0, -Z95, Z95]) * effects[0].sd) / unit
    points, low, high = 50.0 * (cdf(gaps + margin) + cdf(gaps - margin))
    seat = f"The first seat ({seats[0]})" if seats[0] else "The first seat"
    here = f" in {game}" if named else ""
    return [f"{seat} makes {points:.1f} of 100 points{here} between equal players (95%: {low:.1f} to {high:.1f})."]


def _groups(pools: Sequence[Sequence[str]]) -> list[str]:
    if not pools:
        return []
    listed = "; ".join(_named(pool) for pool in pools[1 : 1 + _GROUPS])
    more = f"; and {len(pools) - 1 - _GROUPS:,} more groups" if len(pools) > 1 + _GROUPS else ""
    return [
        f"No match links the {len(pools[0]):,} players of the first group to these, and nothing compares them; each "
        f"group is ranked by itself: {listed}{more}."
    ]


def _apart(players: Sequence[str]) -> list[str]:
    if not players:
        return []
    return [f"No overall rank, because they share no game with some other player: {_named(players)}."]


def _named(players: Sequence[str]) -> str:
    more = f" and {len(players) - _NAMES:,} more" if len(players) > _NAMES else ""
    return ", ".join(players[:_NAMES]) + more
