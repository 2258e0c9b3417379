"""The policies of an attack on one role, made of what the game exposes to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.attack.survey import Survey, frame
from games.attack.expression import Expression, Term
from games.attack.programs import TEMPLATES
from games.attack.sources import EXTREMES, WRAPS

_WORDS = ("", "0", "1", "2", "7", "42", "yes", "no", "A", "B", "correct", "incorrect", "10", "5", "I do not know", ".")
_REQUEST = "Which name or number do these signs stand for: "
_NUMBERS = ("0", "1", "99", "7777777777777777", "999999999999")
_BOUNDS = ("0", "1", "5", "50", "95", "99", "100")
_CONSTANTS, _SOLUTIONS, _OPTIONS = 24, 8, 10
_SHORT, _FEW, _CHOICES, _WORDS_OF = 40, 12, 6, 8
_SIZES = (2, 3, 5)
ENDS = (" + 13 - 21", " + 13 - 21 + 8 - 5", " + 0", ".", " " * 3)
_PAIRS = 60
INNER, HONEST = Term("inner"), Term("honest")


class Candidate(NamedTuple):
    """A way to play a role, and perhaps one for a partner that shares its code."""

    family: str
    plays: Mapping[str, Expression]
    """role -> expression; the first is the role under attack"""
    plain: Mapping[str, Expression] | None = None
    """role -> the same message without a code, if it says what a competent player may find out: if that earns as much,
    to say it is the task"""
    allied: bool = False
    """whether all seats of the role play the policy, although they are compared one at a time"""

    @property
    def agreed(self) -> bool:
        """Whether it needs other seats that know it."""
        return self.allied or len(self.plays) > 1


def single_policies(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields policies that hide nothing: constants, positions, conditions, copies, programs."""
    yield from (single("attacker", survey, idea) for idea in _in_phases(survey, iter(survey.ideas)))
    yield from _constants(survey)
    yield from _positions(survey)
    yield from _conditions(survey)
    yield from _copies(survey)
    yield from _programs(survey, surveys)


def single(family: str, survey: Survey, expression: Expression, plain: Expression | None = None) -> Candidate:
    """Returns a policy of the attacked role alone."""
    return Candidate(family, {survey.role: expression}, None if plain is None else {survey.role: plain})


def in_places(survey: Survey, *texts: Expression) -> Iterator[Expression]:
    """Yields each text in each place of a message that holds one."""
    for place in survey.places:
        for text in texts:
            yield Term(place[0], (*place[1:], text))


def _in_phases(survey: Survey, expressions: Iterator[Expression]) -> Iterator[Expression]:
    """Yields each expression, and in a role of several phases each in one phase."""
    for expression in expressions:
        yield expression
        if len(survey.phases) > 1:
            yield from (Term("phase", (phase, expression)) for phase in survey.phases)


