"""Packs the samples of a micro-batch into one tree of tokens, so that shared prefixes are computed once.

With causal attention a model's output at a token depends only on the tokens before it. Sequences with a common prefix
therefore share all computation up to where they differ: the rules that every prompt begins with, a prompt with several
completions, a prompt that continues an earlier one. All sequences of a micro-batch are merged into one tree in
depth-first order (Prefix Grouper and tree packing do this for one prompt and its completions). Tokens
after the last decision are not read.

Shapes: N tokens of the tree, M tokens whose logits are needed, R rows (distributions), K decision tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from torch import Tensor

from arena.common_prefix import common_prefix
from arena.learner.samples import TurnSample
from games import InputError

Support = tuple[int, ...] | None
Group = tuple[tuple[int, ...], list[int]]
"""the tokens to read, and the indices of the samples that need exactly these"""


@dataclass(slots=True)
class Rows:
    """The distinct distributions of a micro-batch, and the decision tokens sampled from them."""

    at: Tensor | None
    """(R,) index among the M kept tokens; None: R = M, in order"""
    temperature: Tensor | None
    """(R,) float32; None: all 1"""
    support: Tensor | None
    """(R, A) token ids that sampling was restricted to, padded; None: the whole vocabulary"""
    real: Tensor | None
    """(R, A) bool, False at padding; None: no padding"""
    row: Tensor
    """(K,) the row of each decision token, ascending"""
    column: Tensor
    """(K,) index of the sampled alternative in the row"""
    flat: Tensor
    """(K,) index among all decision tokens of the step"""
    first: list[int]
    """the index of the first token of each row, then K; on the host, so that nothing waits for a GPU to know it"""


@dataclass(slots=True)
class Batch:
    """One micro-batch: a tree of tokens in depth-first order."""

    ids: Tensor
    """(N,)"""
    positions: Tensor
    """(N,) depth in the tree, which is the position in every sequence that contains the token"""
    ends: Tensor
    """(N,) one past the last descendant: token i sees token j if j <= i < ends[j]"""
    keep: Tensor
    """(M,) tokens whose logits are needed"""
    rows: list[Rows]

    def to(self, device: torch.device) -> Batch:
        """Returns a copy on another device, without waiting for the transfer."""

        def move(t: Any) -> Any:
            return t.to(device, non_blocking=True) if isinstance(t, Tensor) else t

        rows = [Rows(*(move(getattr(r, f.name)) for f in fields(Rows))) for r in self.rows]
        return Batch(move(self.ids), move(self.positions), move(self.ends), move(self.keep), rows)


def offsets(samples: Sequence[TurnSample]) -> list[int]:
    """Returns the index of each sample's first decision token among the decision tokens of all samples."""
    return [0, *accumulate([len(s.decided()) for s in samples])][:-1]


def split(samples: Sequence[TurnSample], indices: Sequence[int], budget: int) -> list[list[Group]]:
    """Cut samples into micro-batches whose trees have at most `budget` tokens; a longer sample gets its own.

    Samples are sorted so that shared prefixes are adjacent. Samples that read the same tokens stay together.
    """
    return split_groups(grouped(samples, indices), budget)


def split_groups(groups: Sequence[Group], budget: int) -> list[list[Group]]:
    """`split` for samples that `grouped` has sorted."""
    out: list[list[Group]] = []
    size = 0
    before: tuple[int, ...] = ()
    for group in groups:
        tokens = group[0]
        new = len(tokens) - (common_prefix(before, tokens) if out else 0)
        if not out or size + new > budget:
            out.append([])
            size, new = 0, len(tokens)
        out[-1].append(group)
        size, before = size + new, tokens
    return out


def pack(samples: Sequence[TurnSample], groups: Sequence[Group], starts: Sequence[int], multiple: int = 1) -> Batch:
    """Merge a micro-batch from `split` into a tree. `starts` is `offsets` of all samples of the step.

    Tokens that see only themselves are added until their number is a multiple of `multiple`.
    """
    tree, free, restricted = _Tree(), _RowBuilder(), _RowBuilder()
    for tokens, same in groups:
        path = tree.add(tokens)
        for i in same:
            sample, flat, allowed = samples[i], starts[i], samples[i].allowed
            first = len(sample.prompt_ids) - 1  # the completion's first token was sampled after this one
            for t in sample.decided():
                support = None if allowed is None else allowed[t]
                builder = free if support is None else restricted
                builder.add(path[first + t], sample.temperature, support, sample.completion_ids[t], flat)
                flat += 1
    tree.close(multiple)
    used = [builder for builder in (restricted, free) if builder.row]
    keep = np.unique([node for builder in used for node, _, _ in builder.index])
    return Batch(
        _ints(tree.ids),
        _ints(tree.positions),
        _ints(tree.ends),
        torch.from_numpy(keep),
        [builder.rows(keep) for builder in used],
    )


