"""The player `mcts`: tree search in OpenSpiel's C++, over the position or, where cards are hidden, over guesses."""

from __future__ import annotations

from typing import Any

from arena.match.records import Decision
from arena.players.player import Player, View
from games import InputError, TextGame

# Games whose hidden information OpenSpiel can resample for one seat (State.resample_from_infostate, 2.0.2).
RESAMPLED = frozenset(
    "bargaining blackjack colored_trails euchre gin_rummy hearts kuhn_poker leduc_poker oh_hell universal_poker".split()
)


class MCTS(Player):
    """Monte Carlo tree search with random playouts.

    UCT (Kocsis and Szepesvari 2006) in games of perfect information; in games of hidden information the
    information-set version (Cowling, Powley and Whitehouse 2012), which only ever sees worlds sampled from its own
    seat's information.
    """

    def __init__(self, simulations: int = 100, uct_c: float = 2.0, rollouts: int = 1) -> None:
        for name, value, least in (("simulations", simulations, 2), ("rollouts", rollouts, 1)):
            if not isinstance(value, int) or value < least:
                raise InputError(f"mcts({name}={value!r}): {name} must be a whole number, {least} or more")
        if not uct_c > 0:
            raise InputError(f"mcts(uct_c={uct_c!r}): uct_c must be above 0")
        self.simulations, self.uct_c, self.rollouts = simulations, float(uct_c), rollouts
        self.name = f"mcts(simulations={simulations})"

    def act(self, view: View) -> Decision:
        """The most visited action of a fresh tree."""
        state: Any = view.game.openspiel_state()
        action = self._bot(state.get_game(), view.seed % (1 << 31)).step(state)
        text = state.action_to_string(state.current_player(), action)
        translate = getattr(view.game, "from_openspiel", None)
        return Decision(translate(text) if translate else text)

    def _bot(self, game: Any, seed: int) -> Any:
        import pyspiel

        evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, seed)
        if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            return pyspiel.MCTSBot(game, evaluator, self.uct_c, self.simulations, 100, True, seed, False)
        return pyspiel.ISMCTSBot(
            seed, evaluator, self.uct_c, self.simulations, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False
        )

    def supports(self, game: TextGame) -> str | None:
        """Turn-based games that OpenSpiel can search, natively or as the twin of another library's game."""
        import pyspiel

        game.reset(0)
        state: Any = game.openspiel_state()
        if state is None:
            return "OpenSpiel has no position of it to search"
        kind = state.get_game().get_type()
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            return "its moves are simultaneous"
        perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        if not perfect and kind.short_name not in RESAMPLED:
            return "OpenSpiel cannot guess its hidden information"
        return None
