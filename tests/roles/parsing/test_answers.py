"""Answers of language models are read as a person reads them, or refused with a reason; none is inverted."""

from collections import Counter

import pytest

import roles
from games.dialogue.answers import CORRECTNESS, Reading, final, letters, numbers, phrases, players, read
from games.native.bargain.messages import formed
from games.native.code_io import programs
from games.native.critic.game import _STEP, step_of
from games.native.redteam.texts import VERDICTS
from games.proofs.formula import NotAFormula, parse, show
from games.verifiers.arithmetic import number
from tests import golden
from tests.roles.parsing.adversarial_answers import CASES
from tests.roles.parsing.answer_corpus import KINDS, answers
from tests.roles.parsing.held_out_answers import CASES as HELD_OUT
from tests.roles.parsing.styled_answers import KINDS as STYLED_KINDS
from tests.roles.parsing.styled_answers import corpus
from tests.roles.parsing.unseen_styles import unseen

READERS = {
    "correctness": CORRECTNESS,
    "letter": letters("ABCD", "continue"),
    "mark": numbers(1, 3),
    "score": numbers(1, 10),
    "vote": players(4),
    "referee": phrases(tuple(VERDICTS)),
}
COUNT = 400
"""answers of each kind"""


def reading(kind, text):
    """What a game understands: a `Reading`; without an answer, the reason."""
    if kind == "final":
        return final(text)
    if kind in READERS:
        return read(text, READERS[kind])
    if kind == "number":
        seen = final(text)
        value = number(seen.value or "")
        return seen if value is None else Reading(str(value))
    if kind == "program":
        blocks = programs.blocks(text, "python")[-1:]
        return Reading(blocks[0]) if blocks else Reading(None, "no program")
    role, understood = {
        "step": ("sneaky", lambda said: _STEP.fullmatch(step_of(said)) and step_of(said)),
        "offer": ("seller", lambda said: said.rstrip(".") if formed(said) else None),
        "formula": ("conjecturer", _formula),
    }[kind]
    found = understood(roles.make(role).parse(text, None))
    return Reading(found or None, "" if found else "not understood")


def _formula(said):
    try:
        return show(parse(said))
    except NotAFormula:
        return None


@pytest.mark.parametrize("kind", KINDS)
def test_clear_answers_are_read_as_a_person_reads_them(kind):
    found, refused = Counter(), []
    for family, text, value in answers(kind, COUNT):
        seen = reading(kind, text)
        assert seen.value in (value, None), (family, text, seen)
        assert (seen.value is None) == bool(seen.reason)
        found[family] += seen.value == value
        if seen.value is None:
            refused.append((family, text, seen.reason))
    assert len(refused) <= (4 if kind == "final" else 0), refused[:5]
    assert len(found) == 6
    assert min(found.values()) >= 4, found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1][:40]!r}")
def test_misleading_answers_are_never_read_as_something_else(case):
    kind, text, value = case
    seen = reading(kind, text)
    assert seen.value in (value, None)
    assert (seen.value is None) == bool(seen.reason)


@pytest.mark.parametrize(("text", "value"), golden.rows(__file__, "answers_what_a_tag_holds_is_the_whole_answer"))
def test_what_a_tag_holds_is_the_whole_answer(text, value):
    assert final(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Final answer: (A) 42", "A"),
        ("The correct answer is B) 43.", "B"),
        ("(A) 42\n(B) 43", None),
        ("A) 42\nB) 43", None),
        ("(A) 42 or (B) 43", None),
        ("The answer is (C) 40.\n\nB) 43 forgets a ten.", None),
    ],
)
def test_a_letter_with_the_text_of_its_answer(text, value):
    assert read(text, READERS["letter"]).value == value


@pytest.mark.parametrize("seed", [0, 1])
def test_a_corpus_of_styled_answers_has_no_inversion(seed):
    """Every clear answer is read; a correction without a mark is read as it is meant, or refused."""
    answers, clear = corpus(1200, seed), Counter()
    for answer in answers:
        seen = reading(answer.kind, answer.text)
        assert seen.value in (answer.value, None if answer.unclear else answer.value), (answer, seen)
        clear[answer.kind] += not answer.unclear
    assert clear.keys() == STYLED_KINDS.keys()
    assert sum(answer.unclear for answer in answers) >= 60


def test_answers_that_the_reader_was_not_written_for():
    seen = [(reading(kind, text).value, value) for kind, text, value in HELD_OUT]
    assert all(got in (value, None) for got, value in seen)
    assert sum(got is None for got, _ in seen) <= 3


def test_styles_that_the_reader_was_not_written_for():
    """Read as a person reads them, or refused; most of them read."""
    cases = list(unseen())
    seen = [reading(kind, text) for kind, text, _ in cases]
    assert [c for c, r in zip(cases, seen, strict=True) if r.value not in (c[2], None)] == []
    refused = [c for c, r in zip(cases, seen, strict=True) if r.value is None and c[2] is not None]
    assert len(refused) <= 68, refused  # of 1,001


MARKS = ("<answer>{v}</answer>", "\\boxed{{{v}}}", "Answer: {v}", "The answer is {v}.", '{{"answer": "{v}"}}')
FOREIGN = (
    *("You said “{m}” before.", "You wrote `{m}` before.", "> {m}", "I read it.\n[rival] {m}", "For example:\n{m}"),
    *("The opponent says {m}", "My opponent claims that {m}", "I do not say {m}", "The wrong answer is {m}"),
)
VALUES = {
    "letter": ("B", "A"),
    "final": ("5", "7"),
    "vote": ("player 2", "player 3"),
    "correctness": ("correct", "incorrect"),
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("around", FOREIGN)
@pytest.mark.parametrize("kind", VALUES)
def test_no_mark_in_a_quotation_an_example_or_somebody_elses_sentence_is_an_answer(kind, around, mark):
    """Alone it is refused, and it does not take the place of the seat's own answer after it."""
    value, own = VALUES[kind]
    text = around.format(m=mark.format(v=value))
    assert reading(kind, text).value is None
    assert reading(kind, f"{text}\n\n<answer>{own}</answer>").value == own.removeprefix("player ")
    assert reading(kind, mark.format(v=own)).value == own.removeprefix("player ")


@pytest.mark.parametrize(
    ("kind", "text"), golden.rows(__file__, "answers_what_a_person_would_not_take_as_the_seats_own_answer")
)
def test_what_a_person_would_not_take_as_the_seats_own_answer(kind, text):
    assert reading(kind, text).value is None
