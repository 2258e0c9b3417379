"""Free writing: rows join the running batch between two tokens and leave it as soon as they are done."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from torch import Tensor

from arena.inference import sampling
from arena.inference.engine import Request
from arena.inference.forward import Forward, buckets, out_of_memory
from arena.inference.kv import Past, Slab
from arena.inference.prefix import PrefixCache
from games.randomness import Stream

log = logging.getLogger(__name__)

K = TypeVar("K")


@dataclass(slots=True, eq=False)
class Written(Generic[K]):
    """An answer while it is written, token by token (T,). `key` is the caller's."""

    key: K
    request: Request
    stops: frozenset[int]
    stream: Stream
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    allowed: list[tuple[int, ...] | None] = field(default_factory=list)
    uniforms: list[float] = field(default_factory=list)
    """drawn so far; one more than `ids` where a step had to be repeated"""
    stopped: bool = False
    error: Exception | None = None

    @property
    def done(self) -> bool:
        """Nothing more will be written."""
        return self.stopped or len(self.ids) >= self.request.max_tokens


class FreeRunner(Generic[K]):
    """Continuous batching. At most `max_rows` rows and `max_bytes` of keys and values at once."""

    def __init__(self, forward: Forward, prefixes: PrefixCache, max_rows: int, max_bytes: int) -> None:
        self._forward, self._prefixes = forward, prefixes
        self.max_rows, self._max_bytes = max_rows, max_bytes
        self._waiting: deque[Written[K]] = deque()
        self._active: list[Written[K]] = []  # by row of the slab
        self._slab = Slab(forward.device)
        self._token_bytes = 0.0  # keys and values of one token; known after the first pass

    @property
    def busy(self) -> bool:
        """Something is being written or waits for a row."""
        return bool(self._active or self._waiting)

    def submit(self, key: K, request: Request, stops: Sequence[int]) -> None:
        """Queue a request for the next turn."""
        self._waiting.append(Written(key, request, frozenset(stops), Stream(request.seed)))

    def drop(self, keys: set[K]) -> None:
        """Forget requests that nobody waits for any more."""
        self._waiting = deque(w for w in self._waiting if w.key not in keys)
        for row in range(len(self._active) - 1, -1, -1):
            if self._active[row].key in keys:
                self._leave(row)

    def unanswered(self) -> list[K]:
        """All that has not been answered yet."""
        return [w.key for w in (*self._active, *self._waiting)]

    def forget(self) -> None:
        """The weights have changed: what was read is void, what was written stays and goes on from there."""
        self._restart()

    def turn(self) -> list[Written[K]]:
        """Let waiting requests in, write one token in every row; what is done or has failed."""
        out = self._admit()
        if self._active:
            out += self._step()
        return out

    def _admit(self) -> list[Written[K]]:
        room = min(self.max_rows - len(self._active), len(self._waiting))
        taken = [self._waiting.popleft() for _ in range(max(room, 0))]
        while taken and not self._fits(taken):
            self._waiting.appendleft(taken.pop())
        unread = [len(w.request.prompt_ids) - w.request.prefix_len + len(w.ids) for w in taken]
        todo = [[taken[i] for i in rows] for rows in reversed(buckets(unread, self.max_rows))]
        out: list[Written[K]] = []
        while todo:
            group = todo.pop()
            try:
                self._read(group)
            except Exception as error:
                log.warning("reading %d prompts failed: %s", len(group), error, exc_info=True)
                todo += self._again(group, error)
            out += [w for w in group if w.done or w.error]
        return out

    def _fits(self, taken: Sequence[Written[K]]) -> bool:
        """True where memory holds these rows as well, at their longest, or where there is only this one row."""
        rows = [*self._active, *taken]
        longest = max(len(w.request.prompt_ids) + w.request.max_tokens for w in rows)
        return len(rows) == 1 or len(rows) * longest * self._token_bytes <= self._max_bytes

    def _read(self, group: list[Written[K]]) -> None:
        """Read the prompts (and what was written before a restart), write one token, join the running rows."""
        prompts = [w.request.prompt_ids for w in group]
        prefixes = self._prefixes.gather(prompts, [w.request.prefix_len for w in group])
        order = sorted(range(len(group)), key=prefixes.__getitem__)
        group[:] = [group[i] for i in order]
        prefixes = [prefixes[i] for i in order]
        counts = Counter(prefixes)
        past = Past.repeated([(self._prefixes.past(prefix), n) for prefix, n in counts.items()])
        unread = [[*w.request.prompt_ids[len(p) :], *w.ids] for w, p in zip(group, prefixes, strict=True)]
        logits, past = self._forward.read(unread, past)
        self._token_bytes = past.bytes / past.valid.numel()
        _write(group, logits)
        staying = [row for row, w in enumerate(group) if not w.done]
        self._slab.add(past, staying)
        self._active += [group[row] for row in staying]
        self._prefixes.trim()

    def _again(self, group: list[Written[K]], error: Exception) -> list[list[Written[K]]]:
        """After an error: the same rows in halves, so that only a request that cannot be answered fails.

        Where memory was short the batch stays smaller from now on, and the rows wait for the running ones to end.
        """
        if out_of_memory(error):
            self._prefixes.clear()
            self.max_rows = max(1, len(self._active), (len(self._active) + len(group)) // 2)
            if self._active:
                self._waiting.extendleft(w for w in reversed(group) if not w.done)
                return []
        if len(group) == 1:
            group[0].error = error
            return []
        left = [w for w in group if not w.done]
        half = (len(left) + 1) // 2
        return [part for part in (left[half:], left[:half]) if part]

    def _step(self) -> list[Written[K]]:
        try:
            logits = self._forward.step([w.ids[-1] for w in self._active], self._slab)
            _write(self._active, logits)
        except Exception as error:
            log.warning("writing %d rows failed: %s", len(self._active), error, exc_info=True)
            rows = self._restart()
            if out_of_memory(error) and rows > 1:
                self.max_rows = rows // 2
                return []
            failed = [self._waiting.popleft() for _ in range(rows)]
            for w in failed:
                w.error = error
            return failed
        out = [w for w in self._active if w.done]
        for row in range(len(self._active) - 1, -1, -1):
            if self._active[row].done:
                self._leave(row)
        return out

    def _leave(self, row: int) -> None:
        self._slab.drop(row)
        self._active[row] = self._active[-1]
        self._active.pop()
        if not self._active:  # where the next row lies in its buffers must not depend on those of before
            self._slab = Slab(self._forward.device)

    def _restart(self) -> int:
        """Send all rows back to wait with what they have written; they go on where they were. How many."""
        rows = len(self._active)
        self._waiting.extendleft(reversed(self._active))
        self._active = []
        self._slab = Slab(self._forward.device)
        return rows


def _write(rows: Sequence[Written[K]], logits: Tensor) -> None:
    """Sample the next token of every row; logits (B, V)."""
    for w in rows:
        if len(w.uniforms) == len(w.ids):
            w.uniforms.append(w.stream.random())
    sampled = sampling.sample_rows(
        logits,
        [w.request.temperature for w in rows],
        [w.request.top_p for w in rows],
        [w.uniforms[-1] for w in rows],
    )
    for w, s in zip(rows, sampled, strict=True):
        w.ids.append(s.token)
        w.logprobs.append(s.logprob)
        w.allowed.append(s.allowed)
        w.stopped = s.token in w.stops
