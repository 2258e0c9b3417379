"""The state that outcomes are folded into: ratings and counts, per role, per game and overall."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from league.config import RatingConfig
from league.ratings.draws import environment, level_environment
from league.ratings.outcomes import Outcome
from league.ratings.sides import GameInfo
from league.ratings.tally import Cell, Tally, table, total
from league.ratings.trueskill import Rating
from league.standings import Standing

Seat = tuple[Cell, Cell, Cell, Tally]
"""a player in a role of a game: its overall, game and role rating, and its counts in that role"""
Undo = list[tuple[Cell, float, float] | tuple[Tally, float, float, int]]
"""what a fold replaced, in order"""


class Tables(NamedTuple):
    """Every leaderboard: over all games, per game, per game and role."""

    overall: tuple[Standing, ...]
    games: dict[str, tuple[Standing, ...]]
    roles: dict[str, dict[str, tuple[Standing, ...]]]


class _Page:
    """One game: its environments, its players' ratings, and those of its players in each role."""

    def __init__(self, name: str, info: GameInfo, config: RatingConfig) -> None:
        self.rated = info.rated
        self.rules = environment(name, config)
        self.level = level_environment(self.rules)
        self.cells: dict[str, Cell] = {}
        self.seats: dict[tuple[str, str], Seat] = {}
        """by role and player"""

    def tallies(self) -> list[tuple[str, str, Seat]]:
        """Role, player and seat, in one order whatever order they were met in."""
        return [(role, player, self.seats[role, player]) for role, player in sorted(self.seats)]


class Book:
    """Ratings and counts of a run. `count` in any order; `fold` in plan order, `revert` the latest fold first."""

    def __init__(self, games: Mapping[str, GameInfo], config: RatingConfig, players: Sequence[str]) -> None:
        self._config = config
        self._pages = {name: _Page(name, info, config) for name, info in games.items()}
        self._overall = {player: self._cell() for player in players}

    def count(self, game: str, outcome: Outcome) -> None:
        """Add an outcome's whole-number counts."""
        page = self._pages[game]
        ranks = outcome.by_side(outcome.entries)[1] if outcome.groups else outcome.ranks
        level = ranks.count(0) > 1 or len(ranks) == 1
        for entry, rank in zip(outcome.entries, outcome.ranks, strict=True):
            key = entry.role, entry.player
            seat = page.seats.get(key)
            if seat is None:
                seat = page.seats[key] = self._seat(page, entry.player)
            seat[3].count(entry, rank, level)

    def fold(self, game: str, outcome: Outcome, undo: Undo | None, *, evidence: bool = True) -> None:
        """Rate an outcome that was counted; what it replaces is appended to `undo`. Without `evidence` (it repeats an
        earlier one) only its scores are added.
        """
        page = self._pages[game]
        seats = [page.seats[s.role, s.player] for s in outcome.entries]
        if undo is not None:
            for a, b, c, tally in seats:
                undo += (
                    (a, a.mu, a.var),
                    (b, b.mu, b.var),
                    (c, c.mu, c.var),
                    (
                        tally,
                        tally.score,
                        tally.squares,
                        tally.distinct,
                    ),
                )
        for seat, entry in zip(seats, outcome.entries, strict=True):
            seat[3].score += entry.score
            seat[3].squares += entry.score * entry.score
            seat[3].distinct += evidence
        if not (outcome.rated and evidence):
            return
        columns = (2,) if outcome.roles_only else (0, 1, 2)
        if len(seats) == 2:
            _rate_two(page, seats, outcome.ranks, columns)
        else:
            _rate_sides(page, *outcome.by_side(seats), columns)

    def revert(self, undo: Undo) -> None:
        """Take a fold back."""
        for entry in reversed(undo):
            if len(entry) == 3:
                cell = entry[0]
                _, cell.mu, cell.var = entry
            else:
                tally = entry[0]
                _, tally.score, tally.squares, tally.distinct = entry

    def rating(self, player: str, game: str | None, role: str | None) -> Rating:
        """The prior where it has not played."""
        cell = self._overall.get(player)
        if game is not None:
            page = self._pages[game]
            seat = page.seats.get((role or "", player))
            cell = page.cells.get(player) if role is None else seat[2] if seat else None
        cell = cell or self._cell()
        return Rating(cell.mu, cell.var**0.5)

    def tables(self) -> Tables:
        """All leaderboards. Score sums are added by game, then role, in alphabetical order."""
        overall: dict[str, list[Tally]] = {player: [] for player in self._overall}
        games, roles = {}, {}
        rated = {player for page in self._pages.values() if page.rated for player in page.cells}
        for name in sorted(self._pages):
            page = self._pages[name]
            mine: dict[str, list[Tally]] = {player: [] for player in page.cells}
            rows: dict[str, dict[str, tuple[Cell, Tally]]] = {}
            for role, player, (_, _, cell, tally) in page.tallies():
                overall[player].append(tally)
                mine[player].append(tally)
                rows.setdefault(role, {})[player] = cell, tally
            without = () if page.rated else mine
            games[name] = table({p: (page.cells[p], total(t)) for p, t in mine.items()}, without)
            roles[name] = {role: table(row, without) for role, row in rows.items()}
        everyone = {p: (self._overall[p], total(t)) for p, t in overall.items()}
        unrated = {p for p, (_, tally) in everyone.items() if tally.games and p not in rated}
        return Tables(table(everyone, unrated), games, roles)

    def _seat(self, page: _Page, player: str) -> Seat:
        overall = self._overall.setdefault(player, self._cell())
        return overall, page.cells.setdefault(player, self._cell()), self._cell(), Tally()

    def _cell(self) -> Cell:
        return Cell(self._config.mu, self._config.sigma**2)


def _rate_two(page: _Page, seats: Sequence[Seat], ranks: Sequence[int], columns: Sequence[int]) -> None:
    step = page.level.step_draw if ranks[0] == ranks[1] else page.rules.step
    winner, loser = seats if ranks[0] <= ranks[1] else (seats[1], seats[0])
    for column in columns:
        a, b = winner[column], loser[column]
        a.mu, a.var, b.mu, b.var = step(a.mu, a.var, b.mu, b.var)  # type: ignore[union-attr]


def _rate_sides(page: _Page, sides: Sequence[Sequence[Seat]], ranks: Sequence[int], columns: Sequence[int]) -> None:
    rules = page.rules if len(set(ranks)) == len(ranks) else page.level
    for column in columns:
        cells: list[list[Cell]] = [[seat[column] for seat in side] for side in sides]  # type: ignore[misc]
        rated = rules.rate_teams([[Rating(c.mu, c.var**0.5) for c in side] for side in cells], ranks)
        for cell, rating in zip(itertools.chain(*cells), itertools.chain(*rated), strict=True):
            cell.mu, cell.var = rating.mu, rating.sigma * rating.sigma
