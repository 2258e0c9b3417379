"""conjecture: a conjecturer states theorems, provers prove them."""

from games.native.conjecture.game import ConjectureGame, PublishedConjectureGame

__all__ = ["ConjectureGame", "PublishedConjectureGame"]
