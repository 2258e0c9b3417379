"""Attention over a tree of tokens: each token sees its ancestors and itself.

In depth-first order token i sees token j if and only if j <= i < ends[j]. The queries are cut into chunks. A chunk
needs only the keys of its own tokens and of earlier tokens whose subtrees reach into it, so the cost of many unrelated
sequences grows with their lengths and not with the square of the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from arena.inference.transformers.layers import verify, window_of
from arena.learner.batch import merged
from arena.learner.config import AttentionKind
from arena.learner.flex_tree import BLOCK, FlexTree, attend
from games import InputError

NAME = "arena_tree"
# Queries per call: smaller chunks mask out fewer keys, larger chunks need fewer calls. On the CPU 256 is fastest
# (2,079 tokens of 10 unrelated samples, SmolLM2: 128 7.8 s, 256 7.0 s, 512 8.2 s, all at once 13.0 s).
CHUNKS = {"cpu": 256, "cuda": 1024}


@dataclass(frozen=True, slots=True)
class Chunk:
    """Q queries and the T keys they need."""

    queries: slice | Tensor
    """(Q,) indices of the queries"""
    keys: slice | Tensor
    """(T,) indices of the keys"""
    mask: Tensor
    """(Q, T) bool"""


@dataclass(slots=True)
class Tree:
    """The attention pattern of a micro-batch."""

    chunks: list[Chunk]
    """all queries"""
    kept: list[Chunk]
    """the queries of the tokens whose logits are kept; the last layer computes only these"""
    last: int | None
    """index of the last layer; None: all layers compute all tokens"""
    positions: Tensor
    """(N,) the position of each token in its sequences"""
    longest: int
    """tokens of the longest sequence"""
    windowed: int = 0
    """how many layers have requested a sliding window"""
    _biases: dict[tuple[int, int, torch.dtype], Tensor] = field(default_factory=dict)

    def bias(self, chunk: Chunk, window: int | None, dtype: torch.dtype) -> Tensor:
        """Returns (Q, T) 0 where a token sees another one and -inf elsewhere; one tensor for all layers.

        From a mask of bools attention would make one for each layer, which the backward pass keeps: at 4,096 tokens
        34 MB in every layer.
        """
        size = window if window and self.longest > window else 0
        key = id(chunk), size, dtype
        if key not in self._biases:
            # 1 - 1/1 = 0 and 1 - 1/0 = -inf; this takes a quarter of the time of masked_fill
            self._biases[key] = self.mask(chunk, size).to(dtype).reciprocal_().neg_().add_(1.0)
        return self._biases[key]

    def mask(self, chunk: Chunk, window: int | None) -> Tensor:
        """Returns (Q, T) bool. With a sliding window a token sees itself and the `window - 1` tokens before it."""
        if not window or self.longest <= window:
            return chunk.mask
        query, key = self.positions[chunk.queries], self.positions[chunk.keys]
        return chunk.mask & (query[:, None] - key < window)


AnyTree = Tree | FlexTree


def chunks(ends: Tensor, queries: Tensor | None = None, size: int | None = None) -> list[Chunk]:
    """Cut the queries of a tree with `ends` (N,) into chunks of `size`; the default depends on the device.

    `queries`: the indices (M,) of the queries in ascending order; default: all.
    """
    size = size or CHUNKS.get(ends.device.type, 512)
    indices = torch.arange(len(ends), device=ends.device) if queries is None else queries
    out = []
    for start in range(0, len(indices), size):
        index = indices[start : start + size]
        if queries is None:
            first, stop = start, start + len(index)
        else:
            first, stop = index[[0, -1]].tolist()
            stop += 1
        needed = (ends[:stop] > first).nonzero()[:, 0]  # includes `first` and everything after it
        mask = (needed <= index[:, None]) & (index[:, None] < ends[needed])
        keys: slice | Tensor = slice(0, stop) if len(needed) == stop else needed
        out.append(Chunk(slice(first, stop) if queries is None else index, keys, mask))
    return out


def tile(device: torch.device, kind: AttentionKind) -> int:
    """Returns what the number of tokens of a micro-batch must be a multiple of."""
    return BLOCK if kind != "sdpa" and device.type == "cuda" else 1


def tree_of(ends: Tensor, positions: Tensor, keep: Tensor, last: int | None, kind: AttentionKind = "auto") -> AnyTree:
    """Returns the attention pattern for `ends` and `positions` (N,) and the indices `keep` (M,) of the kept tokens.

    `kind`: auto is flex on CUDA, for N tokens that `tile` divides. Raises InputError for flex elsewhere.
    """
    if kind == "flex" and not ends.is_cuda:
        raise InputError(_NEEDS_CUDA)
    if kind != "sdpa" and ends.is_cuda:
        return FlexTree(ends, positions)
    return Tree(chunks(ends), [] if last is None else chunks(ends, keep), last, positions, int(positions.max()) + 1)


@contextmanager
def tree_attention(model: Any) -> Iterator[None]:
    """Inside the block the model's forward pass takes `tree=tree_of(...)` instead of a mask. Raises InputError."""
    from transformers import AttentionInterface

    if not getattr(model, "_supports_attention_backend", False):
        raise InputError(f"{type(model).__name__} cannot be trained: transformers has no attention interface for it")
    AttentionInterface.register(NAME, _attend)
    before = model.config._attn_implementation
    model.config._attn_implementation = NAME  # `set_attn_implementation` visits every module
    try:
        yield
    finally:
        model.config._attn_implementation = before


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, _: Tensor | None, *, tree: AnyTree, **options: Any
) -> tuple[Tensor, None]:
    """Query (1, H, N, D), key and value (1, G, N, D), H a multiple of G; returns (1, N, H, D)."""
    if options.get("softcap") is not None or options.get("s_aux") is not None:
        raise InputError("models with capped attention or attention sinks cannot be trained")
    dropout = options.get("dropout") or 0.0
    window, scale = options.get("sliding_window"), options.get("scaling")
    if not torch.compiler.is_compiling():  # a graph would be made for each count
        tree.windowed += bool(window)
    if isinstance(tree, FlexTree):
        if dropout:
            raise InputError('optimizer.attention = "flex" has no dropout; write "sdpa", or a model without dropout')
        return attend(tree, query, key, value, window or 0, scale).transpose(1, 2).contiguous(), None
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = key.repeat_interleave(shared, dim=1), value.repeat_interleave(shared, dim=1)
    last = tree.last is not None and module.layer_idx == tree.last
    parts = []
    for chunk in tree.kept if last else tree.chunks:
        q, k, v = _at(query, chunk.queries), _at(key, chunk.keys), _at(value, chunk.keys)
        mask = tree.bias(chunk, window, q.dtype)
        parts.append(scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout, scale=scale))
    out = parts[0] if len(parts) == 1 else torch.cat(parts, dim=2)
    if last:  # the outputs at other tokens are 0 and never used
        kept = torch.cat([chunk.queries for chunk in tree.kept if isinstance(chunk.queries, Tensor)])
        out = torch.zeros_like(query[..., : out.shape[3]]).index_copy(2, kept, out)
    return out.transpose(1, 2).contiguous(), None


