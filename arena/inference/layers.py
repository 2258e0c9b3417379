"""What a model's layers look back at: the kinds that can be computed here, and a check that they are computed right.

The engine stores keys and values and the trainer packs sequences into a tree. Both need layers in which a token looks
at earlier tokens through attention alone, with a mask that says which. Layers that carry another state along (conv,
Mamba, linear attention) or choose the tokens themselves (chunks, sparse indices) would be computed wrong.
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
    """The window of a model's sliding layers: a token sees itself and the `size - 1` tokens before it."""

    size: int
    layers: int
    """how many layers have it"""


@dataclass(slots=True)
class Columns:
    """Positions in their sequences of the tokens of a pass, for windows. B rows, Q queries, T keys."""

    queries: Tensor
    """(B, Q)"""
    keys: Tensor
    """(B, T)"""
    longest: int
    """tokens of the longest row"""
    windowed: int = 0
    """layers that have asked for a window in this pass"""

    def within(self, window: int, mask: Tensor | None) -> Tensor | None:
        """A mask (B, 1, Q, T), or None for all keys, without the keys that a window leaves out."""
        self.windowed += 1
        if self.longest <= window:
            return mask
        near = (self.queries[:, :, None] - self.keys[:, None, :] < window)[:, None]
        return near if mask is None else mask & near


def window_of(model: Any) -> Window | None:
    """The window of a model, None where every layer sees everything.

    Raises InputError for a model with layers of another kind.
    """
    text = model.config.get_text_config()
    kinds: Sequence[str] | None = getattr(text, "layer_types", None)
    if strange := sorted(set(kinds or ()) - _ATTENTION):
        raise InputError(f"{type(model).__name__} has layers of the kind {strange[0]!r}; {_CURE}")
    if getattr(model, "_is_stateful", False):
        raise InputError(f"{type(model).__name__} has layers with a state of their own; {_CURE}")
    size = getattr(text, "sliding_window", None)
    if not size or getattr(text, "use_sliding_window", True) is False:
        return None
    layers = int(text.num_hidden_layers) if kinds is None else list(kinds).count("sliding_attention")
    return Window(int(size), layers) if layers else None


_SEQUENCES = ((5, 3, 8, 2, 9, 4, 7, 6, 11), (5, 3, 8, 2, 9, 13, 1, 12), (5, 3, 8, 2, 9, 13, 10, 14, 15, 0, 3))
"""token ids that begin alike and end at different lengths"""


@torch.no_grad()
def verify(model: Any, window: Window | None, ends: Callable[[Sequence[tuple[int, ...]]], tuple[Tensor, int]]) -> None:
    """Compare what `ends` computes after the last token of some sequences, (B, V) logits, with each sequence alone.

    `ends` also says how many layers asked for a window. Raises InputError where they differ.
    """
    vocabulary = int(model.get_input_embeddings().weight.shape[0])
    tokens = [tuple(t % vocabulary for t in sequence) for sequence in _SEQUENCES]
    alone = torch.stack([_plain(model, sequence) for sequence in tokens])
    try:
        found, windowed = ends(tokens)
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError, KeyError) as error:
        if isinstance(error, (InputError, torch.OutOfMemoryError)):
            raise
        why = f"{type(error).__name__}: {' '.join(str(error).split())[:100]}"
        raise InputError(f"{type(model).__name__} has layers that fail here ({why}); {_CURE}") from error
    if window is not None and windowed != window.layers:
        raise InputError(
            f"{type(model).__name__} has {window.layers} layers with a window of {window.size} tokens that attention "
            f"is not told of; {_CURE}"
        )
    # Rounding moves 16-bit logits by some percent, more where it changes the expert of a token.
    allowed = 1e-3 if model.dtype == torch.float32 else 0.5
    spread = (alone - alone.mean(-1, keepdim=True)).norm(dim=-1)
    if bool(((found.float() - alone).norm(dim=-1) > allowed * spread + 1e-6).any()):
        raise InputError(
            f"{type(model).__name__} has layers whose tokens look at others in a way that is not attention; {_CURE}"
        )


def _plain(model: Any, tokens: tuple[int, ...]) -> Tensor:
    """(V,) logits after one sequence, as the model computes it."""
    ids = torch.tensor([tokens], device=model.device)
    logits: Tensor = model(input_ids=ids, use_cache=False).logits[0, -1].float()
    return logits
