"""The tokens of a mathematical answer in LaTeX or plain text. Unknown input raises `Unread`."""

from __future__ import annotations

import re
from typing import NamedTuple


class Unread(ValueError):
    """A text that is not a mathematical answer, or that the parser does not understand; the message says why."""


class Token(NamedTuple):
    """`kind` is number, word, command, text or the symbol itself; `spaced` means that white space precedes it."""

    kind: str
    text: str
    spaced: bool


_FONTS = "text|mathrm|textrm|textit|textbf|mathbf|mbox|operatorname|textnormal|mathit|mathsf|texttt|mathcal"
_TOKEN = re.compile(
    r"(?P<space>\s+|\\[,;:! ]|\\q?quad|~)"
    r"|(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+(?![A-Za-z0-9.]))?)"
    rf"|\\(?:{_FONTS})\*?\s*\{{(?P<text>[^{{}}]*)\}}"
    r"|(?P<environment>\\(?:begin|end)\s*\{[a-z]+\*?\})"
    r"|(?P<command>\\[A-Za-z]+)"
    r"|(?P<escape>\\[{}%$|\\])"
    r"|(?P<word>[A-Za-zµμΩ]+)"
    r"|(?P<symbol>\*\*|<=|>=|!=|.)",
    re.DOTALL,
)
_SAME = {
    "**": "^", "×": "*", "·": "*", "∙": "*", "÷": "/", "−": "-", "–": "-", "≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">=",
    "∪": "cup", "∈": "in", "∅": "emptyset", "∞": "oo", "√": "sqrt", "±": "pm", "²": "^2", "³": "^3", "π": "pi",
    "\\{": "{set", "\\}": "set}", "\\%": "%", "\\$": "$", "\\\\": "row", "\\|": "||", "′": "'",
}  # fmt: skip
_COMMANDS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=",
    "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">", "cup": "cup", "in": "in", "emptyset": "emptyset",
    "varnothing": "emptyset", "infty": "oo", "pm": "pm", "lbrace": "{set", "rbrace": "set}", "lvert": "|",
    "rvert": "|", "vert": "|", "lbrack": "[", "rbrack": "]", "degree": "°", "degrees": "°", "prime": "'",
    "neq": "!=", "ne": "!=", "cdots": "...", "ldots": "...", "dots": "...",
}  # fmt: skip
_DROPPED = frozenset(
    ["left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle", "limits", "bf", "rm"]
)
_SYMBOLS = frozenset("+-*/^_=<>(){}[],;|!'%°&") | frozenset(_SAME.values())
_THOUSANDS = re.compile(r"(?<![\d.,}])[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?![\d,]|\{,\}|\.\d*,)")
_JOINED = re.compile(r"(?<=\d)(?:,\\! ?|\{,\}(?:\\! ?)?)(?=\d{3}(?!\d))")
"""MATH's commas between thousands, which separate nothing else: 11,\\! 111 and 11{,}111"""
_REPEATING = re.compile(r"(\d*)\.(\d*)(?:\\overline\s*\{?(\d+)\}?|\\(?:dot)\s*\{?(\d)\}?)")
_TIMES_TEN = re.compile(r"(?<=[\d ])[xX](?=\s*10\s*(?:\^|\*\*))")
_DEGREES = re.compile(
    r"\^\s*\{?\s*(?:\\circ|\\degree|°)\s*\}?|\\circ(?![A-Za-z])"
    r"|\\(?:text|mathrm)\{\s*degrees?\s*\}|(?<![A-Za-z\\])degrees?(?![A-Za-z])"
)


def plain(text: str, thousands: bool) -> str:
    """Normalise the numbers in a text: thousands separators, `x 10^3`, repeating decimals as fractions."""
    text = _DEGREES.sub("°", _REPEATING.sub(_fraction, _JOINED.sub("", text)))
    if thousands:
        text = _THOUSANDS.sub(lambda m: m[0] if _separates(m) else re.sub(r"\D", "", m[0]), text)
    return _TIMES_TEN.sub("*", text)


_BRACKET = re.compile(r"(?P<opens>[(\[]|\\\{|\\lbrace)|[)\]]|\\\}|\\rbrace")
_PART = re.compile(r"[,;]\s|;")
"""what separates parts for sure, beside a comma between thousands"""


def _separates(number: re.Match[str]) -> bool:
    """Returns whether the commas of a number separate the parts of its brackets: (1,234) is a point, (2, 1,234) not."""
    if not re.search(r"(?<![{\\]),(?!})", number[0]):
        return False
    text = number.string
    opened: list[int] = []
    for sign in _BRACKET.finditer(text, 0, number.start()):
        if sign["opens"]:
            opened.append(sign.end())
        elif opened:
            opened.pop()
    if not opened:
        return False
    depth, end = 1, len(text)
    for sign in _BRACKET.finditer(text, number.end()):
        depth += 1 if sign["opens"] else -1
        if not depth:
            end = sign.start()
            break
    return not _PART.search(text, opened[-1], number.start()) and not _PART.search(text, number.end(), end)


_NUMBER_OR_E = re.compile(r"(?<![\d.])(\d+)([eE])([+-]\d)(?!\d)")


def apart(text: str) -> str:
    """Returns the text with `2e+3` as 2 times e, plus 3: or 2000. `2e3`, `2e+03` and `2.0e+3` are numbers."""
    return _NUMBER_OR_E.sub(r"\1 \2 \3", text)


def _fraction(match: re.Match[str]) -> str:
    whole, fixed, again = match[1] or "0", match[2], match[3] or match[4]
    top = int(whole + fixed + again) - int(whole + fixed)
    return f"({top}/{10 ** len(fixed) * (10 ** len(again) - 1)})"


def tokens(text: str) -> list[Token]:
    """Returns the tokens of a text. Raises Unread."""
    out: list[Token] = []
    spaced = False
    for match in _TOKEN.finditer(text):
        kind, content = str(match.lastgroup), match[match.lastgroup or 0]
        if kind == "space":
            spaced = True
            continue
        if kind == "command":
            name = content[1:]
            if name in _DROPPED:
                continue
            kind, content = ("symbol", _COMMANDS[name]) if name in _COMMANDS else ("command", name)
        elif kind == "environment":
            kind, content = "command", re.sub(r"[\\\s]", "", content)
        if kind in ("symbol", "escape"):
            content = _SAME.get(content, content)
            if content == "$":
                content = "USD"
            elif content in ("^2", "^3"):
                out += [Token("^", "^", False), Token("number", content[1], False)]
                continue
            elif content == "pi":
                out.append(Token("word", "pi", spaced))
                continue
            elif content == "||" or (content not in _SYMBOLS and content not in _COMMANDS.values()):
                raise Unread(f"it holds {content!r}")
            kind = content
        out.append(Token(kind, content, spaced))
        spaced = False
    return out
