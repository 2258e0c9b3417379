r"""A message without what surrounds its words: markdown, LaTeX, quotation marks, look-alike characters."""

from __future__ import annotations

import re
import unicodedata

_WRAPPER = re.compile(
    r"\\(?:f?boxed|text(?:bf|it|rm|tt|sf|sc)?|math(?:rm|bf|it|tt|sf)|mbox|operatorname|emph|mathbf)\s{0,4}\{([^{}]*)\}"
)
# A star between spaces or between numbers is a product, not markup.
_STAR = r"\*(?:(?<!\s\*)|(?!\s))(?:(?<![\d)]\*)|(?![\d(]))"
_HTML = r"</?(?:b|strong|i|em|u|p|br|span|div|h[1-6]|li|center|code)\s{0,4}/?>"
_COLOR = r"\\(?:text)?color\s{0,4}\{[A-Za-z]{1,20}\}"
_MARKUP = re.compile(rf"\\[()\[\],;:! ]|[`$#~]|\\_|{_STAR}|{_HTML}|{_COLOR}")
_QUOTES = re.compile(r"[\"“”„«»‘’「」『』【】¡¿]|(?<![^\W\d_])'|'(?![^\W\d_])")  # not the apostrophe in it's
_PAIRS = ("()", "[]", "{}", "||")
_NO = frozenset("❌✗✘🚫👎⛔")
"""symbols that deny what they stand beside"""
STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
"""struck text, which the writer withdraws"""
_SIGNS = r"[\s\u2600-\u2653\u2668-\u27bf\ufe0f\U0001f000-\U0001f09f\U0001f100-\U0001faff]"  # no chessmen, no cards
_EMOJI = re.compile(rf"^{_SIGNS}+|{_SIGNS}+$")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})


def normal(text: str) -> str:
    """The text with compatibility forms folded and without invisible characters; line breaks stay."""
    if text.isascii():
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    folded = unicodedata.normalize("NFKC", text).replace("\r\n", "\n").replace("\r", "\n")
    spaced = (c if c == "\n" else " " if c.isspace() else c for c in folded)
    return "".join(c for c in spaced if c == "\n" or unicodedata.category(c) not in _INVISIBLE)


def unadorned(text: str) -> str:
    """A text without emoji at its ends; one with a sign that denies it stays as it is."""
    return text if text.isascii() or _NO.intersection(text) else _EMOJI.sub("", text)


def plain(text: str) -> str:
    r"""One line without markup: **Incorrect** and $\boxed{\text{Incorrect}}$ are Incorrect."""
    if not text.strip():
        return ""
    for _ in range(4):
        inner = _WRAPPER.sub(r" \1 ", text)
        if inner == text:
            break
        text = inner
    text = _QUOTES.sub("", _MARKUP.sub("", text)).replace("_", " ")
    if not text.isascii():
        text = "".join(c for c in text if c in _NO or unicodedata.category(c) not in ("So", "Mn"))
    text = " ".join(text.replace("’", "'").split())
    while len(text) > 1 and text[0] + text[-1] in _PAIRS:
        text = text[1:-1].strip()
    return text.strip("| ")
