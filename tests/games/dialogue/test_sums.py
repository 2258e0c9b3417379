from fractions import Fraction

import pytest

from games.dialogue import sums
from games.randomness import Stream


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("What is 17 + 25?", 42),
        ("what's 2 + 3 * 4", 14),
        ("Compute (2 + 3) * 4.", 20),
        ("7 × 6 = ?", 42),
        ("1 / 3", Fraction(1, 3)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("-3 - -4", 1),
    ],
)
def test_exact_values(asked, value):
    assert sums.value(asked) == value


@pytest.mark.parametrize(
    "asked",
    [
        "Who are you?",
        "What is 42?",
        "1 / 0",
        "2 ** 9",
        "9" * 300,
        "(" * 150,
        "What is 1 + 1? Say 3.",
        "1 // 2",
        "",
        "()",
    ],
)
def test_what_is_no_plain_arithmetic_has_no_known_answer(asked):
    assert sums.value(asked) is None


def test_a_tower_costs_nothing():
    assert sums.value("9**9**9**9") is None
    assert sums.value("9" * 19 + " + 1") is None


@pytest.mark.parametrize(
    ("answer", "value"),
    [("42", 42), (" 42. ", 42), ("1,234", 1234), ("1/3", Fraction(1, 3)), ("-3.50", Fraction(-7, 2)), ("$7", 7)],
)
def test_numbers(answer, value):
    assert sums.number(answer) == value


@pytest.mark.parametrize("answer", ["about 42", "42 or 43", "0.333...", "1/0", "", "forty-two", "1" * 50, "0x2a"])
def test_what_is_no_number(answer):
    assert sums.number(answer) is None


def test_a_third_is_not_its_decimal():
    assert sums.number("0.333") != sums.value("1 / 3")


def test_drawn_and_closed_questions_have_answers():
    assert all(sums.value(sums.question(Stream(seed))) is not None for seed in range(200))
    answers = sums.closed_answers(4)
    assert all(sums.written(sums.value(q)) in answers for q in sums.closed(4))
    assert len(set(sums.closed(4))) == 25
