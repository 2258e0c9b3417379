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
    """Returns the pairings of a round. Raises PluginError if a plugin's cannot be played, else InputError."""
    with MATCHMAKERS.blamed(id, f"round {round}"):
        pairings: object = matchmaker.next(context, round, log)
    if not MATCHMAKERS.is_plugin(id):
        return pairings  # type: ignore[return-value]
    if problem := problem_with(pairings, context):
        raise MATCHMAKERS.broken(id, f"round {round}: {problem}")
    return None if pairings is None else list(pairings)  # type: ignore[call-overload]


def total(id: str, matchmaker: Matchmaker, context: PairingContext) -> int | None:
    """Returns the number of matches, if the matchmaker knows it. Raises PluginError."""
    with MATCHMAKERS.blamed(id, "total"):
        count: object = matchmaker.total(context)
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 0):
        raise MATCHMAKERS.broken(id, f"total returned {count!r:.60}; return a number of matches, or None")
    return count


def problem_with(pairings: object, context: PairingContext) -> str:
    """Returns why an answer of `next` cannot be played; an empty string if it can."""
    if pairings is None:
        return ""
    if not isinstance(pairings, Sequence) or isinstance(pairings, str | bytes | Pairing):
        return f"next returned {pairings!r:.80}; return a list of Pairing(game, players), or None at the end"
    return next((problem for pairing in pairings if (problem := _problem(pairing, context))), "")


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
