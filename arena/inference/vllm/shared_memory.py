"""The folder in memory through which weights reach vLLM."""

from __future__ import annotations

import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")


def folder_for(size: int) -> Path | None:
    """Returns the folder in memory if a file of so many bytes fits; else None: the one for temporary files.

    Containers often have 64 MB there, and a write beyond it kills the process.
    """
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < size * 1.05:
        return None
    return MEMORY
