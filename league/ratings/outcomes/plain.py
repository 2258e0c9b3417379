"""The plain matches of a whole log as columns: two seats, rated one by one. They are nearly all of a large log.

Handled as arrays they take a tenth of the time that records take. The other matches are decoded to records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.records.game_info import GameInfo
from league.records.matches import CELL, SEPARATOR, Result, ResultColumns, SeatResult

Ints = NDArray[np.int64]
_CHUNK = 20_000
"""How many different seat texts are decoded together."""
_many = msgspec.json.Decoder(list[tuple[SeatResult, ...]])
_whole = msgspec.json.Decoder(list[int])


class LogSource(Protocol):
    """Where a log is stored: a store's `log(run)`, or a list in a test."""

    def columns(self) -> Iterable[ResultColumns]:
        """All results as joined columns, in any order."""

    def results(self, games: Collection[str]) -> list[Result]:
        """All results of some games as records."""


VoidMatches = tuple[str, tuple[SeatResult, ...], int]
"""game, seats, and the number of void matches with equal seats"""


class PlainMatches(NamedTuple):
    """Columns (M,) of the plain matches that count, in plan order."""

    game: Ints
    """number of the game in `games`"""
    pairing: Ints
    kind: Ints
    """number of the match's seats in `seats`: equal seats are decoded once"""
    drawn: NDArray[np.bool_]
    """whether the match was cut off, which is a draw"""
    fresh: NDArray[np.bool_]
    """whether the match is evidence, see `league.ratings.outcomes.repeats`"""
    seats: tuple[tuple[SeatResult, ...], ...]
    games: tuple[str, ...]


@dataclass(frozen=True)
class MatchLog:
    """A whole log in plan order, without the matches of excluded workers."""

    plain: PlainMatches
    others: Sequence[Result]
    """the matches of games that are not plain"""
    listed: Collection[str]
    """all players of plain matches, counted or not"""
    void: Sequence[VoidMatches]
    """of plain games"""
    source: LogSource
    excluded: Collection[str]

    def results(self) -> list[Result]:
        """Every match as a record."""
        return [*_records(self.source, self.plain.games, self.excluded), *self.others]


def read_log(source: LogSource, games: Mapping[str, GameInfo], excluded: Collection[str] = ()) -> MatchLog:
    """The log of a run. Raises InputError for a damaged row."""
    plain = tuple(game for game, info in games.items() if _is_plain(info))
    chance = np.array([games[game].chance for game in plain], bool)
    try:
        rest = [game for game in games if game not in plain]
        matches, listed, void = _plain(source.columns(), plain, rest, chance, excluded)
        others = _records(source, rest, excluded)
        return MatchLog(matches, others, listed, void, source, excluded)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a stored result is damaged ({error}); `arena verify` names the match") from None


def _is_plain(info: GameInfo) -> bool:
    rated = info.rated and info.payoff in ("zero_sum", "constant_sum") and not info.by_pairing
    return rated and info.size == 2 and not info.teams


def _records(source: LogSource, games: Collection[str], excluded: Collection[str]) -> list[Result]:
    return [result for result in source.results(games) if result.worker not in excluded] if games else []


def _plain(
    log: Iterable[ResultColumns],
    games: tuple[str, ...],
    rest: Collection[str],
    chance: NDArray[np.bool_],
    excluded: Collection[str],
) -> tuple[PlainMatches, set[str], list[VoidMatches]]:
    """The plain matches of a log, their players, and the void ones. `chance` (games,): whether a game has chance.

    Raises ValueError for a match of a game that is neither in `games` nor in `rest`.
    """
    reader = _Reader()
    for part in log:
        if part.worker in excluded:
            continue
        if part.game in games:
            reader.add(part)
        elif part.game not in rest:
            raise ValueError(f"a match is of game {part.game!r}; known: {', '.join((*games, *rest))}")
    index, seed, transcript, pairing, kind = reader.matches()
    kinds, listed = _kinds(reader.texts(), games)
    times = np.bincount(kind, minlength=len(kinds.void))
    void = [(games[kinds.game[k]], kinds.seats[k], int(times[k])) for k in np.flatnonzero(kinds.void).tolist()]
    order = np.argsort(index, kind="stable")
    order = order[kinds.counts[kind[order]]]
    kind = kind[order]
    game = kinds.game[kind]
    fresh = _evidence(np.where(chance[game], seed[order], 0), transcript[order])
    return PlainMatches(game, pairing[order], kind, kinds.drawn[kind], fresh, kinds.seats, games), listed, void


