"""refine: an answer, a critique of it that does not name the right one, and refined answers."""

from games.native.refine.game import refine

__all__ = ["refine"]
