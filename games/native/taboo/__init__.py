"""taboo: an attacker tries to make a defender say a secret word."""

from games.native.taboo.game import PublishedTabooGame, TabooGame, UncorrectedTabooGame

__all__ = ["PublishedTabooGame", "TabooGame", "UncorrectedTabooGame"]
