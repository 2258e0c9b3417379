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
    """Some neighbouring queries and the keys they need."""

    start: int
    stop: int
    keys: Tensor | None
    """(T,) places of the keys; None: all from the first to `stop`"""
    mask: Tensor
    """(Q, T) bool"""


def chunks(ends: Tensor, size: int | None = None) -> list[Chunk]:
    """Cut the queries of a tree, ends (N,); `size` in one call, by default what suits the device."""
    size = size or CHUNKS.get(ends.device.type, 512)
    place = torch.arange(len(ends), device=ends.device)
    out = []
    for start in range(0, len(ends), size):
        stop = min(start + size, len(ends))
        needed = (ends[:stop] > start).nonzero()[:, 0]  # those at `start` and after it always are
        queries = place[start:stop, None]
        mask = (needed <= queries) & (queries < ends[needed])
        out.append(Chunk(start, stop, None if len(needed) == stop else needed, mask))
    return out


@contextmanager
def tree_attention(model: Any) -> Iterator[None]:
    """Let a model attend along trees: inside, its forward pass takes `tree=chunks(...)` and no mask."""
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
    module: Any, query: Tensor, key: Tensor, value: Tensor, _: Tensor | None, *, tree: list[Chunk], **options: Any
) -> tuple[Tensor, None]:
    """Query (1, H, N, D), key and value (1, G, N, D) with H a multiple of G; returns (1, N, H, D)."""
    if options.get("softcap") is not None or options.get("s_aux") is not None:
        raise InputError("models with capped attention or attention sinks cannot be trained")
    dropout = options.get("dropout") or 0.0
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = key.repeat_interleave(shared, dim=1), value.repeat_interleave(shared, dim=1)
    parts = []
    for chunk in tree:
        if chunk.keys is None:
            k, v = key[:, :, : chunk.stop], value[:, :, : chunk.stop]
        else:
            k, v = key.index_select(2, chunk.keys), value.index_select(2, chunk.keys)
        q = query[:, :, chunk.start : chunk.stop]
        parts.append(
            scaled_dot_product_attention(q, k, v, attn_mask=chunk.mask, dropout_p=dropout, scale=options.get("scaling"))
        )
    out = parts[0] if len(parts) == 1 else torch.cat(parts, dim=2)
    return out.transpose(1, 2).contiguous(), None
