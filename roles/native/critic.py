"""The roles of critic-v0, credited as in SPC: 1 or -1 by whether the critic is right, -1 for an invalid step.

In a match in which the critic is shown the correct step, the sneaky player does nothing and gets no credit.
"""

from __future__ import annotations

from roles.native.tagged import Speaker


class Sneaky(Speaker):
    """Writes a wrong step that looks correct."""

    name = "sneaky"
    form = "Reply only with the step."


class Critic(Speaker):
    """Judges whether a step is correct."""

    name = "critic"
    form = "End with your verdict, one word: correct or incorrect."
