"""Roles of games that are talked: the whole reply is the message, credited as the game's facts say."""

from __future__ import annotations

from roles.tagged import Tagged


class Speaker(Tagged):
    """Says its whole reply, private reasoning left out, where any text may do; chooses where actions are listed."""

    name = "speaker"
    form = "Your whole reply is your message: no quotes, no comments on it."
