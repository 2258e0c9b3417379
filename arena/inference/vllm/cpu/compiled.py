"""Compiles a C++ file into a shared library, once for each kind of processor."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
import subprocess
import tempfile
from pathlib import Path

from arena.cache import cache_dir

_COMMAND = ("g++", "-O3", "-march=native", "-std=c++17", "-fopenmp", "-shared", "-fPIC", "-Wno-psabi")


def library(source: Path) -> ctypes.CDLL:
    """Compile `source` if the cache does not contain it, and load it. Raises OSError with the compiler's error.

    `-fopenmp` links to the library that torch has already loaded, so both use the same threads.
    """
    key = hashlib.sha256(source.read_bytes() + " ".join(_COMMAND).encode() + _processor().encode()).hexdigest()[:16]
    path = cache_dir() / "native" / f"{source.stem}-{key}.so"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as temporary:
            made = Path(temporary) / path.name
            environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
            done = subprocess.run(
                [*_COMMAND, str(source), "-o", str(made)], env=environment, capture_output=True, text=True
            )
            if done.returncode:
                message = next((line for line in done.stderr.splitlines() if " error:" in line), done.stderr.strip())
                raise OSError(f"g++ cannot compile {source.name}: {message}")
            made.replace(path)  # atomic, in case another process compiles it too
    return ctypes.CDLL(str(path))


def _processor() -> str:
    """Returns the processor features that `-march=native` uses; different machines may share a cache."""
    try:
        features = re.search(
            r"^(?:flags|Features)\s*:.*$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE
        )
    except OSError:
        features = None
    return platform.machine() + (features.group() if features else "")
