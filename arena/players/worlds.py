"""Positions that a seat's information allows, for players that search. The true hidden state is never used."""

from __future__ import annotations

from typing import Any

from games import TextGame
from games.openspiel.tree import pays_early, perfect_information

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


def searchable(game: TextGame) -> str | None:
    """Returns None if a seat can sample the positions that it may be in, else the reason. Resets the game."""
    import pyspiel

    game.reset(0)
    state: Any = game.openspiel_state()
    if state is None:
        return "it has no OpenSpiel state to search"
    kind = state.get_game().get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "its moves are simultaneous"
    if pays_early(state.get_game()):
        return "it pays during the match, and OpenSpiel's search reads the pay at the end"
    if not perfect_information(state.get_game()) and kind.short_name not in RESAMPLED:
        return "OpenSpiel cannot resample its hidden information"
    return None


class Worlds:
    """Samples positions with the information of the seat that is to act in `state`, each with its own seed."""

    def __init__(self, state: Any, seed: int) -> None:
        import pyspiel

        self._state = state
        self._hidden = not perfect_information(state.get_game())
        self._random = pyspiel.UniformProbabilitySampler(seed % (1 << 31), 0.0, 1.0)

    def draw(self) -> Any:
        """Returns a position, as a new `pyspiel.State`. Hidden information is drawn anew from all that fits."""
        if self._hidden:
            return self._state.resample_from_infostate(self._state.current_player(), self._random)
        return self._state.clone()
