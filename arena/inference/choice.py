"""Decisions among a few answers: a softmax over the allowed tokens wherever the answers part.

Tokens that the tree of answers forces cost no pass of their own: they are read together with what comes next. So
most decisions need one pass over the end of the prompt, and a prompt whose distribution is already known needs none.

What is read in which pass depends on the request alone: its shared prefix, then its stem (the rest of the prompt and
the tokens that all choices begin with), then all tokens from there to a branch at once. With one row in a pass the
distribution at a branch is therefore the same to the last bit, whatever was asked before and is still remembered.
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
from arena.inference.forward import Forward, buckets
from arena.inference.kv import Past
from arena.inference.prefix import PrefixCache
from games.randomness import Stream


@dataclass(slots=True)
class Picked:
    """A sampled choice, token by token (T,)."""

    choice: int
    ids: list[int]
    logprobs: list[float]
    allowed: list[tuple[int, ...] | None]


@dataclass(frozen=True, slots=True)
class _Stem:
    """What all choices of a request begin with, prompt included."""

    tokens: tuple[int, ...]
    prompt: int
    """how many of the tokens are the prompt's"""
    hint: int
    """the request's `prefix_len`"""


_Known: TypeAlias = tuple[_Stem, tuple[int, ...], tuple[int, ...]]
"""a stem, the tokens after it, the tokens allowed next"""


@dataclass(slots=True)
class _Path:
    """One way down the tree of one job: `ids` so far."""

    job: int
    stem: _Stem
    node: trie.Branch | int
    ids: list[int]
    logp: float = 0.0
    logprobs: list[float] = field(default_factory=list)
    allowed: list[tuple[int, ...] | None] = field(default_factory=list)

    @property
    def own(self) -> tuple[int, ...]:
        """The tokens after the stem."""
        return tuple(self.ids[len(self.stem.tokens) - self.stem.prompt :])


_Follow: TypeAlias = Callable[[_Path, list[float]], list[_Path]]
"""which children of a path to go on with, given the log probabilities of all (n,)"""


class ChoiceRunner:
    """Samples choices, or works out the probability of each. `memo_size` bounds the distributions remembered."""

    def __init__(self, forward: Forward, prefixes: PrefixCache, max_rows: int, memo_size: int = 8192) -> None:
        self._forward, self._prefixes, self.max_rows = forward, prefixes, max_rows
        self._memo: OrderedDict[_Known, list[float]] = OrderedDict()
        self._memo_size = memo_size

    def sample(self, requests: Sequence[Request]) -> list[Picked]:
        """One choice for each request."""
        streams = [Stream(r.seed) for r in requests]

        def follow(path: _Path, logps: list[float]) -> list[_Path]:
            return [_child(path, sampling.draw(logps, streams[path.job].random()), logps)]

        done = self._walk(requests, follow)
        out: list[Picked | None] = [None] * len(requests)
        for path in done:
            assert isinstance(path.node, int)
            out[path.job] = Picked(path.node, path.ids, path.logprobs, path.allowed)
        return [picked for picked in out if picked is not None]

    def policy(self, requests: Sequence[Request]) -> list[list[float]]:
        """The probability of each choice of each request."""

        def follow(path: _Path, logps: list[float]) -> list[_Path]:
            return [_child(path, i, logps) for i, logp in enumerate(logps) if logp > -math.inf]

        out = [[0.0] * len(r.choices or ()) for r in requests]
        for path in self._walk(requests, follow):
            assert isinstance(path.node, int)
            out[path.job][path.node] = math.exp(path.logp)
        return out

    def clear(self) -> None:
        """Forget the distributions: the weights have changed."""
        self._memo.clear()

    def _walk(self, requests: Sequence[Request], follow: _Follow) -> list[_Path]:
        """Go down all trees, as wide as the batch allows, and give the paths that reached a choice."""
        done: list[_Path] = []
        waiting: dict[_Stem, list[_Path]] = {}  # the paths that need a pass, by what they all begin with
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
        """Read stems, one in each row; equal prefixes lie together. The past and (B, V) logits."""
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
        """Go down to the choices from stems, read into the rows of `past`, each with the paths that begin with it."""
        row_of = {group[0].stem: row for row, group in enumerate(paths)}
        everything = [path for group in paths for path in group]
        self._learn([(path, row_of[path.stem]) for path in everything if not path.own], logits)
        stack = [everything]
        while stack:
            alike: dict[tuple[_Stem, tuple[int, ...]], list[_Path]] = {}  # what is read -> the paths that wait for it
            waiting = self._advance(requests, stack.pop(), follow, done)
            for path in waiting:
                alike.setdefault((path.stem, path.own), []).append(path)
            reads = list(alike.items())
            for first in reversed(range(self.max_rows, len(reads), self.max_rows)):
                stack.append([path for _, same in reads[first : first + self.max_rows] for path in same])
            if reads := reads[: self.max_rows]:
                self._forward.stats.repeated += sum(len(same) - 1 for _, same in reads)
                rows = past.select([row_of[stem] for (stem, _), _ in reads])
                logits, _ = self._forward.read([own for (_, own), _ in reads], rows)
                paired = [(path, row) for row, (_, same) in enumerate(reads) for path in same]
                self._learn(paired, logits)
                stack.append([path for path, _ in paired])

    def _advance(
        self, requests: Sequence[Request], paths: list[_Path], follow: _Follow, done: list[_Path]
    ) -> list[_Path]:
        """Follow every path through branches whose logits are known; those that need a pass are returned."""
        waiting: list[_Path] = []
        todo = paths[::-1]
        while todo:
            path = todo.pop()
            if isinstance(path.node, int):
                done.append(path)
                continue
            request = requests[path.job]
            key = (path.stem, path.own, path.node.tokens)
            logits = self._memo.get(key)
            if logits is None:
                waiting.append(path)
                continue
            self._memo.move_to_end(key)
            todo += follow(path, sampling.log_softmax(logits, request.temperature, request.top_p))[::-1]
        return waiting

    def _learn(self, paths: Sequence[tuple[_Path, int]], logits: Tensor) -> None:
        """Remember the logits of the children of some paths, each from its row of (rows, V)."""
        if not paths:
            return
        branches = [path.node for path, _ in paths if isinstance(path.node, trie.Branch)]
        width = max(len(b.tokens) for b in branches)
        index = torch.tensor(
            [[*b.tokens, *[b.tokens[0]] * (width - len(b.tokens))] for b in branches], device=logits.device
        )
        rows = torch.tensor([row for _, row in paths], device=logits.device)
        values = logits[rows[:, None], index].tolist()
        for (path, _), branch, found in zip(paths, branches, values, strict=True):
            self._memo[path.stem, path.own, branch.tokens] = found[: len(branch.tokens)]


def _child(path: _Path, index: int, logps: list[float]) -> _Path:
    """The path that takes child `index` of the branch it stands at, and the tokens forced after it."""
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
    """Add tokens that nothing was decided about."""
    path.ids += run
    path.logprobs += [0.0] * len(run)
    path.allowed += [(token,) for token in run]
