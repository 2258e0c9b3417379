"""Following the hash chain of a run, result by result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from league.store import Run, chain
from league.store.chain import Segment
from league.store.log import Link
from league.store.runs import settings_digest


class ChainFollower:
    """Follows every result of a run in the order of commit and describes each break in the chain."""

    def __init__(self, run: Run, segments: Sequence[Segment]) -> None:
        self._run, self._segments = run, segments
        self._before = chain.NOTHING
        self._seq = 0
        self.first = segments[0].since if segments else 0
        """`seq` of the first chained result; 0: there is no chain"""

    @property
    def head(self) -> str:
        """The digest of the last result, as hexadecimal digits; "" before the first chained one."""
        return self._before.hex() if self._before != chain.NOTHING else ""

    def follow(self, link: Link) -> Iterator[str]:
        """Compare a result with its digest and with the result before it."""
        gap = link.seq - self._seq - 1
        if gap:
            yield f"{_results(self._seq + 1, link.seq - 1)} before it are missing from the log: they were removed"
        self._seq = link.seq
        if not self.first or link.seq < self.first:
            if self.first:
                yield "the chain begins after it: the start of the chain was removed"
            return
        segment = next(s for s in reversed(self._segments) if s.since <= link.seq)
        right = chain.link(self._before, segment.settings, link.seq, link.content)
        self._before = link.digest
        if link.digest != right and not gap:
            yield (
                "it does not fit its digest: the result, its plan or its episode was changed, or it was inserted or "
                "moved here"
            )

    @property
    def seq(self) -> int:
        """The `seq` of the last result."""
        return self._seq

    def end(self, segments: Sequence[Segment]) -> Iterator[str]:
        """Describe faults of the whole chain after all results. `segments` are the present ones."""
        self._segments = segments
        if not segments:
            yield "the chain was removed from the database"
            return
        newest = self._segments[-1]
        if newest.seq > self._seq:
            yield f"{_results(self._seq + 1, newest.seq)} at the end of the log were removed"
        elif newest.seq < self._seq:
            yield f"{_results(newest.seq + 1, self._seq)} were added behind the end of the chain"
        elif newest.digest != self._before:
            yield "the head kept for the run is not the digest of its last result"
        if newest.settings != settings_digest(self._run):
            yield "the run's settings (its name, seed, players, games or ratings) were changed by another program"
        for one, other in zip(self._segments, self._segments[1:], strict=False):
            if other.since != one.seq + 1:
                yield f"the chain has no settings for {_results(one.seq + 1, other.since - 1)}"


def _results(first: int, last: int) -> str:
    return f"result {first:,}" if first == last else f"results {first:,} to {last:,}"
