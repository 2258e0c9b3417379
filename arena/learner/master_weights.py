"""Master weights: the trainable parameters in float32 for the optimizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


class MasterWeights:
    """The trainable parameters of a model and a float32 master copy of each.

    If a parameter is float32, it is its own master. Otherwise an update of 1e-6 would be lost in bfloat16's three
    digits, so the optimizer updates the masters and `publish` rounds them into the model. The gradients of all
    micro-batches accumulate in float32.
    """

    def __init__(self, model: Any) -> None:
        self.params: dict[str, Tensor] = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.masters: dict[str, Tensor] = {}
        for name, param in self.params.items():
            if param.dtype == torch.float32:
                self.masters[name] = param
                continue
            self.masters[name] = master = param.detach().float().requires_grad_(True)
            param.register_post_accumulate_grad_hook(_accumulate_into(master))  # type: ignore[no-untyped-call]

    def clear_gradients(self) -> None:
        """Drop all gradients."""
        for param, master in zip(self.params.values(), self.masters.values(), strict=True):
            param.grad = master.grad = None

    def publish(self) -> None:
        """Copy the masters into the model."""
        with torch.no_grad():
            for name, master in self.masters.items():
                if master is not self.params[name]:
                    self.params[name].copy_(master)

    def copy(self) -> dict[str, Tensor]:
        """Returns a copy of the masters."""
        return {name: master.detach().clone() for name, master in self.masters.items()}

    @torch.no_grad()
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Set the masters and publish them. Raises ValueError if the names are those of another model."""
        self._check_names(tensors)
        for name, master in self.masters.items():
            master.copy_(tensors[name])
        self.publish()

    def _check_names(self, tensors: Mapping[str, Tensor]) -> None:
        if tensors.keys() != self.masters.keys():
            raise ValueError(f"the weights belong to another model: {sorted(tensors.keys() ^ self.masters.keys())[:3]}")

    @contextmanager
    def replaced(self, others: Mapping[str, Tensor]) -> Iterator[None]:
        """Inside the block the model computes with other weights; copies nothing if the precision is the same."""
        originals = {name: param.data for name, param in self.params.items()}
        try:
            for name, param in self.params.items():
                param.data = others[name].to(param.dtype)
            yield
        finally:
            for name, param in self.params.items():
                param.data = originals[name]


def _accumulate_into(master: Tensor) -> Any:
    """Returns a hook that adds a parameter's gradient to the master's as soon as it is computed, and frees it."""

    def move(param: Tensor) -> None:
        assert param.grad is not None
        if master.grad is None:
            master.grad = param.grad.float()
        else:
            master.grad.add_(param.grad)
        param.grad = None

    return move
