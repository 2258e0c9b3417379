"""The player `mirror-descent`: one update of a last-iterate algorithm at the moment of the decision."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

import games
from arena.players.composite import Composite, made
from arena.players.planning.values import action_values, mirror_step
from arena.players.player import View
from arena.players.policy_table import Table, read_table, tabulate
from arena.records import Decision
from games import InputError, TextGame
from games.openspiel.tree import key_of, openspiel_game


class MirrorDescentPlayer(Composite):
    """Improves another player's policy by one step of mirror descent on the values of its actions.

    The update-equivalence framework for decision-time planning (Sokota et al. 2023, arXiv 2304.13138): planning repeats
    the update of an algorithm that converges, here magnetic mirror descent (arXiv 2206.05825), at the decision that is
    to be made. The values are exact, from the probabilities of `player`, and assume that all seats play it. Steps nest:
    mirror-descent(player=mirror-descent(...)).

    player: the policy to improve.
    eta: the step size, per unit of the game's return.
    alpha: the strength of the magnet, the uniform policy; 0: none.
    """

    def __init__(
        self,
        player: str = "random",
        eta: Annotated[float, Interval(gt=0, le=1000)] = 1.0,
        alpha: Annotated[float, Interval(ge=0, le=1000)] = 0.0,
    ) -> None:
        super().__init__(made(player=player))
        self.player = self._parts["player"]
        self.eta, self.alpha = float(eta), float(alpha)
        self._policies: dict[str, Table] = {}
        self._lock = asyncio.Lock()

    async def decide(self, view: View) -> Decision:
        """Returns an action drawn from the improved policy."""
        policy = await self.probabilities(view)
        if policy is None:
            raise InputError(f"{self.player.name} does not know its probabilities; give it decode=choice")
        actions = list(policy)
        return Decision(actions[view.rng.weighted(list(policy.values()))])

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the improved policy."""
        state: Any = view.game.openspiel_state()
        legal = {a: view.game.from_openspiel(state.action_to_string(a)) for a in state.legal_actions()}
        table = await self._exact(view.game.spec.id)
        return {legal[a]: p for a, p in table[key_of(state)].items()} if table else None

    async def _exact(self, id: str) -> Table | None:
        """Returns the improved policy of a whole game, computed once; None if the player knows no probabilities."""
        async with self._lock:
            if id not in self._policies:
                game = games.make(id)
                table = await read_table(self.player, tabulate(game))
                if table is None:
                    return None
                values = action_values(openspiel_game(game), table)
                self._policies[id] = {
                    key: mirror_step(row, values[key], self.eta, self.alpha) for key, row in table.items()
                }
        return self._policies[id]

    def supports(self, game: TextGame) -> str | None:
        """Supports games that can be enumerated."""
        if why := super().supports(game):
            return why
        try:
            tabulate(game)
        except InputError as error:
            return str(error)
        return None
