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

_ALIKE = 8
"""Comparisons in a set up to which equal sets are looked for: all matches of a task are a large one."""


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
        self._order: Ints = np.zeros(0, np.int64)
        """the cells of the last `counts`"""
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
        rows, starts, cell, outcome = self._read()
        times = np.bincount(rows.unit, minlength=len(starts) - 1)
        n = np.bincount(3 * cell + outcome, np.repeat(times, np.diff(starts)), 3 * len(self._cells))
        n = n.astype(np.int64).reshape(-1, 3).T
        columns = self._columns()
        order = np.lexsort(columns[::-1])
        order = self._order = order[n[:, order].any(0)]  # a cell is empty if none of its comparisons is evidence
        place = np.full(len(self._cells), -1)
        place[order] = np.arange(len(order))
        units = _units(rows, starts, 3 * place[cell] + outcome, columns[0][order])
        names = tuple(sorted(self._players)), tuple(self._games), tuple(sorted(self._roles))
        return Counts(*names, columns[:, order], n[:, order], units)

    def sequence(self, game: str) -> Ints:
        """Returns (2, M): the cell, of the last `counts` and `Counts.only(game)` of it, and outcome of every comparison
        of a game, in plan order.
        """
        rows, starts, cell, outcome = self._read()
        rows = rows.only(self._game_of(rows) == self._places[game])
        entries = parts_of(starts[rows.unit], np.diff(starts)[rows.unit])
        of_game = np.array(self._columns_of, np.int64).reshape(-1, 8)[self._order, 0] == self._places[game]
        number = np.full(len(self._cells), -1)
        number[self._order[of_game]] = np.arange(int(of_game.sum()))
        return np.stack([number[cell[entries]], outcome[entries]])

    def _game_of(self, rows: Outcomes) -> Ints:
        """Returns (U,): the place of the game of each row."""
        return np.array([self._places[unit.game] for unit in rows.units], np.int64)[rows.unit]

    def tasks(self) -> dict[str, int]:
        """Returns how many tasks, or openings, the matches of each game have that have any."""
        rows = self._outcomes.rows()
        games, posed = self._game_of(rows), rows.task > 0
        numbers = {game: len(np.unique(rows.task[posed & (games == place)])) for game, place in self._places.items()}
        return {game: number for game, number in numbers.items() if number}

    def _read(self) -> tuple[Outcomes, Ints, Ints, Ints]:
        """Returns the evidence, the first comparison of each kind of unit, and cell and outcome of all of these."""
        rows = self._outcomes.rows()
        self._compare(rows)
        cell, outcome = np.array(self._parts, np.int64).reshape(-1, 2).T
        return rows.evidence(), np.array(self._starts), cell, outcome

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
    """Returns the sets of comparisons of each task, or of a pairing without one. `codes`: 3 cell + outcome of each
    comparison; `game` (C,): of cells.
    """
    sizes = np.diff(starts)[rows.unit]
    code = codes[parts_of(starts[rows.unit], sizes)]
    together = np.repeat(np.where(rows.task, -rows.task, rows.pairing), sizes)
    order = np.lexsort((code, together))
    code = code[order]
    first, length = runs_of(together[order])
    large = length > _ALIKE
    sets = [(code[parts_of(first[large], length[large])], length[large], np.ones(int(large.sum()), np.int64))]
    for size in np.unique(length[(length > 1) & ~large]).tolist():
        columns = [code[first[length == size] + place] for place in range(size)]
        one, number = distinct(columns)
        alike = np.stack([column[one] for column in columns], axis=1)
        sets.append((alike.reshape(-1), np.full(len(alike), size), np.bincount(number)))
    parts, each, count = (np.concatenate(columns) for columns in zip(*sets, strict=True))
    if not len(count):
        return Units.none()
    unit = np.repeat(np.arange(len(count)), each)
    of_set = game[parts[np.concatenate([[0], np.flatnonzero(np.diff(unit)) + 1])] // 3]
    return canonical(Units(unit, parts // 3, parts % 3, count, of_set))
