"""What matches leave to later ones of the same players, such as a coach's advice.

Notes are facts of episodes, so the log has them all, and the plan of a match names those that it is given: a match is
played again from its plan, and a run that was killed goes on with the same notes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from arena.match import Episode
from games.game import Notes
from league.records import PlannedMatch


class Notebook:
    """The newest notes of every group of players, in each game that has notes."""

    def __init__(self, games: Mapping[str, Notes], base_name: Callable[[str], str] = str) -> None:
        self.games = games
        self._base_name = base_name
        self._notes: dict[tuple[str, ...], list[str]] = {}
        """game and players -> texts, oldest first"""

    def add(self, episode: Episode) -> None:
        """Keep what a match noted; a forfeit or a void match notes nothing. To be called in plan order."""
        texts = episode.facts.get("notes", ()) if episode.game in self.games else ()
        if texts:
            held = self._notes.setdefault(self._key(episode.game, episode.seats), [])
            held += texts
            del held[: -self.games[episode.game].newest]

    def given(self, game: str, seats: Mapping[str, str]) -> str:
        """The notes for a match, as `TextGame.given` takes them; "" where there are none. `seats`: seat -> player."""
        texts = self._notes.get(self._key(game, seats)) if game in self.games else None
        return json.dumps(texts, ensure_ascii=False) if texts else ""

    def fill(self, planned: Sequence[PlannedMatch]) -> list[PlannedMatch]:
        """The same matches, each with its notes."""
        return [replace(p, match=replace(p.match, task=self.given(p.match.game, p.match.seats))) for p in planned]

    def state_dict(self) -> list[Any]:
        """As plain JSON."""
        return [[*key, texts] for key, texts in self._notes.items()]

    def load_state_dict(self, state: Sequence[Any]) -> None:
        """Take what `state_dict` gave."""
        self._notes = {tuple(key): list(texts) for *key, texts in state}

    def _key(self, game: str, seats: Mapping[str, str]) -> tuple[str, ...]:
        return (game, *(self._base_name(seats[seat]) for seat in self.games[game].seats))


def notes_of(config: Mapping[str, Any]) -> dict[str, Notes]:
    """The games of a stored configuration whose matches leave notes."""
    return {id: Notes(tuple(n["seats"]), n["newest"]) for id, n in config.get("notes", {}).items()}
