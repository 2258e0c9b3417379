"""The contract of task sources: ids that recreate tasks, splits by the text of the question, graded answers."""

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError, RandomStream, UnknownName, tasks
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers import PASS, Verdict


def test_a_known_task():
    task = tasks.make("arithmetic(operation=add, digits=1)").draw(1)
    assert task.id.startswith("arithmetic#add/2x1/")
    left, right = task.question.removesuffix("?").split(" + ")
    assert int(left.split()[-1]) + int(right) == int(task.answer)


@given(st.integers(0, 2**40), st.sampled_from(tasks.SPLITS))
def test_an_id_recreates_its_task_exactly(seed, split):
    source = ArithmeticSource(split=split)
    task = source.draw(seed)
    assert ArithmeticSource(split=split).load(task.id) == task
    assert source.grade(task, task.answer).ok


def test_splits_never_share_a_question_even_in_a_tiny_family():
    found = {
        split: {ArithmeticSource("add", digits=1, split=split).draw(seed).question for seed in range(800)}
        for split in tasks.SPLITS
    }
    assert not found["train"] & found["test"]
    assert not found["train"] & found["dev"]
    assert not found["dev"] & found["test"]
    assert sum(map(len, found.values())) == 100  # every sum of two digits belongs to one split


def test_the_split_does_not_depend_on_case_and_white_space():
    assert tasks.split_of("What is  1 + 1?\n") == tasks.split_of("what IS 1 + 1?")


def test_a_source_without_a_name_has_that_of_its_id():
    class Unnamed(tasks.TaskSource):
        def __init__(self, split="train"):
            super().__init__(f"unnamed(split={split})", [tasks.TaskKind("one", "small")], split)

        def make(self, kind, number):
            return f"What is {number}?", str(number)

        def grade(self, task, answer):
            return PASS if answer == task.answer else Verdict("fail", "it is another number")

    source = Unnamed()
    assert source.draw(1).id.startswith("unnamed#one/small/")
    assert source.load(source.draw(1).id) == source.draw(1)


def test_a_task_of_another_split_kind_source_or_version_is_refused():
    train, test = ArithmeticSource(), ArithmeticSource(split="test")
    id = test.draw(3).id
    with pytest.raises(InputError, match="belongs to the split test, not to train"):
        train.load(id)
    with pytest.raises(InputError, match="not of a kind"):
        ArithmeticSource(digits=5, split="test").load(id)
    with pytest.raises(InputError, match="another question"):
        test.load(id[:-1] + ("0" if id[-1] != "0" else "1"))
    for text in (
        "",
        "x",
        "reasoning-gym#gcd/0/1/00000000",
        "arithmetic#add/2x2/zz/00",
        "arithmetic#add/2x2/" + "1" * 99,
    ):
        with pytest.raises(InputError):
            train.load(text)


def test_ids_are_canonical():
    assert tasks.make("arithmetic(split=train, terms=2, digits=3)").id == "arithmetic(digits=3)"
    assert tasks.make("arithmetic").id == "arithmetic"
    with pytest.raises(InputError, match="digits must be a whole number from 1 to 8"):
        tasks.make("arithmetic(digits=9)")
    with pytest.raises(UnknownName, match="did you mean 'arithmetic'"):
        tasks.make("arithmetics")


def test_arithmetic_grades_numbers_and_refuses_expressions():
    source = ArithmeticSource("add", digits=2)
    task = source.draw(0)
    assert source.grade(task, f" {task.answer}. ").ok
    assert source.grade(task, f"{task.answer}.0").ok
    assert source.grade(task, str(int(task.answer) + 1)).kind == "fail"
    for text in ("", "the answer", f"{task.answer} or 7", "9**9**9", "__import__('os')"):
        assert source.grade(task, text).kind == "invalid"
    wrong = source.wrong(task, RandomStream(1), 3)
    assert len(set(wrong)) == 3
    assert not any(source.grade(task, text).ok for text in wrong)


def test_arithmetic_answers_questions_of_others():
    source = ArithmeticSource()
    task = source.solve("What is 3 * (4 + 5)?")
    assert task is not None
    assert source.grade(task, "27").ok
    assert source.solve("Who is it?") is None
    assert source.solve("What is 42?") is None
    assert source.solve(f"What is {' * '.join(['999999999'] * 6)}?") is None, "an answer of 54 digits is not read"


def test_another_process_with_another_hash_seed_draws_the_same_tasks():
    ours = [ArithmeticSource("mixed", terms=4).draw(seed).id for seed in range(20)]
    code = (
        "from games.tasks.arithmetic import ArithmeticSource\n"
        "print(*[ArithmeticSource('mixed', 4).draw(seed).id for seed in range(20)])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ours


def test_drawing_leaves_the_global_generator_alone():
    random.seed(5)
    state = random.getstate()
    ArithmeticSource().draw(1)
    assert random.getstate() == state


def test_longest_adds_a_kind_for_each_count_of_numbers():
    source = tasks.make("arithmetic(operation=add,longest=4)")
    assert list(map(str, source.kinds)) == ["add/2x2", "add/3x2", "add/4x2"]
    assert {source.draw(seed).question.count("+") for seed in range(40)} == {1, 2, 3}
    assert list(map(str, tasks.make("arithmetic(operation=add,terms=3)").kinds)) == ["add/3x2"]
