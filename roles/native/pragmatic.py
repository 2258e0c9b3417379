"""The roles of pragmatic. Both are paid the same; each has a baseline of its own."""

from __future__ import annotations

from roles.native.tagged import TaggedRole
from roles.reward_kind import verdict


class ExampleSpeaker(TaggedRole):
    """Chooses the string that tells its pattern from the others (PraX, 2311.05740)."""

    name = "speaker"
    reward_kind = verdict(0.0)


class ExampleListener(TaggedRole):
    """Names the pattern that the examples mean (PraX, 2311.05740)."""

    name = "listener"
    reward_kind = verdict(0.0)
