"""Columns of matches as a table of outcomes reads them, and the blocks in which a store keeps them.

A result is a row with a kilobyte of texts, most of which other rows have too. In columns each different text stands
once beside a number that names it, costs are numbers, and a pairing is a number: a block of thousands of results is
read in the time of a hundred rows, and a text whose name another block had is not read at all.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
import numpy as np

from league.outcomes.arrays import Ints
from league.outcomes.costs import CutCosts, cut
from league.records.matches import ResultColumns
from league.records.unzip import unzipped

_NUMBERS = 5
_NAME = 62
"""bits of the name of a text: of 5 million, two have the same one in 1 of 400,000 logs"""
_LEVEL = 1
_MOST_BYTES = 1 << 28
"""of a block that is not compressed: 16 KiB for each result"""


class JoinedTexts(NamedTuple):
    """Texts without a break, in UTF-8, and where each ends (T,)."""

    data: bytes
    ends: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> JoinedTexts:
        """Returns some texts."""
        encoded = [text.encode() for text in texts]
        return cls(b"".join(encoded), np.cumsum([*map(len, encoded)], dtype=np.int64))

    def some(self, places: Sequence[int]) -> list[str]:
        """Returns the texts at some places."""
        ends = [0, *self.ends.tolist()]
        return [self.data[ends[place] : ends[place + 1]].decode() for place in places]


class MatchColumns(msgspec.Struct, frozen=True):
    """M matches of one game, worker and status.

    `numbers` (5, M): plan index, seed, transcript, task and number of the pairing. `text` (M,): the place in `texts` of
    the JSON of the seats without costs, then that of the ranks; `names` (T,): a number for each text, the same in all
    blocks. `costs`: of the seats of all matches; a void match keeps its costs in the text.
    """

    game: str
    worker: str
    status: str
    numbers: Ints
    text: Ints
    names: Ints
    texts: JoinedTexts
    costs: CutCosts


class _Stored(msgspec.Struct, array_like=True):
    """`MatchColumns` as bytes: little-endian integers of 8 bytes, or of 4 for `text`, `ends` and `costs`."""

    game: str
    worker: str
    status: str
    numbers: bytes
    text: bytes
    names: bytes
    ends: bytes
    texts: bytes
    costs: bytes
    faults: list[tuple[int, dict[str, int]]]


_decode = msgspec.msgpack.Decoder(list[_Stored]).decode


def match_columns(part: ResultColumns) -> MatchColumns:
    """Returns the columns of some results. Raises ValueError and others for damaged ones."""
    contents, costs = (part.content, CutCosts.none()) if part.status == "void" else cut(part.content)
    places = {text: place for place, text in enumerate(dict.fromkeys(contents))}
    text = np.fromiter(map(places.__getitem__, contents), np.int64, len(contents))
    pairings = [*dict.fromkeys(part.pairing)]
    number_of = dict(zip(pairings, _names([f"{part.game}\x1f{pairing}" for pairing in pairings]).tolist(), strict=True))
    columns = part.index, part.seed, part.transcript, part.task, [*map(number_of.__getitem__, part.pairing)]
    numbers = np.stack([np.array(column, np.int64) for column in columns])
    return MatchColumns(
        part.game, part.worker, part.status, numbers, text, _names(places), JoinedTexts.of(places), costs
    )


def _names(texts: Iterable[str]) -> Ints:
    """Returns a number for each text that no other text has."""
    digests = b"".join([blake2b(text.encode(), digest_size=8).digest() for text in texts])
    return (np.frombuffer(digests, ">u8") >> np.uint64(64 - _NAME)).astype(np.int64)


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
    numbers, names = (column.astype("<i8").tobytes() for column in (part.numbers, part.names))
    text, ends, costs = (column.astype("<i4").tobytes() for column in (part.text, part.texts.ends, part.costs.numbers))
    label = part.game, part.worker, part.status
    return _Stored(*label, numbers, text, names, ends, part.texts.data, costs, part.costs.faults)


def read_block(block: bytes) -> list[MatchColumns]:
    """Returns the columns in a block. Raises ValueError for a damaged one."""
    try:
        return [_columns(part) for part in _decode(_unpacked(block))]
    except (msgspec.MsgspecError, TypeError) as error:
        raise ValueError(f"a block of results is damaged ({error})") from None


def _columns(part: _Stored) -> MatchColumns:
    numbers, names = (np.frombuffer(column, "<i8").astype(np.int64) for column in (part.numbers, part.names))
    text, ends = (np.frombuffer(column, "<i4").astype(np.int64) for column in (part.text, part.ends))
    costs = CutCosts(np.frombuffer(part.costs, "<i4").reshape(-1, 3).astype(np.int32), part.faults)
    numbers = numbers.reshape(_NUMBERS, -1)
    if len(text) != numbers.shape[1] or not 0 <= text.min(initial=0) <= text.max(initial=-1) < len(names):
        raise ValueError("a block of results is damaged (its columns are not equally long)")
    bounds = np.concatenate([[0], ends, [len(part.texts)]])
    if len(ends) != len(names) or (np.diff(bounds) < 0).any():
        raise ValueError("a block of results is damaged (its texts have other ends)")
    if not all(0 <= seat < len(costs.numbers) for seat, _ in costs.faults):
        raise ValueError("a block of results is damaged (it has failed attempts of no seat)")
    texts = JoinedTexts(part.texts, ends)
    return MatchColumns(part.game, part.worker, part.status, numbers, text, names, texts, costs)


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