class _Reader:
    """Takes joined columns apart. Results of one game, worker and status whose seats are equal texts are of a kind."""

    def __init__(self) -> None:
        # A missing key gets the next number: such a dictionary numbers texts without a step of Python.
        self._pairings = defaultdict[str, int](count().__next__)
        self._next: Callable[[], int] = count().__next__
        self._kinds: dict[tuple[str, str], defaultdict[str, int]] = {}
        self._parts: list[tuple[Ints, ...]] = []

    def add(self, part: ResultColumns) -> None:
        """Read some results. Raises ValueError or msgspec's errors if they are damaged."""
        numbers = [_whole.decode(f"[{text}]") for text in (part.index, part.seed, part.transcript)]
        pairing, seats = part.pairing.split(SEPARATOR), part.seats.split(SEPARATOR)
        if {part.size} != {*map(len, numbers), len(pairing), len(seats)}:
            raise ValueError("a column has more values than results")
        kinds = self._kinds.setdefault((part.game, part.status), defaultdict(self._next))
        texts = (pairing, self._pairings), (seats, kinds)
        numbered = (np.fromiter(map(known.__getitem__, of), np.int64, part.size) for of, known in texts)
        self._parts.append((*(np.array(column, np.int64) for column in numbers), *numbered))

    def matches(self) -> Sequence[Ints]:
        """Columns (M,) of all results read: index, seed, transcript, number of the pairing, number of the kind."""
        columns = zip(*self._parts, strict=True) if self._parts else [[np.zeros(0, np.int64)]] * 5
        return [np.concatenate(column) for column in columns]

    def texts(self) -> list[tuple[str, str, str]]:
        """Game, status and seats of each kind, by number."""
        found = [(k, game, status, text) for (game, status), kinds in self._kinds.items() for text, k in kinds.items()]
        return [(game, status, text) for _, game, status, text in sorted(found)]


class _Kinds(NamedTuple):
    """What the kinds of matches say: columns (K,)."""

    game: Ints
    """number of the game"""
    counts: NDArray[np.bool_]
    """whether two players met in a match that is not void"""
    void: NDArray[np.bool_]
    drawn: NDArray[np.bool_]
    seats: tuple[tuple[SeatResult, ...], ...]


def _kinds(texts: Sequence[tuple[str, str, str]], games: tuple[str, ...]) -> tuple[_Kinds, set[str]]:
    number = {game: place for place, game in enumerate(games)}
    game, status, seats = zip(*texts, strict=True) if texts else [()] * 3
    seated = _decoded(seats)
    apart = [len(s) == 2 and s[0].player != s[1].player for s in seated]
    void = np.array([word == "void" for word in status], bool)
    counts = np.array(apart, bool) & ~void
    listed = {seat.player for one in seated for seat in one}
    drawn = np.array([word == "truncated" for word in status], bool)
    return _Kinds(np.array([number[name] for name in game], np.int64), counts, void, drawn, tuple(seated)), listed


def _evidence(seed: Ints, transcript: Ints) -> NDArray[np.bool_]:
    """(M,) whether a match is evidence: the first of its cell, or of a cell with two transcripts, or without one.

    `seed` is 0 in games without chance.
    """
    out = np.ones(len(seed), bool)
    known = np.flatnonzero(transcript)
    if not len(known):
        return out
    seed, transcript = seed[known], transcript[known]
    cell: Ints = transcript >> CELL
    order = np.lexsort((np.arange(len(seed)), seed, cell))
    changes = (np.diff(cell[order]) != 0) | (np.diff(seed[order]) != 0)
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    lowest, highest = (of.reduceat(transcript[order], starts) for of in (np.minimum, np.maximum))
    sizes = np.diff(np.append(starts, len(order)))
    evidence = np.repeat(lowest != highest, sizes)
    evidence[starts] = True
    out[known[order]] = evidence
    return out


def _decoded(texts: Sequence[str]) -> list[tuple[SeatResult, ...]]:
    parts = (texts[i : i + _CHUNK] for i in range(0, len(texts), _CHUNK))
    return [seats for part in parts for seats in _many.decode(f"[{','.join(part)}]")]
