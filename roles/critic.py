"""The sides of critic-v0, credited as in SPC: 1 and -1 by whether the critic is right, -1 for a step that is none.

Where the right step was shown there was nothing to spoil: the sneaky side is not credited for that match.
"""

from __future__ import annotations

from roles.speaker import Speaker


class Sneaky(Speaker):
    """Spoils a step."""

    name = "sneaky"
    form = "Your whole reply is the step: write it and nothing else."


class Critic(Speaker):
    """Says whether a step is right."""

    name = "critic"
    form = "Your whole reply is your verdict: one word and nothing else."
