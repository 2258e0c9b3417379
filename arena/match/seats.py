"""Whether players fit a match, told before it begins: a mistake of the caller must not become a result."""

from __future__ import annotations

from collections.abc import Mapping

from arena.match.records import MatchPlan
from arena.players.player import Player, lacks
from games import InputError, TextGame


def check_seats(game: TextGame, plan: MatchPlan, players: Mapping[str, Player], may_wait: bool) -> None:
    """Raise TypeError for what is no game, plan or player; InputError, a ValueError, for seats that do not fit."""
    if not isinstance(game, TextGame):
        raise TypeError(f"game is {game!r:.80}; give a game, such as games.make('openspiel/kuhn_poker')")
    if not isinstance(plan, MatchPlan):
        raise TypeError(f"plan is {plan!r:.80}; give an arena.match.MatchPlan, or call arena.play(game, players)")
    if not isinstance(players, Mapping):
        raise TypeError(f"players are {players!r:.80}; give a mapping of each seat to its player")
    seats = game.spec.seats
    if plan.seats.keys() != seats.keys():
        raise InputError(f"the plan seats {_listed(plan.seats)}; the seats of {game.spec.id} are {_listed(seats)}")
    if players.keys() != seats.keys():
        raise InputError(f"players are given for {_listed(players)}; {_hint(plan, players, seats)}")
    for seat, player in players.items():
        if problem := problem_with(player):
            raise TypeError(f"players[{seat!r}]: {problem}")
        if player.waits and not may_wait:
            raise InputError(
                f"{player.name or type(player).__name__} at {seat} waits for its answers (a model, a human, an "
                "endpoint); call play_async, or arena.play, which takes any player"
            )


def problem_with(player: object) -> str:
    """Why something cannot sit in a seat, in words; "" if it can."""
    if isinstance(player, Player):
        return lacks(player)
    how = f"; make it with arena.players.make({player!r})" if isinstance(player, str) else ""
    return f"{player!r:.80} is no arena.players.Player{how}"


def _hint(plan: MatchPlan, players: Mapping[str, Player], seats: Mapping[str, str]) -> str:
    if players.keys() <= set(plan.seats.values()):
        return "they are names of players; give {seat: players[name] for seat, name in plan.seats.items()}"
    return f"give one for each of the seats {_listed(seats)}"


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(map(str, names)) or "nobody"
