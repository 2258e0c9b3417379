"""Packing without waste: the samples of a micro-batch as one tree of tokens, each read once.

With causal attention what a model computes at a token depends on the tokens before it and on nothing else. So
sequences that begin alike share everything up to where they part: the rules that all prompts begin with, a prompt
that many completions answer, a prompt that continues the one before. All sequences of a micro-batch are merged into
one tree, laid out depth first (Prefix Grouper and tree packing do this for one prompt and its completions; here it
is any common beginning). No token is padding, and tokens after the last decision are not read at all.

Shapes: N tokens of the tree, M tokens whose logits are needed, R rows (distributions), K decision tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from arena.inference.chat import common_prefix
from arena.learner.samples import TurnSample
from games import InputError

Support = tuple[int, ...] | None
Group = tuple[tuple[int, ...], list[int]]
"""what is read, and the places of the samples for which it is"""


@dataclass(slots=True)
class Rows:
    """Distinct distributions that tokens were sampled from, and which token of the step was sampled from which."""

    at: Tensor | None
    """(R,) place among the M tokens whose logits are kept; None: R = M, in order"""
    temperature: Tensor | None
    """(R,) float32; None: all 1"""
    support: Tensor | None
    """(R, A) token ids sampling was restricted to, padded; None: the whole vocabulary"""
    real: Tensor | None
    """(R, A) bool, False for padding; None: there is none"""
    row: Tensor
    """(K,) the row of each decision token"""
    column: Tensor
    """(K,) which of the row's alternatives was sampled"""
    flat: Tensor
    """(K,) its place among all decision tokens of the step"""


@dataclass(slots=True)
class Batch:
    """One micro-batch: a tree of tokens in depth-first order."""

    ids: Tensor
    """(N,)"""
    positions: Tensor
    """(N,) depth in the tree: the position in every sequence that goes through the token"""
    ends: Tensor
    """(N,) one past the last descendant: token i sees token j where j <= i < ends[j]"""
    keep: Tensor
    """(M,) tokens whose logits are needed"""
    rows: list[Rows]

    def to(self, device: torch.device) -> Batch:
        """The same on another device, without waiting for the copy."""

        def move(t: Tensor) -> Tensor:
            return t.to(device, non_blocking=True)

        def maybe(t: Tensor | None) -> Tensor | None:
            return None if t is None else move(t)

        rows = [
            Rows(
                maybe(r.at),
                maybe(r.temperature),
                maybe(r.support),
                maybe(r.real),
                move(r.row),
                move(r.column),
                move(r.flat),
            )
            for r in self.rows
        ]
        return Batch(move(self.ids), move(self.positions), move(self.ends), move(self.keep), rows)


def offsets(samples: Sequence[TurnSample]) -> list[int]:
    """Where each sample's decision tokens begin when those of all samples lie one after another."""
    out, total = [], 0
    for sample in samples:
        out.append(total)
        total += len(sample.decided())
    return out


def split(samples: Sequence[TurnSample], indices: Sequence[int], budget: int) -> list[list[Group]]:
    """Cut samples into micro-batches of at most `budget` tokens of the tree each; a longer sample stands alone.

    They are sorted, so that what can be shared lies together; samples for which the same is read stay together.
    """
    out: list[list[Group]] = []
    size = 0
    before: tuple[int, ...] = ()
    for group in _grouped(samples, indices):
        tokens = group[0]
        new = len(tokens) - (common_prefix(before, tokens) if out else 0)
        if not out or size + new > budget:
            out.append([])
            size, new = 0, len(tokens)
        out[-1].append(group)
        size, before = size + new, tokens
    return out


