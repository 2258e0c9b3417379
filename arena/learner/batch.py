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

import torch
from torch import Tensor

from arena.inference.chat import common_prefix
from arena.learner.samples import TurnSample
from games import InputError

Support = tuple[int, ...] | None


@dataclass(slots=True)
class Rows:
    """Distinct distributions that tokens were sampled from, and which token of the step was sampled from which."""

    at: Tensor
    """(R,) place among the M tokens whose logits are kept"""
    temperature: Tensor
    """(R,) float32"""
    support: Tensor | None
    """(R, A) token ids sampling was restricted to, padded; None: the whole vocabulary"""
    real: Tensor | None
    """(R, A) bool, False for padding"""
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

        rows = [
            Rows(
                move(r.at),
                move(r.temperature),
                None if r.support is None else move(r.support),
                None if r.real is None else move(r.real),
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


def split(samples: Sequence[TurnSample], indices: Sequence[int], budget: int) -> list[list[int]]:
    """Cut samples into micro-batches of at most `budget` tokens of the tree each; a longer sample stands alone.

    They are sorted, so that what can be shared lies together; samples for which the same is read stay together.
    """
    out: list[list[int]] = []
    size = 0
    before: tuple[int, ...] = ()
    for tokens, same in _grouped(samples, indices):
        new = len(tokens) - (common_prefix(before, tokens) if out else 0)
        if not out or size + new > budget:
            out.append([])
            size, new = 0, len(tokens)
        out[-1] += same
        size, before = size + new, tokens
    return out


def pack(samples: Sequence[TurnSample], indices: Sequence[int], starts: Sequence[int]) -> Batch:
    """Merge samples into a tree. `starts` comes from `offsets` over all samples of the step."""
    tree, rows = _Tree(), {True: _RowBuilder(), False: _RowBuilder()}
    for tokens, same in _grouped(samples, indices):
        path = tree.add(tokens)
        for i in same:
            sample = samples[i]
            first = len(sample.prompt_ids) - 1  # the token after which the completion's first token was sampled
            for n, t in enumerate(sample.decided()):
                support = None if sample.allowed is None else sample.allowed[t]
                rows[support is not None].add(
                    tree.keep(path[first + t]), sample.temperature, support, sample.completion_ids[t], starts[i] + n
                )
    tree.close()
    return Batch(
        torch.tensor(tree.ids),
        torch.tensor(tree.positions),
        torch.tensor(tree.ends),
        torch.tensor(list(tree.kept)),
        [builder.rows() for builder in rows.values() if builder.row],
    )


def _grouped(samples: Sequence[TurnSample], indices: Sequence[int]) -> list[tuple[tuple[int, ...], list[int]]]:
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
        self.kept: dict[int, int] = {}
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

    def keep(self, node: int) -> int:
        """The place of a token among those whose logits are kept."""
        return self.kept.setdefault(node, len(self.kept))

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
    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)

    def add(self, at: int, temperature: float, support: Support, token: int, flat: int) -> None:
        """One decision token."""
        self.row.append(self.index.setdefault((at, temperature, support), len(self.index)))
        if support is not None and token not in support:
            raise InputError(f"a sample holds token {token} where only {len(support)} others were allowed")
        self.column.append(token if support is None else support.index(token))
        self.flat.append(flat)

    def rows(self) -> Rows:
        """Everything as tensors."""
        supports = [support for _, _, support in self.index if support is not None]
        width = max(map(len, supports), default=0)
        table = torch.tensor([[*s, *[s[0]] * (width - len(s))] for s in supports]) if supports else None
        lengths = torch.tensor([len(s) for s in supports])
        return Rows(
            torch.tensor([at for at, _, _ in self.index]),
            torch.tensor([temperature for _, temperature, _ in self.index], dtype=torch.float32),
            table,
            None if table is None else torch.arange(width) < lengths[:, None],
            torch.tensor(self.row),
            torch.tensor(self.column),
            torch.tensor(self.flat),
        )
