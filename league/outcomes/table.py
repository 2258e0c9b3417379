"""The table of outcomes: typed columns in plan order, which every reader of a log folds.

A row is a unit: matches that are rated together. Matches whose game, seats, status and ranks are equal texts, but for
what they cost, are of one kind and are decoded once; so are units of equal kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.outcomes.arrays import Ints, distinct, runs_of
from league.outcomes.columns import MatchColumns, match_columns
from league.outcomes.costs import Bills, Costs
from league.outcomes.kinds import KindColumns, MatchKind, MatchKinds
from league.outcomes.ranks_check import follow
from league.outcomes.units import NEVER, RatedUnit, RatedUnits, evidence_since
from league.records.game_info import GameInfo
from league.records.matches import Result, ResultColumns, SeatResult, columns_of

_AT_ONCE = 1_000
"""results that become columns together, if nobody asks for the rows before"""


@dataclass(frozen=True)
class Outcomes:
    """Columns (U,) in plan order."""

    index: Ints
    """plan index of the last match of the unit, void ones included; no two units share it"""
    pairing: Ints
    """number of the pairing; no two games share one"""
    task: Ints
    """`Result.task` of its first match"""
    game: Ints
    """place among the games of the table"""
    unit: Ints
    """number in `units`"""
    since: Ints
    """plan index from which the unit is evidence, see `league.outcomes.units`"""
    games: Mapping[str, GameInfo]
    units: RatedUnits
    seats: Sequence[SeatResult]
    """every distinct seat of the log; the numbers in `Duels` are places in this list"""
    void: Sequence[tuple[MatchKind, int]]
    """void matches, and how often each occurred"""
    spent: Costs
    """what players spent in the matches of all units"""

    def evidence(self) -> Outcomes:
        """Returns the rows that are evidence, given the whole log."""
        return self.only(self.since != NEVER)

    def only(self, rows: NDArray[np.bool_]) -> Outcomes:
        """Returns some of the rows."""
        if rows.all():
            return self
        names = "index", "pairing", "task", "game", "unit", "since"
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def listed(self) -> Iterator[RatedUnit]:
        """Returns the unit of each row."""
        return map(self.units.__getitem__, self.unit.tolist())


class OutcomeTable:
    """Results in, `Outcomes` out. The table depends on the set of results, never on the order they arrive in.

    A match of a game that is not rated by pairing is a unit by itself. A pairing of a game that is, or of any game with
    `whole_pairings`, is a unit once all its matches have ended. Void matches and matches in which a player meets itself
    do not count: they give no outcome, but a void match completes its pairing. Results of excluded workers must not be
    added; a pairing that lacks one of its matches is no unit. Ranks are those that the store wrote; for results that
    come from no store, they are computed here.
    """

    def __init__(self, games: Mapping[str, GameInfo], *, whole_pairings: bool = False) -> None:
        self.games = dict(games)
        self._place = {game: place for place, game in enumerate(self.games)}
        infos = self.games.values()
        self._size = np.array([info.size for info in infos], np.int64)
        self._chance = np.array([info.chance for info in infos], bool)
        self._together = np.array([whole_pairings or info.by_pairing for info in infos], bool)
        self._kinds, self._bills = MatchKinds(self.games), Bills()
        self._units = RatedUnits(self._kinds)
        self._parts: list[Ints] = [np.zeros((7, 0), np.int64)]
        """(7, n): index, seed, transcript, task, number of the pairing and of the kind, first seat among the bills"""
        self._loose: list[int] = []
        """kinds of matches of games that are rated by pairing, whose pairing is not a unit"""
        self._ended: set[int] = set()
        self._new: list[Result] = []
        """results that are not columns yet: a result takes a fiftieth of the time beside others"""
        self._rows: Outcomes | None = None
        self._whole = False
        """whether nothing can be added any more"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order.

        Raises ValueError for a match that was added before or whose game is unknown; then no result is added. One that
        is damaged in another way makes `rows` raise InputError.
        """
        assert not self._whole, "the log was whole"
        results = list(results)
        new: set[int] = set()
        for result in results:
            if result.index in self._ended or result.index in new:
                raise ValueError(f"the result of match {result.index} was added before; each match counts once")
            if result.game not in self.games:
                raise ValueError(f"match {result.index} is of game {result.game!r}; known: {', '.join(self.games)}")
            new.add(result.index)
        self._ended |= new
        self._new += results
        self._rows = None
        if len(self._new) >= _AT_ONCE:
            self._convert()

    def fill(self, parts: Iterable[ResultColumns | MatchColumns]) -> None:
        """Add a whole stored log, after which nothing can be added: what only a new result would need is not kept, a
        gigabyte for ten million. Raises InputError for a damaged one.
        """
        self.extend(parts)
        self.rows()
        self._whole, self._parts, self._bills = True, [], Bills()

    def extend(self, parts: Iterable[ResultColumns | MatchColumns]) -> None:
        """Add a stored log, in which each match occurs once. Raises InputError for a damaged text."""
        assert not self._whole, "the log was whole"
        self._rows = None
        try:
            self._parts.extend(map(self._numbered, parts))
        except InputError:
            raise
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"a stored result is damaged ({error}); `arena verify` names the match") from None

    def rows(self) -> Outcomes:
        """Returns the table of everything that was added. Raises InputError for damaged ranks."""
        if self._rows is None:
            self._convert()
            self._rows = self._folded()
        return self._rows

    def follows(self) -> bool:
        """Returns whether the ranks of all results that a store wrote follow from them: see `ranks_check.follow`."""
        self.rows()
        return follow(self._kinds, self._units, self._loose)

    def _convert(self) -> None:
        """Make the new results columns."""
        self.extend(columns_of(self._new))
        self._new = []

    def _numbered(self, part: ResultColumns | MatchColumns) -> Ints:
        """Returns (7, n): the row of each match."""
        if part.game not in self.games:
            raise ValueError(f"a match is of game {part.game!r}; known: {', '.join(self.games)}")
        one = part if isinstance(part, MatchColumns) else match_columns(part)
        kind = self._kinds.numbers(one.game, one.status, one.names, one.texts)[one.text]
        seat = self._bills.size
        self._bills.add(one.costs)
        first = np.full(len(kind), seat)
        if one.status != "void":
            ends = np.cumsum(self._kinds.sizes(kind))
            if seat + int(ends[-1]) != self._bills.size:
                raise ValueError("a seat lacks its costs")
            first[1:] += ends[:-1]
        return np.concatenate([one.numbers, kind[None], first[None]])

    def _folded(self) -> Outcomes:
        table = self._parts[0] if len(self._parts) == 1 else np.concatenate(self._parts, axis=1)
        self._parts = [table]
        if (table[0, 1:] < table[0, :-1]).any():
            self._parts = [table := table[:, np.argsort(table[0], kind="stable")]]
        index, seed, transcript, task, pairing, kind, bill = table
        kinds = self._kinds.columns()
        rows, at = self._grouped(index, pairing, kind, kinds)
        starts, sizes = runs_of(at)
        game, counted = kinds.game[kind], kinds.counts[kind] > 0
        alone = self._together[game]
        alone[rows] = False
        self._loose = np.unique(kind[alone]).tolist()
        since = evidence_since(at, transcript[rows], seed[rows], self._chance[game[rows]])
        since = np.minimum.reduceat(np.where(counted[rows], since, NEVER), starts)
        unit = self._unit_numbers(kind[rows], starts, sizes)
        paid = rows[counted[rows]]
        spent = self._spent(kind[paid], bill[paid])
        times, first = np.bincount(kind, minlength=len(self._kinds)), rows[starts]
        voids = [(self._kinds.match(k), int(times[k])) for k in np.flatnonzero(kinds.void).tolist()]
        columns = at[starts], pairing[first], task[first], game[first], unit, since
        return Outcomes(*columns, self.games, self._units, self._kinds.seats, voids, spent)

    def _grouped(self, index: Ints, pairing: Ints, kind: Ints, kinds: KindColumns) -> tuple[Ints, Ints]:
        """Returns the rows of all units, in plan order and those of a unit one after the other, and for each the plan
        index of the last row of its unit.
        """
        counted = kinds.counts[kind] > 0
        if not self._together.any():
            rows = np.flatnonzero(counted)
            return rows, index[rows]
        game, void = kinds.game[kind], kinds.void[kind]
        alone = ~self._together[game]
        name = np.where(alone, -1 - np.arange(len(index)), pairing)  # of the unit
        rows = np.flatnonzero(counted | (void & ~alone))
        rows = rows[np.argsort(name[rows], kind="stable")]
        starts, sizes = runs_of(name[rows])
        first = rows[starts]
        whole = sizes == np.where(alone[first], 1, self._size[game[first]])
        whole &= np.logical_or.reduceat(counted[rows], starts)
        at = np.repeat(np.where(whole, index[rows[starts + sizes - 1]], -1), sizes)
        order = np.argsort(at, kind="stable")
        order = order[np.searchsorted(at[order], 0) :]
        return rows[order], at[order]

    def _spent(self, kind: Ints, bill: Ints) -> Costs:
        """Returns what matches of these kinds cost, whose bills start here."""
        kinds, (payer, keys) = self._kinds.columns(), self._kinds.payers()
        return self._bills.total(bill, kinds.size[kind], kinds.first[kind], payer, keys)

    def _unit_numbers(self, kind: Ints, starts: Ints, sizes: Ints) -> Ints:
        """Returns (U,): the number of each unit, of which `kind` has the kinds of matches from its start on."""
        numbers = np.empty(len(starts), np.int64)
        for size in np.flatnonzero(np.bincount(sizes)).tolist():
            of_size = np.flatnonzero(sizes == size)
            columns = [kind[starts[of_size] + place] for place in range(size)]
            if size == 1:
                numbers[of_size] = self._units.alone(columns[0])
                continue
            first, number = distinct(columns)
            keys = zip(*(column[first].tolist() for column in columns), strict=True)
            numbers[of_size] = np.array([self._units.together(key) for key in keys], np.int64)[number]
        self._units.check()
        return numbers
