"""The plain matches of a whole log as columns: two seats, rated one by one. They are nearly all of a large log.

Handled as arrays they take a tenth of the time that records take. The other matches are decoded to records.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.records.game_info import GameInfo
from league.records.matches import SEPARATOR, CompactRow, Result, SeatResult

Ints = NDArray[np.int64]
_CHUNK = 20_000
"""How many different seat texts are decoded together."""
_many = msgspec.json.Decoder(list[tuple[SeatResult, ...]])


class LogSource(Protocol):
    """Where a log is stored: a store's `log(run)`, or a list in a test."""

    def compact(self) -> Sequence[CompactRow]:
        """All results as short rows, in any order."""

    def results(self, games: Collection[str]) -> list[Result]:
        """All results of some games as records."""


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
    """whether the match repeats no earlier one"""
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
        matches, listed = _plain(source.compact(), plain, rest, chance, excluded)
        others = _records(source, rest, excluded)
        return MatchLog(matches, others, listed, source, excluded)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a stored result is damaged ({error}); `arena verify` names the match") from None


def _is_plain(info: GameInfo) -> bool:
    rated = info.rated and info.payoff in ("zero_sum", "constant_sum") and not info.by_pairing
    return rated and info.size == 2 and not info.teams


def _records(source: LogSource, games: Collection[str], excluded: Collection[str]) -> list[Result]:
    return [result for result in source.results(games) if result.worker not in excluded] if games else []


class _Kinds(NamedTuple):
    """What the different texts of the rows say: columns (K,)."""

    game: Ints
    """number of a plain game, or -1"""
    counts: NDArray[np.bool_]
    """whether two players met in a match that is not void, of a worker that is not excluded"""
    drawn: NDArray[np.bool_]
    seats: tuple[tuple[SeatResult, ...], ...]


def _plain(
    rows: Sequence[CompactRow],
    games: tuple[str, ...],
    rest: Collection[str],
    chance: NDArray[np.bool_],
    excluded: Collection[str],
) -> tuple[PlainMatches, set[str]]:
    """The plain matches of a log, and their players. `chance` (games,): whether a game has chance.

    Raises ValueError for a match of a game that is neither in `games` nor in `rest`.
    """
    index, seed, transcript, pairing, text = zip(*rows, strict=True) if rows else [()] * 5
    kind, texts = _numbered(text)
    kinds, listed = _kinds(texts, games, rest, excluded)
    order = np.argsort(np.array(index, np.int64), kind="stable")
    order = order[kinds.counts[kind[order]]]
    kind = kind[order]
    game = kinds.game[kind]
    seeds, transcripts = np.array(seed, np.int64)[order], np.array(transcript, np.int64)[order]
    fresh = _first(np.where(chance[game], seeds, 0), transcripts)
    columns = game, _numbered(pairing)[0][order], kind, kinds.drawn[kind], fresh
    return PlainMatches(*columns, kinds.seats, games), listed


def _kinds(
    texts: Sequence[str], games: tuple[str, ...], rest: Collection[str], excluded: Collection[str]
) -> tuple[_Kinds, set[str]]:
    number = {game: place for place, game in enumerate(games)}
    game, worker, status, seats = zip(*(t.split(SEPARATOR, 3) for t in texts), strict=True) if texts else [()] * 4
    of_game = np.array([number.get(name, -1) for name in game], np.int64)
    kept = np.array([name not in excluded for name in worker], bool)
    if unknown := {name for name, used in zip(game, kept, strict=True) if used} - {*games, *rest}:
        raise ValueError(f"a match is of game {min(unknown)!r}; known: {', '.join((*games, *rest))}")
    mine = (of_game >= 0) & kept
    seated = _decoded(seats)
    apart = [len(s) == 2 and s[0].player != s[1].player for s in seated]
    counts = mine & np.array(apart, bool) & np.array([word != "void" for word in status], bool)
    listed = {seat.player for one, listed in zip(seated, mine, strict=True) if listed for seat in one}
    return _Kinds(of_game, counts, np.array([word == "truncated" for word in status], bool), tuple(seated)), listed


def _numbered(values: Sequence[Any]) -> tuple[Ints, list[Any]]:
    """(M,) the number of each value, and the different values."""
    different = dict.fromkeys(values)
    if len(different) < 2:
        return np.zeros(len(values), np.int64), list(different)
    number = {value: place for place, value in enumerate(different)}
    return np.fromiter(map(number.__getitem__, values), np.int64, len(values)), list(different)


def _first(seed: Ints, transcript: Ints) -> NDArray[np.bool_]:
    """(M,) whether a match repeats no earlier one. `seed` is 0 in games without chance."""
    order = np.lexsort((np.arange(len(seed)), seed, transcript))
    seed, transcript = seed[order], transcript[order]
    again = np.zeros(len(order), bool)
    again[order[1:]] = (seed[1:] == seed[:-1]) & (transcript[1:] == transcript[:-1]) & (transcript[1:] != 0)
    return ~again


def _decoded(texts: Sequence[str]) -> list[tuple[SeatResult, ...]]:
    parts = (texts[i : i + _CHUNK] for i in range(0, len(texts), _CHUNK))
    return [seats for part in parts for seats in _many.decode(f"[{','.join(part)}]")]
