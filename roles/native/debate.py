"""The roles of debate: debaters are credited if the judge names their answer, the judge by the truth."""

from __future__ import annotations

from roles.native.tagged import Speaker
from roles.reward_kind import verdict


class Debater(Speaker):
    """Argues for an answer."""

    name = "debater"


class DebateJudge(Speaker):
    """Names the answer after any round."""

    name = "debate-judge"
    reward_kind = verdict(0.0)
    form = "End with a letter or with the word continue."
