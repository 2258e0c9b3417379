"""Optional tuning of vLLM's CPU build: thread placement, sampling, batch order and a kernel for LoRA adapters.

The tuning replaces internal functions of vLLM, so it is active only for the versions in `TESTED_VERSIONS`. With any
other version the engine works without it, but slower. The functions of this module are the only entry points to the
other modules of this package, and each of them checks `enabled()`.

To support another version, add it to `TESTED_VERSIONS` and run `pytest -m vllm tests/real/vllm` with it installed.
"""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from arena.inference.vllm.available import build

log = logging.getLogger(__name__)

TESTED_VERSIONS = ("0.32.0",)
"""the versions of vLLM that the tuning was tested with"""


def enabled() -> bool:
    """Returns whether vLLM is a CPU build of a tested version."""
    return _version() in TESTED_VERSIONS


def engine_arguments() -> dict[str, Any]:
    """Keywords for vLLM's AsyncEngineArgs. Logs one line if the tuning is off."""
    if not enabled():
        log.warning(
            "vLLM %s: CPU tuning is off, because it was only tested with %s", _version(), ", ".join(TESTED_VERSIONS)
        )
        return {}
    from arena.inference.vllm.cpu.cores import in_one_process

    return in_one_process()


def process_environment() -> AbstractContextManager[None]:
    """Returns a context with the environment variables for vLLM's engine process."""
    if not enabled():
        return nullcontext()
    from arena.inference.vllm.cpu.cores import all_cores

    return all_cores()


def install() -> bool:
    """Patch vLLM in this worker process. Returns False if the tuning is off."""
    if not enabled():
        return False
    from arena.inference.vllm.cpu import lora, prefix_order, sampling

    for patch in (sampling, prefix_order, lora):
        patch.install()
    return True


def _version() -> str:
    """Returns the version of vLLM's CPU build without a local suffix; "" if another build or none is installed."""
    package = build()
    return package[0].partition("+")[0] if package and package[1] == "cpu" else ""


__all__ = ["TESTED_VERSIONS", "enabled", "engine_arguments", "install", "process_environment"]
