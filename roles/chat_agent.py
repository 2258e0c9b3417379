"""The role of an agent in an environment of another library: it reads what the environment writes, and nothing else."""

from __future__ import annotations

from games import Observation
from roles.privacy import own_words, visible
from roles.prompts import messages
from roles.role import Role
from roles.types import ChatMessage, Memory, ParseError


class ChatAgent(Role):
    """If any text is legal, the chat is the environment's own, and the whole reply is the action.

    An explicit answer at the end of a reply, such as a box, stays in the text: the environment's rewards look for it.
    """

    name = "chat-agent"

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """Returns one user message with the conversation; the generic role's chat if actions are listed."""
        if legal is not None:
            return messages(self.name, observation, legal, memory)
        text = observation.text.rstrip()
        for refused in memory.rejected:
            text += f"\nRefused: {refused.reason.rstrip('.')}. Write another message."
        return [ChatMessage(role="user", content=text)]

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """Returns the whole text without private reasoning. Raises ParseError if nothing is left."""
        if legal is not None:
            return super().parse(text, legal)
        if message := visible(own_words(text).text):
            return message
        raise ParseError("the message is empty", "empty")
