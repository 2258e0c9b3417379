"""Adapters on the CPU by a few matrix products for the whole batch.

vLLM's own CPU code copies an adapter's matrices once for every token of the batch, in float32. Here the tokens of
each adapter are gathered and cut into blocks of one size, and all blocks of all adapters are multiplied in one
batched product: what it costs depends on the number of tokens and hardly on how they are spread over the adapters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from vllm.lora.punica_wrapper.punica_cpu import PunicaWrapperCPU

LEAST, MOST = 4, 64
"""tokens in a block: small ones copy an adapter more often, large ones hold more padding"""


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Which tokens go through which adapter. M blocks of T tokens; n tokens of the batch have an adapter."""

    slots: Tensor
    """(M,) where the matrices of each block's adapter lie"""
    rows: Tensor
    """(M * T,) token rows, filled up with row 0 at the end of each adapter's last block"""
    places: Tensor
    """(n,) where each token that has an adapter lies in `rows`, in the batch's order"""
    some: Tensor | None
    """(n,) those tokens, or None where it is all of them"""
    only: int | None
    """the adapter that all tokens of the batch have, if they do"""


class BlockLora(PunicaWrapperCPU):  # type: ignore[misc]
    """The linear and the output layers' part; embeddings keep vLLM's."""

    def update_metadata(self, *args: Any, **options: Any) -> None:
        """Before every step: sort its tokens by adapter."""
        super().update_metadata(*args, **options)
        self._blocks = blocks(self.token_lora_indices)

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
        y, x = y.view(-1, y.shape[-1]), x.view(-1, x.shape[-1])
        _add(self._blocks, y, x, lora_a_stacked, lora_b_stacked, scale, output_slices)

    def add_lora_logits(self, y: Tensor, x: Tensor, a: Tensor, b: Tensor, scale: float, **options: Any) -> None:
        """The same for the logits y (N, vocabulary) of the tokens that are sampled after.

        Hardly an adapter has a part for the output layer. vLLM's own code takes a tenth of a step to add nothing.
        """
        if a.any():
            _add(blocks(self.sampler_indices), y, x, (a,), (b,), scale, (y.shape[-1],))


def blocks(indices: Tensor) -> _Blocks:
    """Cut a batch into blocks. indices (N,): the adapter of each token, -1 for none."""
    order = torch.argsort(indices, stable=True)
    slots, counts = torch.unique_consecutive(indices[order], return_counts=True)
    if len(slots) and slots[0] < 0:  # no adapter
        order, slots, counts = order[int(counts[0]) :], slots[1:], counts[1:]
    n, k = len(order), len(slots)
    everything = n == len(indices)
    size = LEAST
    while size < MOST and 2 * size * k <= n:
        size *= 2
    each = (counts + size - 1) // size
    first = size * (each.cumsum(0) - each)  # the place of an adapter's first token
    before = counts.cumsum(0) - counts  # and how many tokens come before it
    sorted_places = torch.arange(n) + torch.repeat_interleave(first - before, counts)
    rows = torch.zeros(size * int(each.sum()), dtype=torch.long)
    rows[sorted_places] = order
    places = torch.empty(len(indices), dtype=torch.long)
    places[order] = sorted_places
    some = None if everything else order.sort().values
    only = int(slots[0]) if everything and k == 1 else None
    return _Blocks(torch.repeat_interleave(slots, each), rows, places if some is None else places[some], some, only)


def _add(
    found: _Blocks,
    y: Tensor,
    x: Tensor,
    lora_a: tuple[Tensor, ...],
    lora_b: tuple[Tensor, ...],
    scale: float,
    widths: tuple[int, ...],
) -> None:
    """y (N, sum of the widths) += for the rows with an adapter; x (N, in), shapes otherwise as in `add_lora_linear`."""
    if not len(found.slots):
        return
    gathered = x.index_select(0, found.rows).view(len(found.slots), -1, x.shape[1]) if found.only is None else x
    start = 0
    for a, b, width in zip(lora_a, lora_b, widths, strict=True):
        part = y[:, start : start + width]
        start += width
        if found.only is not None:
            part.addmm_(x @ a[found.only, 0].T, b[found.only, 0, :width].T, alpha=scale)
            continue
        low = torch.bmm(gathered, a[:, 0].index_select(0, found.slots).transpose(1, 2))  # (M, T, rank)
        if scale != 1.0:  # vLLM has it in B already
            low *= scale
        high = torch.bmm(low, b[:, 0, :width].index_select(0, found.slots).transpose(1, 2))
        new = high.view(-1, width).index_select(0, found.places)
        if found.some is None:
            part += new
        else:
            part[found.some] += new
