"""The state that outcomes update: ratings and counts, per role, per game and overall."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from league.config.tournament import RatingConfig
from league.ratings.online.anchors import Anchors, anchors_of, rating_before
from league.ratings.online.draw_probability import environment, level_environment
from league.ratings.online.tally import Gaussian, Tally, table, total
from league.ratings.online.trueskill import Rating
from league.ratings.outcomes.outcome import Outcome
from league.records.game_info import GameInfo
from league.records.leaderboard import Standing

RatedSeat = tuple[Gaussian, Gaussian, Gaussian, Tally]
"""a player in a role of a game: its overall, game and role rating, and its counts in that role"""
Undo = list[tuple[Gaussian, float, float] | tuple[Tally, float, float, int]]
"""the values that a fold replaced, in order"""


class Tables(NamedTuple):
    """All tables: over all games, per game, per game and role."""

    overall: tuple[Standing, ...]
    games: dict[str, tuple[Standing, ...]]
    roles: dict[str, dict[str, tuple[Standing, ...]]]


class GameRatings:
    """One game: its TrueSkill environments, its players' ratings, and their ratings in each role."""

    def __init__(self, name: str, info: GameInfo, config: RatingConfig) -> None:
        self.rated = info.rated
        self.rules = environment(name, config)
        self.level = level_environment(self.rules)
        self.anchors = anchors_of(config, name)
        self.ratings: dict[str, Gaussian] = {}
        """by player"""
        self.seats: dict[tuple[str, str], RatedSeat] = {}
        """by role and player"""

    def sorted_seats(self) -> list[tuple[str, str, RatedSeat]]:
        """Returns role, player and seat, by role and player."""
        return [(role, player, self.seats[role, player]) for role, player in sorted(self.seats)]