def merged(
    sequences: Sequence[tuple[int, ...]], multiple: int = 1
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Returns B sorted sequences as a tree: ids, positions, ends (N,) and the index of each last token (B,).

    N is a multiple of `multiple`, as in `pack`.
    """
    tree = _Tree()
    last = [tree.add(tokens)[-1] for tokens in sequences]
    tree.close(multiple)
    return tree.ids, tree.positions, tree.ends, last


def grouped(samples: Sequence[TurnSample], indices: Sequence[int]) -> list[Group]:
    """Returns samples grouped and sorted by the tokens they read."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i in indices:
        groups.setdefault(_tokens(samples[i]), []).append(i)
    return sorted(groups.items())


def _tokens(sample: TurnSample) -> tuple[int, ...]:
    """Returns the tokens to read for a sample: up to the one before its last decision."""
    decided = sample.decided()
    return sample.prompt_ids + sample.completion_ids[: decided[-1]] if decided else ()


class _Tree:
    """A tree built from sequences in sorted order, so that only the newest path is open."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.positions: list[int] = []
        self.ends: list[int] = []
        self._open: tuple[int, ...] = ()
        self._path: list[int] = []

    def add(self, tokens: tuple[int, ...]) -> list[int]:
        """Add a sequence; returns the index of each of its tokens in the tree."""
        shared = common_prefix(self._open, tokens)
        self._close_from(shared)
        start, new = len(self.ids), len(tokens) - shared
        self.ids += tokens[shared:]
        self.positions += range(shared, len(tokens))
        self.ends += [0] * new
        self._path += range(start, start + new)
        self._open = tokens
        return self._path

    def close(self, multiple: int) -> None:
        """Finish the tree, with padding."""
        self._close_from(0)
        first, more = len(self.ids), -len(self.ids) % multiple
        self.ids += [0] * more
        self.positions += [0] * more
        self.ends += range(first + 1, first + more + 1)

    def _close_from(self, depth: int) -> None:
        for node in self._path[depth:]:
            self.ends[node] = len(self.ids)
        del self._path[depth:]


@dataclass(slots=True)
class _RowBuilder:
    index: dict[tuple[int, float, Support], int] = field(default_factory=dict)
    """(index in the tree, temperature, support) -> row"""
    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)

    def add(self, node: int, temperature: float, support: Support, token: int, flat: int) -> None:
        """Add one decision token."""
        self.row.append(self.index.setdefault((node, temperature, support), len(self.index)))
        try:
            self.column.append(token if support is None else support.index(token))
        except ValueError:
            raise InputError(
                f"a sample holds token {token}, which is not among the {len(support or ())} allowed tokens"
            ) from None
        self.flat.append(flat)

    def rows(self, keep: np.ndarray[Any, np.dtype[np.int64]]) -> Rows:
        """Returns the rows as tensors; `keep` (M,) are the indices in the tree of the tokens whose logits are kept."""
        at = np.searchsorted(keep, [node for node, _, _ in self.index])
        ordered = len(at) == len(keep) and bool((at[1:] > at[:-1]).all())
        temperatures = [temperature for _, temperature, _ in self.index]
        supports = [support for _, _, support in self.index if support is not None]
        lengths = {len(support) for support in supports}
        width = max(lengths, default=0)
        table = np.array([self.row, self.column, self.flat], dtype=np.int64)
        table = table[:, np.argsort(table[0], kind="stable")]
        return Rows(
            None if ordered else torch.from_numpy(at),
            None if set(temperatures) == {1.0} else torch.tensor(temperatures, dtype=torch.float32),
            torch.tensor([[*s, *[s[0]] * (width - len(s))] for s in supports]) if supports else None,
            torch.tensor([[n < len(s) for n in range(width)] for s in supports]) if len(lengths) > 1 else None,
            torch.from_numpy(table[0]),
            torch.from_numpy(table[1]),
            torch.from_numpy(table[2]),
            np.searchsorted(table[0], np.arange(len(at) + 1)).tolist(),
        )


def _ints(values: list[int]) -> Tensor:
    """Returns a tensor of a list; numpy converts lists several times as fast as torch."""
    return torch.from_numpy(np.array(values, dtype=np.int64))
