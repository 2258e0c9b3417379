"""Who an LLM is told to be: prompts, the reading of its answers, the credit for them."""

from roles.registry import ids, make, register
from roles.role import Answer, ChatMessage, Exchange, Memory, ParseError, Rejected, Role, Scored

__all__ = [
    "Answer",
    "ChatMessage",
    "Exchange",
    "Memory",
    "ParseError",
    "Rejected",
    "Role",
    "Scored",
    "ids",
    "make",
    "register",
]
