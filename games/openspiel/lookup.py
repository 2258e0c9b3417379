"""Makes and describes the games of OpenSpiel by name."""

from __future__ import annotations

from importlib.metadata import version

from games.openspiel.adapter import make
from games.openspiel.parameters import describe

__all__ = ["describe", "make", "source"]


def source(name: str) -> str:
    """Returns where the game comes from: the package and its version."""
    return f"package open_spiel {version('open_spiel')}"
