"""Decisions among a few answers: a softmax over the allowed tokens at each branch of the tree of answers.

Forced tokens need no forward pass of their own; they are read together with the tokens after them. Most decisions need
one pass over the end of the prompt, and a prompt whose distribution is in memory needs none.

The split into passes depends on the request alone: its shared prefix, then its stem (the rest of the prompt and the
common first tokens of all choices), then all tokens from there to a branch. With one row per pass, the distribution at
a branch is therefore bit-identical whatever was requested before.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import torch
from torch import Tensor

from arena.inference import sampling, trie
from arena.inference.engine import Request
from arena.inference.sampling import SampledChoice
from arena.inference.transformers.forward import Forward, buckets
from arena.inference.transformers.kv import Past
from arena.inference.transformers.prefix import PrefixCache
from games.randomness import RandomStream


@dataclass(frozen=True, slots=True)
class _Stem:
    """The common first tokens of a request's choices, including the prompt."""

    tokens: tuple[int, ...]
    prompt: int
    """length of the prompt"""
    hint: int
    """the request's `prefix_len`"""


_BranchKey: TypeAlias = tuple[_Stem, tuple[int, ...], tuple[int, ...]]
"""a stem, the tokens after it, the allowed next tokens"""


@dataclass(slots=True)
class _Path:
    """A path of one job down its tree; `ids` are its tokens after the prompt."""

    job: int
    stem: _Stem
    node: trie.Branch | int
    ids: list[int]
    logp: float = 0.0
    logprobs: list[float] = field(default_factory=list)
    allowed: list[tuple[int, ...] | None] = field(default_factory=list)

    @property
    def suffix(self) -> tuple[int, ...]:
        """The tokens after the stem."""
        return tuple(self.ids[len(self.stem.tokens) - self.stem.prompt :])


_Follow: TypeAlias = Callable[[_Path, list[float]], list[_Path]]
"""selects the children of a path to continue with, given the log probabilities (n,) of all"""


