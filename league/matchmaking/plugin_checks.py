"""Checks the answers of plugin matchmakers, which may be anything, before they become a plan."""

from __future__ import annotations

from collections.abc import Sequence

from games import InputError
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.matchmaking.registry import MATCHMAKERS
from league.matchmaking.seating import seatings
from league.records.matches import Result


def next_round(
    id: str, matchmaker: Matchmaker, context: PairingContext, round: int, log: Sequence[Result]
) -> list[Pairing] | None:
    """The pairings of a round. Raises PluginError if those of a plugin cannot be played, otherwise InputError."""
    with MATCHMAKERS.blamed(id, f"round {round}"):
        found: object = matchmaker.next(context, round, log)
    if not MATCHMAKERS.is_plugin(id):
        return found  # type: ignore[return-value]
    if problem := problem_with(found, context):
        raise MATCHMAKERS.broken(id, f"round {round}: {problem}")
    return None if found is None else list(found)  # type: ignore[call-overload]


def total(id: str, matchmaker: Matchmaker, context: PairingContext) -> int | None:
    """The number of matches, if the matchmaker knows it. Raises PluginError."""
    with MATCHMAKERS.blamed(id, "total"):
        found: object = matchmaker.total(context)
    if found is not None and (isinstance(found, bool) or not isinstance(found, int) or found < 0):
        raise MATCHMAKERS.broken(id, f"total returned {found!r:.60}; return a number of matches, or None")
    return found


def problem_with(found: object, context: PairingContext) -> str:
    """Why an answer of `next` cannot be played; an empty string if it can."""
    if found is None:
        return ""
    if not isinstance(found, Sequence) or isinstance(found, str | bytes | Pairing):
        return f"next returned {found!r:.80}; return a list of Pairing(game, players), or None at the end"
    return next((problem for pairing in found if (problem := _problem(pairing, context))), "")


def _problem(pairing: object, context: PairingContext) -> str:
    if not isinstance(pairing, Pairing):
        return f"next returned a list that contains {pairing!r:.80}; use league.matchmaking.Pairing(game, players)"
    game: object = pairing.game
    info = context.games.get(game) if isinstance(game, str) else None
    if info is None:
        return f"a pairing names the game {pairing.game!r}; the games are {', '.join(context.games)}"
    named: object = pairing.players
    if not isinstance(named, list | tuple):
        return f"a pairing names the players {named!r:.80}; use a tuple of names"
    entrants = context.entrants(pairing.game)
    for player in named:
        if player not in entrants:
            return f"a pairing names the player {player!r}; the players of {pairing.game} are {', '.join(entrants)}"
    try:
        seatings(info, pairing.players)
    except InputError as error:
        return f"a pairing of {', '.join(pairing.players)} in {pairing.game}: {error}"
    return ""


__all__ = ["next_round", "problem_with", "total"]
