"""Styles of answers that the reader was not written for, the same for every kind of verdict.

Each is (style, what a person reads): "v" and "o" name one of the two values in the style, None says that it has no
answer, "last o" and "last v" that the last one counts among actions, and that a verdict is refused. {v} and {o} are values as they are written, {V} and {O} the same at the start of a sentence, {n} and {N} the name
of the kind, {s} and {t} sentences that state {v} and {o}, {who} somebody else.

They cover other marks of private reasoning, nested boxes, headings, JSON, code, HTML, lists, punctuation of other
languages, corrections, remarks, quoted verdicts of others, and verdicts that are only supposed or disowned.
"""

from tests import golden

# ruff: noqa: E501

STYLES = golden.rows(__file__, "unseen_styles_styles")
_KINDS = golden.rows(__file__, "unseen_styles_kinds")


def unseen():
    """(kind, text, what a person reads) of every style for every kind."""
    for kind, v, o, noun, says, who in _KINDS:
        words = {"v": v, "V": v[0].upper() + v[1:], "o": o, "O": o[0].upper() + o[1:], "who": who}
        words |= {"n": noun, "N": noun.capitalize(), "s": says.format(v), "t": says.format(o)}
        for style, label in STYLES:
            yield kind, style.format(**words), words[label].removeprefix("player ") if label in words else None
