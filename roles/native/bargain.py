"""The roles of bargain-v0: buyer, seller and coach."""

from __future__ import annotations

import re

from games.native.bargain.messages import formed
from games.native.common.answers import final
from roles.native.tagged import Speaker
from roles.parsing import parse
from roles.types import ParseError


class Bargainer(Speaker):
    """Sends one typed message: an offer, an answer to an offer, or walking away. Its credit is the return."""

    form = "Reply with exactly one message: offer PRICE: words, accept: words, reject: words, or walk away: words."

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        r"""An explicit answer (\boxed{offer 60: ...}), else the last line in the form of a message, else all of it."""
        try:
            action = parse(text, legal)
        except ParseError:
            if legal is not None:
                raise
            action = super().parse(text, legal)
        if legal is not None or formed(action):
            return action
        if (marked := final(text).value) and formed(marked):
            return marked
        lines = [each for line in super().parse(text, legal).splitlines() for each in (line, _undecorated(line))]
        return next((line.strip() for line in reversed(lines) if formed(line)), action)


_DECORATION = re.compile(
    r"[\s>*_`#•-]*(?:(?:(?:my|final)\s+){0,2}(?:message|reply|action|answer|response|move|conclusion|decision)"
    r"[\s*_`]*[:：])?[\s*_`]*",
    re.IGNORECASE,
)


def _undecorated(line: str) -> str:
    """A line without markdown and a label in front of it: - **Message:** offer 60."""
    return _DECORATION.sub("", line, count=1).rstrip("*_` ")


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
    form = "Reply only with your advice: at most three short suggestions, without numbers."
