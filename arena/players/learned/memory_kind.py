"""The contract of a memory: what it keeps of earlier matches, and what of it a turn shows."""

from __future__ import annotations

from collections.abc import Sequence

from arena.players.experience import Experience
from arena.players.player import Player, View
from games.randomness import RandomStream
from games.sanitize import clean

LONGEST = 240
"""characters of an observation or an action in a note"""


class MemoryKind:
    """Keeps notes for one role of a game. It has no state: everything follows from the experiences."""

    async def learn(self, player: Player, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the notes for the next round, from all experiences in plan order. `player` can be asked to write."""
        raise NotImplementedError

    def match_notes(self, learned: Sequence[str], past: Sequence[Experience], seed: int) -> Sequence[str]:
        """Returns the notes of one match. `seed` is for its random choices."""
        return learned

    def turn_notes(self, notes: Sequence[str], view: View) -> Sequence[str]:
        """Returns the notes that the prompt of a turn holds."""
        return notes

    def control(self, notes: Sequence[str], seed: int) -> Sequence[str]:
        """Returns the same notes, spoilt for a control: their words in random order."""
        return shuffled_words(notes, seed)


def one_line(text: str) -> str:
    """Returns the text in one line, cut to LONGEST characters from its end."""
    return " ".join(clean(text).split())[-LONGEST:]


def shuffled_words(notes: Sequence[str], seed: int) -> list[str]:
    """Returns each note with its words in random order."""
    stream = RandomStream(seed)
    return [" ".join(stream.shuffled(note.split())) for note in notes]
