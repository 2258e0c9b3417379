"""The role of efg-v2, credited with its return: 1 for the described game, 0 for another game, -1 for no game."""

from __future__ import annotations

from roles.native.tagged import Speaker
from roles.reward_kind import verdict


class Translator(Speaker):
    """Writes a game described in words as an extensive-form game."""

    name = "translator"
    reward_kind = verdict()
    form = "Reply only with the text of the game, without comments and without a code fence."

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """Returns the reply from the last line that starts a game, without a closing code fence."""
        said = super().parse(text, legal)
        if legal is not None or "EFG 2 R" not in said:
            return said
        return said[said.rindex("EFG 2 R") :].partition("```")[0].strip()
