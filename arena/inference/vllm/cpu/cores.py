"""Runs vLLM's CPU build in one process, on all cores, with Intel's OpenMP.

By default it runs the model in another process on all cores but one, where the engine's process busy-waits. On two
cores 64 concurrent matches sample 150 tokens/s in that way, 220 in one process on both cores, and 265 with the OpenMP
library that vLLM depends on and recommends to preload. Keeping freed memory for the next step adds 5%.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

BIND = "VLLM_CPU_OMP_THREADS_BIND"
"""if the user sets this variable of vLLM, its own thread placement is used"""
OPENMP = {
    "KMP_BLOCKTIME": "5",  # milliseconds to spin for more work; the learner needs the cores afterwards
    "KMP_TPAUSE": "0",
}
MALLOC = {  # keep freed memory: returning it to the system costs page faults in the next step
    "MALLOC_TRIM_THRESHOLD_": str(4 << 30),
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TOP_PAD_": str(64 << 20),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # pages of 2 MiB if the system allows them: 4% at 64 rows
}


def in_one_process() -> dict[str, Any]:
    """Keywords for vLLM's AsyncEngineArgs."""
    if BIND in os.environ:
        return {}
    from vllm.v1.executor.uniproc_executor import UniProcExecutor

    return {"distributed_executor_backend": UniProcExecutor}  # the name "uni" selects another class in the CPU build


@contextmanager
def all_cores() -> Iterator[None]:
    """Set environment variables for a process started inside the block; keeps those that the user has set."""
    if BIND in os.environ:
        yield
        return
    preloaded = os.environ.get("LD_PRELOAD", "")
    library = "" if "omp" in preloaded else openmp()
    usual = {"OMP_NUM_THREADS": str(cores())} | MALLOC | (OPENMP if library else {})
    variables = {name: os.environ.get(name, value) for name, value in usual.items()}
    if library:
        variables["LD_PRELOAD"] = f"{library}:{preloaded}".rstrip(":")
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = old


def cores() -> int:
    """Returns usable physical cores on the first memory node, where vLLM allocates the model."""
    from vllm.utils.cpu_resource_utils import get_allowed_cpu_list, get_visible_memory_node

    cpus = get_allowed_cpu_list()
    node = get_visible_memory_node()[0]
    return len({c.physical_core for c in cpus if c.numa_node == node} or {c.physical_core for c in cpus})


def openmp() -> str:
    """Returns the path of Intel's OpenMP library; "" if it cannot be preloaded.

    It may not be installed (there is no build for ARM), or its path contains a space, which separates paths in
    LD_PRELOAD.
    """
    try:
        files = metadata.files("intel-openmp") or []
    except metadata.PackageNotFoundError:
        return ""
    path = next((str(file.locate()) for file in files if file.name == "libiomp5.so"), "")
    return "" if " " in path else path
