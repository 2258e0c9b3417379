"""The kinds of answers: which values exist, how they are written, and how a sentence names one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

NOBODY = "nobody"
_SURELY = (
    r"(?:\s+(?:clearly|therefore|thus|indeed|in fact|actually|hence|simply|just|also|completely|entirely|fully|totally"
    r"|absolutely|perfectly|definitely|certainly|surely|obviously|exactly|mathematically|arithmetically|numerically"
    r"|logically|quite|100%)){0,2}"
)
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
    beside: Callable[[str, str, str], bool]
    """whether a value somewhere in a text, with what is before and after it, is used for something else"""
    flags: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """fields of JSON objects -> the values that true and false stand for"""
    span: tuple[int, int] | None = None
    """the lowest and highest value of a kind of numbers"""

    def of(self, match: re.Match[str]) -> str | None:
        """The value in a match of `value`."""
        word = next((group for group in match.groups() if group), None)
        return None if word is None else self.canonical(word)


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_MEANS = dict.fromkeys(("correct", "right", "accurate", "valid", "true"), "correct") | dict.fromkeys(
    ("incorrect", "wrong", "inaccurate", "invalid", "erroneous", "false", "not correct"), "incorrect"
)
_WRONG = "incorrect|wrong|inaccurate|invalid|erroneous|false"
_RIGHT = "correct|right|accurate|valid|true"
_STEP = (
    r"(?:(?:the|this|that)\s+(?:(?:given|shown|proposed|final|last|next|sneaky|player's(?!\s+(?:answer|verdict))|new)\s+){0,3}"
    r"(?:step|equation|calculation|computation|statement|answer|verdict|arithmetic)"
    r"(?:\s+(?:to judge|shown|above|given|in question))?|it|this|that|my\s+(?:final\s+)?(?:verdict|answer|judge?ment))"
)
_ATTRIBUTE = re.compile(
    r"\s+(?!(?:is|was|one|option|verdict|choice|label|judge?ment|of|and|or|but|if|then|instead|after|because|since|as"
    r"|not|it|i|to|here|there|now|again|sorry|please|indeed|though|so|for|in|on|at|by|with|all|after|either)\b)[a-z]+",
    re.IGNORECASE,
)
"""a noun after an adjective: "the correct result" is no verdict"""
_DETERMINER = re.compile(r"(?:^|\s)(?:the|an?|any|every|each|its|their|your|this|that)\s+$", re.IGNORECASE)


def _attributive(before: str, word: str, after: str) -> bool:
    return _DETERMINER.search(before) is not None and _ATTRIBUTE.match(after) is not None


def _verdict(word: str) -> str:
    return _MEANS["not correct" if re.match(r"not\s", word, re.IGNORECASE) else word.casefold()]


CORRECTNESS = AnswerKind(
    "verdict",
    _any_case(rf"(?:[❌✗✘🚫]\s*(?=in|wrong|err|false))?\b(not{_SURELY}\s+(?:{_RIGHT})|{_RIGHT}|{_WRONG})\b"),
    _verdict,
    r"verdict|judge?ment|assessment|evaluation|correctness|urteil|veredicto|verdetto",
    _any_case(
        r"(?:i\s+(?:must\s+|would\s+)?(?:judge|find|conclude|say|think|believe)(?:\s+that)?\s+)?"
        rf"(?:{_STEP}\s+{_IS}\s+|it's\s+|that's\s+)?(?:(?:completely|entirely|absolutely|perfectly|clearly)\s+)?"
    ),
    _NEVER,
    _attributive,
    {f"is_{word}": ("correct", "incorrect") for word in _RIGHT.split("|")}
    | {"correct": ("correct", "incorrect"), "valid": ("correct", "incorrect"), "incorrect": ("incorrect", "correct")}
    | {f"is_{word}": ("incorrect", "correct") for word in _WRONG.split("|")},
)
"""whether something is correct or incorrect, with the usual synonyms; "not correct" is incorrect"""


_ARTICLE = re.compile(r"\s+[a-z]{2,}")
_DEFEATED = re.compile(
    r"\s*[,:]?\s*(?:is|was|seems|looks)\s+(?:\w+ly\s+)?(?:not\b(?!\s+(?:wrong|incorrect|false|mistaken|bad))|wrong\b"
    r"|incorrect\b|false\b|mistaken\b|worse\b|weaker\b|innocent\b)|\s+(?:would\s+|will\s+)?(?:loses?|fails?)\b",
    re.IGNORECASE,
)
"""what denies a value after it: "B is wrong" """


def beside_letter(before: str, letter: str, after: str) -> bool:
    """Whether a letter is a word, or a value that is denied: "a step", "I think", "B is wrong" """
    if letter == "a" and _ARTICLE.match(after):
        return True
    return (letter in "iI" and re.match(r"\s+[a-z]|'", after) is not None) or _DEFEATED.match(after) is not None


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
        r"verdict|judge?ment|letter|option|winner",
        _any_case(
            r"(?:i(?:'m|'d|\s+am|\s+would)?\s+(?:choose|pick|name|say|vote for|select|go with|going with"
            r"|conclude(?:\s+that)?)\s+)?"
            rf"(?:{_MY}(?:answer|decision|verdict|choice|option|letter|judge?ment|vote|winner)\s+{_IS}\s+"
            r"|it's\s+|it is\s+)?"
        ),
        _any_case(r"\s+(?:wins|is\s+(?:the\s+)?(?:correct|right|best|better)(?:\s+(?:answer|option|choice|one))?)\b"),
        beside_letter,
    )


def _never_beside(before: str, word: str, after: str) -> bool:
    return False


_DESCRIBED = re.compile(
    r"(?:'s\s+(?:clue|hint|word|description|message|answer)s?|\s+(?:said|gave|described|mentioned|wrote|knew|knows|spoke"
    r"|answered|hinted))\b",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\s+(?:else|of)\b", re.IGNORECASE)


def _described(before: str, word: str, after: str) -> bool:
    """Whether a player is the subject of a remark, not of a vote: "player 3 gave a clear clue" """
    if not word[-1:].isdecimal():
        return _ELSE.match(after) is not None
    return _DESCRIBED.match(after) is not None or _DEFEATED.match(after) is not None


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
            r"|i(?:\s+would|'d)?\s+give\s+(?:it|this)\s+an?\s+(?=[0-9])|final\s+(?:score|mark|rating|grade)\s+is\s+"
            r"|i(?:\s+would|'d)?\s+(?:give|assign)\s+(?:(?:this|the|it)\s+(?:(?:answer|solution|question)\s+)?)?(?:an?\s+|the\s+)?"
            r"(?:score|mark|rating|grade)\s+(?:of\s+)?"
            rf"|{_MY}(?:score|mark|rating|grade)(?:\s+for\s+(?:this|the)\s+\w+)?\s+{_IS}\s+)?"
        ),
        _NEVER,
        _never_beside,
        span=(low, high),
    )


@lru_cache(64)
def players(count: int) -> AnswerKind:
    """One of the players 1 to `count`, or nobody."""
    none = "nobody|no one|no-one|none|n/a|abstain(?:ing)?"
    return AnswerKind(
        "vote",
        _any_case(rf"(?:player\s*#?\s*)?([0-9]{{1,3}})(?![\w%]|[.,:/][0-9])|({none})\b"),
        lambda said: NOBODY if not said.isdecimal() else str(int(said)) if 1 <= int(said) <= count else None,
        r"vote|spy|suspect",
        _any_case(
            r"(?:i\s+(?:(?:will|would|must|prefer\s+to|choose\s+to|decide\s+to|have\s+to)\s+)?(?=abstain))?"
            r"(?:i\s+am\s+(?=abstain))?"
            r"(?:i(?:'m|\s+am)?\s+(?:(?:will|would|now|therefore|hereby|do)\s+)?(?:vot(?:e|ing)(?:\s+(?:for|against))?"
            r"|suspect|choose|accuse)\s+)?"
            r"(?:(?:i\s+(?:think|believe|conclude|say)(?:\s+that)?\s+)?"
            rf"(?:it's\s+|it\s+is\s+|the spy\s+{_IS}\s+"
            rf"|{_MY}(?:vote|answer|choice|suspect)\s+(?:is|goes to)(?:\s+for)?:?\s+"
            r"|the spy is (?:most likely|probably)\s+))?"
        ),
        _any_case(r"\s+(?:is|must be|has to be)\s+(?:most likely\s+)?the spy|\s+from\s+(?:the\s+)?vot\w+"),
        _described,
        span=(1, count),
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
        _never_beside,
    )
