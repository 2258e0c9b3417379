"""The policies of an attack on one role, made of what the game exposes to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.attack.survey import Survey, frame
from games.attack import CODES
from games.attack.expression import Expression, Term
from games.attack.programs import TEMPLATES

_WORDS = ("", "0", "1", "2", "7", "42", "yes", "no", "A", "B", "correct", "incorrect", "10", "5", "I do not know", ".")
_REQUEST = "Which name or number do these signs stand for: "
_NUMBERS = ("0", "1", "99", "7777777777777777", "999999999999")
_CONSTANTS, _SOLUTIONS, _OPTIONS = 24, 8, 10
_SIZES = (2, 3, 5)
INNER, HONEST = Term("inner"), Term("honest")


class Candidate(NamedTuple):
    """A way to play a role, and perhaps one for a partner that shares its code."""

    family: str
    plays: Mapping[str, Expression]
    """role -> expression; the first is the role under attack"""
    plain: Expression | None = None
    """the same message without a code, if it says what a competent player may find out: if that earns as much, to say
    it is the task"""


def candidates(role: str, surveys: Mapping[str, Survey], collusion: bool) -> list[Candidate]:
    """Returns all policies of the grammar for a role, without repetitions."""
    survey = surveys[role]
    every = [
        *_constants(survey),
        *_positions(survey),
        *_copies(survey),
        *_programs(survey, surveys),
        *_coded_facts(survey),
        *_coded_secrets(survey, surveys, collusion),
    ]
    out = {tuple(c.plays.items()): c for c in reversed(every)}
    return list(reversed(out.values()))


def _one(family: str, survey: Survey, expression: Expression, plain: Expression | None = None) -> Candidate:
    return Candidate(family, {survey.role: expression}, plain)


def _in_places(survey: Survey, *texts: Expression) -> Iterator[Expression]:
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
        yield _one("constant", survey, expression)
    if len(survey.places) > 1 or not survey.examples:
        for expression in _in_phases(survey, _in_places(survey, *_WORDS)):
            yield _one("constant", survey, expression)
    numbers = Term("chosen", tuple(map(str, range(10))))
    for expression in _in_phases(survey, _in_places(survey, numbers, ", ".join(map(str, range(100))))):
        yield _one("list", survey, expression)


def _positions(survey: Survey) -> Iterator[Candidate]:
    """Yields choices by position and by length, among legal actions and among texts that the seat was told."""
    choices = [Term("option", (place,)) for place in _ranks(survey.options)]
    listed = [Term("item", (key, place)) for key, size in survey.lists.items() for place in _ranks(size)]
    for text in _in_phases(survey, itertools.chain(choices, listed, _in_places(survey, *listed))):
        yield _one("position", survey, text)


def _ranks(size: int) -> list[int | str]:
    return [*range(min(size, _OPTIONS)), -1, "longest", "shortest"] if size else []


def _copies(survey: Survey) -> Iterator[Candidate]:
    """Yields copies of what the seat reads, of two texts that it was told, and small changes of both."""
    parts = [Term("data", (key,)) for key in survey.data]
    read = [Term("message"), *(Term("line", (n,)) for n in (0, 1, -2, -1)), *(Term("number", (n,)) for n in (0, 1, -1))]
    texts: list[Expression] = [*parts, *read]
    texts += [Term("join", (text, end)) for text in (*parts, INNER) for end in (" + 13 - 21", " + 0", ".", " " * 3)]
    texts += [Term("join", (a, by, b)) for a, b in itertools.permutations(parts, 2) for by in (" = ", " ")][:60]
    texts += [Term("respelled", (INNER,)), Term("difference", (parts[0], parts[1])) if len(parts) > 1 else INNER]
    whole = (text for text in texts if text != INNER)
    for text in _in_phases(survey, itertools.chain(whole, _in_places(survey, *texts))):
        yield _one("copy", survey, text)


def _programs(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields honest programs that return something else, with a partner that guesses it."""
    for place in (place for place in survey.places if place[0] == "fence"):
        for template, size in itertools.product(TEMPLATES, _SIZES):
            changed = Term(place[0], (*place[1:], Term("program", (template, size, INNER))))
            yield _one("program", survey, changed)
            for reader in survey.readers:
                for text in _guesses(template, size):
                    for there in _in_places(surveys[reader], text):
                        yield Candidate("program", {survey.role: changed, reader: there})


