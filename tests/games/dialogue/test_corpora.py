"""Answers in the forms of other projects, and forms that were written after the reader."""

from collections import Counter

import pytest

from games.dialogue.answers import CORRECTNESS, final, letters, numbers, read
from tests import golden

KINDS = {"letter": letters("ABCD"), "correctness": CORRECTNESS, "score": numbers(1, 10)}
LM_EVAL = golden.rows(__file__, "lm_eval_answers")
HELD_OUT = golden.rows(__file__, "held_out_forms")
OPTIONS = letters("ABCDEFGHIJKLMNOPQR")


def test_the_few_shot_answers_of_lm_eval_are_read():
    """Minerva's form among them: a box, then "Final Answer: The final answer is $24$. I hope it is correct." """
    wrong = [row for row in LM_EVAL if (final(row[1]).value or "").strip("()$") != row[2].strip("()$")]
    assert wrong == []
    assert Counter(suite for suite, _, _ in LM_EVAL) == {"bbh": 81, "gsm8k": 8, "minerva": 4, "mmlu": 282}


def test_the_letters_of_lm_eval_are_read():
    lettered = [row for row in LM_EVAL if len(row[2]) == 3 and row[2][0] == "("]
    assert [row for row in lettered if read(row[1], OPTIONS).value != row[2][1]] == []
    assert Counter(suite for suite, _, _ in lettered) == {"bbh": 51, "mmlu": 282}


@pytest.mark.parametrize("kind", ["final", *KINDS])
def test_forms_that_were_written_after_the_reader(kind):
    rows = [(text, value) for name, text, value in HELD_OUT if name == kind]
    seen = [(text, final(text).value if kind == "final" else read(text, KINDS[kind]).value) for text, _ in rows]
    assert seen == rows
    assert len(HELD_OUT) >= 300


HEDGES = (
    *(
        " or ",
        r" \text{ or } ",
        r" \quad \text{or} \quad ",
        r" \lor ",
        r" \vee ",
        " / ",
        "/",
        " | ",
        " vs. ",
        r" \quad ",
    ),
    *(
        ", alternatively ",
        ", otherwise ",
        ", but possibly ",
        " or maybe ",
        "; perhaps ",
        ". It could also be ",
        "\nor\n",
    ),
    *(
        "\n\nAlternatively:\n\n",
        ", unless it is ",
        " if $x > 0$, and ",
        ", though some would say ",
        ". Wait, or maybe ",
    ),
)
MARKS = (r"\boxed{{{}}}", r"$\boxed{{\text{{{}}}}}$", "<answer>{}</answer>", '{{"answer": "{}"}}')


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("kind", ["final", *KINDS])
def test_two_answers_with_a_hedge_between_them_are_refused(kind, mark):
    one, other = {"letter": "AB", "correctness": ("correct", "incorrect")}.get(kind, "34")
    for text in (f"{mark.format(one)}{hedge}{mark.format(other)}" for hedge in HEDGES):
        seen = final(text) if kind == "final" else read(text, KINDS[kind])
        assert (seen.value, bool(seen.reason)) == (None, True), text


@pytest.mark.parametrize(
    "joint", [" and ", ", ", r" \quad \text{and} \quad ", ", and ", r"\text{ and }", "$ and $", r" \land "]
)
def test_boxes_that_are_joined_are_the_parts_of_one_answer(joint):
    assert final(rf"$\boxed{{(98,2)}}{joint}\boxed{{(99,503)}}$").value == "(98,2), (99,503)"
    assert final(rf"$x = \boxed{{1}}$, $y = \boxed{{2}}{joint}z = \boxed{{3}}$").value == "x = 1, y = 2, z = 3"
    assert final(rf"\boxed{{3}}{joint}\boxed{{3.0}}").value == "3.0"
    assert read(rf"\boxed{{A}}{joint}\boxed{{B}}", KINDS["letter"]).value is None
    for choice in ("It is between ", "One of ", "I am torn between ", "Any of the two numbers "):
        assert final(rf"{choice}$\boxed{{3}}{joint}\boxed{{4}}$").value is None


@pytest.mark.parametrize("mark", MARKS)
def test_an_answer_that_repeats_the_one_before_is_no_second_value(mark):
    assert final(f"{mark.format('1/2')} or equivalently {mark.format('0.5')}").value == "0.5"
    assert read(f"{mark.format('A')} or rather {mark.format('(A)')}", KINDS["letter"]).value == "A"
