r"""The boxes of a text, \boxed{...}, and what a second answer is to the first, by the text between them."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple


class Box(NamedTuple):
    """A box at text[start:end]. `content` is None if the text ends before the box does."""

    content: str | None
    start: int
    end: int


_BOX_OR_BRACE = re.compile(r"(?P<box>\\{1,4}(?:f?boxed|fbox)\s{0,8}\{)|\\.|[{}]", re.DOTALL)
_BACKSLASH_LAST = re.compile(r"([^{}\n]{1,100}\\)\}(?=[\s$]*$)")
"""a box whose content ends with a backslash, as the moves of Hive do: it is no escaped brace"""


def boxes(text: str) -> list[Box]:
    """Returns the boxes of a text, inner ones too, by their ends; one that never ends only if no other follows it."""
    out = []
    waiting: list[tuple[int, int] | None] = []
    for token in _BOX_OR_BRACE.finditer(text):
        if token["box"]:
            waiting.append((token.start(), token.end()))
        elif token[0] == "{":
            waiting.append(None)
        elif token[0] == "}" and waiting and (box := waiting.pop()):
            out.append(Box(text[box[1] : token.start()], box[0], token.end()))
    unfinished = [box for box in waiting if box]
    if unfinished and (ending := _BACKSLASH_LAST.match(text, unfinished[-1][1])):
        out.append(Box(ending[1], unfinished[-1][0], ending.end()))
    elif unfinished and not any(box.start > unfinished[-1][0] for box in out):
        out.append(Box(None, unfinished[-1][0], len(text)))
    return out


class Sequel(Enum):
    """What a second answer of the same kind is to the first, by the text between them."""

    PART = "part"
    """another part of one answer, after a comma or "and" """
    CORRECTION = "correction"
    """it replaces the first: "Wait, I misread it:", "Second pass:", "so" """
    ALTERNATIVE = "alternative"
    """a hedge stands between them, or what disowns the second: "or", "alternatively", "a common mistake is" """
    UNCLEAR = "unclear"
    """nothing says which of the two counts"""


_TEXT = re.compile(r"\\(?:text|math|mbox)[a-z]{0,6}\s{0,4}\{([^{}]{0,200})\}")
_SIGNS = (  # LaTeX that spaces, joins or hedges
    (re.compile(r"\\q?quad|\\[()\[\],;:! ]|[$*`~]|\\(?:left|right)(?![A-Za-z])"), " "),
    (re.compile(r"\\(?:l?or|vee)(?![A-Za-z])|∨"), " or "),
    (re.compile(r"\\(?:land|wedge)(?![A-Za-z])|\\?&|∧"), " and "),
)
_PART = re.compile(r"[\s.)]{0,9}(?:[,;]|(?:[,;]\s{0,9})?\band\b)[\s(]{0,9}", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:alternative(?:ly)?|otherwise|either|possibl[ey]|perhaps|maybe|conceivabl[ey])\b", re.IGNORECASE
)
_DOUBT = re.compile(
    r"\b(?:or|else|might|could|may|unless|if|not sure|unsure|unclear|depend(?:s|ing)|some|many|others?)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:no|nope|wait|sorry|apolog\w{2,7}|oops|correction|corrected|correcting|edit|mistaken?|errors?|slip|misread"
    r"|wrong|strike|scratch|hold on|rather(?! than)|instead(?! of)|actually|reflection|better|pass|round|attempt"
    r"|try|thought|look(?:ing)?|re-?(?:check|comput|calculat|consider|evaluat|vis|view|do)\w*|updated?"
    r"|final(?:ly)?|so|therefore|thus"
    r"|hence|conclu\w{3,8}|overall|total|in short|summary)\b|->|=>|[→⇒⟹]|\\(?:to|implies"
    r"|(?:long)?rightarrow)(?![A-Za-z])",
    re.IGNORECASE,
)
_DISOWNS = re.compile(
    r"\b(?:not|never|than|instead of|had (?:i|we|you)|would have|almost|nearly|wrong(?:ly)?|weak(?:er)?|worst"
    r"|second[- ](?:best|choice)|runner-?up|backup|fallback|fail\w*|trap|reply|reject\w*|avoid\w*|rul(?:e|ed|ing) out"
    r"|opponents?|black|white|he|she|they|next (?:turn|move|round)|(?:first|earl(?:y|ier)|previous|initial"
    r"|original|former|old|other)(?:ly)?"
    r"(?: \w+){0,2}"
    r"|(?:common|typical|usual|naive|hasty|likely|frequent|tempting|easy)\w*(?: \w+){0,2}"
    r"|(?:mistakes?|errors?|slips?)(?: \w+)? (?:is|gives?|yields?|leads?|be))\b"
    r"(?!.{0,80}\b(?:but|so|now|actually|however|therefore|thus|hence|instead)\b)[^,;]{0,60}$",
    re.IGNORECASE,
)
"""the end of a sentence that says of what follows that it is no answer: "a common mistake is", "is better than" """
_STATES = re.compile(
    r"(?:.{0,200}(?:\b(?:is|are|equals?|get|have|obtain|gives?|yields?|be|becomes?|with|to|choose|play|pick|as"
    r"|read|makes?|find|means|votes?|votes? for|go for|on)|[=≈⇒→>*])"
    r"|(?:\W*\b(?:so|therefore|thus|hence|finally|no|nope|wait|the|my|our|final|correct(?:ed|ion)?|right"
    r"|revised|updated|new|actual|better|second|third|last|\d|pass|try|answer|result|value|verdict|choice|move|action"
    r"|vote|score|step|box|it's|that's|rather|instead|actually|now|again|overall|total|in|conclusion|summary"
    r"|short|oops|sorry|scratch|that"
    r"|hold|edit|x|y|n|of|attempt|solution|round|mark|rating|one|i'll|player)\b){0,7})\W*$",
    re.IGNORECASE | re.DOTALL,
)
"""a clause that states the answer which follows it"""
_CLAUSE = re.compile(r"(?<=[.!?:;,。])\s+|\n|\s[-–—]+\s|(?<=[a-z])[–—]+(?=[A-Za-z])")
_OPERATOR = re.compile(
    r"(?:(?:(?<!-)[-−](?!\s)|[=($]\s?[-−] ?|[/^+±]\s?\{?|\\n(?:eq?|ot\s?=)|\\(?:times|cdot|pm|mp)|≠|!="
    r"|\\(?:sqrt(?:\[\w{1,3}\])?\{|[dt]?frac\{(?:[^$]{1,40}\}\{)?))[\s$]{0,3}|\d)$"
)
_OPERATED = re.compile(
    r"[ $]{0,3}(?:\^(?![ {]{0,3}\\circ)|[-+/] ?\d|\\(?:cdot|times|sqrt|pi|[dt]?frac)(?![A-Za-z])|(?<=\})[xyzni](?!\w))"
)
_NEAR = 2000
"""characters that are looked at"""


def sequel(between: str) -> Sequel:
    """Returns what an answer is to another one before it. A hedge outweighs a correction: "no, or maybe 4"."""
    text = _TEXT.sub(r" \1 ", between[-_NEAR:])
    for pattern, word in _SIGNS:
        text = pattern.sub(word, text)
    if _PART.fullmatch(text):
        return Sequel.PART
    sentences = [part for part in re.split(r"(?<=[.!?。])\s+|\n", text) if re.search(r"\w", part)]
    if sentences and _DISOWNS.search(sentences[-1][-300:]):
        return Sequel.ALTERNATIVE
    if _HEDGE.search(text[-300:]) or (sentences and _DOUBT.search(sentences[-1])):
        return Sequel.ALTERNATIVE
    states = _STATES.match(_CLAUSE.split(text[-300:])[-1])
    return Sequel.CORRECTION if states and _CORRECTS.search(text) else Sequel.UNCLEAR


def operated(text: str, start: int, end: int) -> bool:
    r"""Returns whether an operator beside a box makes it a part of a formula: -\boxed{6}, 1/\boxed{6}, \boxed{6}^2."""
    line = text[max(0, start - 60, text.rfind("\n", 0, start) + 1) : start]
    return _OPERATOR.search(line) is not None or _OPERATED.match(text, end) is not None
