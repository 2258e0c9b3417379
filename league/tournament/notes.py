"""Notes that matches hand to later matches of the same players, such as a coach's advice.

Notes are facts of episodes, so the store has all of them, and the plan of a match contains the notes it receives. A
match can therefore be replayed from its plan, and a run that was killed resumes with the same notes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from arena.match import Episode
from games.game import Notes
from league.records.matches import PlannedMatch


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