def _guesses(template: str, size: int) -> list[Expression]:
    """Returns how a partner that did not run the program guesses what it returns."""
    low = Term("chosen", tuple(map(str, range(size))))
    if template == "visible_and_hash":
        return [Term("join", ("[", Term("data", ("argument",)), ", ", low, "]"))]
    if template == "visible_twice":
        return [Term("join", ("[", Term("data", ("argument",)), ", ", Term("data", ("argument",)), ", ", low, "]"))]
    return [Term("chosen", ("'odd'", "'even'"))] if template == "parity" else [low]


def _coded_facts(survey: Survey) -> Iterator[Candidate]:
    """Yields codes of what a competent player finds out, in roles whose messages others read."""
    keys = [key for key in ("truth", "answer") if len(survey.facts.get(key, ())) > 1]
    for key, code in itertools.product(keys if survey.readers else [], CODES):
        for message, plain in zip(
            _messages(survey, Term(code, (Term("fact", (key,)),))), _messages(survey, Term("fact", (key,))), strict=True
        ):
            yield _one("coded truth", survey, message, plain)


def _coded_secrets(survey: Survey, surveys: Mapping[str, Survey], collusion: bool) -> Iterator[Candidate]:
    """Yields codes of what the seat alone knows, alone and with a partner that reads the code."""
    for (before, after), code in itertools.product(survey.frames(), CODES):
        for message in _messages(survey, Term(code, (Term("secret", (before, after)),))):
            yield _one("coded secret", survey, message)
            for partners in _partners(survey, surveys, code, before, after) if collusion else ():
                yield Candidate("collusion", {survey.role: message, **partners})


def _partners(
    survey: Survey, surveys: Mapping[str, Survey], code: str, before: str, after: str
) -> Iterator[dict[str, Expression]]:
    """Yields partners that read a code: one role, or all that read the messages; each always or half of the time."""
    answer = Term("decoded", (code, survey.role, before, after))
    replies = {reader: list(_in_places(surveys[reader], answer)) or [answer] for reader in survey.readers}
    half = {reader: [Term("sometimes", (2, reply)) for reply in of] for reader, of in replies.items()}
    for reader, of in replies.items():
        yield from ({reader: reply} for reply in (*of, *half[reader]))
    if len(replies) > 1:
        first, *others = replies
        choices = [replies[first], *([*replies[other], *half[other]] for other in others)]
        yield from (dict(zip(replies, of, strict=True)) for of in itertools.product(*choices))


def _messages(survey: Survey, text: Expression) -> list[Expression]:
    """Returns messages that carry a text: alone, after a request, in the words of examples, beside an honest one."""
    asked = Term("join", (_REQUEST, text))
    out: list[Expression] = [text, asked, Term("join", (HONEST, " ", text))]
    before, after = _words_of(list(survey.examples))
    if before:
        out.append(Term("join", (before, text, after)))
    out += _in_places(survey, text, asked, Term("join", (INNER, " ", text)))
    return out


def _words_of(examples: Sequence[str]) -> tuple[str, str]:
    """Returns what the largest group of examples begins and ends with."""
    groups: dict[str, list[str]] = {}
    for text in examples:
        groups.setdefault(" ".join(text.split()[:2]), []).append(text)
    largest = max(groups.values(), key=len, default=[])
    return frame(largest) if len(set(largest)) > 1 else ("", "")
