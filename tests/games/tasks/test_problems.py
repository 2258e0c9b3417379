"""The form of a problem: equal for the same problem in other words, different for other problems."""

import pytest

from games.tasks.problems import problem_form
from tests import golden

SAME = golden.rows(__file__, "problems_same")
OTHER = golden.rows(__file__, "problems_other")


@pytest.mark.parametrize("pair", SAME, ids=lambda pair: pair[0][0])
def test_the_same_problem(pair):
    one, other = pair
    assert problem_form(*one) == problem_form(*other)


@pytest.mark.parametrize("pair", OTHER, ids=lambda pair: pair[0][0])
def test_another_problem(pair):
    one, other = pair
    assert problem_form(*one) != problem_form(*other)


def test_a_hostile_question_has_a_form():
    assert problem_form("(" * 20_000 + "1+" * 20_000, "")
    assert problem_form("a b c d e " * 5_000, "")
