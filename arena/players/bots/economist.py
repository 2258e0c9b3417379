"""The scripted planner and workers of tax-v0 as a player: a reference, an anchor and a training partner."""

from __future__ import annotations

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.native.common import tags
from games.native.tax.game import PLANNER, TaxGame
from games.native.tax.scripted import learns, responds
from games.shortcuts import ScriptedTurn


class EconomistPlayer(Player):
    """Plays tax-v0 by its formulas: workers respond best, the planner infers the economy and moves to the best rates.

    From the observation alone; of the game it reads what the rules say. In a closed game hours are rounded to 10.
    """

    def act(self, view: View) -> Decision:
        """The changes of a planner, or the hours of a worker."""
        assert isinstance(view.game, TaxGame)
        number = len(view.game.workers)
        policy = learns(number, view.game.kind) if view.role == PLANNER else responds(number)
        seen = view.observation
        text = policy(ScriptedTurn(view.seat, view.role, seen.text, seen.phase, view.rng, view.legal))
        if view.legal is None:
            return Decision(text)
        content = tags.read(text, "answer").content or ""
        return Decision(content if view.role == PLANNER else str(10 * round(float(content) / 10)))

    def supports(self, game: TextGame) -> str | None:
        """Why it cannot play a game: it is not tax-v0."""
        return None if isinstance(game, TaxGame) else "it only plays tax-v0"
