"""The conversation of an agent with its environment as one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.quoting import quote
from games.template_tokens import MAX_BYTES, without_tokens


def rendered(conversation: Sequence[tuple[str, str]], others: Iterable[str]) -> str:
    """Returns the messages, oldest first: those of the environment as they are, the agent's own replies quoted.

    `others` are texts of other agents. Where the environment repeats one, it is quoted, so that it cannot pretend to be
    a message of the environment.
    """
    foreign = sorted({t.strip() for t in others if t.strip() and quote(t, MAX_BYTES)[1:-1] != t}, key=len)
    lines = []
    for role, text in conversation:
        if role == "assistant":
            lines.append(f"You: {quote(text, MAX_BYTES)}")
            continue
        for other in reversed(foreign):
            text = text.replace(other, quote(other, MAX_BYTES))
        lines.append(without_tokens(text.strip()))
    return "\n".join(lines)
