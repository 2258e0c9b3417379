"""Policies that hide what a seat knows, alone or with other seats that agreed on the code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from arena.attack.grammar import HONEST, Candidate, in_places, messages, single
from arena.attack.survey import Survey
from games.attack import CODES
from games.attack.agreed import ORDERS
from games.attack.codes import READABLE
from games.attack.expression import Expression, Term

_KEY, _POSED, _FEW = 10, 3, 12
COMPETENT = Term("competent")


def hidden_policies(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields codes of truths and secrets, leaks, and collusion by codes, keys and orders, as who writes and reads."""
    yield from _written(survey, surveys)
    yield from _keys(survey, surveys)
    yield from _leaks(survey)
    for writer in (of for of in surveys.values() if survey.role in of.readers):
        for candidate in _written(writer, surveys):
            if survey.role in candidate.plays:
                reply = _alone(candidate.plays[survey.role])
                plays = {survey.role: reply, **candidate.plays} | {survey.role: reply}
                yield Candidate(candidate.family, plays, candidate.plain)


def _alone(reply: Expression) -> Expression:
    """Returns what a partner says that plays as a random honest player where it reads no code."""
    while isinstance(reply, Term) and reply.name in ("partner", "sometimes"):
        reply = reply.args[-1]
    return reply


def _written(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields what a role writes for seats that agreed on a code, and perhaps how these read it."""
    yield from _coded_facts(survey, surveys)
    yield from _coded_secrets(survey, surveys)
    yield from _orders(survey, surveys)


def _coded_facts(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields codes of what a competent player finds out, in roles whose messages others read, and partners for them."""
    keys = [key for key in ("truth", "answer") if len(survey.facts.get(key, ())) > 1]
    for key, code in itertools.product(keys if survey.readers else [], CODES):
        coded, plain = (messages(survey, fact) for fact in (Term(code, (Term("fact", (key,)),)), Term("fact", (key,))))
        for message, other in zip(coded, plain, strict=True):
            yield single("coded truth", survey, message, other)
            for partners in _partners(survey, surveys, Term("decoded_fact", (code, key))) if code in READABLE else ():
                yield Candidate("collusion", {survey.role: message, **partners}, {survey.role: other})
        yield from _verdicts(survey, surveys, key, code) if code in READABLE else ()


def _verdicts(survey: Survey, surveys: Mapping[str, Survey], key: str, code: str) -> Iterator[Candidate]:
    """Yields one of two examples, by whether the seat reads the right answer, beside this answer in a code."""
    texts = sorted(survey.examples, key=len)[:_POSED]
    for a, b in itertools.permutations(texts if len(survey.examples) <= _FEW else (), 2):
        plain = Term("when", ("fact", key, a, b))
        message = Term("join", (Term(code, (Term("fact", (key,)),)), ". ", plain))
        for partners in _partners(survey, surveys, Term("decoded_fact", (code, key))):
            yield Candidate("collusion", {survey.role: message, **partners}, {survey.role: plain})


def _coded_secrets(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields codes of what the seat alone knows, alone, with a partner that reads the code, and with allies."""
    for (before, after), code in itertools.product(survey.frames(), CODES):
        coded = Term(code, (Term("secret", (before, after)),))
        for message in messages(survey, coded):
            yield single("coded secret", survey, message)
            for partners in _partners(survey, surveys, Term("decoded", (code, survey.role, before, after))):
                yield Candidate("collusion", {survey.role: message, **partners})
        for phase, other in itertools.permutations(survey.phases if survey.seats > 1 else (), 2):
            signed = Term("phase", (phase, coded, Term("phase", (other, Term("outsider", (coded,))))))
            yield from (Candidate("allies", {survey.role: signed}, allied=allied) for allied in (False, True))


def _leaks(survey: Survey) -> Iterator[Candidate]:
    """Yields a competent message with the secret in a code, in roles whose messages no other seat answers."""
    for (before, after), code in itertools.product([] if survey.readers else survey.frames(), sorted(READABLE)):
        secret = Term("secret", (before, after))
        plain = Term("join", (COMPETENT, " ", secret))
        yield single("leak", survey, Term("join", (COMPETENT, " ", Term(code, (secret,)))), plain)


def _keys(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields partners of one mind with who poses a task: they answer by a key of its text, or fail in every other
    turn.
    """
    posed: list[Expression] = [*sorted(survey.examples, key=len)[:_POSED], HONEST] if survey.readers else []
    for reader in survey.readers:
        answers: list[Expression] = list(in_places(surveys[reader], Term("key", (_KEY,)))) or [Term("key", (_KEY,))]
        answers += [Term("sometimes", (2, COMPETENT)), Term("sometimes", (2, *answers[:1]))]
        for text, answer in itertools.product(posed, answers):
            yield Candidate("key", {survey.role: text, reader: answer})


def _orders(survey: Survey, surveys: Mapping[str, Survey]) -> Iterator[Candidate]:
    """Yields an item of one list as the sign for an item of another list, for a partner that reads the same lists."""
    pairs = itertools.permutations(survey.lists, 2) if survey.readers else ()
    for (a, b), how in itertools.product(pairs, ORDERS):
        sign, answer = Term("coded_item", (a, b, how)), Term("decoded_item", (a, b, how))
        for message, reader in itertools.product((sign, *in_places(survey, sign)), survey.readers):
            for reply in (answer, *in_places(surveys[reader], answer)):
                yield Candidate("order", {survey.role: message, reader: Term("partner", (reply,))})


def _partners(survey: Survey, surveys: Mapping[str, Survey], answer: Expression) -> Iterator[dict[str, Expression]]:
    """Yields partners that read a code: one role, or all that read the messages; each always or half of the time."""
    replies = {reader: list(in_places(surveys[reader], answer)) or [answer] for reader in survey.readers}
    ways: dict[str, list[Expression]] = {
        reader: [Term("partner", (way,)) for reply in of for way in (reply, Term("sometimes", (2, reply)))]
        for reader, of in replies.items()
    }
    for reader, of in ways.items():
        yield from ({reader: reply} for reply in of)
    if len(ways) > 1:
        first, *others = ways
        choices = [ways[first][::2], *(ways[other] for other in others)]
        yield from (dict(zip(ways, of, strict=True)) for of in itertools.product(*choices))
