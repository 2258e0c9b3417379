"""The cache folder for converted models and solved games."""

from __future__ import annotations

from games.cache import cache_dir

__all__ = ["cache_dir"]
