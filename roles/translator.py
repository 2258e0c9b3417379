"""The translator of efg-v0, credited with its return: 1 for the game described, 0 for another, -1 for none."""

from __future__ import annotations

from roles.speaker import Speaker


class Translator(Speaker):
    """Writes a game described in words as an extensive-form game."""

    name = "translator"
    form = "Your whole reply is the text of the game: no comments, no code fence."

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """The reply, from the last line that begins a game on, without the end of a code fence."""
        said = super().parse(text, legal)
        if legal is not None or "EFG 2 R" not in said:
            return said
        return said[said.rindex("EFG 2 R") :].partition("```")[0].strip()
