"""Tensors that say they are on cuda:0 and compute on the CPU: finds mixed devices, counts waits and copies.

To torch's own code they are CPU tensors, so autograd runs; Python reads another device. Every operation on them passes
`Pretended.__torch_dispatch__`. A read of their values on the host counts as a wait for the GPU.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

CUDA = torch.device("cuda", 0)
ARENA = str(Path(__file__).parents[3] / "arena")
WAITS = {"_local_scalar_dense", "nonzero", "_unique2", "unique_dim", "masked_select", "equal", "unique_consecutive"}
"""operations whose result the host needs, or whose size depends on values"""
COPIES_INDICES = {"index", "index_put_", "_index_put_impl_"}
"""operations that accept indices on the CPU and copy them"""

events: Counter[str] = Counter()
"""waits, copies up (to the GPU), copies down that nobody waits for, and mixed devices"""
places: Counter[tuple[str, str, str]] = Counter()
"""event, operation and line of the arena -> count"""


def note(kind: str, operation: object) -> None:
    frame: FrameType | None = sys._getframe()
    while frame is not None and not frame.f_code.co_filename.startswith(ARENA):
        frame = frame.f_back
    where = "elsewhere" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
    events[kind] += 1
    places[kind, str(operation), where] += 1


class Pretended(torch.Tensor):
    """A tensor with its values in `inner`."""

    inner: torch.Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, real: torch.Tensor) -> Any:
        made = torch.Tensor._make_wrapper_subclass(
            cls, real.shape, strides=real.stride(), storage_offset=real.storage_offset(), dtype=real.dtype, device="cpu"
        )
        made.inner = real
        return made

    device = property(lambda self: CUDA)  # type: ignore[assignment]
    is_cuda = property(lambda self: True)  # type: ignore[assignment]

    def __repr__(self, **_: Any) -> str:
        return f"Pretended({self.inner})"

    def tolist(self) -> Any:
        note("waits", "tolist")
        return self.inner.tolist()

    def cpu(self) -> torch.Tensor:
        note("waits", "cpu")
        return self.inner.detach().clone()

    def numpy(self) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")

    def to(self, *args: Any, **options: Any) -> torch.Tensor:
        devices = [a for a in (*args, options.get("device")) if isinstance(a, (str, torch.device))]
        others = [a for a in args if not isinstance(a, (str, torch.device))]
        if devices and torch.device(devices[0]).type == "cpu":
            return self.cpu().to(*others)
        options = {k: v for k, v in options.items() if k not in ("device", "non_blocking")}
        return super().to(*others, **options) if others or options else self

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(func, args, kwargs or {})


def computed(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """The result of an operation of which at least one tensor, or the result, is on the pretended GPU."""
    tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
    ours, others = (
        [t for t in tensors if isinstance(t, Pretended)],
        [t for t in tensors if not isinstance(t, Pretended)],
    )
    name = func._schema.name.partition("::")[2]
    if kwargs.get("device") is not None:
        kwargs = {**kwargs, "device": torch.device("cpu")}
    if name == "copy_" and ours and others:
        down = "copies down" if args[2:] == (True,) or kwargs.get("non_blocking") else "waits"
        note("copies up" if isinstance(args[0], Pretended) else down, func)
    elif name == "_to_copy" and not ours:
        note("copies up", func)
    elif ours:
        if name in WAITS or (name.startswith("index") and any(t.dtype == torch.bool for t in tensors[1:])):
            note("waits", func)
        if any(t.dim() for t in others):
            note("copies up" if name in COPIES_INDICES else "mixed devices", func)
    kwargs = {k: v for k, v in kwargs.items() if k not in ("non_blocking", "pin_memory")}
    out = func(*tree_map(unwrapped, args), **tree_map(unwrapped, kwargs))
    if name == "_local_scalar_dense":
        return out
    if func._schema.is_mutable:
        return out if not isinstance(args[0], torch.Tensor) or out is None else args[0]
    return tree_map(lambda t: Pretended(t) if isinstance(t, torch.Tensor) else t, out)


def unwrapped(value: Any) -> Any:
    return value.inner if isinstance(value, Pretended) else value


class OnCuda(TorchDispatchMode):
    """Inside the block new tensors for `cuda` are pretended ones."""

    def __enter__(self) -> Any:
        torch._C._set_only_lift_cpu_tensors(True)  # `torch.tensor` copies to a device afterwards, through the mode
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        torch._C._set_only_lift_cpu_tensors(False)
        super().__exit__(*error)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        device = kwargs.get("device")
        tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, Pretended)]
        if tensors or (device is not None and torch.device(device).type == "cuda"):
            return computed(func, args, kwargs)
        return func(*args, **{k: v for k, v in kwargs.items() if k != "pin_memory"})


def moved(model: torch.nn.Module) -> Any:
    """The model on the pretended GPU; tied weights stay tied."""
    new: dict[torch.nn.Parameter, torch.nn.Parameter] = {}
    for module in model.modules():
        for name, param in module._parameters.items():
            if param is not None:
                if param not in new:
                    new[param] = torch.nn.Parameter(Pretended(param.detach().clone()), param.requires_grad)
                module._parameters[name] = new[param]
        for name, buffer in module._buffers.items():
            module._buffers[name] = None if buffer is None else Pretended(buffer.clone())
    return model
