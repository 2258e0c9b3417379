"""The player `solver`: an exact or equilibrium policy for small games, computed once and cached on disk."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge

from arena.cache import cache_dir
from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.files import write_whole
from games.openspiel.tree import LARGEST, key_of, pays_early, perfect_information, states
from games.randomness import derive

log = logging.getLogger(__name__)

Policy = dict[str, dict[str, float]]


class SolverPlayer(Player):
    """Plays an equilibrium of a two-player zero-sum turn-based game.

    Perfect information: exact minimax, a random one of the best actions. Hidden information: the average strategy
    of CFR+ (Tammelin 2014) after `iterations`, whose NashConv is about 1e-3 in Kuhn and Leduc poker.
    """

    def __init__(self, iterations: Annotated[int, Ge(1)] = 2000) -> None:
        self.iterations = iterations
        self.name = "solver"
        self._solved: dict[str, Policy] = {}

    def act(self, view: View) -> Decision:
        """Returns an action drawn from the solved policy."""
        state: Any = view.game.openspiel_state()
        choices = self.policy(state.get_game())[key_of(state)]
        text = list(choices)[view.rng.weighted(list(choices.values()))]
        return Decision(view.game.from_openspiel(text))

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the solved policy."""
        state: Any = view.game.openspiel_state()
        choices = self.policy(state.get_game())[key_of(state)]
        return {view.game.from_openspiel(text): p for text, p in choices.items()}

    def policy(self, game: Any) -> Policy:
        """Returns information state -> action text -> probability, for a `pyspiel.Game`."""
        name = str(game)
        if name not in self._solved:
            self._solved[name] = _cached(game, self.iterations)
        return self._solved[name]

    def supports(self, game: TextGame) -> str | None:
        """Supports two-player zero-sum turn-based games of at most `LARGEST` positions."""
        import pyspiel

        game.reset(0)
        state: Any = game.openspiel_state()
        if state is None:
            return "it has no OpenSpiel state to solve"
        kind = state.get_game().get_type()
        if kind.utility != pyspiel.GameType.Utility.ZERO_SUM or state.num_players() != 2:
            return "it is not a two-player zero-sum game"
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            return "its moves are simultaneous"
        if pays_early(state.get_game()):
            return "it pays during the match"
        if not _small(state.get_game()):
            return f"it has more than {LARGEST:,} positions"
        return None


def _small(game: Any) -> bool:
    """Returns whether the game tree has at most LARGEST states."""
    return next(islice(states(game.new_initial_state()), LARGEST, None), None) is None


def _cached(game: Any, iterations: int) -> Policy:
    """Returns the solution, from the cache on disk if possible. A new solution is written there."""
    path = cache_dir() / "solved" / f"{game.get_type().short_name}-{derive(iterations, str(game), 'v1'):016x}.json"
    try:
        return json.loads(path.read_text())  # type: ignore[no-any-return]
    except (OSError, ValueError):
        pass
    policy = _minimax(game) if perfect_information(game) else _cfr(game, iterations)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(policy))
    except OSError as error:  # not fatal: the player keeps the solution in memory
        _warn(path.parent, error.strerror or str(error))
    return policy


@cache
def _warn(folder: Path, why: str) -> None:
    """Warn once per process and reason (cached)."""
    log.warning("cannot write %s: %s; every run solves its games again; set ARENA_CACHE to another folder", folder, why)


def _cfr(game: Any, iterations: int) -> Policy:
    import pyspiel

    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    policy: Policy = {}
    for state in states(game.new_initial_state()):
        if state.is_terminal() or state.is_chance_node() or (key := key_of(state)) in policy:
            continue
        player = state.current_player()
        policy[key] = {state.action_to_string(player, a): p for a, p in average.action_probabilities(state).items()}
    return policy


def _minimax(game: Any) -> Policy:
    """Exact minimax over positions, without recursion. All best actions get the same probability."""
    value: dict[str, float] = {}
    policy: Policy = {}
    stack = [game.new_initial_state()]
    while stack:
        state = stack[-1]
        key = str(state)
        if key in value or state.is_terminal():
            value.setdefault(key, state.player_return(0) if state.is_terminal() else 0.0)
            stack.pop()
            continue
        children = [(a, state.child(a)) for a in state.legal_actions()]
        if missing := [child for _, child in children if str(child) not in value]:
            stack += missing
            continue
        if state.is_chance_node():
            value[key] = sum(p * value[str(state.child(a))] for a, p in state.chance_outcomes())
        else:
            player = state.current_player()
            worth = {a: value[str(child)] * (1 if player == 0 else -1) for a, child in children}
            best = [a for a, w in worth.items() if w >= max(worth.values()) - 1e-12]
            value[key] = max(worth.values()) * (1 if player == 0 else -1)
            policy[key] = {state.action_to_string(player, a): 1 / len(best) for a in best}
        stack.pop()
    return policy
