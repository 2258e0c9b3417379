"""The coach of bargain-v0, credited with what its side gained over the first bargain (GPT-Bargaining measures this)."""

from __future__ import annotations

from roles.speaker import Speaker


class Coach(Speaker):
    """Reads a bargain and gives one side up to three suggestions."""

    name = "coach"
    form = "Your whole reply is your advice: at most three short suggestions, no numbers."
