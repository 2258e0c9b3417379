"""Columns of matches as a table of outcomes reads them, and the blocks in which a store keeps them.

A result is a row with a kilobyte of texts, most of which other rows have too. In columns each different text stands
once, costs are numbers, and a pairing is a number: a block of thousands of results is read in the time of a hundred
rows.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from league.outcomes.arrays import Ints
from league.outcomes.costs import CutCosts, cut
from league.records.matches import ResultColumns
from league.records.unzip import unzipped

_NUMBERS = 5
_PAIRING = 62
"""bits of the number of a pairing: of 5 million pairings, two have the same one in 1 of 400,000 logs"""
_LEVEL = 1
_MOST_BYTES = 1 << 28
"""of a block that is not compressed: 16 KiB for each result"""


class MatchColumns(msgspec.Struct, frozen=True):
    """M matches of one game, worker and status.

    `numbers` (5, M): plan index, seed, transcript, task and number of the pairing. `text` (M,): the place in `texts` of
    the JSON of the seats without costs, then that of the ranks. `costs`: of the seats of all matches; a void match
    keeps its costs in the text.
    """

    game: str
    worker: str
    status: str
    numbers: Ints
    text: Ints
    texts: list[str]
    costs: CutCosts


class _Stored(msgspec.Struct, array_like=True):
    """`MatchColumns` as bytes: little-endian integers of 8 bytes, or of 4 for `text` and `costs`."""

    game: str
    worker: str
    status: str
    numbers: bytes
    text: bytes
    texts: list[str]
    costs: bytes
    faults: list[tuple[int, dict[str, int]]]


_decode = msgspec.msgpack.Decoder(list[_Stored]).decode


def match_columns(part: ResultColumns) -> MatchColumns:
    """Returns the columns of some results. Raises ValueError and others for damaged ones."""
    contents, costs = (part.content, CutCosts.none()) if part.status == "void" else cut(part.content)
    places = {text: place for place, text in enumerate(dict.fromkeys(contents))}
    text = np.fromiter(map(places.__getitem__, contents), np.int64, len(contents))
    number_of: dict[str, int] = {}
    for name in part.pairing:
        if name not in number_of:
            number_of[name] = _number(part.game, name)
    columns = part.index, part.seed, part.transcript, part.task, [*map(number_of.__getitem__, part.pairing)]
    numbers = np.stack([np.array(column, np.int64) for column in columns])
    return MatchColumns(part.game, part.worker, part.status, numbers, text, list(places), costs)


def _number(game: str, pairing: str) -> int:
    """Returns a number that no other pairing of any game has."""
    digest = blake2b(f"{game}\x1f{pairing}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - _PAIRING)


def block_of(parts: Iterable[ResultColumns]) -> bytes:
    """Returns results as a block: the same bytes in whatever order they were read."""
    joined: dict[tuple[str, str, str], list[tuple[object, ...]]] = {}
    for part in parts:
        rows = zip(part.index, part.seed, part.transcript, part.task, part.pairing, part.content, strict=True)
        joined.setdefault((part.game, part.worker, part.status), []).extend(rows)
    stored = []
    for label, listed in sorted(joined.items()):
        columns: Any = zip(*sorted(listed), strict=True)
        stored.append(_stored(match_columns(ResultColumns(*label, *columns))))
    return zlib.compress(msgspec.msgpack.encode(stored), _LEVEL)


def _stored(part: MatchColumns) -> _Stored:
    numbers, text = part.numbers.astype("<i8").tobytes(), part.text.astype("<i4").tobytes()
    costs = part.costs.numbers.astype("<i4").tobytes()
    return _Stored(part.game, part.worker, part.status, numbers, text, part.texts, costs, part.costs.faults)


def read_block(block: bytes) -> list[MatchColumns]:
    """Returns the columns in a block. Raises ValueError for a damaged one."""
    try:
        return [_columns(part) for part in _decode(_unpacked(block))]
    except (msgspec.MsgspecError, TypeError) as error:
        raise ValueError(f"a block of results is damaged ({error})") from None


def _columns(part: _Stored) -> MatchColumns:
    numbers = np.frombuffer(part.numbers, "<i8").reshape(_NUMBERS, -1).astype(np.int64)
    text = np.frombuffer(part.text, "<i4").astype(np.int64)
    costs = CutCosts(np.frombuffer(part.costs, "<i4").reshape(-1, 3).astype(np.int32), part.faults)
    if len(text) != numbers.shape[1] or not 0 <= text.min(initial=0) <= text.max(initial=-1) < len(part.texts):
        raise ValueError("a block of results is damaged (its columns are not equally long)")
    if not all(0 <= seat < len(costs.numbers) for seat, _ in costs.faults):
        raise ValueError("a block of results is damaged (it has failed attempts of no seat)")
    return MatchColumns(part.game, part.worker, part.status, numbers, text, part.texts, costs)


def same_block(block: bytes, parts: Sequence[ResultColumns]) -> bool:
    """Returns whether a stored block holds these results; compressed bytes depend on the version of zlib."""
    try:
        return _unpacked(block) == _unpacked(block_of(parts))
    except ValueError:
        return False


def _unpacked(block: bytes) -> bytes:
    """Returns the bytes of a block. Raises ValueError for one that no arena wrote."""
    try:
        return unzipped(block, _MOST_BYTES)
    except ValueError as error:
        raise ValueError(f"a block of results {error}") from None


__all__ = ["MatchColumns", "block_of", "match_columns", "read_block", "same_block"]
