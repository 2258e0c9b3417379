"""Separates a model's private reasoning from its visible answer.

Each family of models marks private reasoning differently: tags (`<think>`, `[THINK]`, `◁think▷`), pairs of special
tokens, sentences ("Here is my thought process:"), or the channels of gpt-oss. This module recognises them by their
words instead of a list of marks: any kind of bracket around words for reasoning is a mark. If in doubt it hides the
text, because a lost turn is noticed and leaked reasoning is not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Words for reasoning, and words before and after them in the names of marks: inner_monologue, antThinking.
_STEM = (
    r"(?:think(?:ing|s)?|thoughts?|reason(?:ing|s)?|reflect(?:ions?|ing)?|analys[ei]s|analy[sz]ing|scratch[_ -]?pad|cot"
    r"|monologue|rationale|deliberat(?:ion|e|ing)|contemplat(?:ion|e|or|ing)|ponder(?:ing)?|introspection|musings?"
    r"|brainstorm(?:ing)?|planning"
    r"|思考|推理|思路|réflexions?|pensées?|raisonnement|razonamiento|pensamientos?|gedanken(?:gang)?|überlegung(?:en)?"
    r"|мысли|размышления|рассуждения)"
)
_BEFORE = (
    r"(?:(?:ant|seed|inner|internal|my|hidden|private|secret|(?:chain|train)[_ -]?of|step[_ -]?by[_ -]?step|deep|self"
    r"|pre|model|long|ultra|over|re|quick|initial)[_: -]?)"
)
_AFTER = r"(?:[_ -]?(?:process|steps?|block|content|trace|section|text|notes?|fast|slow|\d{1,3}))"
_NAME = rf"(?:{_BEFORE}{{0,3}}{_STEM}(?:[_ -]{_STEM})?{_AFTER}{{0,2}}|internal|private|hidden)"
_SIDE = r"(?:begin|start|open|(?P<ends>end|close))(?:[_ -]of)?[_ -]"
# Every quantifier is bounded, so a scan takes linear time for any text. The first line lists how marks can begin.
_MARK = re.compile(
    r"(?=[<◁\[\]`-])(?:"
    # <start_of_thinking>; <thinking_end>
    rf"<(?:begin|start|open|(?P<ends4>end|close))(?:[_ -]of)?[_ -]{_NAME}>"
    rf"|<{_NAME}[_ -](?:begin|start|(?P<ends5>end))>"
    # <think>, </think>, <think a="b">, <think/>; after white space no attributes: a < thought and y > 3 is arithmetic
    rf"|[<◁](?:\s{{0,4}}(?P<slash>/)\s{{0,4}}|(?P<gap>\s{{1,4}}))?(?P<tag>{_NAME})"
    r"(?(gap)\s{0,4}|\b[^<>◁▷]{0,80})[>▷]"
    rf"|\[\s{{0,4}}(?P<slash2>/?)\s{{0,4}}(?P<tag2>{_NAME})\s{{0,4}}\]"
    rf"|[<\[]\|\s{{0,4}}(?:(?P<ends2>/)|{_SIDE})?{_NAME}(?:[_ -](?:begin|start|(?P<ends3>end)))?\s{{0,4}}\|[>\]]"
    r"|(?P<details><details\b[^<>]{0,60}\b(?:reasoning|thinking)\b[^<>]{0,60}>)|(?P<details_ends></details>)"
    r"|(?P<opens><\|channel>thought\b|<unused94>|<\|inner_prefix\|>)"
    r"|(?P<closes><channel\|>|<unused95>|<\|inner_suffix\|>|<\|(?:final[_ -]?)?(?:response|answer|output)\|>)"
    r"|(?P<comment><!--)|(?P<comment_ends>-->)"
    rf"|(?P<fence>`{{3,8}}[ \t]{{0,4}}{_NAME}\s)|(?P<fence_ends>`{{3,8}})"
    r"|(?P<inline>\[\s{0,4}(?:think(?:ing)?|thoughts?|reasoning|scratch_?pad)\s{0,4}:)|(?P<inline_ends>\]))",
    re.IGNORECASE,
)
# [BEGIN FINAL RESPONSE] ... [END FINAL RESPONSE]: only the text in between is the answer.
_FINAL = re.compile(
    r"[<\[]\|?\s{0,4}(?P<side>begin|start|end)(?:[_ -]of)?[_ -](?:the[_ -])?"
    r"(?:final[_ -](?:response|answer|output)|solution)\s{0,4}\|?[>\]]",
    re.IGNORECASE,
)
# A text that starts with such a sentence is reasoning until the sentence that ends it.
_HERE = r"[\s*_#>`\"'-]{0,12}(?:here(?:'s|’s| is| are)|this is)[ \t]{1,4}(?:my|the)[ \t]{1,4}"
_HERE_THINKS = re.compile(
    rf"{_HERE}(?P<sure>thought process|reasoning steps|chain of thought|internal (?:reasoning|monologue|thoughts))?"
    rf"(?(sure)|(?:{_NAME}))[ \t*_`\"]{{0,8}}(?:[:.]|\n)",
    re.IGNORECASE,
)
_HERE_SPEAKS = re.compile(
    r"here(?:'s|’s| is)[ \t]{1,4}(?:my|the)[ \t]{1,4}(?:final |actual )?(?:response|answer|reply|output|action|move)"
    r"[ \t*_`\"]{0,8}:[ \t*_`\"]{0,8}",
    re.IGNORECASE,
)
# Thinking... ...done thinking. (ollama); Thought: ... Final answer: (ReAct). The second label is part of the answer.
_THINKING = re.compile(r"\s{0,8}Thinking\.\.\.\s")
_DONE_THINKING = re.compile(r"\.\.\.\s?done thinking\.", re.IGNORECASE)
_THOUGHT = re.compile(
    r"[\s*_#>`]{0,12}(?:(?:my|inner|internal|private)[ \t]{1,4})?(?:thoughts?|thinking|scratch[_ -]?pad|monologue)"
    r"[ \t*_`]{0,8}:",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"^[ \t*_#>`]{0,12}(?:final[ \t]{1,4})?(?:answer|response|reply|message|action|move|output)[ \t*_`]{0,8}:",
    re.IGNORECASE | re.MULTILINE,
)
_ANY_STEM = re.compile(_STEM, re.IGNORECASE)
_ALIKE = str.maketrans("＜＞〈〉《》‹›⟨⟩«»［］【】〔〕｜▁", "<><><><><><>[][][]|_")
_CHANNEL, _MESSAGE = "<|channel|>", "<|message|>"
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|start)\|>")
# gpt-oss decoded without its special tokens: analysisWe should bet.assistantfinalBet
_BARE_CHANNELS = re.compile(r"\s{0,8}(?:analysis|commentary)(\w?)")
_BARE_FINAL = "assistantfinal"


class Spoken(NamedTuple):
    """The visible answer. `cut` is True if reasoning starts and never ends."""

    text: str
    cut: bool


def spoken(text: str) -> Spoken:
    """Returns `text` without private reasoning, in time linear in its length.

    A block hides everything up to the end mark of its kind; a block that never ends hides the rest. An end mark without
    a start mark hides everything before it, because some chat templates open the block in the prompt. The texts on both
    sides of a block are joined by a space, so that they do not form a new mark.
    """
    text, cut = _final_channel(text)
    text, unsaid = _final_part(text)
    alike = _alike(text)
    parts: list[str] = []
    inside, start = "", 0
    for mark in _MARK.finditer(alike):
        kind, closing = _kind(mark)
        if inside:
            if not closing or kind != inside:
                continue
            inside = ""
        elif closing:
            if kind in _PAIRED:
                continue
            parts.clear()
        else:
            parts.append(text[start : mark.start()])
            inside = kind
        start = mark.end()
    if not inside:
        parts.append(text[start:])
    return Spoken(" ".join(parts), cut or unsaid or bool(inside))


_PAIRED = frozenset({"comment", "details", "fence", "inline"})
"""kinds whose end mark has a meaning only after a start mark"""


def _kind(mark: re.Match[str]) -> tuple[str, bool]:
    """Returns the kind of a mark (</analysis> does not end <think>), and whether it ends a block."""
    for kind in _PAIRED:
        if mark[kind] or mark[f"{kind}_ends"]:
            return kind, not mark[kind]
    tag = mark["tag"] or mark["tag2"]
    if tag is None:
        return "token", bool(
            mark["closes"] or mark["ends"] or mark["ends2"] or mark["ends3"] or mark["ends4"] or mark["ends5"]
        )
    stem = _ANY_STEM.search(tag.lower())
    kind = stem[0][:6].rstrip("s") if stem else tag.lower()
    closes = mark["slash"] or mark["slash2"] or mark[0].rstrip(">▷ ").endswith("/")
    return "think" if kind.startswith(("think", "though")) else kind, bool(closes)


def _alike(text: str) -> str:
    """Returns a text of the same length with look-alike brackets and letters replaced by plain ones."""
    if text.isascii():
        return text
    return "".join(c if c.isascii() else _folded(c) for c in text.translate(_ALIKE))


@lru_cache(4096)
def _folded(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def _final_part(text: str) -> Spoken:
    """Returns the part marked as the final response; all of it without marks, "" before the part starts."""
    alike = _alike(text)
    marks = list(_FINAL.finditer(alike))
    begins = [m for m in marks if m["side"].lower() != "end"]
    if begins:
        last = begins[-1].end()
        end = next((m.start() for m in marks if m.start() >= last), len(text))
        return Spoken(text[last:end], False)
    if marks:
        return Spoken(text[: marks[0].start()], False)
    thinks = _HERE_THINKS.match(alike)
    if thinks:
        if speaks := list(_HERE_SPEAKS.finditer(alike, thinks.end())):
            return Spoken(text[speaks[-1].end() :], False)
        if thinks["sure"]:
            return Spoken("", True)
    if _THINKING.match(alike) and (done := list(_DONE_THINKING.finditer(alike))):
        return Spoken(text[done[-1].end() :], False)
    if (thought := _THOUGHT.match(alike)) and (answer := _ANSWER.search(alike, thought.end())):
        return Spoken(text[answer.start() :], False)
    return Spoken(text, False)


def _final_channel(text: str) -> Spoken:
    """Returns the messages of the final channel if the text has channels, else the whole text."""
    if _CHANNEL not in text:
        if bare := _BARE_CHANNELS.match(text):
            _, mark, final = text.rpartition(_BARE_FINAL)
            if mark or bare[1]:
                return Spoken(final if mark else "", not mark)
        return Spoken(text, False)
    finals = []
    for piece in text.partition("<|return|>")[0].split(_CHANNEL)[1:]:
        head, mark, body = piece.partition(_MESSAGE)
        if mark and head.split()[:1] == ["final"]:
            finals.append(_MESSAGE_END.split(body, maxsplit=1)[0])
    return Spoken(" ".join(finals), not finals)
