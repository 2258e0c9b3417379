"""Count tables: the comparisons of a table of outcomes, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.outcomes.arrays import distinct, parts_of, runs_of
from league.outcomes.table import Outcomes, OutcomeTable
from league.outcomes.units import NEVER, Duels
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
        self._seats = 0
        """seats whose players are listed"""
        self._sizes: list[Ints] = [np.zeros(0, np.int64)]
        """how many comparisons each kind of unit has"""
        self._compared: Ints = np.zeros((0, 9), np.int64)
        """(., 9): `Counts.columns`, with players and roles numbered as they came, and outcome of each comparison"""
        self._matches: list[Ints] = [np.zeros((2, 0), np.int64)]
        """game and number of matches of each kind of unit"""
        self._cells: Ints = np.zeros((8, 0), np.int64)
        """the columns of every cell"""
        self._cell: Ints = np.zeros(0, np.int64)
        """the cell of each comparison"""
        self._order: Ints = np.zeros(0, np.int64)
        """the cells of the last `counts`"""
        self.refs: dict[str, PlayerRef] = {}
        """what stands behind the names of trained players"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, as `OutcomeTable.add` does."""
        self._outcomes.add(results)

    def repetition(self) -> dict[str, Repetition]:
        """Returns how many matches repeat others, for each game with repeats."""
        rows = self._outcomes.rows()
        self._compare(rows)
        game, size = np.concatenate(self._matches, axis=1)[:, rows.unit]
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
        n = np.bincount(3 * cell + outcome, np.repeat(times, np.diff(starts)), 3 * self._cells.shape[1])
        n = n.astype(np.int64).reshape(-1, 3).T
        columns = self._columns()
        order = np.lexsort(columns[::-1])
        order = self._order = order[n[:, order].any(0)]  # a cell is empty if none of its comparisons is evidence
        place = np.full(self._cells.shape[1], -1)
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
        of_game = self._cells[0, self._order] == self._places[game]
        number = np.full(self._cells.shape[1], -1)
        number[self._order[of_game]] = np.arange(int(of_game.sum()))
        return np.stack([number[cell[entries]], outcome[entries]])

    def _game_of(self, rows: Outcomes) -> Ints:
        """Returns (U,): the place of the game of each row."""
        return self._sorted(rows)[rows.game]

    def _sorted(self, rows: Outcomes) -> Ints:
        """Returns the places of the games of a table of outcomes."""
        return np.array([self._places[game] for game in rows.games], np.int64)

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
        sizes = np.concatenate(self._sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return rows.evidence(), starts, self._cell, self._compared[:, 8]

    def _compare(self, rows: Outcomes) -> None:
        """Make the comparisons of new kinds of units, and list new players."""
        for seat in rows.seats[self._seats :]:
            self._players.setdefault(seat.player, len(self._players))
            if seat.ref is not None:
                self.refs[seat.player] = seat.ref
        self._seats = len(rows.seats)
        first = sum(map(len, self._sizes))
        if first == len(rows.units):
            return
        duels, others = rows.units.parted(first)
        table = [self._of_duels(duels, rows), np.zeros((0, 10), np.int64)]
        matches = np.ones((2, len(rows.units) - first), np.int64)
        matches[0, duels.unit - first] = self._sorted(rows)[duels.game]
        for number in others:
            unit = rows.units[number]
            of = self._places[unit.game]
            matches[:, number - first] = of, len(unit.matches)
            listed = comparisons(unit.game, self._games[unit.game], unit.outcomes)
            entries = [(number, *self._entered(cell), outcome) for cell, outcome in listed]
            table.append(np.array(entries, np.int64).reshape(-1, 10))
        compared = np.concatenate(table)
        of_unit = compared[:, 0] - first
        self._sizes.append(np.bincount(of_unit, minlength=len(rows.units) - first))
        self._compared = np.concatenate([self._compared, compared[np.argsort(of_unit, kind="stable"), 1:]])
        self._matches.append(matches)
        one, self._cell = distinct(list(self._compared.T[:8]))
        self._cells = self._compared.T[:8, one]

    def _of_duels(self, duels: Duels, rows: Outcomes) -> Ints:
        """Returns (., 10): the unit, `Counts.columns` and the outcome of the comparisons of duels."""
        infos = list(self._outcomes.games.values())
        compared = np.array([info.rated and info.payoff != "cooperative" for info in infos], bool)[duels.game]
        unit, game, seats, ranks = (column[..., compared] for column in duels)
        places = [{seat: place for place, side in enumerate(info.sides) for seat in side} for info in infos]
        table = np.zeros((3, len(rows.seats)), np.int64)
        used, at = np.unique(seats, return_index=True)
        for number, of in zip(used.tolist(), np.tile(game, 2)[at].tolist(), strict=True):
            seat = rows.seats[number]
            named = self._roles.setdefault(seat.role, len(self._roles))
            table[:, number] = places[of][seat.seat], self._players[seat.player], named
        swap = table[0, seats[0]] > table[0, seats[1]]
        (a, b), (above, below) = np.where(swap, seats[::-1], seats), np.where(swap, ranks[::-1], ranks)
        place, player, role = table
        columns = self._sorted(rows)[game], player[a], player[b], place[a], place[b], role[a], role[b]
        return np.stack([unit, *columns, np.full_like(a, 2), 1 + np.sign(above - below)], 1)

    def _entered(self, cell: Cell) -> tuple[int, ...]:
        """Returns the columns of a cell."""
        a, b = (self._players.setdefault(player, len(self._players)) for player in (cell.a, cell.b))
        roles = [self._roles.setdefault(role, len(self._roles)) for role in (cell.role_a, cell.role_b)]
        return self._places[cell.game], a, b, cell.seat_a, cell.seat_b, *roles, cell.size

    def _columns(self) -> Ints:
        """Returns (8, C): see `Counts`."""
        columns = self._cells.copy()
        for names, rows in ((self._players, columns[1:3]), (self._roles, columns[5:7])):
            place = np.empty(len(names), np.int64)
            place[[names[name] for name in sorted(names)]] = np.arange(len(names))
            rows[:] = place[rows]
        return columns


def _units(rows: Outcomes, starts: Ints, codes: Ints, game: Ints) -> Units:
    """Returns the sets of comparisons of each task, or of a pairing without one. `codes`: 3 cell + outcome of each
    comparison; `game` (C,): of cells.
    """
    together = np.where(rows.task, -rows.task, rows.pairing)
    first, length = runs_of(together, rows.game)  # most sets are one run already: there is half as much to sort
    order = np.lexsort((rows.game[first], together[first]))  # two games may have tasks with one hash
    moved = parts_of(first[order], length[order])
    sizes = np.diff(starts)[rows.unit[moved]]
    code = codes[parts_of(starts[rows.unit[moved]], sizes)]
    first, length = runs_of(together[moved], rows.game[moved])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    first, length = ends[first], ends[first + length] - ends[first]
    large = length > _ALIKE
    sets = [(code[parts_of(first[large], length[large])], length[large], np.ones(int(large.sum()), np.int64))]
    for size in np.flatnonzero(np.bincount(length[(length > 1) & ~large])).tolist():
        columns = np.sort(code[np.add.outer(np.arange(size), first[length == size])], axis=0)
        one, number = distinct(list(columns))
        sets.append((columns[:, one].T.reshape(-1), np.full(len(one), size), np.bincount(number)))
    parts, each, count = (np.concatenate(columns) for columns in zip(*sets, strict=True))
    if not len(count):
        return Units.none()
    unit = np.repeat(np.arange(len(count)), each)
    of_set = game[parts[np.concatenate([[0], np.flatnonzero(np.diff(unit)) + 1])] // 3]
    return canonical(Units(unit, parts // 3, parts % 3, count, of_set))
