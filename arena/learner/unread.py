"""What nobody reads is not computed: the last layer only at the tokens whose logits are needed.

Every layer's keys and values are read by later tokens, the other outputs of all layers but the last by the layer
above. What the last layer's queries and its MLP add at a token is read by that token's logits alone; with choices of
one token after shared prompts these are a few in a hundred tokens. The same sums are made at the tokens that count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor


class LastLayer:
    """Hooks around an MLP, which works token by token: it is given the M kept tokens, the others get 0."""

    def __init__(self, index: int | None = None) -> None:
        self.index = index
        """which layer it is; None: nothing is left out"""
        self.keep: Tensor | None = None
        """(M,) places; None: all tokens"""
        self._length = 0

    def cut(self, _: Any, args: tuple[Tensor, ...]) -> tuple[Tensor, ...] | None:
        """Hidden states (1, N, D) -> (1, M, D)."""
        if self.keep is None:
            return None
        self._length = args[0].shape[1]
        return (args[0].index_select(1, self.keep),)

    def spread(self, _: Any, args: tuple[Tensor, ...], out: Tensor) -> Tensor | None:
        """What is added to the residual stream, (1, M, D) -> (1, N, D)."""
        if self.keep is None:
            return None
        return out.new_zeros(1, self._length, out.shape[2]).index_copy(1, self.keep, out)


@contextmanager
def only_kept(model: Any) -> Iterator[LastLayer]:
    """Inside, `keep` of what this yields says at which tokens the last MLP is computed; `index` is for `tree_of`.

    Where a model's layers are laid out otherwise (no plain MLP, a mixture of experts), nothing is left out.
    """
    layers = list(getattr(model.base_model, "layers", ()))
    mlp = getattr(layers[-1], "mlp", None) if layers else None
    if mlp is None or hasattr(mlp, "experts"):
        yield LastLayer()
        return
    last = LastLayer(len(layers) - 1)
    before, after = mlp.register_forward_pre_hook(last.cut), mlp.register_forward_hook(last.spread)
    try:
        yield last
    finally:
        before.remove()
        after.remove()
