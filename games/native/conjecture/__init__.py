"""conjecture: a conjecturer states theorems, provers prove them."""

from games.native.conjecture.game import conjecture

__all__ = ["conjecture"]
