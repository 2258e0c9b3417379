"""The player `lookahead`: tries another player's proposals in sampled positions and plays the best."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from annotated_types import Interval

from arena.players.bots.random import RandomPlayer
from arena.players.composite import Composite, charged, made
from arena.players.planning.playouts import estimate
from arena.players.planning.samples import ask_often, valid
from arena.players.player import View
from arena.players.worlds import Worlds, searchable
from arena.records import Decision
from games import TextGame
from games.randomness import derive


class Lookahead(Composite):
    """Asks a player several times, plays each proposal to the end many times, and takes the best.

    The value of a proposal is the mean return of playouts: the Monte-Carlo critic of ProAct (arXiv 2602.05327), used to
    choose, as ReST-MCTS* (arXiv 2406.03816) chooses by estimated values. The proposals branch from one prompt, as in
    TreePO (arXiv 2508.17445), so an engine computes it once. Hidden cards are sampled from the seat's information; the
    true ones are never used.

    player: proposes the actions.
    critic: plays all seats in the playouts.
    width: the number of proposals, each a sample of the player.
    rollouts: playouts of each different proposal.
    plies: the first moves of a playout that the player makes itself; they cost its tokens.
    """

    def __init__(
        self,
        player: str = "random",
        critic: str = "random",
        width: Annotated[int, Interval(ge=1, le=64)] = 4,
        rollouts: Annotated[int, Interval(ge=1, le=10_000)] = 32,
        plies: Annotated[int, Interval(ge=0, le=100)] = 0,
    ) -> None:
        super().__init__(made(player=player, critic=critic))
        self.player, self.critic = self._parts["player"], self._parts["critic"]
        self.width, self.rollouts, self.plies = width, rollouts, plies

    async def decide(self, view: View) -> Decision:
        """Returns the proposal with the highest mean return; the most frequent of equal ones."""
        if view.legal and len(view.legal) == 1:
            return Decision(view.legal[0])
        asked = await ask_often(self.player, view, self.width)
        counts = Counter(d.action for d in valid(asked, view.legal or ()) if d.action is not None)
        if not counts:
            return charged(asked[0], asked)
        best = next(iter(counts)) if len(counts) == 1 else await self._best(view, counts)
        return charged(next(d for d in asked if d.action == best), asked)

    async def _best(self, view: View, counts: Counter[str]) -> str:
        state: Any = view.game.openspiel_state()
        numbers = {view.game.from_openspiel(state.action_to_string(a)): a for a in state.legal_actions()}
        worlds = Worlds(state, derive(view.seed, "worlds"))
        actions = [numbers[text] for text in counts]
        values = await estimate(view, worlds, actions, self.critic, self.rollouts, self.player, self.plies)
        return max(counts, key=lambda text: (values[numbers[text]], counts[text]))

    def supports(self, game: TextGame) -> str | None:
        """Supports turn-based games whose positions can be sampled for one seat."""
        if why := super().supports(game) or searchable(game):
            return why
        alone = type(self.critic) is RandomPlayer and not self.plies
        return None if alone or hasattr(game, "place") else "only critic=random can play its positions"
