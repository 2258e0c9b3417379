"""The player `random`: every legal action with the same probability."""

from __future__ import annotations

from collections.abc import Mapping

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.randomness import choose


class RandomPlayer(Player):
    """Plays a random legal action; on a free-text turn, a random one of the game's examples."""

    name = "random"

    def act(self, view: View) -> Decision:
        """A random action."""
        return Decision(choose(view.seed, view.legal or view.game.examples(view.seat)))

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The uniform distribution over the legal actions; None on a free-text turn."""
        return {action: 1 / len(view.legal) for action in view.legal} if view.legal else None

    def supports(self, game: TextGame) -> str | None:
        """Supports games that list legal actions or give examples."""
        game.reset(0)
        seat = game.acting[0]
        return None if game.examples(seat) else "it takes free text and offers no examples"
