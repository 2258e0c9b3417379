"""taboo-v0: an attacker tries to make a defender say a secret word."""

from games.native.taboo.game import TabooGame

__all__ = ["TabooGame"]
