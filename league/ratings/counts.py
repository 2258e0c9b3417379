"""Count tables: all that a batch fit needs of the log, kept up to date match by match."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Comparison, Sides, comparisons
from league.ratings.outcomes import counts, match_outcome, outcomes
from league.ratings.repeats import Repeats, key_of, keys_of
from league.ratings.sides import GameInfo
from league.records import Result
from league.standings import Repetition

Ints = NDArray[np.int64]
_Parts = tuple[tuple[int, int], ...]
"""(cell, outcome) of every comparison of a pairing, sorted"""


@dataclass(frozen=True)
class Units:
    """Comparisons that belong together (those of a pairing: same seed, same luck), each different set once.

    `unit`, `cell`, `outcome` (K,): the parts; `count` and `game` (U,): how often each set happened, in which game.
    """

    unit: Ints
    cell: Ints
    outcome: Ints
    count: Ints
    game: Ints

    @classmethod
    def none(cls) -> Units:
        """No sets."""
        return cls(*(np.zeros(0, np.int64) for _ in range(5)))


@dataclass(frozen=True)
class Counts:
    """Comparisons counted by cell. A cell is who met whom in which seats of which game.

    `columns` (8, C): game, a, b, seat of a, seat of b, role of a, role of b (places in `games`, `players`, the game's
    sides, `roles`), and how many players the outcome ranked. `n` (3, C): wins of a, draws, losses of a.
    """

    players: tuple[str, ...]
    games: tuple[str, ...]
    roles: tuple[str, ...]
    columns: Ints
    n: Ints
    units: Units = field(default_factory=Units.none)

    @classmethod
    def of_matches(cls, players: Sequence[str], first: Any, second: Any, outcome: Any, game: str = "game") -> Counts:
        """Two-seat matches of one game, in bulk: arrays (M,) of places in `players` and of 0 win, 1 draw, 2 loss of
        the first seat. Raises ValueError for a place out of range or a player that meets itself.
        """
        first, second, outcome = (np.asarray(column, np.int64) for column in (first, second, outcome))
        n = len(players)
        if len(first) and not (min(first.min(), second.min()) >= 0 and max(first.max(), second.max()) < n):
            raise ValueError(f"places of players must lie in 0..{n - 1}")
        if (first == second).any() or (len(outcome) and not (outcome.min() >= 0 and outcome.max() <= 2)):
            raise ValueError("a match needs two different players and an outcome of 0, 1 or 2")
        table = np.bincount((outcome * n + first) * n + second, minlength=3 * n * n).reshape(3, n * n)
        met = np.flatnonzero(table.any(0))
        zero, one = np.zeros(len(met), np.int64), np.ones(len(met), np.int64)
        columns = np.stack([zero, met // n, met % n, zero, one, zero, one, 2 * one])
        return cls(tuple(players), (game,), ("first", "second"), columns, table[:, met])

    @property
    def game(self) -> Ints:
        """(C,) places in `games`."""
        out: Ints = self.columns[0]
        return out

    @property
    def a(self) -> Ints:
        """(C,) places in `players`."""
        out: Ints = self.columns[1]
        return out

    @property
    def b(self) -> Ints:
        """(C,) places in `players`."""
        out: Ints = self.columns[2]
        return out

    @property
    def weight(self) -> NDArray[np.float64]:
        """(C,) of one comparison."""
        out: NDArray[np.float64] = 3.0 / (self.columns[7] + 1.0)
        return out

    def only(self, game: str) -> Counts:
        """The comparisons of one game; `players` stay the same."""
        place = self.games.index(game)
        keep = self.game == place
        number = np.cumsum(keep) - 1
        u = self.units
        kept_units = u.game == place
        parts = kept_units[u.unit] if len(u.unit) else np.zeros(0, bool)
        units = Units(
            (np.cumsum(kept_units) - 1)[u.unit[parts]],
            number[u.cell[parts]],
            u.outcome[parts],
            u.count[kept_units],
            np.zeros(int(kept_units.sum()), np.int64),
        )
        columns = self.columns[:, keep]
        columns[0] = 0
        return Counts(self.players, (game,), self.roles, columns, self.n[:, keep], units)


class CountTable:
    """Results in, `Counts` out. The counts depend on the set of results, never on the order they came in.

    `games` says how each game is rated, `players` who is listed before having played. As in `Ledger`, a match of a game
    rated by pairing counts once its pairing has ended, and void matches and self-meetings change nothing.
    """

    def __init__(self, games: Mapping[str, GameInfo], players: Sequence[str] = ()) -> None:
        self._games = dict(sorted(games.items()))
        self._places = {game: place for place, game in enumerate(self._games)}
        self._players = _Names(players)
        self._roles = _Names()
        self._cells: dict[Sides, int] = {}
        self._columns = array("q")
        self._n = array("q")
        self._units: dict[_Parts, int] = {}
        self._unit_count, self._unit_game, self._parts = array("q"), array("q"), array("q")
        self._waiting: dict[tuple[str, str], list[Result]] = {}
        self._pairings: dict[tuple[str, str], _Parts] = {}
        """what counts of every pairing"""
        self._repeats = Repeats()
        self._held: dict[int, tuple[tuple[str, str], _Parts, int]] = {}
        """place of a match, or of a pairing rated as one: its pairing, its parts, how many matches"""
        self._matches, self._repeated = dict.fromkeys(self._games, 0), dict.fromkeys(self._games, 0)

    def add(self, results: Iterable[Result]) -> None:
        """Take in results of matches that ended, each once, in any order. Raises KeyError for an unknown game."""
        for result in results:
            info = self._games[result.game]
            if info.by_pairing:
                self._add_pairing(result, info)
            else:
                counted = counts(result, info)
                found = comparisons(result.game, info, [match_outcome(result, info)]) if counted else []
                self._arrive((result.game, result.pairing), result.index, found, [key_of(result, info)] * counted)
            for seat in result.seats:
                self._players.place(seat.player)

    def _add_pairing(self, result: Result, info: GameInfo) -> None:
        key = result.game, result.pairing
        matches = self._waiting.setdefault(key, [])
        matches.append(result)
        if len(matches) == info.size:
            del self._waiting[key]
            found = comparisons(result.game, info, outcomes(matches, info))
            self._arrive(key, max(m.index for m in matches), found, keys_of(matches, info))

    def _arrive(
        self, key: tuple[str, str], place: int, found: Sequence[Comparison], keys: Sequence[Hashable | None]
    ) -> None:
        """Count a match, or a pairing that is rated as one, and take back those that it turns out to be repeated by."""
        self._matches[key[0]] += len(keys)
        fresh, lost = True, list[int]()
        parts = tuple((self.cell(sides), outcome) for sides, outcome in found)
        if any(k is not None for k in keys):
            fresh, lost = self._repeats.enter(place, keys)
            self._held[place] = key, parts, len(keys)
        if fresh:
            self._enter(key, parts, +1)
        self._repeated[key[0]] += 0 if fresh else len(keys)
        for other in lost:
            of, theirs, matches = self._held[other]
            self._enter(of, theirs, -1)
            self._repeated[of[0]] += matches

    def _enter(self, key: tuple[str, str], parts: _Parts, change: int) -> None:
        """Count comparisons, or take them back, and the set that the pairing's comparisons make now."""
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
        """Count matches of a game, and how many of them repeat others."""
        self._matches[game] += matches
        self._repeated[game] += repeats

    def count(self, cell: int, outcome: int, times: int) -> None:
        """Count a comparison of a cell."""
        self._n[3 * cell + outcome] += times

    def list_player(self, name: str) -> None:
        """List a player, whether compared with anybody or not."""
        self._players.place(name)

    def repetition(self) -> dict[str, Repetition]:
        """Per game in which a match repeats another: how many of its matches do."""
        return {game: Repetition(self._matches[game], n) for game, n in self._repeated.items() if n}

    def cell(self, sides: Sides) -> int:
        """The number of a cell, a new one if it is new."""
        cell = self._cells.get(sides)
        if cell is None:
            cell = self._cells[sides] = len(self._cells)
            game, a, b, seat_a, seat_b, role_a, role_b, size = sides
            players, roles = self._players, self._roles
            row = (self._places[game], players.place(a), players.place(b), seat_a, seat_b)
            self._columns.extend((*row, roles.place(role_a), roles.place(role_b), size))
            self._n.extend((0, 0, 0))
        return cell

    def count_unit(self, game: str, parts: _Parts, change: int) -> None:
        """Count a set of comparisons that belong together, (cell, outcome) in order; a single one is none."""
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
        """The table as arrays, players, roles and cells in the order of their names."""
        players, roles = self._players.ranks(), self._roles.ranks()
        columns, n = (np.array(c, np.int64).reshape(-1, k).T for c, k in ((self._columns, 8), (self._n, 3)))
        columns[1:3] = players[columns[1:3]]
        columns[5:7] = roles[columns[5:7]]
        order = np.lexsort(columns[::-1])
        order = order[n[:, order].any(0)]  # a cell is empty if all that was counted there was taken back
        place = np.full(columns.shape[1], -1)
        place[order] = np.arange(len(order))
        unit, cell, outcome = np.array(self._parts, np.int64).reshape(-1, 3).T
        often, game = (np.array(c, np.int64) for c in (self._unit_count, self._unit_game))
        units = _canonical(Units(unit, place[cell], outcome, often, game))
        names = self._players.sorted(), tuple(self._games), self._roles.sorted()
        return Counts(*names, columns[:, order], n[:, order], units)


