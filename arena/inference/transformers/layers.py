"""The supported kinds of layers, and a check that a model is computed correctly.

The engine stores keys and values, and the trainer packs sequences into a tree. Both require that a token depends on
earlier tokens only through attention with a given mask. Layers with another state (convolution, Mamba, linear
attention) or with their own selection of tokens (chunks, sparse indices) would be computed incorrectly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from games import InputError

_ATTENTION = {"full_attention", "sliding_attention"}
_CURE = "use a model with plain or sliding-window attention in every layer (Llama, Qwen3, Mistral, Gemma 3)"


@dataclass(slots=True)
class Window:
    """The window of a model's sliding-window layers: a token sees itself and the `size - 1` tokens before it."""

    size: int
    layers: int
    """number of layers with a window"""


@dataclass(slots=True)
class TokenPositions:
    """Positions of the tokens of a pass, for sliding windows. B rows, Q queries, T keys."""

    queries: Tensor
    """(B, Q)"""
    keys: Tensor
    """(B, T)"""
    longest: int
    """tokens of the longest row"""
    windowed: int = 0
    """layers that have requested a window in this pass"""

    def within(self, window: int, mask: Tensor | None) -> Tensor | None:
        """Returns a mask (B, 1, Q, T), or None for all keys, without the keys outside the window."""
        self.windowed += 1
        if self.longest <= window:
            return mask
        near = (self.queries[:, :, None] - self.keys[:, None, :] < window)[:, None]
        return near if mask is None else mask & near


def window_of(model: Any) -> Window | None:
    """Returns the sliding window of a model; None if all layers have full attention.

    Raises InputError for a model with unsupported layers.
    """
    text = model.config.get_text_config()
    kinds: Sequence[str] | None = getattr(text, "layer_types", None)
    if unsupported := sorted(set(kinds or ()) - _ATTENTION):
        raise InputError(f"{type(model).__name__} has layers of the kind {unsupported[0]!r}; {_CURE}")
    if getattr(model, "_is_stateful", False):
        raise InputError(f"{type(model).__name__} has layers with their own state; {_CURE}")
    size = getattr(text, "sliding_window", None)
    if not size or getattr(text, "use_sliding_window", True) is False:
        return None
    layers = int(text.num_hidden_layers) if kinds is None else list(kinds).count("sliding_attention")
    return Window(int(size), layers) if layers else None


_SEQUENCES = ((5, 3, 8, 2, 9, 4, 7, 6, 11), (5, 3, 8, 2, 9, 13, 1, 12), (5, 3, 8, 2, 9, 13, 10, 14, 15, 0, 3))
"""token ids with a common prefix and different lengths"""
_FIRST_TOKENS = (300, 1000, 0)
"""added to the ids: the first ids of a vocabulary are often special tokens"""


@torch.no_grad()
def verify(
    model: Any, window: Window | None, last_logits: Callable[[Sequence[tuple[int, ...]]], tuple[Tensor, int]]
) -> None:
    """Compare the (B, V) logits that `last_logits` computes at the end of B sequences with those of each one alone.

    `last_logits` also returns the number of layers that requested a window. Raises InputError if the results differ for
    all tokens that are tried: a wrong layer always differs, while rounding alone moved the bf16 logits of SmolLM2 by
    0.7 of their spread for one of three sequences of unusual tokens.
    """
    vocabulary = int(model.get_input_embeddings().weight.shape[0])
    for first in _FIRST_TOKENS:
        tokens = [tuple((first + t) % vocabulary for t in sequence) for sequence in _SEQUENCES]
        if _same(model, window, tokens, last_logits):
            return
    raise InputError(f"{type(model).__name__} has layers that read other tokens in another way than attention; {_CURE}")


def _same(
    model: Any,
    window: Window | None,
    tokens: Sequence[tuple[int, ...]],
    last_logits: Callable[[Sequence[tuple[int, ...]]], tuple[Tensor, int]],
) -> bool:
    alone = torch.stack([_plain(model, sequence) for sequence in tokens])
    try:
        logits, windowed = last_logits(tokens)
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError, KeyError) as error:
        if isinstance(error, (InputError, torch.OutOfMemoryError)):
            raise
        why = f"{type(error).__name__}: {' '.join(str(error).split())[:100]}"
        raise InputError(f"{type(model).__name__} has layers that fail in this engine ({why}); {_CURE}") from error
    if window is not None and windowed != window.layers:
        raise InputError(
            f"{type(model).__name__} has {window.layers} layers with a window of {window.size} tokens that does not "
            f"reach the attention function; {_CURE}"
        )
    # Rounding changes 16-bit logits by some percent, and more if it changes the expert of a token.
    allowed = 1e-3 if model.dtype == torch.float32 else 0.5
    spread = (alone - alone.mean(-1, keepdim=True)).norm(dim=-1)
    return bool(((logits.float() - alone).norm(dim=-1) <= allowed * spread + 1e-6).all())


def _plain(model: Any, tokens: tuple[int, ...]) -> Tensor:
    """Returns (V,) logits after one sequence, computed by the unchanged model. Raises InputError if one is NaN."""
    ids = torch.tensor([tokens], device=model.device)
    logits: Tensor = model(input_ids=ids, use_cache=False).logits[0, -1].float()
    if not logits.isfinite().all():
        raise InputError(f"{type(model).__name__} computes NaN or infinite logits; its weights are damaged")
    return logits
