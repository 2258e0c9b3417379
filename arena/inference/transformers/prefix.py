"""A least-recently-used cache of prompt prefixes that many requests share, bounded by memory."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence

from arena.common_prefix import common_prefix
from arena.inference.transformers.forward import Forward, buckets
from arena.inference.transformers.kv import Past

MIN_SHARED = 24  # tokens; reading fewer again costs less than managing them


class PrefixCache:
    """Maps token tuples to their keys and values.

    `max_bytes` bounds the stored prefixes, `max_rows` the prefixes read in one pass. With one row, a prompt's prefix is
    exactly its hint and is read in one pass, because the split into passes changes the last bits of keys and values.
    """

    def __init__(self, forward: Forward, max_bytes: int, max_rows: int = 32) -> None:
        self._forward, self._max_bytes, self._max_rows = forward, max_bytes, max_rows
        self._alone = max_rows == 1
        self._kept: OrderedDict[tuple[int, ...], Past] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def gather(self, prompts: Sequence[tuple[int, ...]], hints: Sequence[int]) -> list[tuple[int, ...]]:
        """Returns the stored prefix of every prompt, or (); first reads and stores prefixes that prompts share.

        The last token of a prompt is never part of its prefix, so that there is always a token to read.
        """
        if self._alone:
            prefixes = [hinted(p, hint) for p, hint in zip(prompts, hints, strict=True)]
        else:
            self._ensure([h for h in dict.fromkeys(map(hinted, prompts, hints)) if h])  # longer prefixes build on them
            prefixes = [max(w, self._longest(p), key=len) for w, p in zip(plan(prompts, hints), prompts, strict=True)]
        self._ensure([prefix for prefix in dict.fromkeys(prefixes) if prefix])
        self._forward.stats.prefix_hits += sum(map(bool, prefixes))
        self._forward.stats.prefix_tokens += sum(map(len, prefixes))
        return prefixes

    def past(self, prefix: tuple[int, ...]) -> Past:
        """Returns the one-row past of a stored prefix; an empty one for ()."""
        return self._kept[prefix] if prefix else Past.empty(1, self._forward.device)

    def clear(self) -> None:
        """Drop all prefixes, after the weights changed or memory ran out."""
        self._kept.clear()
        self._bytes = 0

    def trim(self) -> None:
        """Drop the least recently used prefixes until the rest fits; call this when no pass needs them."""
        while self._bytes > self._max_bytes and self._kept:
            _, past = self._kept.popitem(last=False)
            self._bytes -= past.bytes

    def _longest(self, prompt: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the longest stored prefix of a prompt that leaves a token to read."""
        candidates = [prefix for prefix in self._kept if len(prefix) < len(prompt) and prompt[: len(prefix)] == prefix]
        return max(candidates, key=len, default=())

    def _ensure(self, prefixes: list[tuple[int, ...]]) -> None:
        """Read missing prefixes in as few passes as possible, and mark all as recently used."""
        missing = [prefix for prefix in prefixes if prefix not in self._kept]
        bases = [() if self._alone else self._longest(prefix) for prefix in missing]
        rest = [prefix[len(k) :] for prefix, k in zip(missing, bases, strict=True)]
        for rows in buckets([len(r) for r in rest], max_rows=self._max_rows):
            past = Past.repeated([(self.past(bases[i]), 1) for i in rows])
            _, past = self._forward.read([rest[i] for i in rows], past)
            for row, i in enumerate(rows):
                self._kept[missing[i]] = kept = past.compact(row)
                self._bytes += kept.bytes
                self._forward.stats.prefix_tokens -= len(rest[i])  # the first request that uses it counts it as saved
        for prefix in prefixes:
            self._kept.move_to_end(prefix)


def hinted(prompt: tuple[int, ...], hint: int) -> tuple[int, ...]:
    """Returns the prefix of length `hint`, without the prompt's last token; () if it is too short to store."""
    return prompt[: min(hint, len(prompt) - 1)] if hint >= MIN_SHARED else ()


def plan(prompts: Sequence[tuple[int, ...]], hints: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns the prefix that each prompt should share.

    This is its hint, or for equal prompts (several answers to one task) all but the last token; without a hint it is
    the common prefix of neighbours in sorted order.

    >>> long = tuple(range(40))
    >>> [len(p) for p in plan([(*long, 1), (*long, 2), (7, 8)], [0, 0, 0])]
    [40, 40, 0]
    >>> task = (*long, *long)
    >>> [len(p) for p in plan([task, task, (*long, 1)], [40, 40, 40])]
    [79, 79, 40]
    """
    out: list[tuple[int, ...]] = [()] * len(prompts)
    times = Counter(prompts)
    unhinted = []
    for i, (prompt, hint) in enumerate(zip(prompts, hints, strict=True)):
        out[i] = hinted(prompt, hint)
        if not out[i]:
            unhinted.append(i)
        elif times[prompt] > 1 and len(prompt) - 1 - len(out[i]) >= MIN_SHARED:
            out[i] = prompt[:-1]
    unhinted.sort(key=lambda i: prompts[i])
    group: list[int] = []
    shared = 0
    for i in unhinted:
        common = common_prefix(prompts[group[-1]], prompts[i]) if group else 0
        common = min(common, len(prompts[i]) - 1, len(prompts[group[-1]]) - 1 if group else 0)
        if common < MIN_SHARED:
            _share(group, shared, prompts, out)
            group, shared = [i], len(prompts[i])
        else:
            group.append(i)
            shared = min(shared, common)
    _share(group, shared, prompts, out)
    return out


def _share(group: list[int], shared: int, prompts: Sequence[tuple[int, ...]], out: list[tuple[int, ...]]) -> None:
    if len(group) > 1:
        for i in group:
            out[i] = prompts[i][:shared]