def _canonical(units: Units) -> Units:
    """The same sets in an order that does not depend on the order of arrival: sums over them then agree bit for bit.

    The parts of a set come by cell and outcome, the sets by their parts; sets that never happened are left out.
    """
    kept = units.count[units.unit] > 0 if len(units.unit) else np.zeros(0, bool)
    unit, cell, outcome = (column[kept] for column in (units.unit, units.cell, units.outcome))
    parts = np.lexsort((outcome, cell, unit))
    unit, cell, outcome = unit[parts], cell[parts], outcome[parts]
    found, first, length = np.unique(unit, return_index=True, return_counts=True)
    if not len(found):
        return Units.none()
    number = np.repeat(np.arange(len(found)), length)
    within = np.arange(len(unit)) - first[number]
    table = np.full((int(length.max()), len(found)), -1, np.int64)
    table[within, number] = 3 * cell + outcome
    order = np.lexsort(table[::-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    moved = np.argsort(place[number], kind="stable")
    columns = place[number][moved], cell[moved], outcome[moved]
    return Units(*columns, units.count[found][order], units.game[found][order])


def _without(parts: _Parts, taken: _Parts) -> _Parts:
    left = list(parts)
    for part in taken:
        left.remove(part)
    return tuple(left)


class _Names:
    """Names numbered as they come, and the order of the alphabet."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._number: dict[str, int] = {}
        for name in names:
            self.place(name)

    def place(self, name: str) -> int:
        """The number of a name, a new one where it is new."""
        return self._number.setdefault(name, len(self._number))

    def sorted(self) -> tuple[str, ...]:
        """All names."""
        return tuple(sorted(self._number))

    def ranks(self) -> Ints:
        """(N,) from number to place in `sorted`."""
        out = np.empty(len(self._number), np.int64)
        out[[self._number[name] for name in self.sorted()]] = np.arange(len(self._number))
        return out
