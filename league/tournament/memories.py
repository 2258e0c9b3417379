"""What players that learn receive from their earlier matches: notes, kept in the plan of each match.

The notes of a round follow from the matches of earlier rounds, and the plan holds them, so a match replays from its
plan, and a run that was killed goes on with the same notes. Matches of one round share seeds, and so cards, with their
seats exchanged; notes therefore come from earlier rounds only, and never from a match on a seed of the new round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

import games
from arena import event_loop
from arena.players import Player
from arena.players.experience import Experience, experiences_of
from games import TextGame
from games.randomness import derive
from league.records.matches import PlannedMatch
from league.store import Run, Store

KEPT = 400
"""newest matches of a player in one role of a game that it learns from"""

Key = tuple[str, str, str]
"""player, game, role"""


class Memories:
    """The experiences of the players of a run that learn."""

    def __init__(self, players: Mapping[str, Player], store: Store, run: Run) -> None:
        self.players = players
        self._store, self._run, self._read = store, run, -1
        self._past: dict[Key, list[tuple[int, Experience]]] = {}
        """the seed of each match, and the experience"""
        self._games: dict[str, TextGame] = {}

    def fill(self, planned: Sequence[PlannedMatch], start: int) -> list[PlannedMatch]:
        """Returns the planned matches, each with the notes of its players. All matches before `start` have ended."""
        self._follow(start)
        seeds = {p.match.seed for p in planned}
        learned: dict[Key, tuple[tuple[str, ...], list[Experience]]] = {}
        filled = []
        for one in planned:
            roles = self._game(one.match.game).spec.seats
            notes: dict[str, tuple[str, ...]] = {}
            for seat, name in one.match.seats.items():
                key = (name, one.match.game, roles[seat])
                if name in self.players and key not in learned:
                    past = [x for seed, x in self._past.get(key, ()) if seed not in seeds]
                    lessons = event_loop.run(self.players[name].learn(past)) if past else ()
                    learned[key] = tuple(lessons), past
                if name in self.players:
                    seed = derive(self._run.seed, "notes", one.index, seat)
                    notes[seat] = tuple(self.players[name].notes_for(*learned[key], seed))
            notes = {seat: texts for seat, texts in notes.items() if texts}
            filled.append(replace(one, match=replace(one.match, notes=notes)))
        return filled

    def _follow(self, start: int) -> None:
        """Read the matches that ended since the last call."""
        for result, episode in self._store.episodes(self._run, after=self._read):
            if result.index >= start:
                break  # another process has planned and played this round already
            self._read = result.index
            experiences = experiences_of(self._game(episode.game), episode, self.players, result.round)
            for seat, experience in experiences.items():
                held = self._past.setdefault((episode.seats[seat], episode.game, experience.role), [])
                held.append((episode.seed, experience))
                del held[:-KEPT]

    def _game(self, id: str) -> TextGame:
        return self._games.get(id) or self._games.setdefault(id, games.make(id))
