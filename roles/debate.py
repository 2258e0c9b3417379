"""The roles of debate-v0, credited with its returns: debaters as its `reward` says, the judge by the truth."""

from __future__ import annotations

from roles.speaker import Speaker


class Debater(Speaker):
    """Argues for an answer."""

    name = "debater"


class DebateJudge(Speaker):
    """Names the answer, early or late."""

    name = "debate-judge"
    form = "Your whole reply is your verdict: one letter, or continue, and nothing else."
