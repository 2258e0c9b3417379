"""What a seat reads of an environment's messages, and what an environment receives of a seat's text."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.quoting import quote
from games.template_tokens import without_tokens

_TEMPLATE = "(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)"
"""what Mistral's chat templates write in brackets"""
_PLAYER = re.compile(r"\[\s*player\s*(\d+)\s*\]", re.IGNORECASE)
GAME = -1
"""the sender of the game's own messages"""
MAX_BYTES = 4000
"""bytes of UTF-8 of a seat's text; a longer one is refused"""
Message = tuple[int, str, Any]
"""sender, text, `textarena.ObservationType`"""


def rendered(messages: Sequence[Message], player: int, names: Mapping[int, str]) -> str:
    """Returns the messages that a player received, oldest first; of the boards only the newest.

    Texts of other players are quoted, so that none can pretend to come from the game. A message that is no text is left
    out: some environments mix up the arguments of `add_observation`.
    """
    messages = [message for message in messages if isinstance(message[1], str)]
    boards = [i for i, (_, _, kind) in enumerate(messages) if _kind(kind) == "GAME_BOARD"]
    kept = (m for i, m in enumerate(messages) if _kind(m[2]) != "GAME_BOARD" or i == boards[-1])
    return "\n".join(_line(*message, player, names) for message in kept)


def _line(sender: int, text: str, kind: Any, player: int, names: Mapping[int, str]) -> str:
    if _kind(kind) == "PROMPT":
        return without_tokens(text.strip())
    if sender == GAME:
        return f"[GAME] {without_tokens(text.strip())}"
    if sender == player:
        return f"You: {without_tokens(text.strip())}"
    return f"{names.get(sender, f'Player {sender}')}: {quote(text, MAX_BYTES)}"


def _kind(kind: Any) -> str:
    """Returns the name of an observation type; some environments pass other things by mistake."""
    return str(getattr(kind, "name", ""))


def submitted(text: str, names: Mapping[int, str]) -> str:
    """Returns a seat's text as one line in which no tag names the game or a player, or belongs to a chat template.

    Environments repeat texts inside their own messages, and parse actions in brackets, so brackets must stay. Votes
    that environments read as `[player 2]` they also read as `[2]`, which is no tag.
    """
    line = " ".join(text.split())
    tag = _tag(frozenset(names.values()))
    while (cleaned := tag.sub(r"(\1)", _PLAYER.sub(r"[\1]", line))) != line:  # `[GAME[GAME]]` becomes a tag again
        line = cleaned
    return line


@functools.lru_cache
def _tag(names: frozenset[str]) -> re.Pattern[str]:
    """Returns a tag of the game, of a player or of a chat template."""
    tags = "|".join(re.escape(name) for name in sorted({"GAME", *names}))
    return re.compile(rf"\[\s*({tags}|/?{_TEMPLATE})\s*\]", re.IGNORECASE)
