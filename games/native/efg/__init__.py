"""efg: a translator writes a game described in words in extensive form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.native.efg.game import efg, playable

__all__ = ["efg", "playable"]


def __getattr__(name: str) -> Any:
    """Loads the game lazily: the sandboxed worker imports this package and needs only its own modules."""
    if name in __all__:
        from games.native.efg import game

        return getattr(game, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
