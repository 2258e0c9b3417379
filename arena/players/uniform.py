"""The player `random`: every legal action with the same probability."""

from __future__ import annotations

from collections.abc import Mapping

from arena.match.records import Decision
from arena.players.player import Player, View
from games import TextGame


class Uniform(Player):
    """Plays a legal action at random; on a free-text turn one of the game's examples."""

    name = "random"

    def act(self, view: View) -> Decision:
        """One of the legal actions, from the view's stream."""
        return Decision(view.rng.choice(view.legal or view.game.examples(view.seat)))

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The same for each legal action; a free-text turn has no list of them."""
        return {action: 1 / len(view.legal) for action in view.legal} if view.legal else None

    def supports(self, game: TextGame) -> str | None:
        """Any game with listed actions, or with examples of its free text."""
        game.reset(0)
        seat = game.acting[0]
        return None if game.examples(seat) else "it takes free text and offers no examples"
