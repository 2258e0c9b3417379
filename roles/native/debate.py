"""The roles of debate: debaters are credited by the game's parameter `reward`, the judge by the truth."""

from __future__ import annotations

from roles.native.tagged import Speaker


class Debater(Speaker):
    """Argues for an answer."""

    name = "debater"


class DebateJudge(Speaker):
    """Names the answer after any round."""

    name = "debate-judge"
    form = "End with a letter or with the word continue."
