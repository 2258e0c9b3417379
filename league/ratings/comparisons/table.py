"""Count tables: the comparisons of a table of outcomes, as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.outcomes.arrays import distinct, parts_of, runs_of
from league.outcomes.repeats import NEVER
from league.outcomes.table import Outcomes, OutcomeTable
from league.ratings.comparisons.count_arrays import Counts, Ints, Units, canonical
from league.ratings.comparisons.from_outcomes import Cell, comparisons
from league.records.game_info import GameInfo
from league.records.leaderboard import Repetition
from league.records.matches import Result
from league.records.player_ref import PlayerRef


class CountTable:
    """Counts the comparisons of the evidence in a table of outcomes. `players` are listed before they have played.

    The counts depend on the set of results, never on the order they arrive in. The comparisons of each kind of unit are
    made once.
    """

    def __init__(
        self, games: Mapping[str, GameInfo], players: Sequence[str] = (), outcomes: OutcomeTable | None = None
    ) -> None:
        self._games = dict(sorted(games.items()))
        self._places = {game: place for place, game in enumerate(self._games)}
        self._outcomes = outcomes or OutcomeTable(games)
        self._players = {player: number for number, player in enumerate(dict.fromkeys(players))}
        self._roles: dict[str, int] = {}
        self._cells: dict[Cell, int] = {}
        self._columns_of = array("q")
        """`Counts.columns` of every cell, with players and roles numbered as they came"""
        self._starts, self._parts = array("q", [0]), array("q")
        """of each kind of unit: the first of its comparisons; (cell, outcome) of every comparison"""
        self._of_units = array("q")
        """game and number of matches of each kind of unit"""
        self._listed = 0
        """kinds of matches whose players are listed"""
        self.refs: dict[str, PlayerRef] = {}
        """what stands behind the names of trained players"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, as `OutcomeTable.add` does."""
        self._outcomes.add(results)

    def repetition(self) -> dict[str, Repetition]:
        """Returns how many matches repeat others, for each game with repeats."""
        rows = self._outcomes.rows()
        self._compare(rows)
        game, size = np.array(self._of_units, np.int64).reshape(-1, 2).T[:, rows.unit]
        matches, repeats = (
            np.bincount(game, size * which, len(self._games)).astype(int).tolist() for which in (1, rows.since == NEVER)
        )
        return {
            name: Repetition(n, again) for name, n, again in zip(self._games, matches, repeats, strict=True) if again
        }

    def counts(self) -> Counts:
        """Returns the counts, players, roles and cells in the order of their names."""
        rows = self._outcomes.rows()
        self._compare(rows)
        players, roles = sorted(self._players), sorted(self._roles)
        rows = rows.evidence()
        starts, (cell, outcome) = np.array(self._starts), np.array(self._parts, np.int64).reshape(-1, 2).T
        times = np.bincount(rows.unit, minlength=len(starts) - 1)
        n = np.bincount(3 * cell + outcome, np.repeat(times, np.diff(starts)), 3 * len(self._cells))
        n = n.astype(np.int64).reshape(-1, 3).T
        columns = self._columns()
        order = np.lexsort(columns[::-1])
        order = order[n[:, order].any(0)]  # a cell is empty if none of its comparisons is evidence
        place = np.full(len(self._cells), -1)
        place[order] = np.arange(len(order))
        units = _units(rows, starts, 3 * place[cell] + outcome, columns[0][order])
        return Counts(tuple(players), tuple(self._games), tuple(roles), columns[:, order], n[:, order], units)

    def _compare(self, rows: Outcomes) -> None:
        """Make the comparisons of new kinds of units, and list new players."""
        for match in rows.matches[self._listed :]:
            for seat in match.seats:
                self._players.setdefault(seat.player, len(self._players))
            self.refs.update((seat.player, seat.ref) for seat in match.seats if seat.ref is not None)
        self._listed = len(rows.matches)
        for unit in rows.units[len(self._starts) - 1 :]:
            for cell, outcome in comparisons(unit.game, self._games[unit.game], unit.outcomes):
                if cell not in self._cells:
                    self._enter(cell)
                self._parts.extend((self._cells[cell], outcome))
            self._starts.append(len(self._parts) // 2)
            self._of_units.extend((self._places[unit.game], len(unit.matches)))

    def _enter(self, cell: Cell) -> None:
        """Number a new cell."""
        self._cells[cell] = len(self._cells)
        who = [self._players.setdefault(player, len(self._players)) for player in (cell.a, cell.b)]
        roles = [self._roles.setdefault(role, len(self._roles)) for role in (cell.role_a, cell.role_b)]
        self._columns_of.extend((self._places[cell.game], *who, cell.seat_a, cell.seat_b, *roles, cell.size))

    def _columns(self) -> Ints:
        """Returns (8, C): see `Counts`."""
        columns = np.array(self._columns_of, np.int64).reshape(-1, 8).T
        for names, rows in ((self._players, columns[1:3]), (self._roles, columns[5:7])):
            place = np.empty(len(names), np.int64)
            place[[names[name] for name in sorted(names)]] = np.arange(len(names))
            rows[:] = place[rows]
        return columns


def _units(rows: Outcomes, starts: Ints, codes: Ints, game: Ints) -> Units:
    """Returns the sets of comparisons of each pairing. `codes`: 3 cell + outcome of each; `game` (C,): of cells."""
    sizes = np.diff(starts)[rows.unit]
    code, pairing = codes[parts_of(starts[rows.unit], sizes)], np.repeat(rows.pairing, sizes)
    order = np.lexsort((code, pairing))
    code = code[order]
    first, length = runs_of(pairing[order])
    sets: list[tuple[Ints, Ints]] = []
    for size in np.unique(length[length > 1]).tolist():
        columns = [code[first[length == size] + place] for place in range(size)]
        one, number = distinct(columns)
        sets.append((np.stack([column[one] for column in columns], axis=1), np.bincount(number)))
    if not sets:
        return Units.none()
    parts, each = np.concatenate([s.reshape(-1) for s, _ in sets]), [np.full(len(s), s.shape[1]) for s, _ in sets]
    count = np.concatenate([times for _, times in sets])
    unit = np.repeat(np.arange(len(count)), np.concatenate(each))
    of_set = game[parts[np.concatenate([[0], np.flatnonzero(np.diff(unit)) + 1])] // 3]
    return canonical(Units(unit, parts // 3, parts % 3, count, of_set))