def pack(samples: Sequence[TurnSample], groups: Sequence[Group], starts: Sequence[int]) -> Batch:
    """Merge one of `split`'s micro-batches into a tree. `starts` comes from `offsets` over all samples of the step."""
    tree, free, restricted = _Tree(), _RowBuilder(), _RowBuilder()
    for tokens, same in groups:
        path = tree.add(tokens)
        for i in same:
            sample, flat, allowed = samples[i], starts[i], samples[i].allowed
            first = len(sample.prompt_ids) - 1  # the token after which the completion's first token was sampled
            for t in sample.decided():
                support = None if allowed is None else allowed[t]
                builder = free if support is None else restricted
                builder.add(path[first + t], sample.temperature, support, sample.completion_ids[t], flat)
                flat += 1
    tree.close()
    used = [builder for builder in (restricted, free) if builder.row]
    keep = np.unique([node for builder in used for node, _, _ in builder.index])
    return Batch(
        _ints(tree.ids),
        _ints(tree.positions),
        _ints(tree.ends),
        torch.from_numpy(keep),
        [builder.rows(keep) for builder in used],
    )


def merged(sequences: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Sequences in sorted order as a tree: ids, positions, ends (N,), and the place of the last token of each (B,)."""
    tree = _Tree()
    places = [tree.add(tokens)[-1] for tokens in sequences]
    tree.close()
    return tree.ids, tree.positions, tree.ends, places


def _grouped(samples: Sequence[TurnSample], indices: Sequence[int]) -> list[Group]:
    """Samples for which the same is read, in the order of what is read."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i in indices:
        groups.setdefault(_tokens(samples[i]), []).append(i)
    return sorted(groups.items())


def _tokens(sample: TurnSample) -> tuple[int, ...]:
    """What has to be read for a sample: up to the token before its last decision."""
    decided = sample.decided()
    return sample.prompt_ids + sample.completion_ids[: decided[-1]] if decided else ()


class _Tree:
    """Sequences added in sorted order, so that the newest path is the only open one."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.positions: list[int] = []
        self.ends: list[int] = []
        self._open: tuple[int, ...] = ()
        self._path: list[int] = []

    def add(self, tokens: tuple[int, ...]) -> list[int]:
        """The place of each token of a sequence in the tree."""
        shared = common_prefix(self._open, tokens)
        self._close_from(shared)
        start, new = len(self.ids), len(tokens) - shared
        self.ids += tokens[shared:]
        self.positions += range(shared, len(tokens))
        self.ends += [0] * new
        self._path += range(start, start + new)
        self._open = tokens
        return self._path

    def close(self) -> None:
        """No more sequences come."""
        self._close_from(0)

    def _close_from(self, depth: int) -> None:
        for node in self._path[depth:]:
            self.ends[node] = len(self.ids)
        del self._path[depth:]


@dataclass(slots=True)
class _RowBuilder:
    index: dict[tuple[int, float, Support], int] = field(default_factory=dict)
    """(place in the tree, temperature, support) -> its row"""
    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)

    def add(self, node: int, temperature: float, support: Support, token: int, flat: int) -> None:
        """One decision token."""
        self.row.append(self.index.setdefault((node, temperature, support), len(self.index)))
        try:
            self.column.append(token if support is None else support.index(token))
        except ValueError:
            raise InputError(
                f"a sample holds token {token} where only {len(support or ())} others were allowed"
            ) from None
        self.flat.append(flat)

    def rows(self, keep: np.ndarray[Any, np.dtype[np.int64]]) -> Rows:
        """Everything as tensors; `keep` (M,) are the places in the tree whose logits there will be."""
        at = np.searchsorted(keep, [node for node, _, _ in self.index])
        ordered = len(at) == len(keep) and bool((at[1:] > at[:-1]).all())
        temperatures = [temperature for _, temperature, _ in self.index]
        supports = [support for _, _, support in self.index if support is not None]
        lengths = {len(support) for support in supports}
        width = max(lengths, default=0)
        return Rows(
            None if ordered else torch.from_numpy(at),
            None if set(temperatures) == {1.0} else torch.tensor(temperatures, dtype=torch.float32),
            torch.tensor([[*s, *[s[0]] * (width - len(s))] for s in supports]) if supports else None,
            torch.tensor([[n < len(s) for n in range(width)] for s in supports]) if len(lengths) > 1 else None,
            _ints(self.row),
            _ints(self.column),
            _ints(self.flat),
        )


def _ints(values: list[int]) -> Tensor:
    """The same as a tensor; numpy reads a list several times as fast as torch does."""
    return torch.from_numpy(np.array(values, dtype=np.int64))
