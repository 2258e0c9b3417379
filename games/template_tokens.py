"""Tokens of chat templates in a text that an environment repeats: a model must not read them as its own template's."""

from __future__ import annotations

import re

MAX_CHARACTERS = 20_000
"""characters of a reply to an environment; a longer one is refused"""
_TEMPLATE = re.compile(
    r"<(/?[a-z_]*\|[^<>\n]{1,40}\||/?s|/?(?:start|end)_of_turn|/?think)>|\[(/?INST)\]", re.IGNORECASE
)
"""what chat templates write"""


def without_tokens(text: str) -> str:
    """The text with the tokens of chat templates in round brackets."""
    return _TEMPLATE.sub(lambda found: f"({found[1] or found[2]})", text)
