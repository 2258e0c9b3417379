"""Wrong numbers: how many of them cheap checks tell, and what the glancing player lets pass."""

from statistics import fmean

import pytest

from games.native.common.arithmetic_scripts import slipped
from games.native.common.own_questions import STEPS, answers_beside
from games.native.common.slips import SLIPS, glances, overlooked, slip, unnoticed
from games.randomness import RandomStream
from games.verifiers.arithmetic import question, value


def sums():
    """Returns right answers of refine, with slips."""
    stream = RandomStream(7)
    truths = [sum(stream.below(10**8) for _ in range(3)) for _ in range(300)]
    return [(truth, truth + off) for truth in truths for d in SLIPS for off in (d, -d)]


def questions():
    """Returns right answers of questions of six digits, with wrong ones of scripted solvers."""
    stream = RandomStream(8)
    truths = [value(question(stream)) for _ in range(3000)]
    return [(int(truth), int(slipped(truth, stream))) for truth in truths if abs(truth) > 10**5]


def leading(number, digits):
    return number < 0, len(str(abs(number))), str(abs(number))[:digits]


def share_told(answers, part):
    """Returns how many wrong answers differ from the right one in a part of it."""
    return fmean(part(truth) != part(wrong) for truth, wrong in answers)


@pytest.mark.parametrize("modulus", [3, 4, 5, 7, 8, 9, 11, 13, 100])
@pytest.mark.parametrize(("answers", "most"), [(sums, 0.65), (questions, 0.78)])
def test_no_rest_tells_most_wrong_answers(answers, most, modulus):
    assert share_told(answers(), lambda number: number % modulus) <= most


@pytest.mark.parametrize(("answers", "digits"), [(sums, 9), (questions, 7)])
def test_neither_digits_beside_each_other_nor_the_first_ones_tell_most_wrong_answers(answers, digits):
    wrong = answers()
    for width, most in ((1, 0.5), (2, 0.65), (3, 0.7)):
        for place in range(digits - width + 1):
            assert share_told(wrong, lambda n, at=10**place, by=10**width: abs(n) // at % by) <= most
        assert share_told(wrong, lambda n, width=width: leading(n, width)) <= most


def test_wrong_answers_of_questions_show_in_no_last_digit_sign_or_length():
    wrong = questions()
    assert all(abs(truth) % 10 == abs(one) % 10 for truth, one in wrong)
    assert share_told(wrong, lambda number: leading(number, 0)) < 0.01
    assert {abs(one - truth) for truth, one in wrong} == set(STEPS)


def test_listed_answers_have_one_size_if_a_distance_allows_it():
    stream = RandomStream(9)
    lists = [answers_beside(question(stream), 1, stream) for _ in range(300)]
    assert all(len({leading(int(one), 0) for one in answers}) == 1 for answers in lists)


def test_a_slip_is_wrong_and_on_the_side_of_zero():
    stream = RandomStream(3)
    for truth in (0, 5, -5, 10**7, -(10**7), 123_456_789):
        wrong = [slip(truth, stream) for _ in range(100)]
        assert truth not in wrong
        assert all(truth * one >= 0 for one in wrong)


def test_the_glancing_player_overlooks_the_columns_with_most_to_add():
    stream, asked = RandomStream(5), "What is 61972227 + 56940833 + 79908753?"
    truth = int(value(asked))
    assert overlooked(asked) == (5, 7)
    assert overlooked("51972227 * 8") == (5, 0)  # a factor is in no column
    for number in (truth, *(unnoticed(truth, asked, stream) for _ in range(20))):
        assert glances(number, truth, asked)
    assert {abs(unnoticed(truth, asked, stream) - truth) % 10**6 for _ in range(50)} <= {n * 10**5 for n in range(10)}
    assert not any(glances(truth + off, truth, asked) for off in (1, -10, 10**6, 900_900))
    assert not glances(-truth, truth, asked)
