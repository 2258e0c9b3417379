"""The table of outcomes: typed columns in plan order, which every reader of a log folds.

A row is a unit: matches that are rated together. Matches whose game, seats, status and ranks are equal texts are of one
kind and are decoded once; so are units of equal kinds.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.outcomes.arrays import Ints, distinct, runs_of
from league.outcomes.outcome import Outcome, arranged, ranks_of
from league.outcomes.repeats import NEVER, evidence_since
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Ranks, Result, ResultColumns, SeatResult, columns_of

_decode = msgspec.json.Decoder(tuple[tuple[SeatResult, ...], Ranks]).decode


class MatchKind(NamedTuple):
    """What equal matches have in common."""

    game: str
    status: str
    seats: tuple[SeatResult, ...]
    ranks: Ranks
    """those of the unit that the match completed"""


class RatedUnit(NamedTuple):
    """What equal units have in common."""

    game: str
    matches: tuple[MatchKind, ...]
    """those that count, in plan order"""
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Outcomes:
    """Columns (U,) in plan order."""

    index: Ints
    """plan index of the last match of the unit, void ones included; no two units share it"""
    pairing: Ints
    """number of the pairing; no two games share one"""
    task: Ints
    """`Result.task` of its first match"""
    unit: Ints
    """number in `units`"""
    since: Ints
    """plan index from which the unit is evidence, see `league.outcomes.repeats`"""
    units: Sequence[RatedUnit]
    matches: Sequence[MatchKind]
    """every kind of match in the log"""
    void: Sequence[tuple[MatchKind, int]]
    """void matches, and how often each occurred"""

    def evidence(self) -> Outcomes:
        """Returns the rows that are evidence, given the whole log."""
        return self.only(self.since != NEVER)

    def only(self, rows: NDArray[np.bool_]) -> Outcomes:
        """Returns some of the rows."""
        columns = self.index[rows], self.pairing[rows], self.task[rows], self.unit[rows], self.since[rows]
        return Outcomes(*columns, self.units, self.matches, self.void)

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
        # A missing key gets the next number: such a dictionary numbers texts without a step of Python.
        self._next = count().__next__
        self._kinds: dict[tuple[str, str], defaultdict[str, int]] = {}
        """game and status -> seats and ranks as text -> number"""
        self._next_pairing = count().__next__
        self._pairings: dict[str, defaultdict[str, int]] = {}
        """game -> name of the pairing -> number"""
        self._matches: list[MatchKind] = []
        self._columns = array("q")
        """game, whether it counts and whether it is void, of each kind of match"""
        self._units: list[RatedUnit] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        """kinds of matches -> number of their unit"""
        self._alone = array("q")
        """kind of a match -> number of the unit that it is by itself; -1: none yet"""
        self._parts: list[Ints] = [np.zeros((6, 0), np.int64)]
        """(6, n): index, seed, transcript, task, number of the pairing, number of the kind"""
        self._ended: set[int] = set()
        self._rows: Outcomes | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order.

        Raises ValueError for a match that was added before or whose game is unknown; then no result is added.
        """
        results = list(results)
        new: set[int] = set()
        for result in results:
            if result.index in self._ended or result.index in new:
                raise ValueError(f"the result of match {result.index} was added before; each match counts once")
            if result.game not in self.games:
                raise ValueError(f"match {result.index} is of game {result.game!r}; known: {', '.join(self.games)}")
            new.add(result.index)
        self._ended |= new
        self.extend(columns_of(results))

    def extend(self, parts: Iterable[ResultColumns]) -> None:
        """Add a whole stored log, in which each match occurs once. Raises InputError for a damaged text."""
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
            self._rows = self._folded()
        return self._rows

    def _numbered(self, part: ResultColumns) -> Ints:
        """Returns (6, n): the row of each match."""
        if part.game not in self.games:
            raise ValueError(f"a match is of game {part.game!r}; known: {', '.join(self.games)}")
        kinds = self._kinds.setdefault((part.game, part.status), defaultdict(self._next))
        pairings = self._pairings.setdefault(part.game, defaultdict(self._next_pairing))
        before, size = len(kinds), len(part.index)
        texts = (part.pairing, pairings), (part.content, kinds)
        numbers = [np.fromiter(map(of.__getitem__, column), np.int64, size) for column, of in texts]
        for text in islice(kinds, before, None):
            end = text.rindex("][") + 1  # of the seats: there is none in the JSON of ranks
            kind = MatchKind(part.game, part.status, *_decode(f"[{text[:end]},{text[end:]}]"))
            counts = is_counted(kind, self.games[part.game])
            self._matches.append(kind)
            self._alone.append(-1)
            self._columns.extend((self._place[part.game], counts, part.status == "void"))
        return np.stack([np.array(c, np.int64) for c in (part.index, part.seed, part.transcript, part.task)] + numbers)

    def _folded(self) -> Outcomes:
        table = np.concatenate(self._parts, axis=1)
        table = table[:, np.argsort(table[0], kind="stable")]
        self._parts = [table]
        index, seed, transcript, task, pairing, kind = table
        of_kind = np.array(self._columns, np.int64).reshape(-1, 3).T
        game, counted, void = of_kind[0][kind], of_kind[1][kind] > 0, of_kind[2][kind] > 0
        alone = ~self._together[game]
        name = np.where(alone, np.arange(len(index)), len(index) + pairing)  # of the unit
        rows = np.flatnonzero(counted | (void & ~alone))
        rows = rows[np.argsort(name[rows], kind="stable")]
        starts, sizes = runs_of(name[rows])
        first = rows[starts]
        whole = sizes == np.where(alone[first], 1, self._size[game[first]])
        whole &= np.logical_or.reduceat(counted[rows], starts)
        at = np.repeat(np.where(whole, index[rows[starts + sizes - 1]], -1), sizes)
        order = np.argsort(at, kind="stable")
        order = order[np.searchsorted(at[order], 0) :]
        rows, at = rows[order], at[order]
        starts, sizes = runs_of(at)
        since = evidence_since(at, transcript[rows], seed[rows], self._chance[game[rows]])
        since = np.minimum.reduceat(np.where(counted[rows], since, NEVER), starts)
        unit = self._unit_numbers(kind[rows], starts, sizes)
        times = np.bincount(kind, minlength=len(self._matches))
        voids = [(self._matches[k], int(times[k])) for k in np.flatnonzero(of_kind[2]).tolist()]
        first = rows[starts]
        return Outcomes(at[starts], pairing[first], task[first], unit, since, self._units, self._matches, voids)

    def _unit_numbers(self, kind: Ints, starts: Ints, sizes: Ints) -> Ints:
        """Returns (U,): the number of each unit, of which `kind` has the kinds of matches from its start on."""
        numbers = np.empty(len(starts), np.int64)
        for size in np.unique(sizes).tolist():
            of_size = np.flatnonzero(sizes == size)
            columns = [kind[starts[of_size] + place] for place in range(size)]
            if size == 1:
                numbers[of_size] = self._alone_numbers(columns[0])
                continue
            first, number = distinct(columns)
            keys = zip(*(column[first].tolist() for column in columns), strict=True)
            numbers[of_size] = np.array([self._unit(key) for key in keys], np.int64)[number]
        return numbers

    def _alone_numbers(self, kind: Ints) -> Ints:
        """Returns (n,): `_unit_numbers` of matches that are units by themselves, without a step of Python for each."""
        numbers = np.array(self._alone, np.int64)
        for new in np.unique(kind[numbers[kind] < 0]).tolist():
            self._alone[new] = numbers[new] = self._unit((new,))
        out: Ints = numbers[kind]
        return out

    def _unit(self, kinds: tuple[int, ...]) -> int:
        number = self._numbers.get(kinds)
        if number is None:
            number = self._numbers[kinds] = len(self._units)
            matches = [self._matches[kind] for kind in kinds]
            self._units.append(_unit(matches, self.games[matches[0].game]))
        return number


def _unit(matches: Sequence[MatchKind], info: GameInfo) -> RatedUnit:
    """Returns the outcomes of matches that are rated together, void ones included."""
    kept = tuple(match for match in matches if match.status != "void")
    if info.by_pairing:
        ranks = next((match.ranks for match in matches if match.ranks), None) or ranks_of(kept, info)
        return RatedUnit(matches[0].game, kept, tuple(arranged(kept, info, ranks)))
    each = (arranged((match,), info, match.ranks or ranks_of((match,), info)) for match in kept)
    return RatedUnit(matches[0].game, kept, tuple(outcome for outcomes in each for outcome in outcomes))


__all__ = ["MatchKind", "OutcomeTable", "Outcomes", "RatedUnit"]