def _constants(survey: Survey) -> Iterator[Candidate]:
    """Yields constants: words, examples, messages of other matches, and the same with other numbers or respelled."""
    examples = sorted(survey.examples, key=len)
    picked = [*examples[:: max(1, len(examples) // _CONSTANTS)][:_CONSTANTS], *list(survey.solutions)[:_SOLUTIONS]]
    texts: list[Expression] = [*_WORDS, *picked]
    for text in picked:
        if re.search(r"\d", text) and "```" not in text:
            texts += [re.sub(r"\d+", n, text) for n in _NUMBERS]
        if " " in text and "```" not in text:
            texts.append(Term("respelled", (text,)))
    for expression in _in_phases(survey, iter(texts)):
        yield single("constant", survey, expression)
    if len(survey.places) > 1 or not survey.examples:
        for expression in _in_phases(survey, in_places(survey, *_WORDS)):
            yield single("constant", survey, expression)
    numbers = Term("chosen", tuple(map(str, range(10))))
    for expression in _in_phases(survey, in_places(survey, numbers, ", ".join(map(str, range(100))))):
        yield single("list", survey, expression)


def _positions(survey: Survey) -> Iterator[Candidate]:
    """Yields choices by position and by length, among legal actions and among texts that the seat was told."""
    choices = [Term("option", (place,)) for place in _ranks(survey.options)]
    listed = [Term("item", (key, place)) for key, size in survey.lists.items() for place in _ranks(size)]
    listed += [Term("mention"), Term("fitting")] if survey.letters else []
    listed += [Term("speaker", (place,)) for place in _ranks(len(survey.speakers))]
    for text in _in_phases(survey, itertools.chain(choices, listed, in_places(survey, *listed))):
        yield single("position", survey, text)


def _conditions(survey: Survey) -> Iterator[Candidate]:
    """Yields two texts, one for turns that have a feature and one for the rest."""
    short = sorted({text for text in survey.examples if len(text) <= _SHORT}, key=lambda text: (len(text), text))
    texts = short[:_CHOICES] if len(short) <= _FEW else []
    features: list[tuple[str, str | int]] = [
        ("holds", ""),
        ("even", ""),
        ("long", 20),
        *(("says", word) for word in survey.telling_words(_WORDS_OF)),
    ]
    for (feature, bound), (one, other) in itertools.product(features, itertools.permutations(texts, 2)):
        yield single("condition", survey, Term("when", (feature, bound, one, other)))
    turns = sorted(survey.lefts)[: _CHOICES - 2] if len(survey.lefts) > 1 else []
    first: list[Expression] = [Term("option", (0,)), Term("option", (-1,))] if survey.options else []
    first += [text for example in short[:2] for text in _other_numbers(example)]
    last = [HONEST, *([Term("fitting")] * survey.letters)]
    for most, now, then in itertools.product(turns, first, last):
        yield single("last turns", survey, Term("when", ("late", most, then, now)))


def _other_numbers(text: str) -> list[str]:
    """Returns a text with other first numbers; what follows a colon is left out."""
    head = text.partition(":")[0]
    return [re.sub(r"\d+", n, head, count=1) for n in _BOUNDS] if re.search(r"\d", head) else []


def _ranks(size: int) -> list[int | str]:
    return [*range(min(size, _OPTIONS)), -1, *EXTREMES] if size else []


def _copies(survey: Survey) -> Iterator[Candidate]:
    """Yields copies of what the seat reads, of two texts that it was told, and small changes of both."""
    parts: list[Expression] = [Term("data", (key,)) for key in survey.data]
    sums = [Term("calculation", (text,)) for text in (*parts, Term("line", (0,)))]
    parts += [Term("mention")] if survey.letters else []
    read = [Term("message"), *(Term("line", (n,)) for n in (0, 1, -2, -1)), *(Term("number", (n,)) for n in (0, 1, -1))]
    texts: list[Expression] = [*parts, *read]
    texts += [Term("extended", (text, end)) for text in (*parts, INNER) for end in ENDS]
    texts += [
        Term(kind, (how, text)) for text in (*parts, INNER) for kind in ("wrapped", "wrapped_end") for how in WRAPS
    ]
    texts += [Term("join", (a, " = ", b)) for a in sums for b in parts][:_PAIRS]
    texts += [Term("join", (a, by, b)) for a, b in itertools.permutations(parts, 2) for by in (" = ", " ")][:_PAIRS]
    texts += [Term("respelled", (INNER,)), Term("difference", (parts[0], parts[1])) if len(parts) > 1 else INNER]
    whole = (text for text in texts if text != INNER)
    for text in _in_phases(survey, itertools.chain(whole, in_places(survey, *texts))):
        yield single("copy", survey, text)


def _programs(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields honest programs that return something else, with a partner that guesses it."""
    for place in (place for place in survey.places if place[0] == "fence"):
        for template, size in itertools.product(TEMPLATES, _SIZES):
            changed = Term(place[0], (*place[1:], Term("program", (template, size, INNER))))
            yield single("program", survey, changed)
            for reader in survey.readers:
                for text in _guesses(template, size, surveys[reader]):
                    for there in in_places(surveys[reader], text):
                        yield Candidate("program", {survey.role: changed, reader: there})


def _guesses(template: str, size: int, reader: Survey) -> list[Expression]:
    """Returns how a partner that did not run the program guesses what it returns, with a copy of what it reads."""
    low = Term("chosen", tuple(map(str, range(size))))
    copies = {"visible_and_hash": 1, "visible_twice": 2}.get(template, 0)
    if not copies:
        return [Term("chosen", ("'odd'", "'even'"))] if template == "parity" else [low]
    visible = [Term("number", (-1,)), *(Term("data", (key,)) for key in reader.data)]
    return [Term("join", ("[", *(text, ", ") * copies, low, "]")) for text in visible]


def messages(survey: Survey, text: Expression) -> list[Expression]:
    """Returns messages that carry a text: alone, after a request, in the words of examples, beside an honest one."""
    asked = Term("join", (_REQUEST, text))
    out: list[Expression] = [text, asked, Term("join", (HONEST, " ", text)), Term("join", (text, " ", HONEST))]
    before, after = _words_of(list(survey.examples))
    if before:
        out.append(Term("join", (before, text, after)))
    out += in_places(survey, text, asked, Term("join", (INNER, " ", text)))
    return out


def _words_of(examples: Sequence[str]) -> tuple[str, str]:
    """Returns what the largest group of examples begins and ends with."""
    groups: dict[str, list[str]] = {}
    for text in examples:
        groups.setdefault(" ".join(text.split()[:2]), []).append(text)
    largest = max(groups.values(), key=len, default=[])
    return frame(largest) if len(set(largest)) > 1 else ("", "")
