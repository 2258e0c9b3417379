"""The weights that are trained: in float32 for the optimiser, in the model's own precision for computing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


class Weights:
    """The trainable parameters of a model, with a float32 master of each.

    Where the model computes in float32 the master is the parameter itself. Otherwise a step of 1e-6 would vanish in
    bfloat16's three digits, so the optimiser moves the masters and `publish` rounds them into the model; gradients of
    all micro-batches are added up in float32.
    """

    def __init__(self, model: Any) -> None:
        self.params: dict[str, Tensor] = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.masters: dict[str, Tensor] = {}
        for name, param in self.params.items():
            if param.dtype == torch.float32:
                self.masters[name] = param
                continue
            self.masters[name] = master = param.detach().float().requires_grad_(True)
            param.register_post_accumulate_grad_hook(_moved_to(master))  # type: ignore[no-untyped-call]

    def clear_gradients(self) -> None:
        """Start a sum of gradients from zero."""
        for param, master in zip(self.params.values(), self.masters.values(), strict=True):
            param.grad = master.grad = None

    def publish(self) -> None:
        """Write the masters into the model."""
        with torch.no_grad():
            for name, master in self.masters.items():
                if master is not self.params[name]:
                    self.params[name].copy_(master)

    def copy(self) -> dict[str, Tensor]:
        """The masters as they are now."""
        return {name: master.detach().clone() for name, master in self.masters.items()}

    @torch.no_grad()
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Take masters and publish them. Raises ValueError where they belong to another model."""
        if tensors.keys() != self.masters.keys():
            raise ValueError(f"the weights belong to another model: {sorted(tensors.keys() ^ self.masters.keys())[:3]}")
        for name, master in self.masters.items():
            master.copy_(tensors[name])
        self.publish()

    @contextmanager
    def replaced(self, others: Mapping[str, Tensor]) -> Iterator[None]:
        """The model computes with other weights inside; nothing is copied where the precision is the same."""
        own = {name: param.data for name, param in self.params.items()}
        try:
            for name, param in self.params.items():
                param.data = others[name].to(param.dtype)
            yield
        finally:
            for name, param in self.params.items():
                param.data = own[name]


def _moved_to(master: Tensor) -> Any:
    """A hook that adds a parameter's gradient to its master's as soon as it is known, and frees it."""

    def move(param: Tensor) -> None:
        assert param.grad is not None
        if master.grad is None:
            master.grad = param.grad.float()
        else:
            master.grad.add_(param.grad)
        param.grad = None

    return move
