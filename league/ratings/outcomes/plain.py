"""The plain matches of a whole log as columns: two seats, rated one by one. They are nearly all of a large log.

Handled as arrays they take a tenth of the time that records take. The other matches are decoded to records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult

Ints = NDArray[np.int64]
Row = Sequence[Any]
"""the fields of a `Result`, its seats as JSON text"""
_FIELDS = Result.__struct_fields__
_GAME, _WORKER, _SEATS = (_FIELDS.index(name) for name in ("game", "worker", "seats"))
_CHUNK = 20_000
"""How many different seat texts are decoded together."""
_one = msgspec.json.Decoder(tuple[SeatResult, ...])
_many = msgspec.json.Decoder(list[tuple[SeatResult, ...]])


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

    rows: Sequence[Row]
    plain: PlainMatches
    others: Sequence[Result]
    """the matches that are not plain"""
    listed: Collection[str]
    """all players of plain matches, counted or not"""

    def results(self) -> list[Result]:
        """Every match as a record."""
        return _results(self.rows)


def read_log(rows: Sequence[Row], games: Mapping[str, GameInfo], excluded: Collection[str] = ()) -> MatchLog:
    """The log in `rows`, which may be in any order. Raises InputError for a damaged row."""
    rows = [row for row in rows if row[_WORKER] not in excluded] if excluded else rows
    names = {game for game, info in games.items() if _is_plain(info)}
    others = [] if len(names) == len(games) else [row for row in rows if row[_GAME] not in names]
    mine = rows if not others else [row for row in rows if row[_GAME] in names]
    try:
        plain, listed = _plain(mine, games)
        return MatchLog(rows, plain, _results(others), listed)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a stored result is damaged ({error}); `arena verify` names the match") from None


def _is_plain(info: GameInfo) -> bool:
    rated = info.rated and info.payoff in ("zero_sum", "constant_sum") and not info.by_pairing
    return rated and info.size == 2 and not info.teams


def _results(rows: Sequence[Row]) -> list[Result]:
    decoded = ((*row[:_SEATS], _one.decode(row[_SEATS]), *row[_SEATS + 1 :]) for row in rows)
    return [Result(*fields) for fields in decoded]


def _plain(rows: Sequence[Row], games: Mapping[str, GameInfo]) -> tuple[PlainMatches, set[str]]:
    columns = zip(*rows, strict=True) if rows else [()] * len(_FIELDS)
    index, _, pairing, _, game, seed, status, _, seats, _, _, _, transcript = columns
    names = tuple(games)
    number, played = _numbered(game)
    number = _mapped(played, names.index)[number]
    chance = np.array([info.chance for info in games.values()], bool)[number]
    kind, texts = _numbered(seats)
    seated = _decoded(texts)
    apart = np.array([len(s) == 2 and s[0].player != s[1].player for s in seated], bool)
    ended, words = _numbered(status)
    places, seeds, transcripts = (np.array(column, np.int64) for column in (index, seed, transcript))
    order = np.argsort(places, kind="stable")
    void = _mapped(words, lambda word: word == "void").astype(bool)[ended]
    order = order[(apart[kind] & ~void)[order]]
    drawn = _mapped(words, lambda word: word == "truncated").astype(bool)[ended]
    fresh = _first(np.where(chance, seeds, 0)[order], transcripts[order])
    columns_ = number[order], _numbered(pairing)[0][order], kind[order], drawn[order], fresh
    return PlainMatches(*columns_, tuple(seated), names), {seat.player for one in seated for seat in one}


def _numbered(values: Sequence[Any]) -> tuple[Ints, list[Any]]:
    """(M,) the number of each value, and the different values."""
    different = dict.fromkeys(values)
    if len(different) < 2:
        return np.zeros(len(values), np.int64), list(different)
    number = {value: place for place, value in enumerate(different)}
    return np.fromiter(map(number.__getitem__, values), np.int64, len(values)), list(different)


def _mapped(values: Sequence[Any], to: Callable[[Any], int]) -> Ints:
    return np.array([to(value) for value in values], np.int64)


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
