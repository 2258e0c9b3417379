"""bargain: a seller and a buyer bargain over a price, optionally with a coach for one side."""

from games.native.bargain.game import bargain

__all__ = ["bargain"]
