"""The player `mcts`: OpenSpiel's tree search, over the position or, where cards are hidden, over guesses of them."""

from __future__ import annotations

from typing import Any

from arena.match.records import Decision
from arena.players._openspiel import decision
from arena.players.player import Player, View
from games import InputError, TextGame
from games.openspiel.tree import perfect_information

# Games whose hidden information OpenSpiel can resample for one seat (State.resample_from_infostate, 2.0.2).
RESAMPLED = frozenset(
    {
        "bargaining",
        "blackjack",
        "colored_trails",
        "euchre",
        "gin_rummy",
        "hearts",
        "kuhn_poker",
        "leduc_poker",
        "oh_hell",
        "universal_poker",
    }
)


class MCTS(Player):
    """Monte Carlo tree search with random playouts.

    UCT (Kocsis and Szepesvari 2006) in games of perfect information; in games of hidden information the
    information-set version (Cowling, Powley and Whitehouse 2012), which only ever sees worlds sampled from its own
    seat's information.
    """

    def __init__(self, simulations: int = 100, uct_c: float = 2.0, rollouts: int = 1) -> None:
        for name, value, least in (("simulations", simulations, 2), ("rollouts", rollouts, 1)):
            if value < least:
                raise InputError(f"mcts({name}={value!r}): {name} must be a whole number, {least} or more")
        if not uct_c > 0:
            raise InputError(f"mcts(uct_c={uct_c!r}): uct_c must be above 0")
        self.simulations, self.uct_c, self.rollouts = simulations, float(uct_c), rollouts
        self.name = f"mcts(simulations={simulations})"

    def act(self, view: View) -> Decision:
        """The most visited action of a fresh tree."""
        state: Any = view.game.openspiel_state()
        seed = view.seed % (1 << 31)
        bot = (
            self._uct(state.get_game(), seed)
            if perfect_information(state.get_game())
            else self._ismcts(state.get_game(), seed)
        )
        return decision(view, state.action_to_string(state.current_player(), bot.step(state)))

    def _uct(self, game: Any, seed: int) -> Any:
        import pyspiel

        evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, seed)
        return pyspiel.MCTSBot(game, evaluator, self.uct_c, self.simulations, 100, True, seed, False)

    def _ismcts(self, game: Any, seed: int) -> Any:
        """OpenSpiel's Python version: 5 ms for 100 simulations of Kuhn poker instead of 0.05 ms, but the C++ one breaks
        ties by the order of a hash table and plays the same seed differently (4 of 60 matches).
        """
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import ismcts, mcts

        rng = np.random.RandomState(seed)
        bot = ismcts.ISMCTSBot(
            game,
            mcts.RandomRolloutEvaluator(self.rollouts, rng),
            self.uct_c,
            self.simulations,
            random_state=rng,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        worlds = pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, worlds))
        return bot

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
        if not perfect_information(state.get_game()) and kind.short_name not in RESAMPLED:
            return "OpenSpiel cannot guess its hidden information"
        return None
