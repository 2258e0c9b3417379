"""Notes that matches hand to later matches of the same players, such as a coach's advice.

Notes are facts of episodes, so the store has all of them, and the plan of a match contains the notes it receives. A
match can therefore be replayed from its plan, and a run that was killed resumes with the same notes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

import games
from arena import event_loop
from arena.match import Episode
from arena.players import Player
from arena.players.experience import Experience, experiences_of
from games import TextGame
from games.game import Notes
from games.randomness import derive
from league.records.matches import PlannedMatch
from league.store import Run, Store


class Notebook:
    """The newest notes of every group of players, in each game that has notes."""

    def __init__(self, games: Mapping[str, Notes], shared: Callable[[str], str] = str) -> None:
        self.games = games
        self._shared = shared
        self._notes: dict[tuple[str, ...], list[str]] = {}
        """game and players -> texts, oldest first"""

    def add(self, episode: Episode) -> None:
        """Add the notes of a match, in plan order. Forfeits and void matches have none."""
        texts = episode.facts.get("notes", ()) if episode.game in self.games else ()
        if texts:
            held = self._notes.setdefault(self._key(episode.game, episode.seats), [])
            held += texts
            del held[: -self.games[episode.game].newest]

    def texts_for(self, game: str, seats: Mapping[str, str]) -> str:
        """Returns the notes for a match in the form of `TextGame.load_task`, or "". `seats` maps seats to players."""
        texts = self._notes.get(self._key(game, seats)) if game in self.games else None
        return json.dumps(texts, ensure_ascii=False) if texts else ""

    def fill(self, planned: Sequence[PlannedMatch]) -> list[PlannedMatch]:
        """Returns the planned matches, each with its notes."""
        return [replace(p, match=replace(p.match, task=self.texts_for(p.match.game, p.match.seats))) for p in planned]

    def state_dict(self) -> list[Any]:
        """Returns the notes as JSON values."""
        return [[*key, texts] for key, texts in self._notes.items()]

    def load_state_dict(self, state: Sequence[Any]) -> None:
        """Restore what `state_dict` returned."""
        self._notes = {tuple(key): list(texts) for *key, texts in state}

    def _key(self, game: str, seats: Mapping[str, str]) -> tuple[str, ...]:
        return (game, *(self._shared(seats[seat]) for seat in self.games[game].seats))


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
