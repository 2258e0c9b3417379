"""Adapters on the CPU by a kernel of ours, `lora_cpu.cpp`.

vLLM's own CPU code copies an adapter's matrices once for every token of the batch, in float32. Here the tokens of
each adapter are gathered and go through it together; what that costs depends on the number of tokens and hardly on
how they are spread over the adapters.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from vllm.logger import init_logger
from vllm.lora.punica_wrapper.punica_cpu import PunicaWrapperCPU

from arena.inference.vllm.native import library

TOKENS = 8
"""in a chunk, at most; the kernel's constant of the same name"""
_KERNELS = {torch.bfloat16: "add_bfloat16", torch.float32: "add_float32"}


class _Slice(ctypes.Structure):
    _fields_ = (
        ("a", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("width", ctypes.c_int64),
        ("b_rows", ctypes.c_int64),
    )


class _Batch(ctypes.Structure):
    _fields_ = (
        ("rows", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("slots", ctypes.c_void_p),
        ("chunks", ctypes.c_int64),
    )


@dataclass(frozen=True, slots=True)
class Chunks:
    """Which tokens go through which adapter: chunk i has the tokens rows[first[i]:first[i + 1]]. All int32."""

    rows: Tensor
    first: Tensor
    slots: Tensor
    """where the matrices of each chunk's adapter lie"""


class ChunkLora(PunicaWrapperCPU):  # type: ignore[misc]
    """The linear and the output layers' part; embeddings keep vLLM's, and so does a dtype that the kernel lacks."""

    def update_metadata(self, *args: Any, **options: Any) -> None:
        """Before every step: sort its tokens by adapter."""
        super().update_metadata(*args, **options)
        self._chunks = chunks(self.token_lora_indices)

    def add_lora_linear(
        self,
        y: Tensor,
        x: Tensor,
        lora_a_stacked: tuple[Tensor, ...],
        lora_b_stacked: tuple[Tensor, ...],
        scale: float,
        output_slices: tuple[int, ...],
        **options: Any,
    ) -> None:
        """y[:, slice] += x @ A^T @ B^T * scale, for every slice with the adapter of each row.

        x (N, in); A (slots, 1, rank, in), B (slots, 1, slice, rank) for each slice; y (N, out) in place.
        """
        if not _add(self._chunks, y, x, lora_a_stacked, lora_b_stacked, scale, output_slices):
            super().add_lora_linear(y, x, lora_a_stacked, lora_b_stacked, scale, output_slices, **options)

    def add_lora_logits(self, y: Tensor, x: Tensor, a: Tensor, b: Tensor, scale: float, **options: Any) -> None:
        """The same for the logits y (N, vocabulary) of the tokens that are sampled after.

        Hardly an adapter has a part for the output layer. vLLM's own code takes a tenth of a step to add nothing.
        """
        if a.any() and not _add(chunks(self.sampler_indices), y, x, (a,), (b,), scale, (y.shape[-1],)):
            super().add_lora_logits(y, x, a, b, scale, **options)


def chunks(indices: Tensor) -> Chunks:
    """Cut a batch into chunks. indices (N,): the adapter of each token, -1 for none."""
    order = torch.argsort(indices, stable=True)
    first: list[int] = []
    slots: list[int] = []
    for place, slot in enumerate(indices[order].tolist()):
        if slot >= 0 and (not slots or slot != slots[-1] or place - first[-1] == TOKENS):
            first.append(place)
            slots.append(slot)
    first.append(len(order))
    return Chunks(*(torch.as_tensor(found, dtype=torch.int32) for found in (order, first, slots)))


def _add(
    found: Chunks,
    y: Tensor,
    x: Tensor,
    lora_a: tuple[Tensor, ...],
    lora_b: tuple[Tensor, ...],
    scale: float,
    widths: tuple[int, ...],
) -> bool:
    """Shapes as in `add_lora_linear`. False where there is no kernel for such numbers and nothing was added."""
    kernel = _kernel(y.dtype)
    if kernel is None or any(t.dtype != y.dtype for t in (x, *lora_a, *lora_b)):
        return False
    y, x = y.view(-1, y.shape[-1]), x.view(-1, x.shape[-1])
    if y.stride(1) != 1 or x.stride(1) != 1:
        return False
    parts = zip(lora_a, lora_b, widths, strict=True)
    slices = (_Slice * len(widths))(*(_Slice(a.data_ptr(), b.data_ptr(), width, b.shape[2]) for a, b, width in parts))
    batch = _Batch(found.rows.data_ptr(), found.first.data_ptr(), found.slots.data_ptr(), len(found.slots))
    rank, wide = lora_a[0].shape[2:]
    kernel(
        y.data_ptr(),
        y.stride(0),
        x.data_ptr(),
        x.stride(0),
        ctypes.byref(batch),
        slices,
        len(widths),
        wide,
        rank,
        scale,
    )
    return True


@cache
def _kernel(dtype: torch.dtype) -> Callable[..., None] | None:
    """The function for activations and adapters of this type; None where vLLM's own has to do."""
    try:
        kernel = getattr(library(Path(__file__).with_suffix(".cpp")), _KERNELS[dtype])
    except (OSError, KeyError) as error:
        init_logger("vllm.arena").warning("adapters of %s by vLLM's own, slower kernel: %s", dtype, error)
        return None
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    kernel.argtypes = (pointer, number, pointer, number, *(pointer,) * 2, *(number,) * 3, ctypes.c_float)
    kernel.restype = None
    return kernel  # type: ignore[no-any-return]
