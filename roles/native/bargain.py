"""The roles of bargain-v1: buyer, seller and coach."""

from __future__ import annotations

import re

from games.dialogue.answers import attributed, choose, denies
from games.native.bargain.messages import formed
from roles.native.tagged import Speaker
from roles.parsing import parse, undressed
from roles.privacy import own_words, visible
from roles.reward_kind import outcome
from roles.types import ParseError


class Bargainer(Speaker):
    """Sends one typed message: an offer, an answer to an offer, or walking away. Its credit is the return."""

    form = "Reply with exactly one message: offer PRICE: words, accept: words, reject: words, or walk away: words."

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        r"""Returns the typed message of a text by the rules of `games.dialogue.answers`. Raises ParseError."""
        if legal is not None:
            return parse(text, legal)
        choice = choose(own_words(text).text, TypedMessages())
        if choice.value is None:
            if choice.problem:
                told = f"it is unclear whether your message is {choice.content[:60]!r}: {choice.problem}"
                raise ParseError(f"{told}; write one message", "unparsable")
            whole = super().parse(text, legal)
            if formed(whole):
                raise ParseError("the words of your message take it back; write one message", "unparsable")
            return whole
        message = undressed(choice.content)
        if message.count("**") % 2:  # the label was bold too
            message = message.replace("**", "").strip()
        return visible(message if formed(message) else message.strip(_AROUND))


_AROUND = " *_`."
_VERB = re.compile(
    r"\b(?:(?P<offer>offer\s+[0-9]{1,9})|(?P<answer>accept|reject|walk(?=\s+away)))\b(?P<typed>(?:\s+away)?\s*:)?",
    re.IGNORECASE,
)
_YOURS = re.compile(
    r"\b(?:your?|their|his|her|they|he|she|the\s+(?:seller|buyer)|please)\s+(?:(?:will|can|could|would|should|do|may|now)\s+)?$",
    re.IGNORECASE,
)
"""what makes a word of another kind of message the other side's"""
_SHORT = 4


class TypedMessages:
    """The options of a bargain: `offer 60`, accept, reject, walk; each with words or without."""

    labels, words = "message|reply|move|offer", 20

    def of(self, content: str) -> str | None:
        """Returns the verb and the price of a typed message; None for one whose words take it back."""
        content = undressed(content)
        content = content if formed(content) else content.strip(_AROUND)
        if not formed(content):
            return None
        head, _, words = content.partition(":")
        value = _value(head)
        for sentence in re.split(r"(?<=[.!?])\s+", words):
            for match in _VERB.finditer(sentence):
                ends = len(sentence.split()) <= _SHORT and not sentence[match.end() :].strip(" .!")
                price = match["offer"] and value.startswith("offer")
                if (match["typed"] or price or ends) and _other(sentence, match, value):
                    return None
        return value

    def rival(self, after: str, value: str) -> str:
        """Returns why a text states another message than `value`, "" if it does not."""
        for line in after.split("\n"):
            for match in _VERB.finditer(line):
                if _other(line, match, value):
                    return f"{match[0]!r} follows"
        return ""


def _value(head: str) -> str:
    return " ".join(head.casefold().split()).removesuffix(" away")


def _other(line: str, match: re.Match[str], value: str) -> bool:
    """Returns whether a verb of a line is a message of its own that differs from `value`, or denies it."""
    before = line[max(0, match.start() - 80) : match.start()]
    if attributed(before) or _YOURS.search(before):
        return False
    return bool(denies(before)) == (_value(match["offer"] or match["answer"]) == value)


class Seller(Bargainer):
    """Sells above its cost."""

    name = "seller"


class Buyer(Bargainer):
    """Buys below its value."""

    name = "buyer"


class Coach(Speaker):
    """Reads a bargain and advises one side.

    Its credit is the gain of that side over the first bargain, which GPT-Bargaining measures.
    """

    name = "coach"
    reward_kind = outcome(0.0)
    form = "Reply only with your advice: at most three short suggestions, without numbers."
