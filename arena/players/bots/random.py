"""The player `random`: every legal action with the same probability."""

from __future__ import annotations

from collections.abc import Mapping

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.contract import contract_error


class RandomPlayer(Player):
    """Plays a random legal action; on a free-text turn, a random one of the game's examples."""

    name = "random"

    def act(self, view: View) -> Decision:
        """Returns a random action."""
        return Decision(view.choice(view.legal or view.game.examples(view.seat)))

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the uniform distribution over the legal actions; None on a free-text turn."""
        return {action: 1 / len(view.legal) for action in view.legal} if view.legal else None

    def supports(self, game: TextGame) -> str | None:
        """Supports games that list legal actions or give examples."""
        game.reset(0)
        acting = game.acting
        if problem := contract_error(game):
            return problem
        if not acting:
            return "nobody acts at its start"
        return None if game.examples(acting[0]) else "it takes free text and offers no examples"
