"""Slips: how many of them cheap checks tell, and what the glancing player lets pass."""

from statistics import fmean

import pytest

from games.native.common.slips import SLIPS, UNNOTICED, glances, slip, unnoticed
from games.randomness import RandomStream


def sums():
    stream = RandomStream(7)
    return [sum(stream.below(10**8) for _ in range(3)) for _ in range(300)]


def share_told(part):
    """Returns how many slips change a part of a number."""
    return fmean(part(truth) != part(truth + off) for truth in sums() for d in SLIPS for off in (d, -d))


@pytest.mark.parametrize("modulus", [2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 63, 99, 100, 1000])
def test_no_rest_tells_most_slips(modulus):
    assert share_told(lambda value: value % modulus) <= 0.5


@pytest.mark.parametrize("place", range(9))
def test_no_digit_tells_most_slips(place):
    assert share_told(lambda value: value // 10**place % 10) <= 0.55


@pytest.mark.parametrize(("leading", "most"), [(1, 0.4), (2, 0.55), (3, 0.6)])
def test_few_leading_digits_do_not_tell_most_slips(leading, most):
    assert share_told(lambda value: (len(str(abs(value))), str(abs(value))[:leading])) <= most


def test_a_slip_is_wrong_and_on_the_side_of_zero():
    stream = RandomStream(3)
    for value in (0, 5, -5, 10**7, -(10**7), 123_456_789):
        wrong = [slip(value, stream) for _ in range(100)]
        assert value not in wrong
        assert all(value * one >= 0 for one in wrong)


def test_the_glancing_player_takes_right_numbers_and_those_that_no_cheap_check_tells():
    stream, truth = RandomStream(5), 187_021_813
    assert all(glances(number, truth, stream) for number in (truth, unnoticed(truth)) for _ in range(50))
    assert not any(glances(truth + off, truth, stream) for off in (10, -1000, 10**6) for _ in range(50))
    assert unnoticed(187_921_813) == 187_921_813 + UNNOTICED
    assert unnoticed(189_921_813) == 189_921_813 - UNNOTICED
