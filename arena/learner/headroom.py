"""Whether the activations of a micro-batch fit into the memory that is free, measured when they are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from arena.inference.model_shape import shape_of_config
from arena.learner.activations import activation_bytes

_MARGIN = 0.8
"""share of the free memory that activations may take: the output layer, gradients and fragments need the rest"""
_TOKENS = 8192
"""the most tokens whose activations are kept if shape or free memory are unknown"""


class Headroom:
    """Compares what a model keeps for a backward pass with the memory that its device has left."""

    def __init__(self, model: Any, device: torch.device) -> None:
        self._shape, self._size = shape_of_config(model.config.to_dict()), model.dtype.itemsize
        self._device = device

    def holds(self, tokens: int) -> bool:
        """Returns whether the activations of so many tokens fit without recomputation."""
        free = free_bytes(self._device)
        if self._shape is None or free is None:
            return tokens <= _TOKENS
        return activation_bytes(self._shape, tokens, self._size, recompute=False) <= _MARGIN * free


def free_bytes(device: torch.device) -> int | None:
    """Returns the bytes that this process can still take on a device; None if unknown."""
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        return int(free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device))
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


__all__ = ["Headroom", "free_bytes"]
