"""The roles of pragmatic-v0. Both are paid the same; each has a baseline of its own."""

from __future__ import annotations

from roles.native.tagged import TaggedRole


class ExampleSpeaker(TaggedRole):
    """Chooses the string that tells its pattern from the others (PraX, 2311.05740)."""

    name = "speaker"


class ExampleListener(TaggedRole):
    """Names the pattern that the examples mean (PraX, 2311.05740)."""

    name = "listener"
