r"""Numbers and equations in prose: their plain form, and whether a text after an answer states another number.

`arithmetic` rewrites LaTeX, signs and words: $8 \times 5 = 45$, "8 x 5 = 45" and "8 times 5 is 45" are 8 * 5 = 45.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from games.dialogue.answers.patterns import DENIES, OTHERS, SENTENCE
from games.verifiers import arithmetic as exact

_TEXT = re.compile(r"\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it)|mbox|boxed|fbox)\s{0,4}\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dtc]?frac\s{0,4}\{([^{}]*)\}\s{0,4}\{([^{}]*)\}")
_SYMBOLS = {
    r"\\(?:times|cdot|ast)(?![A-Za-z])|[×·∙⋅]": "*",
    r"\\div(?![A-Za-z])|÷|(?<=\d)\s:(?=\s\d)": "/",
    r"[−–—](?=\s?[\d(])|\\minus(?![A-Za-z])": "-",
    r"\\(?:left|right|quad|qquad|displaystyle)(?![A-Za-z])|\\[,;:! ()\[\]]|[$`*]{2,}|[$`]|\\\$": " ",
    r"(?<=\d)\s?[xX✕](?=\s?[\d(])|(?<=\))\s?[xX✕](?=\s?[\d(])": " * ",
    r"(?<=[\d)])\s(?:multiplied\sby|times)\s(?=[\d(-])": " * ",
    r"(?<=[\d)])\sdivided\sby\s(?=[\d(-])": " / ",
    r"(?<=[\d)])\s(?:plus|added\sto)\s(?=[\d(-])": " + ",
    r"(?<=[\d)])\s(?:minus|less)\s(?=[\d(-])": " - ",
    r"\\(?:approx|equiv)(?![A-Za-z])|[≈≡]": "=",
    r"&(?:=|nbsp;)": "=",
}
_REWRITES = tuple((re.compile(pattern), sign) for pattern, sign in _SYMBOLS.items())
_NEAR = 200
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_SIGNED = rf"\(?[-+]?\(?[-+]?{_NUMBER}\)?\)?"
_RUN = re.compile(rf"(?<!\w)(?<!\d[.,/])(?:[A-Za-z] ?= ?)?{_SIGNED}(?: ?[-+*/^=] ?{_SIGNED}){{0,40}}(?![\w])", re.ASCII)
_LABELLED_RUN = re.compile(rf"(?:\b[A-Za-z]{{3,20}}: ?)?{_RUN.pattern}", re.ASCII)
_SAYS_IS = re.compile(r"(?<=\d) (?:is|equals|gives|makes|yields|leaves)(?: equal to| exactly)? (?=-?\d)")
"""joins both sides of an equation in words, if the left side is a calculation"""
_TO_SIXTEEN = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen"""
_WORDS = {word: value for value, word in enumerate(_TO_SIXTEEN.split()) if word != "one"}
_WORDS |= {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100}
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b(?=\s*(?:[.!,;)]|$))|[,:]\s*(one)\b(?=\s*(?:[.!,;)]|$))", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s?(?:[a-z]{3,12}\s)?(?:steps?|lines?|parts?|moves?|turns?|errors?|mistakes?|issues?|problems?|ways?|methods?|times|minutes?|seconds?|tokens?|words?|sentences?|operations?|calculations?)\b",
    re.IGNORECASE,
)
_USED = re.compile(r"\b(?:in|used?|took|after|over|within|with|needs?|needed)\s$", re.IGNORECASE)
"""what a remark counts that is not the answer: "in 3 steps" """
_NUMBERED = re.compile(
    r"(?:\b(?:steps?|lines?|parts?|methods?|equations?|rules?|sections?|rounds?|turns?|figures?|tables?|problems?"
    r"|questions?)\b[\s:(#=*]{0,4}|^[\s*_#>-]{0,8}(?=\d{1,2}[.)]\s))$",
    re.IGNORECASE,
)
"""what is numbered beside the answer"""
_MEASURED = re.compile(
    r"\b(?:confidence|certainty|probability|confident|certain)\b[\s:(#=*]{0,4}(?:is |of )?$", re.IGNORECASE
)
"""what is measured beside the answer"""
_PERCENT = re.compile(r"\b(?:confidence|certainty)\b[ :(=*]{0,4}\d{1,3}(?:\.\d{1,3})? ?%?", re.IGNORECASE)
_COUNT = re.compile(rf"\d{{1,3}}{_COUNTED.pattern}", re.IGNORECASE)
_CHECKS = re.compile(
    r"\b(?:check\w*|verif\w*|confirm\w*|proof|prove\w*|test\w*|recall|because|since|indeed|where|working|derivation"
    r"|explanation|prob\w*|vérif\w*|comprob\w*|kontroll\w*|überprüf\w*|验证|检查)\b",
    re.IGNORECASE,
)
"""announces a calculation that supports the answer"""


