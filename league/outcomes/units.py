"""Units: matches that are rated together. Units of equal kinds of matches are one, and made when somebody asks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from league.outcomes.arrays import Ints, runs_of, stable_order
from league.outcomes.kinds import MatchKind, MatchKinds
from league.outcomes.outcome import Outcome, arranged, ranks_of
from league.records.game_info import GameInfo
from league.records.matches import CELL


class RatedUnit(NamedTuple):
    """What equal units have in common."""

    game: str
    matches: tuple[MatchKind, ...]
    """those that count, in plan order"""
    outcomes: tuple[Outcome, ...]


class Duels(NamedTuple):
    """Units that are one match of two seats without teams, as columns: their numbers (D,), the place of their game
    (D,), both seats (2, D), as numbers in `MatchKinds.seats`, and the ranks of these (2, D).
    """

    unit: Ints
    game: Ints
    seats: Ints
    ranks: Ints


class RatedUnits(Sequence[RatedUnit]):
    """Numbers the kinds of units as they come."""

    def __init__(self, kinds: MatchKinds) -> None:
        self._kinds = kinds
        self._starts, self._matches = array("q", [0]), array("q")
        """the first match of each unit, and the kinds of all matches"""
        self._numbers: dict[tuple[int, ...], int] = {}
        """kinds of matches -> number of their unit, of units of several"""
        self._alone = array("q")
        """kind of a match -> number of the unit that it is by itself; -1: none yet"""
        self._made: dict[int, RatedUnit] = {}
        self._checked = 0

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, number: int) -> RatedUnit: ...
    @overload
    def __getitem__(self, number: slice) -> list[RatedUnit]: ...
    def __getitem__(self, number: int | slice) -> RatedUnit | list[RatedUnit]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        unit = self._made.get(number)
        if unit is None:
            matches = self.matches(range(len(self))[number])
            unit = self._made[number] = _unit(matches, self._kinds.games[matches[0].game])
        return unit

    def matches(self, number: int) -> list[MatchKind]:
        """Returns the matches of a unit, void ones included."""
        return [self._kinds.match(kind) for kind in self._matches[self._starts[number] : self._starts[number + 1]]]

    def several(self) -> Iterable[int]:
        """Returns the numbers of the units of games that are rated by pairing."""
        return self._numbers.values()

    def check(self) -> None:
        """Make all units except duels. Raises InputError for ranks of other matches."""
        for number in self.parted(self._checked)[1]:
            self[number]
        self._checked = len(self)

    def alone(self, kind: Ints) -> Ints:
        """Returns (n,): the number of the unit that a match of each of these kinds is by itself."""
        self._alone.extend([-1] * (len(self._kinds) - len(self._alone)))
        numbers = np.frombuffer(self._alone, np.int64).copy()
        of = np.zeros(len(numbers), bool)
        of[kind] = True  # np.unique takes 30 times as long
        new = np.flatnonzero(of & (numbers < 0))
        numbers[new] = len(self) + np.arange(len(new))
        self._alone = array("q", numbers.tobytes())
        self._matches.frombytes(new.tobytes())
        self._starts.frombytes((self._starts[-1] + 1 + np.arange(len(new))).tobytes())
        out: Ints = numbers[kind]
        return out

    def together(self, kinds: tuple[int, ...]) -> int:
        """Returns the number of the unit of matches of these kinds."""
        number = self._numbers.get(kinds)
        if number is None:
            number = self._numbers[kinds] = len(self)
            self._matches.extend(kinds)
            self._starts.append(len(self._matches))
        return number

    def parted(self, first: int) -> tuple[Duels, list[int]]:
        """Returns of the units from a number on those that are duels, and the numbers of the others."""
        starts, matches = np.array(self._starts[first:], np.int64), np.array(self._matches, np.int64)
        columns, ranks = self._kinds.columns(), _duel_ranks(self._kinds)
        free = np.array([not (info.teams or info.by_pairing) for info in self._kinds.games.values()], bool)
        kind = matches[starts[:-1]]
        duel = (np.diff(starts) == 1) & (columns.size[kind] == 2) & free[columns.game[kind]]
        duel &= ranks[0, columns.right[kind]] >= 0
        kind, seats = kind[duel], self._kinds.seat_numbers()
        at = columns.first[kind]
        rest = (first + np.flatnonzero(~duel)).tolist()
        both = np.stack([seats[at], seats[at + 1]])
        return Duels(first + np.flatnonzero(duel), columns.game[kind], both, ranks[:, columns.right[kind]]), rest


def _duel_ranks(kinds: MatchKinds) -> Ints:
    """Returns (2, R) the ranks of both sides of a match, -1 where they are not those of one match of two sides."""
    pairs = [each[0] if [*map(len, each)] == [2] else (-1, -1) for each in kinds.ranks]
    return np.array(pairs, np.int64).reshape(-1, 2).T


def _unit(matches: Sequence[MatchKind], info: GameInfo) -> RatedUnit:
    """Returns the outcomes of matches that are rated together, void ones included."""
    kept = tuple(match for match in matches if match.status != "void")
    if info.by_pairing:
        ranks = next((match.ranks for match in matches if match.ranks), None) or ranks_of(kept, info)
        return RatedUnit(matches[0].game, kept, tuple(arranged(kept, info, ranks)))
    each = (arranged((match,), info, match.ranks or ranks_of((match,), info)) for match in kept)
    return RatedUnit(matches[0].game, kept, tuple(outcome for outcomes in each for outcome in outcomes))


NEVER = 1 << 62
"""the plan index after all others"""


def evidence_since(at: Ints, transcript: Ints, seed: Ints, chance: NDArray[np.bool_]) -> Ints:
    """Returns (M,): the plan index from which each match is evidence, `NEVER` for one that repeats others.

    `at`, in ascending order: the place in the plan of the last match that is rated with it; `chance`: whether its game
    has chance. A match without a transcript repeats no other. The first of a cell and those that come after a second
    transcript are evidence from their own place on, those between them from that of the second transcript.
    """
    since = at.copy()
    rows = np.flatnonzero(transcript)
    if not len(rows):
        return since
    at, cell = at[rows], transcript[rows] >> CELL
    if chance.any():
        decided = np.where(chance[rows], seed[rows], 0)
        order = np.lexsort((decided, cell))
        starts, sizes = runs_of(cell[order], decided[order])
    else:
        order = stable_order(cell)
        starts, sizes = runs_of(cell[order])
    at, transcript = at[order], transcript[rows[order]]
    differs = transcript != np.repeat(transcript[starts], sizes)
    second = np.minimum.reduceat(np.where(differs, at, NEVER), starts)
    evidence = np.maximum(at, np.repeat(second, sizes))
    evidence[starts] = at[starts]
    since[rows[order]] = evidence
    return since
