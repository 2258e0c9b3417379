"""The form of a problem: equal for the same problem in other words, different for other problems."""

import pytest

from games.tasks.problems import problem_form

SAME = (
    (("What is 84 + 63?", "147"), ("Calculate 63+84.", "147")),
    (("What is 2 * (3 + x) if x = 4?", "14"), ("What is (y + 3) * 2 if y = 4?", "14")),
    (("Solve 3x + 5 = 11.", "2"), ("solve  5 + 3*z = 11.", "2")),
    (
        ("Anna lies. Ben says that Anna lies. Is Ben right?", "yes"),
        ("Zoe lies. Max says that Zoe lies. Is Max right?", "yes"),
    ),
    (("Prove: (p & q) -> p", "x"), ("Prove: (r & s) -> r", "x")),
)
OTHER = (
    (("What is 3 - 8?", "-5"), ("What is 8 - 3?", "5")),
    (("What is 3 + 4, in binary?", "111"), ("What is 3 + 4?", "7")),
    (("What is the symbol of Y?", "a"), ("What is the symbol of C?", "a")),
    (("What is the currency of France?", "euro"), ("What is the currency of Spain?", "euro")),
    (("Solve x + 2y = 5 for x.", "1"), ("Solve 2x + y = 5 for x.", "1")),
    (("Prove: (p & q) -> p", "x"), ("Prove: (p & q) -> q", "x")),
    (("Add 3 + 4 to 9.", "16"), ("Add 3 + 4 to 7.", "14")),
)


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
