"""Adapters on the CPU by a few matrix products for the whole batch.

vLLM's own CPU code copies an adapter's matrices once for every token of the batch, in float32. Here the tokens of
each adapter are gathered, and all adapters are multiplied in one batched product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from vllm.lora.punica_wrapper.punica_cpu import PunicaWrapperCPU

WASTE = 2
"""padding: a batched product may hold at most so many times the real tokens"""


@dataclass(frozen=True, slots=True)
class _Groups:
    """Which tokens go through which adapter. K adapters in the batch, n tokens that have one."""

    slots: Tensor
    """(K,) where each adapter's matrices lie"""
    rows: Tensor
    """(n,) token rows, those of one adapter after those of another"""
    counts: list[int]
    """(K,) tokens of each"""
    everything: bool
    """one adapter, and every token has it"""
    padded: Tensor | None
    """(K, most) token rows, filled up with row 0; None where that would be mostly padding"""
    places: Tensor
    """(n,) where each of `rows` lies in the flattened `padded`"""


class GroupedLora(PunicaWrapperCPU):  # type: ignore[misc]
    """The linear layers' part; embeddings and logits keep vLLM's."""

    def update_metadata(self, *args: Any, **options: Any) -> None:
        """Before every step: group its tokens by adapter."""
        super().update_metadata(*args, **options)
        self._groups = _grouped(self.token_lora_indices)

    def add_lora_linear(
        self,
        y: Tensor,
        x: Tensor,
        lora_a_stacked: tuple[Tensor, ...],
        lora_b_stacked: tuple[Tensor, ...],
        scale: float,
        output_slices: tuple[int, ...],
        **options: Any,
    ) -> None:
        """y[:, slice] += x @ A^T @ B^T * scale, for every slice with the adapter of each row.

        x (N, in); A (slots, 1, rank, in), B (slots, 1, slice, rank) for each slice; y (N, out) in place.
        """
        groups = self._groups
        if not len(groups.slots):
            return
        x, y = x.view(-1, x.shape[-1]), y.view(-1, y.shape[-1])
        start = 0
        for a, b, width in zip(lora_a_stacked, lora_b_stacked, output_slices, strict=True):
            _add(groups, y[:, start : start + width], x, a[:, 0], b[:, 0, :width], scale)
            start += width


def _grouped(indices: Tensor) -> _Groups:
    order = torch.argsort(indices, stable=True)
    slots, counts = torch.unique_consecutive(indices[order], return_counts=True)
    if len(slots) and slots[0] < 0:  # no adapter
        order, slots, counts = order[int(counts[0]) :], slots[1:], counts[1:]
    sizes: list[int] = counts.tolist()
    most, k = max(sizes, default=0), len(sizes)
    padded, places = None, order
    if k > 1 and k * most <= WASTE * len(order):
        within = torch.cat([torch.arange(n) for n in sizes])
        places = torch.repeat_interleave(torch.arange(k) * most, counts) + within
        padded = torch.zeros(k * most, dtype=torch.long)
        padded[places] = order
        padded = padded.view(k, most)
    return _Groups(slots, order, sizes, k == 1 and sizes[0] == len(indices), padded, places)


def _add(groups: _Groups, y: Tensor, x: Tensor, a: Tensor, b: Tensor, scale: float) -> None:
    """y (N, width) += for rows with an adapter; a (slots, rank, in), b (slots, width, rank)."""
    if groups.everything:
        slot = int(groups.slots[0])
        y.addmm_(x @ a[slot].T, b[slot].T, alpha=scale)
        return
    if groups.padded is not None:
        low = torch.bmm(x[groups.padded], a[groups.slots].transpose(1, 2))
        out = torch.bmm(low, b[groups.slots].transpose(1, 2)).flatten(0, 1)
        y.index_add_(0, groups.rows, out[groups.places], alpha=scale)
        return
    start = 0
    for slot, n in zip(groups.slots.tolist(), groups.counts, strict=True):
        rows = groups.rows[start : start + n]
        y.index_add_(0, rows, (x[rows] @ a[slot].T) @ b[slot].T, alpha=scale)
        start += n
