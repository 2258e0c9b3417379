"""The cache folder for converted models and solved games."""

from games.cache import cache_dir

__all__ = ["cache_dir"]
