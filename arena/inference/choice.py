"""Decisions among a few answers: a softmax over the allowed tokens wherever the answers part.

Tokens that the tree of answers forces cost no pass of their own: they are read together with what comes next. So
most decisions need one pass over the end of the prompt, and a prompt whose distribution is already known needs none.
"""

from __future__ import annotations

import math
from collections import OrderedDict
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


@dataclass(slots=True)
class _Path:
    """One way down the tree of one job: `ids` so far, of which the last ones have not been read yet."""

    job: int
    node: trie.Branch | int
    ids: list[int]
    read: int = 0
    """tokens of prompt and ids that lie in the past row (or in the stored prefix)"""
    row: int = 0
    logp: float = 0.0
    logprobs: list[float] = field(default_factory=list)
    allowed: list[tuple[int, ...] | None] = field(default_factory=list)


_Follow: TypeAlias = Callable[[_Path, list[float]], list[_Path]]
"""which children of a path to go on with, given the log probabilities of all (n,)"""


class ChoiceRunner:
    """Samples choices, or works out the probability of each. `memo_size` bounds the distributions remembered."""

    def __init__(self, forward: Forward, prefixes: PrefixCache, max_rows: int, memo_size: int = 8192) -> None:
        self._forward, self._prefixes, self.max_rows = forward, prefixes, max_rows
        self._memo: OrderedDict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = OrderedDict()
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
        waiting: list[_Path] = []
        for job, request in enumerate(requests):
            tree = trie.build(request.choices or ())
            start = _Path(job, tree.root, [])
            _append(start, tree.run)
            waiting += self._advance(requests, [start], follow, done)
        self._forward.stats.repeated += len(requests) - len({path.job for path in waiting})
        if not waiting:
            return done
        prefixes = self._prefixes.gather(
            [requests[p.job].prompt_ids for p in waiting], [requests[p.job].prefix_len for p in waiting]
        )
        alike: dict[tuple[int, ...], list[int]] = {}  # what is read -> the paths that read it, in one row together
        for i, (path, prefix) in enumerate(zip(waiting, prefixes, strict=True)):
            path.read = len(prefix)
            alike.setdefault((*requests[path.job].prompt_ids, *path.ids), []).append(i)
        groups = list(alike.values())
        for rows in buckets([len(whole) - waiting[g[0]].read for whole, g in alike.items()], self.max_rows):
            members = sorted((i for row in rows for i in groups[row]), key=lambda i: prefixes[i])
            self._descend(requests, [waiting[i] for i in members], [prefixes[i] for i in members], follow, done)
        self._prefixes.trim()
        while len(self._memo) > self._memo_size:
            self._memo.popitem(last=False)
        return done

    def _descend(
        self,
        requests: Sequence[Request],
        paths: list[_Path],
        prefixes: list[tuple[int, ...]],
        follow: _Follow,
        done: list[_Path],
    ) -> None:
        """Read the first branch of some paths, then whatever branches follow from them, depth first."""
        unread, starts = self._merge(requests, paths, prefixes)
        counts: dict[tuple[int, ...], int] = {}
        for start in starts:
            counts[start] = counts.get(start, 0) + 1
        past = Past.repeated([(self._prefixes.past(prefix), n) for prefix, n in counts.items()])
        stack = [(paths, unread, past)]
        while stack:
            paths, unread, past = stack.pop()
            if not all(self._known(requests, path) for path in paths):  # else learned since it was put there
                self._learn(requests, paths, self._forward.read(unread, past))
                for path in paths:
                    path.read = len(requests[path.job].prompt_ids) + len(path.ids)
            paths = self._advance(requests, paths, follow, done)
            for first in range(0, len(paths), self.max_rows):
                part = paths[first : first + self.max_rows]
                rest = [p.ids[p.read - len(requests[p.job].prompt_ids) :] for p in part]
                stack.append((part, rest, past.select([p.row for p in part])))
                for row, path in enumerate(part):
                    path.row = row

    def _known(self, requests: Sequence[Request], path: _Path) -> bool:
        branch = path.node
        return isinstance(branch, trie.Branch) and (
            ((*requests[path.job].prompt_ids, *path.ids), branch.tokens) in self._memo
        )

    def _merge(
        self, requests: Sequence[Request], paths: list[_Path], prefixes: list[tuple[int, ...]]
    ) -> tuple[list[list[int]], list[tuple[int, ...]]]:
        """Give paths that read the same tokens the same row; the tokens and the prefix of every row."""
        rows: dict[tuple[int, ...], int] = {}
        unread: list[list[int]] = []
        starts: list[tuple[int, ...]] = []
        for path, prefix in zip(paths, prefixes, strict=True):
            whole = (*requests[path.job].prompt_ids, *path.ids)
            if whole not in rows:
                rows[whole] = len(unread)
                unread.append(list(whole[path.read :]))
                starts.append(prefix)
            else:
                self._forward.stats.repeated += 1
            path.row = rows[whole]
        return unread, starts

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
            key = ((*request.prompt_ids, *path.ids), path.node.tokens)
            logits = self._memo.get(key)
            if logits is None:
                waiting.append(path)
                continue
            self._memo.move_to_end(key)
            todo += follow(path, sampling.log_softmax(logits, request.temperature, request.top_p))[::-1]
        return waiting

    def _learn(self, requests: Sequence[Request], paths: list[_Path], logits: Tensor) -> None:
        """Remember the logits of the children of every path; logits (rows, V)."""
        branches = [path.node for path in paths if isinstance(path.node, trie.Branch)]
        width = max(len(b.tokens) for b in branches)
        index = torch.tensor(
            [[*b.tokens, *[b.tokens[0]] * (width - len(b.tokens))] for b in branches], device=logits.device
        )
        rows = torch.tensor([path.row for path in paths], device=logits.device)
        values = logits[rows[:, None], index].tolist()
        for path, branch, row in zip(paths, branches, values, strict=True):
            whole = (*requests[path.job].prompt_ids, *path.ids)
            self._memo[whole, branch.tokens] = row[: len(branch.tokens)]


def _child(path: _Path, index: int, logps: list[float]) -> _Path:
    """The path that takes child `index` of the branch it stands at, and the tokens forced after it."""
    branch = path.node
    assert isinstance(branch, trie.Branch)
    kept = tuple(t for t, logp in zip(branch.tokens, logps, strict=True) if logp > -math.inf)
    child = _Path(
        path.job,
        branch.nexts[index],
        [*path.ids, branch.tokens[index]],
        path.read,
        path.row,
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
