"""The canonical form of an expression, and the splits that follow from it."""

import itertools
import re

import pytest

from games import tasks
from games.tasks.expressions import expression_key

SAME = (
    ("What is 4 + 3?", "3+4", "(3) - -4", "Calculate 4 + 3.", "Solve: 3 + 4 ="),
    ("2 * (3 + 4)", "(4+3)*2", "2 × (4 + 3)"),
    ("5 - 2 + 1", "1 + 5 - 2", "5 - (2 - 1)"),
    ("8 / 4 / 2", "8/2/4"),
    ("-(2 - 5)", "5 - 2"),
)


@pytest.mark.parametrize("texts", SAME, ids=lambda texts: texts[0])
def test_orders_and_wordings_of_one_expression_have_one_form(texts):
    assert len({expression_key(text) for text in texts}) == 1


def test_different_problems_have_different_forms():
    forms = [expression_key(texts[0]) for texts in SAME[:-1]]
    others = [expression_key(text) for text in ("4 - 3", "3 - 4", "4 * 3", "4 / 3", "2 * 3 + 4", "5 * -3")]
    assert None not in (*forms, *others)
    assert len({*forms, *others}) == len(forms) + len(others)


def test_a_text_without_an_expression_has_none():
    assert expression_key("Which word has 5 letters?") is None
    assert expression_key("(" * 9999 + "1") is None


@pytest.mark.parametrize("terms", [2, 3])
def test_a_sum_in_another_order_stands_in_the_same_split(terms):
    source = tasks.make(f"arithmetic(operation=add, terms={terms}, digits=1)")
    for seed in range(40):
        numbers = source.draw(seed).question.removeprefix("What is ").removesuffix("?").split(" + ")
        for order in itertools.permutations(numbers):
            key = source.split_key(source.kinds[0], f"What is {' + '.join(order)}?")
            assert tasks.split_of(key) == "train"


def test_families_of_reasoning_gym_share_the_splits_of_expressions():
    pytest.importorskip("reasoning_gym")
    source = tasks.make("reasoning-gym(families=basic_arithmetic+chain_sum+products, difficulty=small)")
    by_form = {}
    for split in tasks.SPLITS:
        for seed in range(40):
            task = tasks.with_split(source.id, split).draw(seed)
            assert by_form.setdefault(expression_key(task.question), split) == split, task.question


ORDERS = {
    "gcd": "Find the GCD of these numbers: {}. Give only the GCD as your final answer.",
    "lcm": "Find the Least Common Multiple (LCM) of these numbers: {}",
    "countdown": "Using all the numbers {}, create an expression that equals 123.",
    "number_sorting": "Sort these numbers in ascending order: {}",
    "word_sorting": "Now, sort these words in descending order: {}",
    "leg_counting": "Now, how many legs are there in total if you have {}?",
}


@pytest.mark.parametrize("family", ORDERS)
def test_the_order_of_the_operands_does_not_change_the_split(family):
    pytest.importorskip("reasoning_gym")
    source = tasks.make(f"reasoning-gym(families={family})")
    kind, question = source.kinds[0], ORDERS[family]
    texts = ["12 ants", "-7 crabs", "3.5 owls"] if family == "leg_counting" else ["12", "-7", "3.5"]
    keys = {source.split_key(kind, question.format(", ".join(order))) for order in itertools.permutations(texts)}
    assert len(keys) == 1
    assert source.split_key(kind, question.format("12, -7, 3.6")) not in keys
    assert source.split_key(kind, question.format("12, 7, 3.5")) not in keys


def test_a_gcd_that_the_source_draws_stands_in_the_split_of_its_reverse():
    pytest.importorskip("reasoning_gym")
    source = tasks.make("reasoning-gym(families=gcd, difficulty=small)")
    for seed in range(20):
        question = source.draw(seed).question
        first, second = re.findall(r"\d+", question)
        reverse = question.replace(f"{first}, {second}", f"{second}, {first}")
        assert tasks.split_of(source.split_key(source.kinds[0], reverse)) == "train"
