"""Success repeats only if right answers agree more than wrong ones do."""

import pytest

from games.native.common.arithmetic_scripts import skill, work
from games.native.common.repetition import repeats, result


@pytest.mark.parametrize(
    ("right", "wrong", "answers", "is_paid"),
    [
        (2, "abcdef", 8, True),
        (1, "abcdefg", 8, False),
        (2, "aabcde", 8, False),
        (3, "aabbb", 8, False),
        (1, "", 8, False),  # seven answers that nobody could read
        (1, "a", 2, True),  # two answers cannot show it
    ],
)
def test_success_must_repeat_beyond_wrong_results(right, wrong, answers, is_paid):
    assert repeats(right, wrong, answers) is is_paid


def test_equal_numbers_are_one_result():
    assert result("42.0") == result(" 42 ") != result("43")
    assert result("Two  or three") == result("two or THREE")


@pytest.mark.parametrize(
    ("question", "digits"),
    [
        ("What is 12 + 34?", 4),
        ("What is 12 + 34 - 56 + 78?", 8),
        ("What is 12 + 34 - 56 + 79?", 8),
        ("What is 12 + 12 + 12 + 12?", 2),
        ("What is 12 * 1 * 1 * 1?", 2),
        ("What is 12 - 12 + 34 - 34 + 56?", 2),
        ("What is 12 + 0 + 34 + 0?", 4),
        ("What is 10 + 20 + 30 + 40?", 1),
        ("What is 10 + 20 + 30 + 40 + 57?", 3),
        ("What is 41 + 42 + 43 + 44?", 3),
        ("What is 77 + 7777?", 1),
        ("What is 37 + 73 + 25 + 52?", 1),
        ("What is 4821 + 1284?", 4),
        ("What is 370 + 250?", 4),
    ],
)
def test_the_scripted_solver_is_as_skilled_as_there_are_digits_to_add_in_different_columns(question, digits):
    assert work(question) == digits
    assert skill(question) == (0.5 if digits == 8 else 1.0)
