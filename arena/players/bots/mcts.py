"""The player `mcts`: OpenSpiel's tree search over the position, or over sampled positions if information is hidden."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from annotated_types import Ge, Gt

from arena.event_loop import in_thread
from arena.players.player import Player, View
from arena.players.worlds import searchable
from arena.records import Decision
from games import TextGame
from games.openspiel.tree import perfect_information

LONG = 50_000
"""playouts per decision, from which on a decision runs in a thread; in connect four they take half a second"""


class MCTS(Player):
    """Monte Carlo tree search with random playouts.

    UCT (Kocsis and Szepesvari 2006) in games of perfect information; in games of hidden information the
    information-set version (Cowling, Powley and Whitehouse 2012), which sees only worlds sampled from its own seat's
    information.

    simulations: playouts per decision.
    uct_c: the exploration constant of UCT.
    """

    def __init__(self, simulations: Annotated[int, Ge(2)] = 100, uct_c: Annotated[float, Gt(0)] = 2.0) -> None:
        self.simulations, self.uct_c = simulations, float(uct_c)
        self.name = f"mcts(simulations={simulations})"
        self.waits = simulations >= LONG

    def act(self, view: View) -> Decision:
        """Returns the most visited action of a new search tree."""
        state: Any = view.game.openspiel_state()
        seed = view.seed % (1 << 31)
        bot = (
            self._uct(state.get_game(), seed)
            if perfect_information(state.get_game())
            else self._ismcts(state.get_game(), seed)
        )
        text = state.action_to_string(state.current_player(), bot.step(state))
        return Decision(view.game.from_openspiel(text))

    async def act_async(self, view: View) -> Decision:
        """Returns what `act` returns, from a thread, so that Ctrl-C and the board need not wait for a long search."""
        return await in_thread(partial(self.act, view))

    def _uct(self, game: Any, seed: int) -> Any:
        import pyspiel

        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, self.uct_c, self.simulations, 100, True, seed, False)

    def _ismcts(self, game: Any, seed: int) -> Any:
        """OpenSpiel's Python implementation. 100 simulations of Kuhn poker take 5 ms, 0.05 ms in C++; but the C++
        implementation breaks ties by the order of a hash table, so 4 of 60 matches differ on the same seed.
        """
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import ismcts, mcts

        rng = np.random.RandomState(seed)
        bot = ismcts.ISMCTSBot(
            game,
            mcts.RandomRolloutEvaluator(1, rng),
            self.uct_c,
            self.simulations,
            random_state=rng,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        worlds = pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, worlds))
        return bot

    def supports(self, game: TextGame) -> str | None:
        """Supports turn-based games that OpenSpiel can search, natively or as the twin of another library's game."""
        return searchable(game)
