"""What a model thinks before it speaks, told apart from what it says.

Each family of models marks its private reasoning in its own way: tags (`<think>`, `[THINK]`, `◁think▷`), pairs of
special tokens, or the channels of gpt-oss. One place knows them all.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Every quantifier is bounded, so a scan takes time in proportion to the text, whatever the text.
_MARK = re.compile(
    r"[<◁]\s{0,4}(?P<slash>/?)\s{0,4}(?:seed:)?"
    r"(?P<tag>think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad|inner_monologue|chain_of_thought)"
    r"\b[^<>◁▷]{0,80}[>▷]"
    r"|(?P<open>\[THINK\]|<\|begin_of_thought\|>|<\|START_THINKING\|>|<\|channel>thought\b|<unused94>)"
    r"|(?P<close>\[/THINK\]|<\|end_of_thought\|>|<\|END_THINKING\|>|<channel\|>|<unused95>)",
    re.IGNORECASE,
)
_CHANNEL, _MESSAGE = "<|channel|>", "<|message|>"
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|start)\|>")
# gpt-oss decoded without its special tokens: analysisWe should bet.assistantfinalBet
_BARE_CHANNELS = re.compile(r"\s{0,8}(?:analysis|commentary)(\w?)")
_BARE_FINAL = "assistantfinal"


class Spoken(NamedTuple):
    """What was said. `cut` tells that reasoning began and never ended."""

    text: str
    cut: bool


def spoken(text: str) -> Spoken:
    """`text` without private reasoning, in time linear in its length.

    A block hides all up to the end mark of its own kind; a block that never ends hides the rest; an end mark
    without a beginning hides all before it, because some chat templates open the block in the prompt. What
    remains on both sides of a block is joined by a space, so that no new mark forms there.
    """
    text, cut = _final_channel(text)
    shown: list[str] = []
    inside, start = "", 0
    for mark in _MARK.finditer(text):
        kind, closing = _kind(mark)
        if inside:
            if not closing or kind != inside:
                continue
            inside = ""
        elif closing:
            shown.clear()
        else:
            shown.append(text[start : mark.start()])
            inside = kind
        start = mark.end()
    if not inside:
        shown.append(text[start:])
    return Spoken(" ".join(shown), cut or bool(inside))


def _kind(mark: re.Match[str]) -> tuple[str, bool]:
    """The family of a mark, so that <think> is not ended by </analysis>, and whether it ends a block."""
    tag = mark["tag"]
    if tag is None:
        return "token", mark["close"] is not None
    tag = tag.lower()
    return "think" if tag.startswith(("think", "thought")) else tag, bool(mark["slash"])


def _final_channel(text: str) -> Spoken:
    """The messages of the final channel where the text has channels, else all of it."""
    if _CHANNEL not in text:
        if bare := _BARE_CHANNELS.match(text):
            _, found, final = text.rpartition(_BARE_FINAL)
            if found or bare[1]:
                return Spoken(final if found else "", not found)
        return Spoken(text, False)
    finals = []
    for piece in text.partition("<|return|>")[0].split(_CHANNEL)[1:]:
        head, found, body = piece.partition(_MESSAGE)
        if found and head.split()[:1] == ["final"]:
            finals.append(_MESSAGE_END.split(body, maxsplit=1)[0])
    return Spoken(" ".join(finals), not finals)
