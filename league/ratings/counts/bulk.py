"""A count table from the columns of a whole log: the same counts as match by match, many times faster.

Matches of two seats that are rated one by one, nearly all matches of a large log, are counted by sorting arrays. The
others go through `CountTable.add`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from games import InputError
from league.ratings.counts.comparisons import DRAW, LOSS, WIN, Cell
from league.ratings.counts.counts import Ints
from league.ratings.counts.table import CountTable
from league.ratings.outcomes.outcome import DIGITS
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult

Row = Sequence[Any]
"""the fields of a `Result`, its seats as JSON text"""
_GAME, _WORKER = (Result.__struct_fields__.index(name) for name in ("game", "worker"))
_CHUNK = 20_000
"""How many different seat texts are decoded together."""
_seats = msgspec.json.Decoder(tuple[SeatResult, ...])


class _Plain(NamedTuple):
    """Columns (M,) of plain matches in plan order; `kind` numbers the different seat texts."""

    game: Ints
    pairing: Ints
    kind: Ints
    drawn: Ints
    """1 if the match was cut off"""
    seed: Ints
    """0 in games without chance"""
    transcript: Ints


def bulk_table(
    rows: Sequence[Row], games: Mapping[str, GameInfo], players: Sequence[str] = (), excluded: Collection[str] = ()
) -> CountTable:
    """The table of a log without the matches of excluded workers. Nothing can be added to it afterwards."""
    table = CountTable(games, players)
    rows = [row for row in rows if row[_WORKER] not in excluded] if excluded else rows
    plain = {game for game, info in games.items() if _is_plain(info)}
    table.add(_result(row) for row in rows if row[_GAME] not in plain)
    plain_rows = rows if len(plain) == len(games) else [row for row in rows if row[_GAME] in plain]
    if plain_rows:
        _count(table, plain_rows, games)
    return table


def _is_plain(info: GameInfo) -> bool:
    rated = info.rated and info.payoff in ("zero_sum", "constant_sum") and not info.by_pairing
    return rated and info.size == 2 and not info.teams


def _result(row: Row) -> Result:
    fields = dict(zip(Result.__struct_fields__, row, strict=True))
    return Result(**fields | {"seats": _seats.decode(fields["seats"])})


def _count(table: CountTable, rows: Sequence[Row], games: Mapping[str, GameInfo]) -> None:
    names = list(games)
    index, _, pairing, _, game, seed, status, _, seats, _, _, _, transcript = zip(*rows, strict=True)
    kind, texts = _numbered(seats)
    seated = _decoded(texts)
    for name in sorted({seat.player for one in seated for seat in one}):
        table.list_player(name)
    apart = np.array([len(s) == 2 and s[0].player != s[1].player for s in seated])
    ended, words = _numbered(status)
    void, drawn = (words.index(word) if word in words else -1 for word in ("void", "truncated"))
    numbers, played = _numbered(game)
    number = np.array([names.index(name) for name in played], np.int64)[numbers]
    chance = np.array([info.chance for info in games.values()])[number]
    columns = (number, _numbered(pairing)[0], kind, ended == drawn, np.where(chance, seed, 0), transcript)
    valid = apart[kind] & (ended != void)
    order = np.argsort(np.array(index, np.int64), kind="stable")
    order = order[valid[order]]
    plain = _Plain(*(np.array(column, np.int64)[order] for column in columns))
    fresh = _first(plain)
    for place, name in enumerate(names):
        mine = plain.game == place
        table.note(name, int(mine.sum()), int((mine & ~fresh).sum()))
    plain = _Plain(*(column[fresh] for column in plain))
    cell, outcome = _cells(table, plain, seated, names)
    _fill(table, plain, 3 * cell + outcome, names)


def _numbered(texts: Sequence[str]) -> tuple[Ints, list[str]]:
    """(M,) the number of each text, and the different texts."""
    found: dict[str, int] = {}
    return np.array([found.setdefault(text, len(found)) for text in texts], np.int64), list(found)


def _first(plain: _Plain) -> Any:
    """(M,) whether a match repeats no earlier one."""
    order = np.lexsort((np.arange(len(plain.game)), plain.seed, plain.transcript))
    seed, transcript = plain.seed[order], plain.transcript[order]
    again = np.zeros(len(order), bool)
    again[order[1:]] = (seed[1:] == seed[:-1]) & (transcript[1:] == transcript[:-1]) & (transcript[1:] != 0)
    return ~again


class _Seat(msgspec.Struct, frozen=True, gc=False):
    """The fields of `SeatResult` that are counted."""

    role: str
    player: str
    score: float
    forfeited: bool = False


_many = msgspec.json.Decoder(list[tuple[_Seat, ...]])


def _decoded(texts: Sequence[str]) -> list[tuple[_Seat, ...]]:
    parts = (texts[i : i + _CHUNK] for i in range(0, len(texts), _CHUNK))
    try:
        return [seats for part in parts for seats in _many.decode(f"[{','.join(part)}]")]
    except (msgspec.MsgspecError, TypeError) as error:
        raise InputError(f"seats of a stored result are damaged ({error}); `arena verify` names the match") from None


def _cells(
    table: CountTable, plain: _Plain, seated: Sequence[tuple[_Seat, ...]], names: Sequence[str]
) -> tuple[Ints, Ints]:
    """(M,) cells of the table, and outcomes as the first seat sees them."""
    whos: dict[tuple[str, str, str, str], int] = {}
    who, result = np.zeros(len(seated), np.int64), np.zeros(len(seated), np.int64)
    for kind, seats in enumerate(seated):
        if len(seats) == 2:
            a, b = seats
            who[kind] = whos.setdefault((a.player, b.player, a.role, b.role), len(whos))
            result[kind] = _outcome(a, b)
    met, inverse = np.unique(plain.game * max(1, len(whos)) + who[plain.kind], return_inverse=True)
    listed = list(whos)
    cell = np.empty(len(met), np.int64)
    for i, code in enumerate(met.tolist()):
        game, at = divmod(code, max(1, len(whos)))
        first, second, role, other = listed[at]
        cell[i] = table.cell(Cell(names[game], first, second, 0, 1, role, other, 2))
    return cell[inverse.reshape(-1)], np.where(plain.drawn > 0, DRAW, result[plain.kind])


def _outcome(a: _Seat, b: _Seat) -> int:
    """As in `comparisons`, for a match that was not cut off."""
    if a.forfeited or b.forfeited:
        return DRAW if a.forfeited and b.forfeited else LOSS if a.forfeited else WIN
    lead = round(a.score - b.score, DIGITS)
    return WIN if lead > 0.0 else LOSS if lead < 0.0 else DRAW


def _fill(table: CountTable, plain: _Plain, code: Ints, names: Sequence[str]) -> None:
    """Add comparisons (M,), each 3 cell + outcome, and the set of each pairing's comparisons."""
    found, times = np.unique(code, return_counts=True)
    for one, count in zip(found.tolist(), times.tolist(), strict=True):
        table.count_cell(one // 3, one % 3, count)
    order = np.lexsort((code, plain.pairing, plain.game))
    pairing, code, game = plain.pairing[order], code[order], plain.game[order]
    second = np.flatnonzero((pairing[1:] == pairing[:-1]) & (game[1:] == game[:-1])) + 1
    size = int(code.max(initial=0)) + 1
    found, times = np.unique((game[second] * size + code[second - 1]) * size + code[second], return_counts=True)
    for one, count in zip(found.tolist(), times.tolist(), strict=True):
        rest, last = divmod(one, size)
        number, first = divmod(rest, size)
        table.count_unit(names[number], (divmod(first, 3), divmod(last, 3)), count)
