"""Success repeats only if right answers agree more than wrong ones do."""

import pytest

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
