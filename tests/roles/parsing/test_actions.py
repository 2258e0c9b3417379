"""Parsing of actions: a table of answers, one rule per block."""

import pytest

from roles import ParseError, Role
from roles.parsing.actions import parse
from tests import golden

KUHN = ("Pass", "Bet")

READ = golden.rows(__file__, "actions_read")


@pytest.mark.parametrize(("text", "legal", "action"), READ, ids=range(len(READ)))
def test_answers_that_are_read(text, legal, action):
    assert parse(text, legal) == action
    assert Role("first").parse(text, legal) == action


REFUSED = golden.rows(__file__, "actions_refused")


@pytest.mark.parametrize(("text", "legal", "category"), REFUSED, ids=range(len(REFUSED)))
def test_answers_that_are_refused(text, legal, category):
    with pytest.raises(ParseError) as error:
        parse(text, legal)
    assert error.value.category == category
    assert "\n" not in str(error.value)


def test_the_reason_tells_what_was_seen_and_a_few_legal_actions():
    with pytest.raises(ParseError, match=r"^'Raise' is not a legal action; legal now: Pass, Bet$"):
        parse(r"\boxed{Raise}", KUHN)
    with pytest.raises(ParseError, match=r"legal now: 0, 1, 2, 3, 4, 5, 6, 7 and 1,192 more$"):
        parse("x" * 5000, tuple(map(str, range(1200))))
    with pytest.raises(ParseError, match="'bet' could mean 'Bet' or 'BET'; write one of them exactly"):
        parse("bet", ("Bet", "BET"))


FREE = golden.rows(__file__, "actions_free")


@pytest.mark.parametrize(("text", "action"), FREE, ids=range(len(FREE)))
def test_free_text_is_the_cleaned_answer(text, action):
    assert parse(text, None) == action


def test_a_bare_free_answer_may_have_several_lines():
    assert parse("I offer 5.\nTake it.", None, answer="bare") == "I offer 5.\nTake it."
    assert parse("I offer 5.\nTake it.", None) == "Take it."
    assert parse("Well.\n\\boxed{5}", None, answer="bare") == "5"


@pytest.mark.parametrize("text", ["\\boxed{}", '{"action": "  "}', '{"action": "<think>limit 7</think>"}'])
def test_free_text_of_nothing_is_refused(text):
    with pytest.raises(ParseError):
        parse(text, None)


def _outcome(text, legal):
    try:
        return parse(text, legal)
    except ParseError as error:
        return error.category


HUGE = ["{", '{"a":', "\\boxed{", "<think>", "</think>", '{"action":', "\\", "`", "<|channel|>", "[INST]", "<|im_end|>"]


@pytest.mark.parametrize("piece", [*HUGE, "a\u200b", "Action: ", '{"a":1}', "\\text{", "*", "< ", "\n", "(", "\u3002"])
@pytest.mark.timeout(5)
def test_a_long_hostile_text_is_answered(piece):
    """A quadratic scan of any of these texts would exceed the timeout of this test."""
    text = piece * (100_000 // len(piece))
    for legal in (KUHN, None):
        assert _outcome(text, legal)