def _at(states: Tensor, indices: slice | Tensor) -> Tensor:
    """Returns the tokens of (1, H, N, D) at `indices`."""
    return states[:, :, indices] if isinstance(indices, slice) else states.index_select(2, indices)


def verify_packing(model: Any, kind: AttentionKind = "auto") -> None:
    """Raises InputError unless the model computes sequences packed into a tree as it computes each of them alone.

    On CUDA also if FlexAttention, which `kind` selects, does not run.
    """

    def last_logits(sequences: Sequence[tuple[int, ...]]) -> tuple[Tensor, int]:
        multiple = tile(model.device, kind)
        ids, positions, ends, last = (torch.tensor(v, device=model.device) for v in merged(sequences, multiple))
        tree = tree_of(ends, positions, last, None, kind)
        with tree_attention(model):
            out = model(
                input_ids=ids[None], position_ids=positions[None], use_cache=False, logits_to_keep=last, tree=tree
            )
        return out.logits[0], tree.windowed

    try:
        verify(model, window_of(model), last_logits)
    except InputError:
        raise
    except Exception as error:
        if kind == "sdpa" or model.device.type != "cuda":
            raise
        raise _flex_fault(error) from error


def verify_flex(model: Any, kind: AttentionKind, device: torch.device) -> None:
    """Raises InputError unless FlexAttention, if `kind` selects it on the device, computes there what the mask does.

    A model that is divided among processes is verified before, where all of it still is on the CPU.
    """
    if device.type != "cuda":
        if kind == "flex":
            raise InputError(_NEEDS_CUDA)
        return
    if kind == "sdpa":
        return
    try:
        difference = _flex_difference(model, device)
    except Exception as error:
        raise _flex_fault(error) from error
    if difference > (1e-3 if model.dtype == torch.float32 else 0.1):
        raise _flex_fault(ArithmeticError(f"its results differ by {difference:.3g}"))


def _flex_difference(model: Any, device: torch.device) -> float:
    """Returns the largest difference to attention with the mask, forward and backward, for the model's heads."""
    text = model.config.get_text_config()
    heads, keys = int(text.num_attention_heads), int(text.num_key_value_heads)
    width = int(getattr(text, "head_dim", None) or text.hidden_size // heads)
    sequences = [tuple(range(40)), (*range(25), *range(60, 190))]
    _, positions, ends, _ = (torch.tensor(v, device=device) for v in merged(sequences, BLOCK))
    generator = torch.Generator(device).manual_seed(0)
    states = [
        torch.randn(1, n, len(ends), width, generator=generator, device=device, dtype=model.dtype)
        for n in (heads, keys, keys)
    ]
    results = []
    for flex in (True, False):
        q, k, v = inputs = [each.clone().requires_grad_(device.type == "cuda") for each in states]
        if flex:
            out = attend(FlexTree(ends, positions), q, k, v, 0, None)
        else:
            index = torch.arange(len(ends), device=device)
            mask = (index <= index[:, None]) & (index[:, None] < ends)
            out = scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=heads != keys)
        if out.requires_grad:  # FlexAttention has no backward pass on the CPU
            out.float().sum().backward()  # type: ignore[no-untyped-call]
        results.append([out.detach(), *(each.grad for each in inputs if each.grad is not None)])
    return max(float((a - b).abs().max()) for a, b in zip(*results, strict=True))


def _flex_fault(error: Exception) -> InputError:
    why = (str(error).splitlines() or [""])[0]
    return InputError(
        f'FlexAttention does not run here: {type(error).__name__}: {why:.200}; write attention = "sdpa" under '
        "[optimizer]"
    )


_NEEDS_CUDA = 'optimizer.attention = "flex" needs CUDA; leave it out, or write "sdpa"'
