"""The player `lookahead`: tries another player's proposals in sampled positions and plays the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from arena.players.composite import Composite, charged, made
from arena.players.planning.samples import ask_often, valid
from arena.players.player import View
from arena.players.worlds import Worlds, searchable
from arena.records import Decision
from games import TextGame
from games.randomness import RandomStream, derive

LONGEST = 2000
"""moves after which a playout ends with the returns so far"""


class Lookahead(Composite):
    """Asks a player several times, plays each proposal to the end many times, and takes the best.

    The value of a proposal is the mean return of random playouts: the Monte-Carlo critic of ProAct (arXiv 2602.05327),
    used to choose, as ReST-MCTS* (arXiv 2406.03816) chooses by estimated values. The proposals branch from one prompt,
    as in TreePO (arXiv 2508.17445), so an engine computes it once. Hidden cards are sampled from the seat's
    information; the true ones are never used.

    player: proposes the actions.
    width: the number of proposals, each a sample of the player.
    rollouts: playouts of each different proposal.
    """

    def __init__(
        self,
        player: str = "random",
        width: Annotated[int, Interval(ge=1, le=64)] = 4,
        rollouts: Annotated[int, Interval(ge=1, le=10_000)] = 32,
    ) -> None:
        super().__init__(made(player=player))
        self.player, self.width, self.rollouts = self._parts["player"], width, rollouts

    async def decide(self, view: View) -> Decision:
        """Returns the proposal with the highest mean return; the most frequent of equal ones."""
        if view.legal and len(view.legal) == 1:
            return Decision(view.legal[0])
        asked = await ask_often(self.player, view, self.width)
        counts = Counter(d.action for d in valid(asked, view.legal or ()) if d.action is not None)
        if not counts:
            return charged(asked[0], asked)
        best = next(iter(counts)) if len(counts) == 1 else self._best(view, counts)
        return charged(next(d for d in asked if d.action == best), asked)

    def _best(self, view: View, counts: Counter[str]) -> str:
        state: Any = view.game.openspiel_state()
        numbers = {view.game.from_openspiel(state.action_to_string(a)): a for a in state.legal_actions()}
        values = _estimate(view.seed, state, [numbers[text] for text in counts], self.rollouts)
        return max(counts, key=lambda text: (values[numbers[text]], counts[text]))

    def supports(self, game: TextGame) -> str | None:
        """Supports turn-based games whose positions can be sampled for one seat."""
        return super().supports(game) or searchable(game)


def _estimate(seed: int, state: Any, actions: Sequence[int], rollouts: int) -> Mapping[int, float]:
    """Returns the mean return of the acting seat after each action. All are tried in the same sampled positions."""
    worlds = Worlds(state, derive(seed, "worlds"))
    positions = [worlds.draw() for _ in range(rollouts)]
    seeds = [derive(seed, "playout", i) for i in range(rollouts)]
    me = state.current_player()
    return {
        action: sum(_playout(p.child(action), s)[me] for p, s in zip(positions, seeds, strict=True)) / rollouts
        for action in actions
    }


def _playout(state: Any, seed: int) -> Sequence[float]:
    """Returns the returns of all players after random moves to the end. Changes `state`."""
    stream, moves = RandomStream(seed), 0
    while not state.is_terminal() and moves < LONGEST:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[stream.weighted([p for _, p in outcomes])][0])
            continue
        state.apply_action(stream.choice(state.legal_actions()))
        moves += 1
    return list(state.returns())
