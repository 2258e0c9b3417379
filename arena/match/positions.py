"""Replays a recorded match position by position. Everything that shows a match uses this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

import games
from arena.records import Episode, Turn
from games import ArenaError, IllegalAction, TextGame


class MatchPosition(msgspec.Struct, frozen=True):
    """The state of a match before its first turn, or after one more turn of each acting seat."""

    text: str
    """the whole position: `TextGame.spectate`. It can hold secrets of seats"""
    moves: tuple[Turn, ...]
    """the turns that led here from the position before; () at the start"""
    played: int
    """number of turns played so far"""
    acting: tuple[str, ...]
    """the seats that act next; () at the end"""


def positions(episode: Episode) -> tuple[MatchPosition, ...]:
    """Returns every position of a match, the first and the last included.

    Raises ArenaError if the record does not fit the game, and the errors of `games.make`. Whoever shows matches of an
    untrusted store asks `league.trust.allow_game` first.
    """
    return tuple(iter_positions(episode))


def iter_positions(episode: Episode) -> Iterator[MatchPosition]:
    """Yields the items of `positions` one by one, so that the caller can stop early in a long match."""
    game = games.make(episode.game)
    game.load_task(episode.task)
    game.reset(episode.seed)
    yield MatchPosition(game.spectate(), (), 0, tuple(game.acting))
    played = 0
    try:
        for together in play_again(game, episode.turns):
            played += len(together)
            yield MatchPosition(game.spectate(), together, played, tuple(game.acting))
    except IllegalAction as error:
        raise ArenaError(f"{episode.match} does not fit {episode.game}: {error}") from error


def play_again(game: TextGame, turns: Sequence[Turn]) -> Iterator[tuple[Turn, ...]]:
    """Replays recorded turns from the position before the first, and yields the turns of each move together.

    Raises IllegalAction if the game refuses an action or is over before the last turn.
    """
    played = 0
    while played < len(turns):
        together = tuple(turns[played : played + len(game.acting)])
        if not together:
            raise IllegalAction(f"the game is over after {played} turns")
        game.apply({turn.seat: turn.action for turn in together})
        played += len(together)
        yield together


def move_line(turn: Turn) -> str:
    """Returns a turn in one sentence: who played what, and which attempts failed before."""
    troubles = ", ".join(attempt.category for attempt in turn.failed)
    player = "the opening" if turn.opening else turn.player
    how = f" (after {troubles})" if troubles else ""
    return f"{turn.seat} ({player}){how}: {turn.action}"
