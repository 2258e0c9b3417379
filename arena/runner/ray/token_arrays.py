"""The numbers of samples as arrays: tokens and log probabilities travel as bytes and become tuples at the driver.

The numbers of its tokens are most of an episode that the learner reads. msgspec makes a new int of each; here equal
tokens of all episodes are one int, looked up in a table: less time, and a fifth of the memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import msgspec
import numpy as np
from msgspec.structs import force_setattr, replace
from numpy.typing import NDArray

from arena.match import Sample

IDS, LOGPROBS = np.dtype("<u4"), np.dtype("<f8")
_AS_IS = -1
_LARGEST = 1 << 20
"""the table's size at most: 40 MB; larger tokens, which no known vocabulary has, become new ints"""
_table: NDArray[np.object_] = np.arange(1 << 16).astype(object)
"""the int i at the index i"""


class TokenArrays(msgspec.Struct, frozen=True):
    """The numbers that were taken out of some samples."""

    ids: bytes = b""
    """of each sample, its prompt and then its completion: little-endian, 32 bits each"""
    logprobs: bytes = b""
    """little-endian, 64 bits each"""
    lengths: list[tuple[int, int]] = []
    """(prompt tokens, completion tokens) of each sample; (-1, -1) if the sample holds its own numbers"""


class TokenArrayWriter:
    """Takes the numbers out of samples, one after the other."""

    def __init__(self) -> None:
        self._ids, self._logprobs = list[bytes](), list[bytes]()
        self._lengths = list[tuple[int, int]]()

    def take(self, sample: Sample, shared: int) -> Sample:
        """Returns the sample without its numbers, or without the first `shared` tokens if arrays cannot hold it."""
        prompt = sample.prompt_ids[shared:]
        try:
            ids, logprobs = array("I", (*prompt, *sample.completion_ids)), array("d", sample.logprobs)
        except (TypeError, OverflowError):  # a plugin's player: whoever decodes or stores it says what is wrong
            ids, logprobs = array("I"), array("d")
        if len(ids) != len(prompt) + len(sample.completion_ids) or len(logprobs) != len(sample.completion_ids):
            self._lengths.append((_AS_IS, _AS_IS))
            return replace(sample, prompt_ids=prompt)
        self._lengths.append((len(prompt), len(logprobs)))
        self._ids.append(np.frombuffer(ids, np.uintc).astype(IDS, copy=False).tobytes() if ids else b"")
        self._logprobs.append(np.frombuffer(logprobs).astype(LOGPROBS, copy=False).tobytes() if logprobs else b"")
        return replace(sample, prompt_ids=(), completion_ids=(), logprobs=())

    def arrays(self) -> TokenArrays:
        """Returns what was taken out so far."""
        return TokenArrays(b"".join(self._ids), b"".join(self._logprobs), self._lengths)


def put_back(samples: Iterable[Sample], arrays: TokenArrays) -> None:
    """Give decoded samples, which nobody else has yet, their numbers. Raises ValueError if `arrays` is unsound."""
    ids, logprobs = np.frombuffer(arrays.ids, IDS), np.frombuffer(arrays.logprobs, LOGPROBS)
    table, at, done = _numbers(ids), 0, 0
    for sample, (prompt, completion) in zip(samples, arrays.lengths, strict=True):
        if prompt == completion == _AS_IS:
            continue
        end = at + prompt + completion
        if min(prompt, completion) < 0 or end > len(ids) or done + completion > len(logprobs):
            raise ValueError(f"a sample of {prompt} and {completion} tokens, which the message does not have")
        numbers = table.take(ids[at:end]) if table is not None else ids[at:end]
        force_setattr(sample, "prompt_ids", tuple(numbers[:prompt].tolist()))
        force_setattr(sample, "completion_ids", tuple(numbers[prompt:].tolist()))
        force_setattr(sample, "logprobs", tuple(logprobs[done : done + completion].tolist()))
        at, done = end, done + completion
    if at != len(ids) or done != len(logprobs):
        raise ValueError(f"{len(ids) - at} tokens and {len(logprobs) - done} log probabilities of no sample")


def _numbers(ids: NDArray[np.uint32]) -> NDArray[np.object_] | None:
    """Returns the table of ints with all of `ids`; None if one is too large."""
    global _table
    largest = int(ids.max(initial=0))
    if largest >= _LARGEST:
        return None
    if largest >= len(_table):
        _table = np.arange(1 << largest.bit_length()).astype(object)
    return _table
