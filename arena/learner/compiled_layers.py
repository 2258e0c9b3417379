"""The layers of a model as compiled graphs, attention included, for CUDA. Never run on a GPU: the setting is off.

A graph serves all layers that are alike, any number of tokens, and one grad mode; torch makes it at the first step. The
last layer is left out, because it computes only some of the tokens (`last_layer_pruning`). Each model has a code object
of its own: torch makes at most eight graphs of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any

import torch

from arena.inference.transformers.layers import window_of
from arena.learner.flex_tree import FlexTree


class CompiledLayers:
    """Compiled forward methods of a model's layers but the last; hooks, also those of FSDP, stay outside."""

    def __init__(self, model: Any) -> None:
        self._layers = list(model.base_model.layers)[:-1]
        codes: dict[Any, Any] = {}
        forwards = [_with_code(layer.forward, codes) for layer in self._layers]
        self._compiled = [torch.compile(forward, fullgraph=True, dynamic=True) for forward in forwards]
        window = window_of(model)
        self._windows = {0, window.size if window else 0}

    @contextmanager
    def used(self) -> Iterator[None]:
        """Inside the block the model uses them, in forward passes and where the backward pass recomputes."""
        for layer, compiled in zip(self._layers, self._compiled, strict=True):
            layer.forward = compiled
        try:
            yield
        finally:
            for layer in self._layers:
                del layer.forward

    def prepare(self, tree: FlexTree) -> None:
        """Make the masks of all layers: a graph only reads them."""
        for window in self._windows:
            tree.mask(window)


def _with_code(method: MethodType, codes: dict[Any, Any]) -> Callable[..., Any]:
    """Returns a method with a code object for this model; `codes`: those that it has already."""
    function: Any = method.__func__
    code = codes.setdefault(function.__code__, function.__code__.replace())
    copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return MethodType(copy, method.__self__)


__all__ = ["CompiledLayers"]
