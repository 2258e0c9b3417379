"""conjecture-v0: a conjecturer states theorems, provers prove them."""

from games.native.conjecture.game import ConjectureGame

__all__ = ["ConjectureGame"]
