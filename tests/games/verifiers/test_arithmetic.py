from fractions import Fraction

import pytest

from games.randomness import RandomStream
from games.verifiers import arithmetic
from tests import golden


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("What is 17 + 25?", 42),
        ("what's 2 + 3 * 4", 14),
        ("Compute (2 + 3) * 4.", 20),
        ("7 × 6 = ?", 42),
        ("1 / 3 + 1", Fraction(4, 3)),
        ("84 / 2", 42),
        ("\n What  is:\t2\n+ 2 = ? ", 4),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("-3 - -4", 1),
    ],
)
def test_exact_values(asked, value):
    assert arithmetic.value(asked) == value


@pytest.mark.parametrize("asked", golden.rows(__file__, "arithmetic_what_is_no_plain_arithmetic_has_no_known_answer"))
def test_what_is_no_plain_arithmetic_has_no_known_answer(asked):
    assert arithmetic.value(asked) is None


def test_a_tower_costs_nothing():
    assert arithmetic.value("9**9**9**9") is None
    assert arithmetic.value("9" * 19 + " + 1") is None


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("42", 42), (" 42. ", 42), ("1,234", 1234), ("1/3", Fraction(1, 3)), ("-3.50", Fraction(-7, 2)), ("$7", 7),
        (r"\frac{1}{3}", Fraction(1, 3)), (r"$-\dfrac{2}{4}$", Fraction(-1, 2)), ("48{,}271", 48271),
        ("1,234.5", Fraction(2469, 2)),
    ],
)  # fmt: skip
def test_numbers(answer, value):
    assert arithmetic.number(answer) == value


@pytest.mark.parametrize(
    "answer",
    [
        "about 42", "42 or 43", "0.333...", "1/0", "", "forty-two", "1" * 50, "0x2a",
        "4,2", "1,,2", "40,41,42", "1,2345", "0,123", "1,234,5", r"2\frac{1}{3}",
    ],
)  # fmt: skip
def test_what_is_no_number(answer):
    assert arithmetic.number(answer) is None


@pytest.mark.parametrize(
    ("answer", "truth", "right"),
    [
        ("42", 42, True), ("42.0", 42, True), ("84/2", 42, False), ("42/1", 42, False), ("0/5", 0, False),
        ("1/3", Fraction(1, 3), True), (r"\frac{1}{3}", Fraction(1, 3), True), ("2/6", Fraction(1, 3), False),
        ("0.5", Fraction(1, 2), True), ("40 + 2", 42, False), (r"6 \cdot 7", 42, False), ("x=42", 42, False),
        (None, 42, False),
    ],
)  # fmt: skip
def test_only_a_number_that_is_worked_out_is_right(answer, truth, right):
    assert arithmetic.right(answer, Fraction(truth)) is right


def test_a_third_is_not_its_decimal():
    assert arithmetic.number("0.333") != arithmetic.value("2 / 6")


def test_drawn_and_closed_questions_have_answers():
    assert all(arithmetic.value(arithmetic.question(RandomStream(seed))) is not None for seed in range(200))
    answers = arithmetic.closed_answers(4)
    assert all(str(arithmetic.value(q)) in answers for q in arithmetic.closed(4))
    assert len(set(arithmetic.closed(4))) == 25
