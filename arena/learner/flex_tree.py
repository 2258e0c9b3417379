"""Attention over a tree of tokens by FlexAttention (arXiv 2412.05496), for CUDA; on the CPU it has no backward pass.

Blocks of BLOCK x BLOCK pairs that no token sees are skipped, blocks of which every pair is seen need no mask. Which
blocks these are follows from the smallest and largest `ends` and positions of each block, so neither the N x N mask
nor any number that the host would have to wait for is computed. It was compared with the dense mask on the CPU; its
speed was not measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention
from torch.nn.functional import pad

BLOCK = 128


@dataclass(slots=True)
class FlexTree:
    """The attention pattern of a micro-batch of N tokens, padded to P, a multiple of BLOCK."""

    ends: Tensor
    """(P,) token i sees token j if and only if j <= i < ends[j]; a padding token sees itself alone"""
    positions: Tensor
    """(P,) the position of each token in its sequences"""
    tokens: int
    """N"""
    windowed: int = 0
    """how many layers have requested a sliding window"""
    masks: dict[int, BlockMask] = field(default_factory=dict)
    """window -> mask, made once for all layers and heads"""

    def mask(self, window: int) -> BlockMask:
        """Returns the mask of layers with a sliding window of so many tokens; 0: without one."""
        if window not in self.masks:
            self.masks[window] = _block_mask(self.ends, self.positions, window)
        return self.masks[window]


def flex_tree_of(ends: Tensor, positions: Tensor) -> FlexTree:
    """Returns the attention pattern for `ends` and `positions` (N,)."""
    n = len(ends)
    more = -n % BLOCK
    padding = torch.arange(n + 1, n + more + 1, device=ends.device, dtype=ends.dtype)
    return FlexTree(torch.cat([ends, padding]), pad(positions, (0, more)), n)


def attend(tree: FlexTree, query: Tensor, key: Tensor, value: Tensor, window: int, scale: float | None) -> Tensor:
    """Query (1, H, N, D), key and value (1, G, N, D), H a multiple of G; returns (1, H, N, D)."""
    more = len(tree.ends) - tree.tokens
    q, k, v = (pad(states, (0, 0, 0, more)) for states in (query, key, value))
    shared = query.shape[1] != key.shape[1]
    out: Tensor = _compute(query.is_cuda)(q, k, v, block_mask=tree.mask(window), scale=scale, enable_gqa=shared)
    return out[:, :, : tree.tokens]


@cache
def _compute(cuda: bool) -> Any:
    """FlexAttention; without compilation it computes all scores. `fullgraph`: an error if torch cannot compile it."""
    return torch.compile(flex_attention, fullgraph=True) if cuda else flex_attention


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
    """Returns (P/BLOCK, P/BLOCK) bool each: blocks with a pair that may be seen, and blocks seen as a whole."""
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
