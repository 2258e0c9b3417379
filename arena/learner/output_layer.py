"""Takes the hidden states from a model instead of its logits, where its output layer is a plain matrix product."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


def has_plain_output_layer(model: Any) -> bool:
    """Returns whether logits are the hidden states times the weight of the output layer, plus a bias if any.

    Models that scale or cap their logits afterwards, or have adapters in this layer, have no plain one.
    """
    layer = model.get_output_embeddings()
    if type(layer) is not torch.nn.Linear:
        return False
    ids = torch.arange(2, device=layer.weight.device)[None]
    with torch.no_grad():
        logits = model(input_ids=ids, use_cache=False).logits
        with without_output_layer(model):
            hidden = model(input_ids=ids, use_cache=False).logits
        return hidden.shape[-1] == layer.in_features and torch.equal(
            torch.nn.functional.linear(hidden, layer.weight, layer.bias), logits
        )


@contextmanager
def without_output_layer(model: Any) -> Iterator[torch.nn.Linear]:
    """Inside the block the model returns hidden states as its logits. Yields the layer that is left out."""
    layer = model.get_output_embeddings()

    def skipped(hidden: Tensor) -> Tensor:
        return hidden

    layer.forward = skipped
    try:
        yield layer
    finally:
        del layer.forward
