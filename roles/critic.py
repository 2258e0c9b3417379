"""The sides of critic-v0, credited as in SPC: 1 and -1 by whether the critic is right, -1 for a step that is none."""

from __future__ import annotations

from collections.abc import Mapping

from roles.role import Scored
from roles.speaker import Speaker


class Sneaky(Speaker):
    """Spoils a step."""

    name = "sneaky"
    form = "Your whole reply is the step: write it and nothing else."

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Nothing where the right step was shown: there was nothing to do."""
        facts = getattr(episode, "facts", None) or {}
        return {} if facts.get("control") else None


class Critic(Speaker):
    """Says whether a step is right."""

    name = "critic"
    form = "Your whole reply is your verdict: one word and nothing else."