class RatingState:
    """Ratings and counts of a run: `count` in any order, `fold` in plan order, `revert` the latest fold first."""

    def __init__(self, games: Mapping[str, GameInfo], config: RatingConfig, players: Sequence[str]) -> None:
        self._config = config
        self._games = {name: GameRatings(name, info, config) for name, info in games.items()}
        self._anchors = anchors_of(config, None)
        self._overall = {player: self._prior(player, self._anchors) for player in players}

    def count(self, game: str, outcome: Outcome) -> None:
        """Add an outcome's whole-number counts."""
        of_game = self._games[game]
        ranks = outcome.by_side(outcome.entries)[1] if outcome.groups else outcome.ranks
        level = ranks.count(0) > 1 or len(ranks) == 1
        for entry, rank in zip(outcome.entries, outcome.ranks, strict=True):
            key = entry.role, entry.player
            seat = of_game.seats.get(key)
            if seat is None:
                seat = of_game.seats[key] = self._seat(of_game, entry.player)
            seat[3].count(entry, rank, level)

    def fill(self, tallies: Mapping[tuple[str, str, str], Tally]) -> None:
        """Add the counts of whole games by game, role and player. Their players' ratings do not move."""
        for (game, role, player), tally in tallies.items():
            of_game = self._games[game]
            of_game.seats[role, player] = (*self._seat(of_game, player)[:3], tally)

    def fold(
        self, game: str, outcome: Outcome, undo: Undo | None, *, evidence: bool = True, counted: bool = False
    ) -> None:
        """Rates an outcome that was counted, and appends the replaced values to `undo`.

        Without `evidence` (the outcome repeats an earlier one) only its scores are added; with `counted` they were
        added before.
        """
        of_game = self._games[game]
        seats = [of_game.seats[s.role, s.player] for s in outcome.entries]
        if undo is not None:
            for a, b, c, tally in seats:
                undo += ((a, a.mu, a.var), (b, b.mu, b.var), (c, c.mu, c.var))
                undo.append((tally, tally.score, tally.squares, tally.distinct))
        for seat, entry in zip(seats, outcome.entries, strict=True):
            tally, score = seat[3], entry.score
            if not counted:
                tally.score += score
                tally.squares += score * score
            tally.distinct += evidence
        if not (outcome.rated and evidence):
            return
        columns = (2,) if outcome.roles_only else (0, 1, 2)
        if len(seats) == 2:
            _rate_two(of_game, seats, outcome.ranks, columns)
        else:
            _rate_sides(of_game, *outcome.by_side(seats), columns)

    def revert(self, undo: Undo) -> None:
        """Take back a fold."""
        for replaced in reversed(undo):
            if len(replaced) == 3:
                gaussian = replaced[0]
                _, gaussian.mu, gaussian.var = replaced
            else:
                tally = replaced[0]
                _, tally.score, tally.squares, tally.distinct = replaced

    def rating(self, player: str, game: str | None, role: str | None) -> Rating:
        """Returns a player's rating; the prior if it has not played."""
        gaussian = self._overall.get(player)
        if game is not None:
            of_game = self._games[game]
            seat = of_game.seats.get((role or "", player))
            gaussian = of_game.ratings.get(player) if role is None else seat[2] if seat else None
        anchors = self._anchors if game is None else self._games[game].anchors if role is None else None
        gaussian = gaussian or self._prior(player, anchors)
        return Rating(gaussian.mu, gaussian.var**0.5)

    def tables(self) -> Tables:
        """Returns all tables. Score sums are added by game, then role, in alphabetical order."""
        overall: dict[str, list[Tally]] = {player: [] for player in self._overall}
        games, roles = {}, {}
        rated = {player for of_game in self._games.values() if of_game.rated for player in of_game.ratings}
        for name in sorted(self._games):
            of_game = self._games[name]
            tallies: dict[str, list[Tally]] = {player: [] for player in of_game.ratings}
            rows: dict[str, dict[str, tuple[Gaussian, Tally]]] = {}
            for role, player, (_, _, gaussian, tally) in of_game.sorted_seats():
                overall[player].append(tally)
                tallies[player].append(tally)
                rows.setdefault(role, {})[player] = gaussian, tally
            without = () if of_game.rated else tallies
            games[name] = table({p: (of_game.ratings[p], total(t)) for p, t in tallies.items()}, without)
            roles[name] = {role: table(row, without) for role, row in rows.items()}
        everyone = {p: (self._overall[p], total(t)) for p, t in overall.items()}
        unrated = {p for p, (_, tally) in everyone.items() if tally.games and p not in rated}
        return Tables(table(everyone, unrated), games, roles)

    def _seat(self, of_game: GameRatings, player: str) -> RatedSeat:
        overall = self._overall.setdefault(player, self._prior(player, self._anchors))
        in_game = of_game.ratings.setdefault(player, self._prior(player, of_game.anchors))
        return overall, in_game, self._prior(player), Tally()

    def _prior(self, player: str, anchors: Anchors | None = None) -> Gaussian:
        """Returns the rating before the first match. Anchors have none in a role."""
        before = rating_before(self._config, anchors or {}, player)
        return Gaussian(before.mu, before.sigma**2)


def _rate_two(of_game: GameRatings, seats: Sequence[RatedSeat], ranks: Sequence[int], columns: Sequence[int]) -> None:
    step = of_game.level.step_draw if ranks[0] == ranks[1] else of_game.rules.step
    winner, loser = seats if ranks[0] <= ranks[1] else (seats[1], seats[0])
    for column in columns:
        a, b = winner[column], loser[column]
        a.mu, a.var, b.mu, b.var = step(a.mu, a.var, b.mu, b.var)  # type: ignore[union-attr]


def _rate_sides(
    of_game: GameRatings, sides: Sequence[Sequence[RatedSeat]], ranks: Sequence[int], columns: Sequence[int]
) -> None:
    rules = of_game.rules if len(set(ranks)) == len(ranks) else of_game.level
    for column in columns:
        teams: list[list[Gaussian]] = [[seat[column] for seat in side] for side in sides]  # type: ignore[misc]
        rated = rules.rate_teams([[Rating(g.mu, g.var**0.5) for g in team] for team in teams], ranks)
        for gaussian, rating in zip(itertools.chain(*teams), itertools.chain(*rated), strict=True):
            gaussian.mu, gaussian.var = rating.mu, rating.sigma * rating.sigma
