"""Plays one match of an OpenSpiel game whose parameters may crash the process; runs as a child process.

`python -c` runs this file as text, so it imports only the standard library and OpenSpiel. The job arrives as JSON on
standard input. The message of an exception goes to standard output; OpenSpiel prints to standard error before a crash.
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

_SECONDS = 10  # of CPU time; a game that takes longer counts as hanging
_MEMORY = 4 << 30
_MOVES = 200
_ENOUGH = 1.0  # seconds after which the match is abandoned


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
    except Exception as error:  # noqa: BLE001  OpenSpiel games can raise anything
        named = "" if isinstance(error, pyspiel.SpielError) else f"{type(error).__name__}: "
        sys.stdout.write(f"{named}{error}")


def names(job: dict[str, Any]) -> set[str]:
    """Returns the games named in a job, including nested ones."""
    inner = [value for value in job.get("params", job).values() if isinstance(value, dict) and "name" in value]
    return {job["name"]}.union(*map(names, inner))


def play(game: Any) -> None:
    """Call what the adapter calls, and play a random match."""
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
        raise IndexError("the match is not over and there is nothing to choose from")
    return draw.choice(actions)


def look(state: Any, kind: Any, players: int) -> None:
    """Make every text of a position, and copy it."""
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
