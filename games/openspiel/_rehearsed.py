"""Runs in a process of its own: one match of an OpenSpiel game whose parameters may be the death of the engine.

Its text is handed to `python -c`: the standard library and OpenSpiel only. The job comes as JSON on standard input;
what the engine raises goes to standard output, what it says before it dies to standard error.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SECONDS = 10  # of processor time: what takes longer is taken to hang
_MEMORY = 4 << 30
_MOVES = 200
_ENOUGH = 1.0  # seconds after which a match is left


def main() -> None:
    job = json.load(sys.stdin)
    sys.path[:] = job["path"]
    for limit, value in ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CORE, 0)):
        most = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (value if most == resource.RLIM_INFINITY else min(value, most), most))
    import pyspiel

    if not names(job) <= set(pyspiel.registered_names()):
        import open_spiel.python.games  # noqa: F401  importing registers them
    try:
        play(pyspiel.load_game(job["name"], job["params"]))
    except Exception as error:  # noqa: BLE001  whatever the engine raises
        named = "" if isinstance(error, pyspiel.SpielError) else f"{type(error).__name__}: "
        sys.stdout.write(f"{named}{error}")


def names(job: dict[str, Any]) -> set[str]:
    """The games named in a job, those within others included."""
    inner = [value for value in job.get("params", job).values() if isinstance(value, dict) and "name" in value]
    return {job["name"]}.union(*map(names, inner))


def play(game: Any) -> None:
    """What the adapter asks of a game, and a random match."""
    kind = game.get_type()
    game.get_parameters(), game.min_utility(), game.max_utility(), game.utility_sum(), game.max_game_length()
    state, draw = game.new_initial_state(), random.Random(0)
    until = time.monotonic() + _ENOUGH
    for _ in range(_MOVES):
        if state.is_terminal() or time.monotonic() > until:
            break
        look(state, kind, game.num_players())
        if state.is_chance_node():
            state.apply_action(drawn(draw, [action for action, p in state.chance_outcomes() if p > 0]))
        elif state.is_simultaneous_node():
            menus = [state.legal_actions(player) for player in range(game.num_players())]
            state.apply_actions([drawn(draw, menu) if menu else 0 for menu in menus])
        else:
            state.apply_action(drawn(draw, state.legal_actions()))
    look(state, kind, game.num_players())
    state.returns()


def drawn(draw: random.Random, actions: Sequence[int]) -> int:
    if not actions:
        raise IndexError("the match goes on and there is nothing to choose from")
    return draw.choice(actions)


def look(state: Any, kind: Any, players: int) -> None:
    """Every text of a position, and a copy of it."""
    str(state.clone())
    for player in range(players):
        if not state.is_chance_node():
            for action in state.legal_actions(player):
                state.action_to_string(player, action)
        if kind.provides_information_state_string:
            state.information_state_string(player)
        if kind.provides_observation_string:
            state.observation_string(player)


if __name__ == "__main__":
    main()
