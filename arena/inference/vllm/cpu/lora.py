"""LoRA adapters on the CPU with the kernel in `lora.cpp`.

vLLM's own CPU code copies an adapter's matrices for every token of the batch, in float32. This kernel gathers the
tokens of each adapter and multiplies them together. The cost depends on the number of tokens and hardly on how many
adapters they use.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from vllm.logger import init_logger
from vllm.lora.punica_wrapper.punica_cpu import PunicaWrapperCPU
from vllm.platforms import current_platform

from arena.inference.vllm.cpu.compiled import library

TOKENS = 8
"""maximum tokens of a chunk; the kernel has the same constant"""
_KERNELS = {torch.bfloat16: "add_bfloat16", torch.float32: "add_float32"}


class _Slice(ctypes.Structure):
    _fields_ = (
        ("a", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("width", ctypes.c_int64),
        ("b_rows", ctypes.c_int64),
    )


class _KernelBatch(ctypes.Structure):
    _fields_ = (
        ("rows", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("slots", ctypes.c_void_p),
        ("chunks", ctypes.c_int64),
    )


@dataclass(frozen=True, slots=True)
class Chunks:
    """The tokens of each adapter: chunk i consists of the tokens rows[first[i]:first[i + 1]]. All int32."""

    rows: Tensor
    first: Tensor
    slots: Tensor
    """the adapter slot of each chunk"""


class ChunkLora(PunicaWrapperCPU):  # type: ignore[misc]
    """Adapters of linear and output layers; embeddings and dtypes without a kernel use vLLM's code."""

    def update_metadata(self, *args: Any, **options: Any) -> None:
        """Called before every step: sort its tokens by adapter."""
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
        """y[:, slice] += x @ A^T @ B^T * scale for every slice, with the adapter of each row.

        x (N, in); A (slots, 1, rank, in), B (slots, 1, slice, rank) for each slice; y (N, out) in place.
        """
        if not _add(self._chunks, y, x, lora_a_stacked, lora_b_stacked, scale, output_slices):
            super().add_lora_linear(y, x, lora_a_stacked, lora_b_stacked, scale, output_slices, **options)

    def add_lora_logits(self, y: Tensor, x: Tensor, a: Tensor, b: Tensor, scale: float, **options: Any) -> None:
        """The same for the logits y (N, vocabulary) of the last tokens.

        Few adapters include the output layer; without one, vLLM's code spends a tenth of a step on adding zeros.
        """
        if a.any() and not _add(chunks(self.sampler_indices), y, x, (a,), (b,), scale, (y.shape[-1],)):
            super().add_lora_logits(y, x, a, b, scale, **options)


def chunks(indices: Tensor) -> Chunks:
    """Split a batch into chunks. indices (N,): the adapter of each token, -1 for none."""
    order = torch.argsort(indices, stable=True)
    first: list[int] = []
    slots: list[int] = []
    for place, slot in enumerate(indices[order].tolist()):
        if slot >= 0 and (not slots or slot != slots[-1] or place - first[-1] == TOKENS):
            first.append(place)
            slots.append(slot)
    first.append(len(order))
    return Chunks(*(torch.as_tensor(column, dtype=torch.int32) for column in (order, first, slots)))


def _add(
    layout: Chunks,
    y: Tensor,
    x: Tensor,
    lora_a: tuple[Tensor, ...],
    lora_b: tuple[Tensor, ...],
    scale: float,
    widths: tuple[int, ...],
) -> bool:
    """Add with the kernel; shapes as in `add_lora_linear`. Returns False if there is no kernel for these tensors."""
    kernel = _kernel(y.dtype)
    if kernel is None or any(t.dtype != y.dtype for t in (x, *lora_a, *lora_b)):
        return False
    y, x = y.view(-1, y.shape[-1]), x.view(-1, x.shape[-1])
    if y.stride(1) != 1 or x.stride(1) != 1:
        return False
    parts = zip(lora_a, lora_b, widths, strict=True)
    slices = (_Slice * len(widths))(*(_Slice(a.data_ptr(), b.data_ptr(), width, b.shape[2]) for a, b, width in parts))
    batch = _KernelBatch(layout.rows.data_ptr(), layout.first.data_ptr(), layout.slots.data_ptr(), len(layout.slots))
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
    """Returns the kernel for a dtype; None if there is none, so that vLLM's code is used."""
    try:
        kernel = getattr(library(Path(__file__).with_suffix(".cpp")), _KERNELS[dtype])
    except (OSError, KeyError) as error:
        init_logger("vllm.arena").warning("using vLLM's slower code for adapters of %s: %s", dtype, error)
        return None
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    kernel.argtypes = (pointer, number, pointer, number, *(pointer,) * 2, *(number,) * 3, ctypes.c_float)
    kernel.restype = None
    return kernel  # type: ignore[no-any-return]


def install() -> None:
    """Use `ChunkLora` in this process, unless ARENA_LORA_KERNEL=vllm selects vLLM's code, for comparisons."""
    if os.environ.get("ARENA_LORA_KERNEL") != "vllm":
        type(current_platform).get_punica_wrapper = classmethod(lambda cls: f"{__name__}.{ChunkLora.__name__}")
