"""The kinds of answers: which values exist, how they are written, and how a sentence names one of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

NOBODY = "nobody"
_SURELY = r"(?:\s+(?:clearly|therefore|thus|indeed|in fact|actually|hence|simply|just))?"
_IS = rf"(?:is|was|must be|should be|would be|has to be){_SURELY}:?"
_MY = r"(?:my|the|this|our)\s+(?:(?:final|overall|correct|right|best)\s+){0,2}"
_NEVER = re.compile(r"(?!)")
_NOUNS = (
    r"\s+(?:results?|answers?|values?|steps?|sums?|calculations?|numbers?|products?|differences?|totals?|one|equations?"
    r"|computations?|solutions?|way|approach|operations?|order|digits?|form|arithmetic|expressions?)\b"
)


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """How to read one kind of answer. The patterns are for lines without markup."""

    name: str
    """used in reasons, such as "no verdict" """
    value: re.Pattern[str]
    """a value; the group that matches holds it"""
    canonical: Callable[[str], str | None]
    """the value that a written one stands for; None if there is no such value"""
    labels: str
    """the labels and tags of this kind, beside answer, decision and the like"""
    subject: re.Pattern[str]
    """what a sentence may say before its value: "the step is", "I vote for" """
    after: re.Pattern[str]
    """what a sentence may say after its value: "is the spy" """
    statement: re.Pattern[str]
    """a statement of a value somewhere in a text; the group `no` negates it"""

    def of(self, match: re.Match[str]) -> str | None:
        """The value in a match of `value` or `statement`."""
        no = match.re.groupindex.get("no")
        said = next((match[i] for i in range(1, match.re.groups + 1) if i != no and match[i]), None)
        return None if said is None else self.canonical(said)


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_MEANS = dict.fromkeys(("correct", "right", "accurate", "valid"), "correct") | dict.fromkeys(
    ("incorrect", "wrong", "inaccurate", "invalid", "erroneous", "false"), "incorrect"
)
_WORDS = "|".join(_MEANS)
_STEP = (
    r"(?:(?:the|this|that)\s+(?:(?:given|shown|proposed|final|last|next|sneaky|player's(?!\s+(?:answer|verdict))|new)\s+){0,3}"
    r"(?:step|equation|calculation|computation|statement|answer|verdict|arithmetic)"
    r"(?:\s+(?:to judge|shown|above|given|in question))?|it|this|that|my\s+(?:final\s+)?(?:verdict|answer|judge?ment))"
)
CORRECTNESS = AnswerKind(
    "verdict",
    _any_case(rf"(?:[❌✗✘🚫]\s*(?=in|wrong|err|false))?\b({_WORDS})\b"),
    lambda word: _MEANS[word.casefold()],
    r"verdict|judge?ment|assessment|evaluation|correctness",
    _any_case(
        r"(?:i\s+(?:must\s+|would\s+)?(?:judge|find|conclude|say|think|believe)(?:\s+that)?\s+)?"
        rf"(?:{_STEP}\s+{_IS}\s+|it's\s+|that's\s+)?"
    ),
    _NEVER,
    _any_case(
        rf"\b(?:{_STEP}\s+(?:is|was|must be|should be|seems|looks)|it's|that's)\s+(?:[a-z]+ly\s+|indeed\s+|in fact\s+)?"
        rf"(?P<no>not\s+)?(?:[a-z]+ly\s+)?({_WORDS})\b(?!{_NOUNS})"
    ),
)
"""whether something is correct or incorrect, with the usual synonyms"""


@lru_cache(64)
def letters(allowed: str, *words: str) -> AnswerKind:
    """One of the letters `allowed`, such as "ABCD", or one of the words."""

    def canonical(said: str) -> str | None:
        return said.upper() if said.upper() in allowed else said.lower() if said.lower() in words else None

    noun = r"(?:(?i:answer|option|choice|letter)\s+)?"
    spoken = rf"|(?i:({'|'.join(words)})\b(?:\s+the\s+debate)?)" if words else ""
    return AnswerKind(
        "letter",
        re.compile(rf"(?<![\w']){noun}\(?([A-Za-z])\)?(?![\w']){spoken}"),
        canonical,
        r"verdict|judge?ment|letter|option",
        _any_case(
            r"(?:i(?:'m|\s+am)?\s+(?:choose|pick|name|say|vote for|select|go with|going with|conclude(?:\s+that)?)\s+)?"
            rf"(?:{_MY}(?:answer|decision|verdict|choice|option|letter|judge?ment|vote)\s+{_IS}\s+|it's\s+|it is\s+)?"
        ),
        _any_case(r"\s+(?:wins|is\s+(?:the\s+)?(?:correct|right|best|better)(?:\s+(?:answer|option|choice|one))?)\b"),
        re.compile(
            r"\b(?:(?i:answer|verdict|choice|option|it)\s+(?:is|should be|must be)|it's"
            r"|(?i:i (?:choose|pick|name|go with)))"
            rf"\s+(?P<no>not\s+)?{noun}\(?([A-Z])\b(?![\w'])"
            rf"|\b{noun}\(?([A-Z])\)?\s+(?:is|was)\s+(?:the\s+)?(?:correct|right|better|best)\b"
        ),
    )


@lru_cache(64)
def numbers(low: int, high: int) -> AnswerKind:
    """A whole number from `low` to `high`, also as 3/3 or 3 out of 3."""
    outof = r"(?:/|of|out of)"
    return AnswerKind(
        "mark",
        _any_case(
            rf"([0-9]{{1,4}})(?:\.0)?(?:\s*{outof}\s*{high}(?![0-9]))?(?:\s+points?)?"
            rf"(?![\w%]|[.,:/][0-9]|\s*{outof}\s*[0-9])"
        ),
        lambda digits: str(int(digits)) if low <= int(digits) <= high else None,
        r"score|mark|rating|grade",
        _any_case(
            r"(?:i(?:\s+would|'d)?\s+rate\s+(?:this|it|the\s+\w+)\s+(?:as\s+|an?\s+)?"
            r"|i(?:\s+would|'d)?\s+give\s+(?:it|this)\s+an?\s+|final\s+(?:score|mark|rating|grade)\s+is\s+"
            r"|i(?:\s+would|'d)?\s+(?:give|assign)\s+(?:(?:this|the|it)\s+(?:(?:answer|solution|question)\s+)?)?(?:an?\s+|the\s+)?"
            r"(?:score|mark|rating|grade)\s+(?:of\s+)?"
            rf"|{_MY}(?:score|mark|rating|grade)(?:\s+for\s+(?:this|the)\s+\w+)?\s+{_IS}\s+)?"
        ),
        _NEVER,
        _any_case(
            r"\b(?:score|mark|rating|grade)\s*(?:is|of|:|=|should be|would be|to)\s*"
            r"(?P<no>not\s+)?([0-9]{1,4})(?!\w|[.,][0-9])"
        ),
    )


@lru_cache(64)
def players(count: int) -> AnswerKind:
    """One of the players 1 to `count`, or nobody."""
    none = "nobody|no one|no-one|none|n/a|abstain"
    return AnswerKind(
        "vote",
        _any_case(rf"(?:player\s*#?\s*)?([0-9]{{1,3}})(?![\w%]|[.,:/][0-9])|({none})\b"),
        lambda said: NOBODY if not said.isdecimal() else str(int(said)) if 1 <= int(said) <= count else None,
        r"vote|spy|suspect",
        _any_case(
            r"(?:i\s+(?:(?:will|would|now|therefore|hereby|do)\s+)?(?:vote(?:\s+(?:for|against))?|suspect|choose|accuse)\s+)?"
            r"(?:(?:i\s+(?:think|believe|conclude|say)(?:\s+that)?\s+)?"
            rf"(?:the spy\s+{_IS}\s+|{_MY}(?:vote|answer|choice|suspect)\s+(?:is|goes to)(?:\s+for)?:?\s+"
            r"|the spy is (?:most likely|probably)\s+))?"
        ),
        _any_case(r"\s+(?:is|must be|has to be)\s+(?:most likely\s+)?the spy"),
        _any_case(
            rf"\b(?:i (?:will |would )?vote for|(?:the spy|my vote)\s+(?:is|goes to|must be))\s+(?P<no>not\s+)?"
            rf"(?:(?:player\s*)?([0-9]{{1,3}})\b|({none})\b)|\bplayer\s*([0-9]{{1,3}})\s+(?:is|must be)\s+the spy"
        ),
    )


@lru_cache(8)
def phrases(allowed: tuple[str, ...]) -> AnswerKind:
    """One of a few phrases, up to case and punctuation."""
    known = {" ".join(re.findall(r"\w+", phrase)).casefold(): phrase for phrase in allowed}
    written = "|".join(r"[\W_]{1,4}".join(key.split()) for key in known)
    return AnswerKind(
        "verdict",
        _any_case(rf"({written})\b"),
        lambda said: known.get(" ".join(re.findall(r"\w+", said)).casefold()),
        r"verdict|judge?ment|labels?|assessment",
        _any_case(rf"(?:{_MY}(?:verdict|answer|label|judge?ment)\s+{_IS}\s+)?"),
        _NEVER,
        _any_case(rf"(?P<no>\bnot\s+)?\b({written})\b"),
    )
