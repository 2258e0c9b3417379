"""The conversation of an agent with its environment as one text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from games.quoting import quote

MAX_CHARACTERS = 20_000
"""characters of a reply; a longer one is refused"""
_TEMPLATE = re.compile(
    r"<(/?[a-z_]*\|[^<>\n]{1,40}\||/?s|/?(?:start|end)_of_turn|/?think)>|\[(/?INST)\]", re.IGNORECASE
)
"""what chat templates write"""


def rendered(conversation: Sequence[tuple[str, str]], others: Iterable[str]) -> str:
    """The messages, oldest first: those of the environment as they are, the agent's own replies quoted.

    `others` are texts of other agents. Where the environment repeats one, it is quoted, so that it cannot pretend to be
    a message of the environment.
    """
    foreign = sorted({t.strip() for t in others if t.strip() and quote(t, MAX_CHARACTERS)[1:-1] != t}, key=len)
    lines = []
    for role, text in conversation:
        if role == "assistant":
            lines.append(f"You: {quote(text, MAX_CHARACTERS)}")
            continue
        for other in reversed(foreign):
            text = text.replace(other, quote(other, MAX_CHARACTERS))
        lines.append(without_tokens(text.strip()))
    return "\n".join(lines)


def without_tokens(text: str) -> str:
    """The text with the tokens of chat templates in round brackets."""
    return _TEMPLATE.sub(lambda found: f"({found[1] or found[2]})", text)
