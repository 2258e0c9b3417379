"""The parts of gpu_check; each yields rows. All of them also run on the CPU, with the size `tiny`."""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Callable, Iterator

from _gpu_attention import attention, graphs
from _gpu_driver import driver
from _gpu_engines import generate, publish, vllm
from _gpu_learner import compiled, full, lora, parity
from _gpu_measures import Row, timed
from _gpu_shards import shards


def machine(size: str) -> Iterator[Row]:
    """Versions, and what the device reaches: products in bfloat16 and copies."""
    import torch

    names = ("torch", "triton", "transformers", "peft", "vllm")
    there = {name: importlib.util.find_spec(name) is not None for name in names}
    versions = {name: importlib.import_module(name).__version__ for name in ("torch", "transformers")}
    missing = [name for name, found in there.items() if not found]
    yield {"what": f"python {platform.python_version()}, {versions}, CUDA {torch.version.cuda}, missing: {missing}"}
    where, n = ("cuda", 8192) if torch.cuda.is_available() else ("cpu", 256)
    a = torch.randn(n, n, dtype=torch.bfloat16, device=where)
    a @ a
    yield {"what": f"product of {n} x {n} in bfloat16", "Tflop/s": 2e-12 * n**3 / timed(lambda: a @ a)}
    b = torch.empty_like(a)
    yield {"what": "copy on the device", "GB/s": 2e-9 * a.nbytes / timed(lambda: b.copy_(a))}


def everything(size: str) -> Iterator[Row]:
    """All parts in one process; a part that fails is a row."""
    for name, part in PARTS.items():
        if name == "everything":
            continue
        try:
            for row in part(size):
                yield {"part": name, **row}
        except Exception as error:  # noqa: BLE001  the next part begins
            yield {"part": name, "error": f"{type(error).__name__}: {error}"[:160]}


PARTS: dict[str, Callable[[str], Iterator[Row]]] = {
    f.__name__: f
    for f in (
        machine,
        attention,
        graphs,
        parity,
        full,
        lora,
        compiled,
        shards,
        publish,
        generate,
        vllm,
        driver,
        everything,
    )
}
