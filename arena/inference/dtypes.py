"""The data types of weights, and which of them a device computes in fastest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from games import InputError

DTYPES = {
    "bf16": "bfloat16",
    "bfloat16": "bfloat16",
    "fp32": "float32",
    "float32": "float32",
    "fp16": "float16",
    "float16": "float16",
}
_SMALL = 50_000_000
"""bytes of weights below which bfloat16 is not faster on a CPU: a tiny model waits for Python, not for products"""


def fastest(device: str, folder: Callable[[], Path]) -> str:
    """Returns bf16 for GPUs and for CPUs with instructions for it, and fp32 for other CPUs and for small models.

    On a CPU without such instructions (AVX2 only) SmolLM2-135M answers in float32 four times as fast as in bfloat16; on
    one with AMX, bfloat16 is twice as fast. `device`: auto, cpu, cuda or cuda:1. `folder` finds that of the
    model's weights, which may ask a hub; it is called only where their size decides.
    """
    import torch

    if device != "cpu" and (device != "auto" or torch.cuda.is_available()):
        return "bf16"
    # Older versions of torch lack the function.
    able: Mapping[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    if not any(able.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16")):
        return "fp32"
    size = sum(file.stat().st_size for file in folder().glob("*.safetensors"))
    return "bf16" if size >= _SMALL else "fp32"


def check(dtype: str) -> None:
    """Raises InputError for an unknown data type."""
    if dtype not in DTYPES:
        raise InputError(f"unknown dtype {dtype!r}; allowed: bf16, fp16, fp32, auto")
