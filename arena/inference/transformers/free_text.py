"""Free text by continuous batching: rows join the batch between two tokens and leave it when they are done."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from torch import Tensor

from arena.inference import sampling
from arena.inference.engine import Request
from arena.inference.transformers.forward import Forward, buckets, out_of_memory
from arena.inference.transformers.kv import Past, Slab
from arena.inference.transformers.prefix import PrefixCache, plan
from games.randomness import RandomStream

log = logging.getLogger(__name__)

K = TypeVar("K")


@dataclass(slots=True, eq=False)
class TextRow(Generic[K]):
    """An answer of T tokens so far. `key` identifies it for the caller."""

    key: K
    request: Request
    stops: frozenset[int]
    stream: RandomStream
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    allowed: list[tuple[int, ...] | None] = field(default_factory=list)
    uniforms: list[float] = field(default_factory=list)
    """random numbers drawn so far; one more than `ids` if a step must be repeated"""
    earlier: list[int] = field(default_factory=list)
    """the versions of the weights that sampled the first tokens, before the newest weights"""
    stopped: bool = False
    error: Exception | None = None

    @property
    def done(self) -> bool:
        """Whether the answer is complete."""
        return self.stopped or len(self.ids) >= self.request.max_tokens

    def versions(self, newest: int) -> tuple[int, ...]:
        """Returns (T,) the version of the weights that sampled each token; `newest`: that of the weights now."""
        return (*self.earlier, *[newest] * (len(self.ids) - len(self.earlier)))


class FreeTextSampler(Generic[K]):
    """Continuous batching of at most `max_rows` rows and `max_bytes` of keys and values."""

    def __init__(self, forward: Forward, prefixes: PrefixCache, max_rows: int, max_bytes: int) -> None:
        self._forward, self._prefixes = forward, prefixes
        self.max_rows, self._max_bytes = max_rows, max_bytes
        self._waiting: deque[TextRow[K]] = deque()
        self._active: list[TextRow[K]] = []  # by row of the slab
        self._slab = Slab(forward.device)
        self._token_bytes = 0.0  # of the keys and values of one token; known after the first pass

    @property
    def busy(self) -> bool:
        """Whether a request is running or waiting."""
        return bool(self._active or self._waiting)

    def submit(self, key: K, request: Request, stops: Sequence[int]) -> None:
        """Queue a request for the next turn."""
        self._waiting.append(TextRow(key, request, frozenset(stops), RandomStream(request.seed)))

    def drop(self, keys: set[K]) -> None:
        """Drop cancelled requests."""
        self._waiting = deque(w for w in self._waiting if w.key not in keys)
        for row in range(len(self._active) - 1, -1, -1):
            if self._active[row].key in keys:
                self._leave(row)

    def unanswered(self) -> list[K]:
        """Returns the keys of all unanswered requests."""
        return [w.key for w in (*self._active, *self._waiting)]

    def forget(self, version: int) -> None:
        """After the weights of `version` changed: discard keys and values, keep the tokens that they sampled."""
        for row in (*self._active, *self._waiting):
            row.earlier += [version] * (len(row.ids) - len(row.earlier))
        self._restart()

    def turn(self) -> list[TextRow[K]]:
        """Admit waiting requests and sample one token in every row; returns the rows that are done or failed."""
        out = self._admit()
        if self._active:
            out += self._step()
        return out

    def _admit(self) -> list[TextRow[K]]:
        room = min(self.max_rows - len(self._active), len(self._waiting))
        taken = [self._waiting.popleft() for _ in range(max(room, 0))]
        while taken and not self._fits(taken):
            self._waiting.appendleft(taken.pop())
        todo = [[taken[i] for i in rows] for rows in reversed(buckets(_unread(taken), self.max_rows))]
        out: list[TextRow[K]] = []
        while todo:
            group = todo.pop()
            try:
                self._read(group)
            except Exception as error:
                log.warning("reading %d prompts failed: %s", len(group), error, exc_info=True)
                todo += self._halves(group, error)
            out += [w for w in group if w.done or w.error]
        return out

    def _fits(self, taken: Sequence[TextRow[K]]) -> bool:
        """Returns whether memory suffices for these rows too at their maximum length; always true for a single row."""
        rows = [*self._active, *taken]
        longest = max(len(w.request.prompt_ids) + w.request.max_tokens for w in rows)
        return len(rows) == 1 or len(rows) * longest * self._token_bytes <= self._max_bytes

    def _read(self, group: list[TextRow[K]]) -> None:
        """Read the prompts and any tokens sampled before a restart, sample one token, join the running rows."""
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
        _sample(group, logits)
        staying = [row for row, w in enumerate(group) if not w.done]
        self._slab.add(past, staying)
        self._active += [group[row] for row in staying]
        self._prefixes.trim()

    def _halves(self, group: list[TextRow[K]], error: Exception) -> list[list[TextRow[K]]]:
        """After an error: the rows in halves to retry, so that only the request that causes it fails.

        If memory ran out, the batch stays smaller from now on, and the rows wait until running rows end.
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

    def _step(self) -> list[TextRow[K]]:
        try:
            logits = self._forward.step([w.ids[-1] for w in self._active], self._slab)
            _sample(self._active, logits)
        except Exception as error:
            log.warning("sampling %d rows failed: %s", len(self._active), error, exc_info=True)
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
        if not self._active:  # so that the buffer position of the next row does not depend on earlier rows
            self._slab = Slab(self._forward.device)

    def _restart(self) -> int:
        """Move all rows back to the waiting queue with their tokens; returns their number."""
        rows = len(self._active)
        self._waiting.extendleft(reversed(self._active))
        self._active = []
        self._slab = Slab(self._forward.device)
        return rows


def _unread(rows: Sequence[TextRow[K]]) -> list[int]:
    """Returns about how many tokens of each row are read in its own pass: those after the prefix that it shares."""
    shared = plan([w.request.prompt_ids for w in rows], [w.request.prefix_len for w in rows])
    return [len(w.request.prompt_ids) - len(prefix) + len(w.ids) for w, prefix in zip(rows, shared, strict=True)]


def _sample(rows: Sequence[TextRow[K]], logits: Tensor) -> None:
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