class ChoiceSampler:
    """Samples choices, or computes the probability of each. `memo_size` is the maximum of distributions in memory."""

    def __init__(self, forward: Forward, prefixes: PrefixCache, max_rows: int, memo_size: int = 8192) -> None:
        self._forward, self._prefixes, self.max_rows = forward, prefixes, max_rows
        self._memo: OrderedDict[_BranchKey, list[float]] = OrderedDict()
        self._memo_size = memo_size

    def sample(self, requests: Sequence[Request]) -> list[SampledChoice]:
        """Returns one choice for each request."""
        streams = [RandomStream(r.seed) for r in requests]

        def follow(path: _Path, logps: list[float]) -> list[_Path]:
            return [_child(path, sampling.draw(logps, streams[path.job].random()), logps)]

        done = self._walk(requests, follow)
        out: list[SampledChoice | None] = [None] * len(requests)
        for path in done:
            assert isinstance(path.node, int)
            out[path.job] = SampledChoice(path.node, tuple(path.ids), tuple(path.logprobs), tuple(path.allowed))
        return [choice for choice in out if choice is not None]

    def policy(self, requests: Sequence[Request]) -> list[list[float]]:
        """Returns the probability of each choice of each request."""

        def follow(path: _Path, logps: list[float]) -> list[_Path]:
            return [_child(path, i, logps) for i, logp in enumerate(logps) if logp > -math.inf]

        out = [[0.0] * len(r.choices or ()) for r in requests]
        for path in self._walk(requests, follow):
            assert isinstance(path.node, int)
            out[path.job][path.node] = math.exp(path.logp)
        return out

    def clear(self) -> None:
        """Forget all distributions, after the weights changed."""
        self._memo.clear()

    def _walk(self, requests: Sequence[Request], follow: _Follow) -> list[_Path]:
        """Descend all trees in batches; returns the paths that reached a choice."""
        done: list[_Path] = []
        waiting: dict[_Stem, list[_Path]] = {}  # the paths that need a pass, by stem
        for job, request in enumerate(requests):
            tree = trie.build(request.choices or ())
            stem = _Stem((*request.prompt_ids, *tree.run), len(request.prompt_ids), request.prefix_len)
            start = _Path(job, stem, tree.root, [])
            _append(start, tree.run)
            if left := self._advance(requests, [start], follow, done):
                waiting.setdefault(stem, []).extend(left)
        self._forward.stats.repeated += len(requests) - len(waiting)
        if not waiting:
            return done
        stems = list(waiting)
        prefixes = self._prefixes.gather([s.tokens[: s.prompt] for s in stems], [s.hint for s in stems])
        for rows in buckets([len(s.tokens) - len(p) for s, p in zip(stems, prefixes, strict=True)], self.max_rows):
            rows.sort(key=prefixes.__getitem__)
            past, logits = self._read_stems([stems[i] for i in rows], [prefixes[i] for i in rows])
            self._descend(requests, [waiting[stems[i]] for i in rows], past, logits, follow, done)
        self._prefixes.trim()
        while len(self._memo) > self._memo_size:
            self._memo.popitem(last=False)
        return done

    def _read_stems(self, stems: Sequence[_Stem], prefixes: Sequence[tuple[int, ...]]) -> tuple[Past, Tensor]:
        """Read stems, one per row, with equal prefixes adjacent. Returns the past and (B, V) logits."""
        past = Past.repeated([(self._prefixes.past(prefix), n) for prefix, n in Counter(prefixes).items()])
        logits, past = self._forward.read([s.tokens[len(p) :] for s, p in zip(stems, prefixes, strict=True)], past)
        return past, logits

    def _descend(
        self,
        requests: Sequence[Request],
        paths: Sequence[list[_Path]],
        past: Past,
        logits: Tensor,
        follow: _Follow,
        done: list[_Path],
    ) -> None:
        """Descend to the choices from stems in the rows of `past`; `paths` are the paths of each stem."""
        row_of = {group[0].stem: row for row, group in enumerate(paths)}
        all_paths = [path for group in paths for path in group]
        self._store([(path, row_of[path.stem]) for path in all_paths if not path.suffix], logits)
        stack = [all_paths]
        while stack:
            by_tokens: dict[tuple[_Stem, tuple[int, ...]], list[_Path]] = {}  # tokens to read -> paths that need them
            waiting = self._advance(requests, stack.pop(), follow, done)
            for path in waiting:
                by_tokens.setdefault((path.stem, path.suffix), []).append(path)
            reads = list(by_tokens.items())
            for first in reversed(range(self.max_rows, len(reads), self.max_rows)):
                stack.append([path for _, same in reads[first : first + self.max_rows] for path in same])
            if reads := reads[: self.max_rows]:
                self._forward.stats.repeated += sum(len(same) - 1 for _, same in reads)
                rows = past.select([row_of[stem] for (stem, _), _ in reads])
                logits, _ = self._forward.read([suffix for (_, suffix), _ in reads], rows)
                paired = [(path, row) for row, (_, same) in enumerate(reads) for path in same]
                self._store(paired, logits)
                stack.append([path for path, _ in paired])

    def _advance(
        self, requests: Sequence[Request], paths: list[_Path], follow: _Follow, done: list[_Path]
    ) -> list[_Path]:
        """Follow every path through branches whose logits are in memory; returns the paths that need a pass."""
        waiting: list[_Path] = []
        todo = paths[::-1]
        while todo:
            path = todo.pop()
            if isinstance(path.node, int):
                done.append(path)
                continue
            request = requests[path.job]
            key = (path.stem, path.suffix, path.node.tokens)
            logits = self._memo.get(key)
            if logits is None:
                waiting.append(path)
                continue
            self._memo.move_to_end(key)
            todo += follow(path, sampling.log_softmax(logits, request.temperature, request.top_p))[::-1]
        return waiting

    def _store(self, paths: Sequence[tuple[_Path, int]], logits: Tensor) -> None:
        """Store the logits of the children of each path from its row of `logits` (rows, V)."""
        if not paths:
            return
        branches = [path.node for path, _ in paths if isinstance(path.node, trie.Branch)]
        width = max(len(b.tokens) for b in branches)
        index = torch.tensor(
            [[*b.tokens, *[b.tokens[0]] * (width - len(b.tokens))] for b in branches], device=logits.device
        )
        rows = torch.tensor([row for _, row in paths], device=logits.device)
        values = logits[rows[:, None], index].tolist()
        for (path, _), branch, logit_row in zip(paths, branches, values, strict=True):
            self._memo[path.stem, path.suffix, branch.tokens] = logit_row[: len(branch.tokens)]


def _child(path: _Path, index: int, logps: list[float]) -> _Path:
    """Returns `path` extended by child `index` of its branch and the forced tokens after it."""
    branch = path.node
    assert isinstance(branch, trie.Branch)
    kept = tuple(t for t, logp in zip(branch.tokens, logps, strict=True) if logp > -math.inf)
    child = _Path(
        path.job,
        path.stem,
        branch.nexts[index],
        [*path.ids, branch.tokens[index]],
        path.logp + logps[index],
        [*path.logprobs, logps[index]],
        [*path.allowed, kept],
    )
    _append(child, branch.runs[index])
    return child


def _append(path: _Path, run: tuple[int, ...]) -> None:
    """Add forced tokens."""
    path.ids += run
    path.logprobs += [0.0] * len(run)
    path.allowed += [(token,) for token in run]
