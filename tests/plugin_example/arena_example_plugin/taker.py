"""The role that both seats of nim21 have: a player who may be told the idea that wins."""

from __future__ import annotations

from games import Observation
from roles import ChatMessage, Memory, Role


class Taker(Role):
    """`taker`, or `taker(hint=false)` for a player who has to find out alone."""

    name = "taker"

    def __init__(self, hint: bool = True) -> None:
        super().__init__()
        self.hint = hint

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """The usual chat; the hint joins the system message, which stays the same at every turn."""
        chat = super().messages(observation, legal, memory)
        if self.hint:
            chat[0]["content"] += "\nHint: leave your opponent a multiple of one more than the most you may take."
        return chat
