"""What a seat saw and did in an earlier match: nothing that it did not see itself."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from arena.players.player import observed
from arena.records import Episode
from games import TextGame


class ExperienceStep(msgspec.Struct, frozen=True, gc=False):
    """One turn of the seat."""

    observation: str
    """the observation"""
    action: str


class Experience(msgspec.Struct, frozen=True, gc=False):
    """One earlier match of a player, from its own seat."""

    match: str
    round: int
    game: str
    role: str
    steps: tuple[ExperienceStep, ...]
    score: float
    """the seat's return"""
    notes: tuple[str, ...]
    """the notes that the player had"""


def experiences_of(game: TextGame, episode: Episode, players: Iterable[str], round: int = 0) -> dict[str, Experience]:
    """Returns seat -> experience for the seats of these players. Replays the match; {} if it did not end normally.

    A match that was forfeited or void taught nothing about the moves. Raises an error if the record contradicts the
    rules.
    """
    seats = {seat for seat, player in episode.seats.items() if player in set(players)}
    if not seats or episode.status not in ("finished", "truncated"):
        return {}
    steps: dict[str, list[ExperienceStep]] = {seat: [] for seat in seats}
    game.load_task(episode.task)
    game.reset(episode.seed)
    turns, at = episode.turns, 0
    while at < len(turns):
        together = turns[at : at + len(game.acting)]
        for turn in together:
            if turn.seat in seats and not turn.opening:
                steps[turn.seat].append(ExperienceStep(observed(game, turn.seat).text, turn.action))
        game.apply({turn.seat: turn.action for turn in together})
        at += len(together)
    return {
        seat: Experience(
            episode.match,
            round,
            episode.game,
            episode.roles[seat],
            tuple(steps[seat]),
            episode.returns[seat],
            tuple(episode.notes.get(seat, ())),
        )
        for seat in seats
    }
