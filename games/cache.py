"""The cache folder: converted models, solved games, compiled worlds."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """Returns $ARENA_CACHE if set, else the user's cache folder."""
    if folder := os.environ.get("ARENA_CACHE"):
        return Path(folder).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("selfplay-arena"))
