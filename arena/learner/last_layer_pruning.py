"""Computes the last layer only at the tokens whose logits are needed.

Later tokens read every layer's keys and values, and the next layer reads each layer's other outputs. But what the last
layer's queries and its MLP compute at a token affects that token's logits only. For choices of one token after shared
prompts, a few percent of the tokens need logits. The results at these tokens are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor


class LastLayer:
    """Hooks that let an MLP process only the M kept tokens; its output at the others is 0."""

    def __init__(self, index: int | None = None) -> None:
        self.index = index
        """index of the layer; None: nothing is pruned"""
        self.keep: Tensor | None = None
        """(M,) indices of the kept tokens; None: all tokens"""
        self._length = 0

    def select(self, _: Any, args: tuple[Tensor, ...]) -> tuple[Tensor, ...] | None:
        """Hidden states (1, N, D) -> (1, M, D)."""
        if self.keep is None:
            return None
        self._length = args[0].shape[1]
        return (args[0].index_select(1, self.keep),)

    def scatter(self, _: Any, args: tuple[Tensor, ...], out: Tensor) -> Tensor | None:
        """Returns the MLP's output (1, M, D) -> (1, N, D)."""
        if self.keep is None:
            return None
        return out.new_zeros(1, self._length, out.shape[2]).index_copy(1, self.keep, out)


@contextmanager
def pruned_last_layer(model: Any) -> Iterator[LastLayer]:
    """Inside the block the last MLP computes the tokens in `keep` of the yielded object; pass its `index` to `tree_of`.

    Prunes nothing if the model's last layer has no plain MLP (a mixture of experts, for example).
    """
    layers = list(getattr(model.base_model, "layers", ()))
    mlp = getattr(layers[-1], "mlp", None) if layers else None
    if mlp is None or hasattr(mlp, "experts"):
        yield LastLayer()
        return
    last = LastLayer(len(layers) - 1)
    before, after = mlp.register_forward_pre_hook(last.select), mlp.register_forward_hook(last.scatter)
    try:
        yield last
    finally:
        before.remove()
        after.remove()
