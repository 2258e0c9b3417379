"""taboo: an attacker tries to make a defender say a secret word."""

from games.native.taboo.game import taboo

__all__ = ["taboo"]
