"""Checks before a match that its players fit it: a mistake of the caller must not become a result."""

from __future__ import annotations

from collections.abc import Mapping

from arena.players.player import Player, missing_method
from arena.records import MatchPlan
from games import InputError, TextGame

_GAMES: set[type] = set()
"""classes of games that were seen: an isinstance with an abstract class takes longer"""
_COMPLETE: set[type] = set()
"""classes of players that do not wait and have `act`; to look for it would take a tenth of a short match"""


def check_seats(game: TextGame, plan: MatchPlan, players: Mapping[str, Player], may_wait: bool) -> None:
    """Raise TypeError for a wrong type of game, plan or player; InputError, a ValueError, for seats that do not fit."""
    if type(game) not in _GAMES:
        if not isinstance(game, TextGame):
            raise TypeError(
                f"game must be a TextGame, got {game!r:.80}; give a game, such as games.make('openspiel/kuhn_poker')"
            )
        _GAMES.add(type(game))
    if type(plan) is not MatchPlan and not isinstance(plan, MatchPlan):
        raise TypeError(f"plan must be an arena.match.MatchPlan, got {plan!r:.80}; or call arena.play(game, players)")
    if type(players) is not dict and not isinstance(players, Mapping):
        raise TypeError(f"players must be a mapping, got {players!r:.80}; give a mapping of each seat to its player")
    seats, planned = game.spec.seats, plan.seats
    if not len(planned) == len(seats) == len(players):
        raise _misfit(game, plan, players)
    for seat in seats:
        if seat not in planned or seat not in players:
            raise _misfit(game, plan, players)
        if type(player := players[seat]) not in _COMPLETE or player.waits:
            _check_player(seat, player, may_wait)


def _check_player(seat: str, player: Player, may_wait: bool) -> None:
    """Raises TypeError for a player that lacks a method, InputError for one that waits where it must not."""
    if problem := problem_with(player):
        raise TypeError(f"players[{seat!r}]: {problem}")
    if player.waits and not may_wait:
        raise InputError(
            f"{player.name or type(player).__name__} at {seat} waits for its answers (a model, a human, an "
            "endpoint); call play_async, or arena.play, which takes any player"
        )
    if not player.waits and "act" not in getattr(player, "__dict__", ()):
        _COMPLETE.add(type(player))


def _misfit(game: TextGame, plan: MatchPlan, players: Mapping[str, Player]) -> InputError:
    seats = game.spec.seats
    if plan.seats.keys() != seats.keys():
        return InputError(f"the plan seats {_listed(plan.seats)}; the seats of {game.spec.id} are {_listed(seats)}")
    return InputError(f"players are given for {_listed(players)}; {_hint(plan, players, seats)}")


def problem_with(player: object) -> str:
    """Returns why an object cannot play, for an error message; "" if it can."""
    if isinstance(player, Player):
        return missing_method(player)
    how = f"; make it with arena.players.make({player!r})" if isinstance(player, str) else ""
    return f"{player!r:.80} is not an arena.players.Player{how}"


def _hint(plan: MatchPlan, players: Mapping[str, Player], seats: Mapping[str, str]) -> str:
    if players.keys() <= set(plan.seats.values()):
        return "they are names of players; give {seat: players[name] for seat, name in plan.seats.items()}"
    return f"give one for each of the seats {_listed(seats)}"


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(map(str, names)) or "nobody"
