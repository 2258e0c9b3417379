"""How vLLM's CPU build computes here: in one process, on all cores, by Intel's OpenMP.

Left alone it runs the model in a process of its own, on all cores but one, on which the engine's process waits for it
in a loop. On two cores 64 matches in flight write 150 tokens/s that way, 220 in one process on both, and 265 with the
OpenMP that vLLM asks to have preloaded and brings along. Memory that is kept for the next step gives another 5%.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

BIND = "VLLM_CPU_OMP_THREADS_BIND"
"""who sets this variable of vLLM's wants vLLM's own way"""
OPENMP = {
    "KMP_BLOCKTIME": "5",  # ms to spin for more work; the learner wants its cores back
    "KMP_TPAUSE": "0",
}
MALLOC = {  # a step's intermediates are not given back to the system, which would hand them out page by page again
    "MALLOC_TRIM_THRESHOLD_": str(4 << 30),
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TOP_PAD_": str(64 << 20),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # pages of 2 MiB where the system gives them on request: 4% at 64 rows
}


def in_one_process() -> dict[str, Any]:
    """Keywords for vLLM's AsyncEngineArgs."""
    if BIND in os.environ:
        return {}
    from vllm.v1.executor.uniproc_executor import UniProcExecutor

    return {"distributed_executor_backend": UniProcExecutor}  # for its name, "uni", the CPU build takes another


@contextmanager
def all_cores() -> Iterator[None]:
    """The environment of a process that is started meanwhile; what the user has set stays as it is."""
    if BIND in os.environ:
        yield
        return
    preloaded = os.environ.get("LD_PRELOAD", "")
    library = "" if "omp" in preloaded else openmp()
    usual = {"OMP_NUM_THREADS": str(cores())} | MALLOC | (OPENMP if library else {})
    wanted = {name: os.environ.get(name, value) for name, value in usual.items()}
    if library:
        wanted["LD_PRELOAD"] = f"{library}:{preloaded}".rstrip(":")
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = old


def cores() -> int:
    """Physical cores that this process may use, on the first memory node: vLLM keeps the model's memory there."""
    from vllm.utils.cpu_resource_utils import get_allowed_cpu_list, get_visible_memory_node

    found = get_allowed_cpu_list()
    node = get_visible_memory_node()[0]
    return len({c.physical_core for c in found if c.numa_node == node} or {c.physical_core for c in found})


def openmp() -> str:
    """Intel's OpenMP library, "" where it cannot be preloaded: not installed (it has no build for ARM), or the path has
    a space, which the loader takes for the end of it.
    """
    try:
        files = metadata.files("intel-openmp") or []
    except metadata.PackageNotFoundError:
        return ""
    found = next((str(file.locate()) for file in files if file.name == "libiomp5.so"), "")
    return "" if " " in found else found
