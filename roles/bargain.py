"""The two sides of bargain-v0: their whole reply is one typed message, and small models are shown some."""

from __future__ import annotations

from games.dialogue.bargain_messages import formed
from roles.parsing import parse
from roles.role import ParseError
from roles.speaker import Speaker


class Bargainer(Speaker):
    """Says one message: an offer, an answer to one, or that it walks away. Credited with the return."""

    form = "Your whole reply is one message: offer PRICE: words, accept: words, reject: words, or walk away: words."

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        r"""A marked answer (\boxed{offer 60: ...}), else the last line in the form of a message, else all of it."""
        try:
            found = parse(text, legal)
        except ParseError:
            if legal is not None:
                raise
            found = super().parse(text, legal)
        if legal is not None or formed(found):
            return found
        lines = [line for line in super().parse(text, legal).splitlines() if formed(line)]
        return lines[-1].strip() if lines else found


class Seller(Bargainer):
    """Sells above its cost."""

    name = "seller"


class Buyer(Bargainer):
    """Buys below its value."""

    name = "buyer"