def arithmetic(line: str) -> str:
    """Returns a line with its maths in plain signs and single spaces."""
    for _ in range(3):
        inner = _FRACTION.sub(r"(\1)/(\2)", _TEXT.sub(r" \1 ", line))
        if inner == line:
            break
        line = inner
    line = " ".join(line.split())
    for pattern, sign in _REWRITES:
        line = pattern.sub(sign, line)
    return " ".join(line.split())


def number(text: str) -> Fraction | None:
    """Returns the number that a text is, None for any other text."""
    return exact.number(text.strip())


def equal(one: str, other: str) -> bool:
    r"""Returns whether two answers are the same number, up to words after one of them, or the same text in maths.

    1/2 and 0.5, 24 and 24 apples, (1, 2) and (1,2), \dfrac{a}{b} and \frac{a}{b} are equal.
    """
    plain = [arithmetic(text).strip(" .") for text in (one, other)]
    if plain[0].replace(" ", "") == plain[1].replace(" ", ""):
        return True
    values = [_value(_UNIT.sub("", text)) for text in plain]
    return values[0] is not None and values[0] == values[1] and not all(map(_UNIT.search, plain))


_UNIT = re.compile(r"(?<=\d) (?!percent|pct|dozen|hundred|thousand|million|billion)[A-Za-z]{2}[A-Za-z ]{0,40}$")


def result(text: str, named: bool = False) -> str | None:
    """Returns the right side of a text that is one calculation: 11 for "31 - 20 = 11"; with `named` also for "x = 11".

    With `named`, words such as "the total is" may stand before it.
    """
    run = arithmetic(text).rstrip(".!")
    if named:
        run = _TOTAL.sub("", run, count=1)
    calculated = _RUN.fullmatch(run) and (_equation(run) or (named and "=" in run))
    return run.rpartition("=")[2].strip(" ()") if calculated else None


_TOTAL = re.compile(r"[A-Za-z' ]{0,60}\b(?:is|gives|get|have|equals|obtain|makes)[ :]{1,2}|[A-Za-z]{2,20}(?= = )")
"""what may stand before a calculation that is an answer"""


def joined_words(sentence: str) -> str:
    """Returns a sentence with "=" for "is" if it calculates something: 8 * 5 is 45."""
    return _SAYS_IS.sub(_joined(sentence), sentence)


def restated(after: str, answer: Fraction, of_kind: Callable[[Fraction], bool] | None = None) -> str:
    """Returns why the text after a numeric answer may replace it, "" if nothing in it does.

    Every other number of the kind counts, unless it is denied, belongs to somebody else, numbers or counts something
    else, or stands in an equation, which is weaker evidence than any answer before it.
    """
    for sentence in _sentences(after):
        for run in _RUN.finditer(sentence):
            before, following = around(sentence, *run.span())
            numbers = [exact.number(found) for found in re.findall(_NUMBER, run[0])]
            in_check = _ASSIGNED.match(run[0]) or (numbers[1:] and {answer, -answer} & set(numbers))
            if _equation(run[0]) or (in_check and _CHECKS.search(before)):
                continue
            if _value(run[0]) == answer:
                if DENIES.search(before):
                    return "the answer is denied afterwards"
            elif not _beside(before, following, run[0], of_kind is not None) and any(
                n is not None and (not of_kind or of_kind(n)) for n in numbers
            ):
                return f"another number follows: {run[0].strip()[:20]!r}"
        for word in _WORD.finditer(sentence):
            value = Fraction(_WORDS.get(word[0].lower(), 1))
            if (
                value != answer
                and (not of_kind or of_kind(value))
                and not DENIES.search(around(sentence, *word.span())[0])
            ):
                return f"another number follows: {word[0]!r}"
    return ""


