"""Attention over a tree of tokens by FlexAttention (arXiv 2412.05496), for CUDA; on the CPU it has no backward pass.

Blocks of BLOCK x BLOCK pairs that no token sees are skipped, blocks of which every pair is seen need no mask. Which
blocks these are follows from the smallest and largest `ends` and positions of each block, so neither the N x N mask
nor any number that the host would have to wait for is computed. It was compared with the dense mask on the CPU; its
speed was not measured.

torch compiles at most eight graphs of one code object and then raises. So every combination of heads, precision, window
and grad mode has a code object of its own, in which only the number of tokens varies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention

BLOCK = 128
ANY_SIZE = True
"""whether a graph serves any number of tokens. With a graph for each number the kernels for sm_90 spill less: 228
instead of 688 bytes a thread at width 128 (tests/real/packaging/test_sm90.py). What this is worth only a GPU shows:
gpu_check measures both."""
Attention = Callable[[Tensor, Tensor, Tensor, BlockMask], Tensor]


@dataclass(slots=True)
class FlexTree:
    """The attention pattern of a micro-batch of N tokens, a multiple of BLOCK."""

    ends: Tensor
    """(N,) token i sees token j if and only if j <= i < ends[j]"""
    positions: Tensor
    """(N,) the position of each token in its sequences"""
    windowed: int = 0
    """how many layers have requested a sliding window"""
    masks: dict[int, BlockMask] = field(default_factory=dict)
    """window -> mask, made once for all layers and heads"""

    def mask(self, window: int) -> BlockMask:
        """Returns the mask of layers with a sliding window of so many tokens; 0: without one."""
        if window not in self.masks:
            self.masks[window] = _block_mask(self.ends, self.positions, window)
        return self.masks[window]


class Variant(NamedTuple):
    """What a compiled function is made for; micro-batches of any size share it."""

    heads: int
    keys: int
    width: int
    dtype: torch.dtype
    window: int
    grad: bool
    scale: float | None


def attend(tree: FlexTree, query: Tensor, key: Tensor, value: Tensor, window: int, scale: float | None) -> Tensor:
    """Query (1, H, N, D), key and value (1, G, N, D), H a multiple of G; returns (1, H, N, D)."""
    if torch.compiler.is_compiling():  # of a whole layer, whose graph this becomes a part of
        shared = query.shape[1] != key.shape[1]
        out: Any = flex_attention(query, key, value, block_mask=tree.masks[window], scale=scale, enable_gqa=shared)
        return out  # type: ignore[no-any-return]
    variant = Variant(query.shape[1], key.shape[1], query.shape[3], query.dtype, window, torch.is_grad_enabled(), scale)
    if not compiles(query):
        return _attention(variant)(query, key, value, tree.mask(window))
    for states in (query, key, value):
        torch._dynamo.mark_static(states, 1)
        torch._dynamo.mark_static(states, 3)
    return compiled(variant)(query, key, value, tree.mask(window))


def compiles(query: Tensor) -> bool:
    """Returns whether attention is compiled for this device; without compilation it computes all scores."""
    return query.is_cuda


@cache
def compiled(variant: Variant) -> Attention:
    """Returns FlexAttention for a variant. `fullgraph`: an error if torch cannot compile it as one graph."""
    return torch.compile(_attention(variant), fullgraph=True, dynamic=ANY_SIZE)


def _attention(variant: Variant) -> Attention:
    shared = variant.heads != variant.keys

    def attention(query: Tensor, key: Tensor, value: Tensor, mask: BlockMask) -> Any:
        return flex_attention(query, key, value, block_mask=mask, scale=variant.scale, enable_gqa=shared)

    attention.__code__ = attention.__code__.replace()  # torch counts the graphs of a code object
    return attention


def _block_mask(ends: Tensor, positions: Tensor, window: int) -> BlockMask:
    visible, whole = _blocks(ends, positions, window)
    partial = _ordered(visible & ~whole)
    full = _ordered(whole)
    size = (len(ends), len(ends))
    rule = _rule(ends, positions, window)
    return BlockMask.from_kv_blocks(*partial, *full, BLOCK_SIZE=BLOCK, mask_mod=rule, seq_lengths=size)


def _rule(ends: Tensor, positions: Tensor, window: int) -> Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]:
    """Returns whether a query sees a key, as FlexAttention asks: (batch, head, query, key)."""

    def sees(_: Tensor, __: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < ends[key])

    def sees_near(_: Tensor, __: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < ends[key]) & (positions[query] - positions[key] < window)

    return sees_near if window else sees


def _blocks(ends: Tensor, positions: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Returns (N/BLOCK, N/BLOCK) bool each: blocks with a pair that may be seen, and blocks seen as a whole."""
    ends, positions = ends.view(-1, BLOCK), positions.view(-1, BLOCK)
    start = torch.arange(len(ends), device=ends.device) * BLOCK
    earlier, diagonal = start < start[:, None], torch.eye(len(ends), dtype=torch.bool, device=ends.device)
    visible = earlier & (ends.amax(1) > start[:, None])
    whole = earlier & (ends.amin(1) >= start[:, None] + BLOCK)
    if window:
        low, high = positions.amin(1), positions.amax(1)
        visible &= low[:, None] - high < window
        whole &= high[:, None] - low < window
    return visible | diagonal, whole


def _ordered(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the number of key blocks of each query block, and their indices before all others: (1, 1, ...) int32."""
    indices = blocks.to(torch.int8).argsort(dim=-1, descending=True, stable=True)
    return blocks.sum(-1).to(torch.int32)[None, None], indices.to(torch.int32)[None, None]
