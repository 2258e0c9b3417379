"""The player `learned`: another player with notes from its earlier matches."""

from arena.players.learned.player import LearnedPlayer

__all__ = ["LearnedPlayer"]
