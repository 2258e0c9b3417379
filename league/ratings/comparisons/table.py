"""Count tables, kept up to date match by match."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.ratings.comparisons.count_arrays import Counts, Ints, Units, canonical
from league.ratings.comparisons.from_outcomes import Cell, comparisons
from league.ratings.outcomes import JoinedMatches, OutcomeStream
from league.records.game_info import GameInfo
from league.records.leaderboard import Repetition
from league.records.matches import Result

_Parts = tuple[tuple[int, int], ...]
"""(cell, outcome) of every comparison of a pairing, sorted"""


class CountTable:
    """Joined matches in, `Counts` out. The counts depend on the set of results, never on the order they arrive in.

    `games` says how each game is rated; `players` are listed before they have played. `OutcomeStream` says which
    matches count.
    """

    def __init__(self, games: Mapping[str, GameInfo], players: Sequence[str] = ()) -> None:
        self._games = dict(sorted(games.items()))
        self._places = {game: place for place, game in enumerate(self._games)}
        self._stream = OutcomeStream(self._games)
        self._players = _Names(players)
        self._roles = _Names()
        self._cells: dict[Cell, int] = {}
        self._columns = array("q")
        self._n = array("q")
        self._units: dict[_Parts, int] = {}
        self._unit_count, self._unit_game, self._parts = array("q"), array("q"), array("q")
        self._pairings: dict[tuple[str, str], _Parts] = {}
        """the comparisons that count in every pairing"""
        self._revocable: dict[int, tuple[tuple[str, str], _Parts, int]] = {}
        """index of joined matches that may turn out to be repeats -> pairing, comparisons, number of matches"""
        self._matches, self._repeated = dict.fromkeys(self._games, 0), dict.fromkeys(self._games, 0)

    def add(self, results: Iterable[Result]) -> None:
        """Count results of matches that ended, each once, in any order. Same errors as `OutcomeStream.add`."""
        results = list(results)
        for joined in self._stream.add(results):
            self.count(joined)
        self.list_players(results)

    def count(self, joined: Iterable[JoinedMatches]) -> None:
        """Count what a stream has just joined."""
        for one in joined:
            self._count(one)

    def list_players(self, results: Iterable[Result]) -> None:
        """List the players of results, compared or not."""
        for result in results:
            for seat in result.seats:
                self._players.place(seat.player)

    def _count(self, joined: JoinedMatches) -> None:
        """Counts a match, or a pairing that is rated as one, and takes back matches that turn out to repeat it."""
        game, key, matches = joined.game, (joined.game, joined.pairing), len(joined.results)
        self._matches[game] += matches
        pairs = comparisons(game, self._games[game], joined.outcomes)
        parts = tuple((self.cell(cell), outcome) for cell, outcome in pairs)
        if any(result.transcript for result in joined.results):
            self._revocable[joined.index] = key, parts, matches
        for other in joined.restored:
            of, theirs, again = self._revocable[other]
            self._change(of, theirs, +1)
            self._repeated[of[0]] -= again
        if joined.is_repeat:
            self._repeated[game] += matches
        else:
            self._change(key, parts, +1)
        for other in joined.displaced:
            of, theirs, matches = self._revocable[other]
            self._change(of, theirs, -1)
            self._repeated[of[0]] += matches

    def _change(self, key: tuple[str, str], parts: _Parts, change: int) -> None:
        """Count comparisons, or take them back, and the set of all comparisons of the pairing."""
        if not parts:
            return
        before = self._pairings.get(key, ())
        after = tuple(sorted((*before, *parts))) if change > 0 else _without(before, parts)
        self._pairings[key] = after
        for cell, outcome in parts:
            self._n[3 * cell + outcome] += change
        self.count_unit(key[0], before, -1)
        self.count_unit(key[0], after, +1)

    def note(self, game: str, matches: int, repeats: int) -> None:
        """Count matches of a game, `repeats` of which repeat others."""
        self._matches[game] += matches
        self._repeated[game] += repeats

    def count_cell(self, cell: int, outcome: int, times: int) -> None:
        """Count a comparison in the cell with this number."""
        self._n[3 * cell + outcome] += times

    def list_player(self, name: str) -> None:
        """List a player, compared or not."""
        self._players.place(name)

    def repetition(self) -> dict[str, Repetition]:
        """Returns how many matches repeat others, for each game with repeats."""
        return {game: Repetition(self._matches[game], n) for game, n in self._repeated.items() if n}

    def cell(self, cell: Cell) -> int:
        """Returns the number of a cell; a new cell gets the next number."""
        number = self._cells.get(cell)
        if number is None:
            number = self._cells[cell] = len(self._cells)
            game, a, b, seat_a, seat_b, role_a, role_b, size = cell
            players, roles = self._players, self._roles
            row = (self._places[game], players.place(a), players.place(b), seat_a, seat_b)
            self._columns.extend((*row, roles.place(role_a), roles.place(role_b), size))
            self._n.extend((0, 0, 0))
        return number

    def count_unit(self, game: str, parts: _Parts, change: int) -> None:
        """Count a set of comparisons that belong together, sorted (cell, outcome) pairs; ignores single comparisons."""
        if len(parts) < 2:
            return
        unit = self._units.get(parts)
        if unit is None:
            unit = self._units[parts] = len(self._units)
            self._unit_count.append(0)
            self._unit_game.append(self._places[game])
            for cell, outcome in parts:
                self._parts.extend((unit, cell, outcome))
        self._unit_count[unit] += change

    def counts(self) -> Counts:
        """Returns the table as arrays, players, roles and cells in the order of their names."""
        players, roles = self._players.ranks(), self._roles.ranks()
        columns, n = (np.array(c, np.int64).reshape(-1, k).T for c, k in ((self._columns, 8), (self._n, 3)))
        columns[1:3] = players[columns[1:3]]
        columns[5:7] = roles[columns[5:7]]
        order = np.lexsort(columns[::-1])
        order = order[n[:, order].any(0)]  # a cell is empty if all its comparisons were taken back
        place = np.full(columns.shape[1], -1)
        place[order] = np.arange(len(order))
        unit, cell, outcome = np.array(self._parts, np.int64).reshape(-1, 3).T
        often, game = (np.array(c, np.int64) for c in (self._unit_count, self._unit_game))
        units = canonical(Units(unit, place[cell], outcome, often, game))
        names = self._players.sorted(), tuple(self._games), self._roles.sorted()
        return Counts(*names, columns[:, order], n[:, order], units)


def _without(parts: _Parts, taken: _Parts) -> _Parts:
    left = list(parts)
    for part in taken:
        left.remove(part)
    return tuple(left)


class _Names:
    """Names, numbered as they arrive, and their alphabetical order."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._number: dict[str, int] = {}
        for name in names:
            self.place(name)

    def place(self, name: str) -> int:
        """Returns the number of a name; a new name gets the next number."""
        return self._number.setdefault(name, len(self._number))

    def sorted(self) -> tuple[str, ...]:
        """Returns all names."""
        return tuple(sorted(self._number))

    def ranks(self) -> Ints:
        """Returns (N,) place in `sorted` of each number."""
        out = np.empty(len(self._number), np.int64)
        out[[self._number[name] for name in self.sorted()]] = np.arange(len(self._number))
        return out
