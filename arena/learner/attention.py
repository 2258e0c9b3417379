"""Attention over a tree of tokens: each token sees its ancestors and itself.

In depth-first order token i sees token j exactly where j <= i < ends[j]. The queries are cut into chunks; a chunk
needs the keys of its own tokens and of those before it whose subtrees reach into it, and nothing else, so that the
cost of many unrelated sequences grows with their lengths and not with the square of the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from games import InputError

NAME = "arena_tree"
# Queries of one call: a smaller chunk sees fewer keys in vain, a larger one needs fewer calls. On the CPU 256 was best
# (2,079 tokens of 10 unrelated samples, SmolLM2: 128 7.8 s, 256 7.0 s, 512 8.2 s, all at once 13.0 s).
CHUNKS = {"cpu": 256, "cuda": 1024}


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some queries and the keys they need."""

    queries: slice | Tensor
    """(Q,) places of the queries"""
    keys: slice | Tensor
    """(T,) places of the keys"""
    mask: Tensor
    """(Q, T) bool"""


@dataclass(slots=True)
class Tree:
    """What attention needs to know of a micro-batch."""

    chunks: list[Chunk]
    """all queries"""
    kept: list[Chunk]
    """those of the tokens whose logits are kept: all that is read of the last layer"""
    last: int | None
    """index of the last layer; None: all layers are computed at all tokens"""
    positions: Tensor
    """(N,) the position of each token in every sequence that goes through it"""
    longest: int
    """tokens of the longest sequence"""
    windowed: int = 0
    """layers that have asked for a window"""

    def mask(self, chunk: Chunk, window: int | None) -> Tensor:
        """(Q, T) bool; in a layer with a window a token sees itself and the `window - 1` tokens before it."""
        if not window or self.longest <= window:
            return chunk.mask
        own, other = self.positions[chunk.queries], self.positions[chunk.keys]
        return chunk.mask & (own[:, None] - other < window)


def chunks(ends: Tensor, queries: Tensor | None = None, size: int | None = None) -> list[Chunk]:
    """Cut the queries of a tree, ends (N,), or some of them, places (M,) in rising order; `size` in one call, by
    default what suits the device.
    """
    size = size or CHUNKS.get(ends.device.type, 512)
    places = torch.arange(len(ends), device=ends.device) if queries is None else queries
    out = []
    for start in range(0, len(places), size):
        place = places[start : start + size]
        if queries is None:
            first, stop = start, start + len(place)
        else:
            first, stop = place[[0, -1]].tolist()
            stop += 1
        needed = (ends[:stop] > first).nonzero()[:, 0]  # those at `first` and after it always are
        mask = (needed <= place[:, None]) & (place[:, None] < ends[needed])
        keys: slice | Tensor = slice(0, stop) if len(needed) == stop else needed
        out.append(Chunk(slice(first, stop) if queries is None else place, keys, mask))
    return out


def tree_of(ends: Tensor, positions: Tensor, keep: Tensor, last: int | None) -> Tree:
    """For ends and positions (N,) and the places (M,) of the tokens whose logits are kept."""
    return Tree(chunks(ends), [] if last is None else chunks(ends, keep), last, positions, int(positions.max()) + 1)


@contextmanager
def tree_attention(model: Any) -> Iterator[None]:
    """Let a model attend along trees: inside, its forward pass takes `tree=tree_of(...)` and no mask."""
    from transformers import AttentionInterface

    if not getattr(model, "_supports_attention_backend", False):
        raise InputError(f"{type(model).__name__} cannot be trained: transformers has no attention interface for it")
    AttentionInterface.register(NAME, _attend)
    before = model.config._attn_implementation
    model.set_attn_implementation(NAME)
    try:
        yield
    finally:
        model.set_attn_implementation(before)


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, _: Tensor | None, *, tree: Tree, **options: Any
) -> tuple[Tensor, None]:
    """Query (1, H, N, D), key and value (1, G, N, D) with H a multiple of G; returns (1, N, H, D)."""
    if options.get("softcap") is not None or options.get("s_aux") is not None:
        raise InputError("models with capped attention or attention sinks cannot be trained")
    dropout = options.get("dropout") or 0.0
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = key.repeat_interleave(shared, dim=1), value.repeat_interleave(shared, dim=1)
    last = tree.last is not None and module.layer_idx == tree.last
    window, scale = options.get("sliding_window"), options.get("scaling")
    tree.windowed += bool(window)
    parts = []
    for chunk in tree.kept if last else tree.chunks:
        q, k, v = _at(query, chunk.queries), _at(key, chunk.keys), _at(value, chunk.keys)
        mask = tree.mask(chunk, window)
        parts.append(scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout, scale=scale))
    out = parts[0] if len(parts) == 1 else torch.cat(parts, dim=2)
    if last:  # the others are 0, and nobody reads them
        places = torch.cat([chunk.queries for chunk in tree.kept if isinstance(chunk.queries, Tensor)])
        out = torch.zeros_like(query[..., : out.shape[3]]).index_copy(2, places, out)
    return out.transpose(1, 2).contiguous(), None


def _at(states: Tensor, places: slice | Tensor) -> Tensor:
    """Some tokens of (1, H, N, D)."""
    return states[:, :, places] if isinstance(places, slice) else states.index_select(2, places)
