"""Writes safetensors files one tensor at a time, so that no copy of all tensors is made on the way.

Tensors of a GPU pass through pinned memory: the copy of the next one runs while the one before is written.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

_AHEAD = 1
"""tensors whose copies run while another one is written"""
_NAMES = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16",
    torch.int64: "I64", torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip


def write(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> None:
    """Write tensors, on any device, to a new file. Raises OSError."""
    ordered = sorted(tensors.items(), key=lambda item: (-item[1].element_size(), item[0]))  # aligned, as readers expect
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    start = 0
    for name, tensor in ordered:
        stop = start + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [start, stop]}
        start = stop
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in on_host(tensor for _, tensor in ordered):
            file.write(tensor.reshape(-1).view(torch.uint8).numpy().data)


def on_host(tensors: Iterable[Tensor]) -> Iterator[Tensor]:
    """Yields each tensor in the memory of the host; nothing is copied that is there already."""
    started: deque[tuple[Tensor, Any]] = deque()
    for tensor in tensors:
        started.append(_copied(tensor.detach()))
        if len(started) > _AHEAD:
            yield _finished(*started.popleft())
    while started:
        yield _finished(*started.popleft())


def _copied(tensor: Tensor) -> tuple[Tensor, Any]:
    """Start a copy; returns it with an event that marks its end."""
    if not tensor.is_cuda:
        return tensor.contiguous(), None
    host = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    host.copy_(tensor, non_blocking=True)
    event: Any = torch.cuda.Event()  # type: ignore[no-untyped-call]
    event.record()
    return host, event


def _finished(tensor: Tensor, event: Any) -> Tensor:
    if event is not None:
        event.synchronize()
    return tensor


__all__ = ["on_host", "write"]
