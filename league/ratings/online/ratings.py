"""Ratings as a function of the log: the fold of all evidence in plan order, whatever order the matches ended in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from league.config.tournament import RatingConfig
from league.outcomes.table import OutcomeTable
from league.ratings.online.replay import Replay
from league.ratings.online.state import RatingState
from league.ratings.online.tally import Tally, TallySheet, table, total
from league.ratings.online.trueskill import Rating
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result


class Tables(NamedTuple):
    """All tables. Those of a game and of a role list the players that have played it."""

    overall: tuple[Standing, ...]
    """every player, by rating then name, those without a match last"""
    games: dict[str, tuple[Standing, ...]]
    roles: dict[str, dict[str, tuple[Standing, ...]]]


class OnlineRatings:
    """TrueSkill per (player, game, role), per (player, game) and overall per player, with counts.

    `games` says how each game is rated; `players` are listed before they have played. A row's rating is the mean mu of
    the skill, low and high are mu -/+ 1.96 sigma.

    A match counts for its players (games, wins, draws, losses, turns, tokens, failed attempts, forfeits, score) once
    its unit is in the table of `outcomes`. First place alone wins, first place shared draws, anything else loses. A
    match that repeats others (see `repeats`) is counted too, but moves no rating; `distinct` is the number without
    repeats. Cooperative matches and those of games that are not rated count as draws and move no rating. Void matches
    and self-meetings change nothing, so wins + draws + losses == games in every row. A player that fills a team counts
    once.
    """

    def __init__(
        self, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
    ) -> None:
        self.outcomes = OutcomeTable(games)
        self._rated = {game: info.rated for game, info in games.items()}
        self._config, self._players = config or RatingConfig(), players
        self._sheet = TallySheet()
        self._state = RatingState(games, self._config)
        self._replay = Replay(self._state)

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, as `OutcomeTable.add` does."""
        self.outcomes.add(results)

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        return Leaderboard(run, *self.tables(), matches)

    def rating(self, player: str, game: str = "", role: str = "") -> Rating:
        """Returns a player's rating: overall, in a game, or in a role of a game; the prior if it has not played."""
        self._replay.update(self.outcomes.rows())
        return self._state.rating(player, game, role)

    def tables(self, without: Collection[str] = ()) -> Tables:
        """Returns all tables, with ratings that ignore some games. Scores are added by game, then role."""
        rows = self.outcomes.rows()
        state, replay = self._state, self._replay
        if without:
            state = RatingState(self._rated, self._config)
            replay = Replay(state)
            replay.update(rows.only(np.array([game not in without for game in rows.games], bool)[rows.game]))
        else:
            replay.update(rows)
        return self._tables(state, self._sheet.tallies(rows))

    def _tables(self, state: RatingState, tallies: Mapping[tuple[str, str, str], Tally]) -> Tables:
        overall: dict[str, list[Tally]] = {player: [] for player in self._players}
        in_game: dict[str, dict[str, list[Tally]]] = {game: {} for game in sorted(self._rated)}
        in_role: dict[str, dict[str, dict[str, tuple[Rating, Tally]]]] = {game: {} for game in in_game}
        for (game, role, player), tally in sorted(tallies.items()):
            overall.setdefault(player, []).append(tally)
            in_game[game].setdefault(player, []).append(tally)
            in_role[game].setdefault(role, {})[player] = state.rating(player, game, role), tally
        games, roles = {}, {}
        for game, rows in in_game.items():
            by_return = () if self._rated[game] else rows
            games[game] = table({p: (state.rating(p, game), total(t)) for p, t in rows.items()}, by_return)
            roles[game] = {role: table(row, by_return) for role, row in in_role[game].items()}
        everyone = {p: (state.rating(p), total(t)) for p, t in overall.items()}
        rated = {player for game, rows in in_game.items() if self._rated[game] for player in rows}
        unrated = {player for player, tallied in overall.items() if tallied and player not in rated}
        return Tables(table(everyone, unrated), games, roles)