_ASSIGNED = re.compile(r"[A-Za-z] ?=")
"""a value that a check puts in: x = 3"""


def unfigured(line: str) -> str:
    """Returns a line without its calculations, a degree of confidence, and counts of steps."""
    text = _PERCENT.sub(" ", arithmetic(line))
    text = _LABELLED_RUN.sub(lambda run: " " if _equation(run[0]) else run[0], text)
    return _COUNT.sub(" ", text)


def around(sentence: str, start: int, end: int) -> tuple[str, str]:
    """Returns what stands near a place, before and after it; bounded, so that long sentences take linear time."""
    return sentence[max(0, start - _NEAR) : start], sentence[end : end + _NEAR]


def _sentences(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        plain = _ENTRY.sub("", arithmetic(line), count=1)
        if not plain.startswith(">"):
            yield from map(joined_words, SENTENCE.split(plain))


def reformed(after: str, answer: str) -> str:
    """Returns why the text after an answer that is no plain number may replace it: a number that is not part of it."""
    own = arithmetic(answer).replace(" ", "")
    for sentence in _sentences(after):
        for run in _RUN.finditer(sentence):
            before, following = around(sentence, *run.span())
            if _equation(run[0]) or _CHECKS.search(before) or _beside(before, following, run[0], False):
                continue
            if run[0].replace(" ", "") not in own:
                return f"another value follows: {run[0].strip()[:20]!r}"
        for term in _LETTERED.finditer(sentence):
            if term[0].replace(" ", "") not in own and not _CHECKS.search(around(sentence, *term.span())[0]):
                return f"another value follows: {term[0][:20]!r}"
    return ""


_LETTERED = re.compile(r"\b(?:[a-z] ?[-+*/^] ?(?:[a-z]|\d{1,9})|\d{1,9} ?[-+*/^] ?[a-z])\b")
"""a sum or product with a letter: x - 1"""
_ENTRY = re.compile(r"^[\W_]{0,8}\d{1,2}[.)]\s+(?=\S)")
"""the number of an entry of a list"""


def _joined(sentence: str) -> str:
    """The sign for "is" in a sentence: "=" if the sentence calculates, else the word itself."""
    return " = " if re.search(r"\d ?[-+*/^] ?\(?\d", sentence) else " is "


def _equation(run: str) -> bool:
    """Whether a run of maths calculates something: 512 / 32 = 16, but not x = 16."""
    return "=" in run and re.search(r"[\d)] ?[-+*/^] ?[(\d]", run) is not None


def _value(run: str) -> Fraction | None:
    bare = run.strip(" ()")
    found = exact.number(bare)
    return found if found is not None else exact.value(run)


_CITED = re.compile(r"(?<!\[)\[$")


def _beside(before: str, following: str, run: str, ranged: bool) -> bool:
    """Whether a number is no statement of a value, as [1] is a citation."""
    single = re.fullmatch(_NUMBER, run.strip()) is not None
    if DENIES.search(before) or (OTHERS.search(before) and not re.search(r"\bI\b", before)):
        return True
    if _MEASURED.search(before) or (not ranged and _CITED.search(before) and following.startswith("]")):
        return True
    counted = _COUNTED.match(following) is not None and (ranged or _USED.search(before) is not None)
    return single and (counted or _NUMBERED.search(before) is not None)
