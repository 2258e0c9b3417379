"""Files that no reader sees half written."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a file in one step. Raises OSError; the folder must exist."""
    work = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        work.write_text(text, encoding="utf-8")
        os.replace(work, path)
    except BaseException:
        work.unlink(missing_ok=True)
        raise
