"""bargain: a seller and a buyer bargain over a price, optionally with a coach for one side."""

from games.native.bargain.coached import CoachedBargainGame, bargain, published_bargain
from games.native.bargain.game import BargainGame

__all__ = ["BargainGame", "CoachedBargainGame", "bargain", "published_bargain"]
