"""The role of both seats of nim21, with an optional hint about the winning strategy."""

from __future__ import annotations

from games import Observation
from roles import ChatMessage, Memory, Role


class Taker(Role):
    """`taker`, or `taker(hint=false)` without the hint."""

    name = "taker"

    def __init__(self, hint: bool = True) -> None:
        super().__init__()
        self.hint = hint

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """The default chat; the hint becomes part of the system message, which is the same at every turn."""
        chat = super().messages(observation, legal, memory)
        if self.hint:
            chat[0]["content"] += "\nHint: leave your opponent a multiple of one more than the most you may take."
        return chat
