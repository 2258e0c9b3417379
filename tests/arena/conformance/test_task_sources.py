"""The conformance kit for task sources: ours pass, and each defect is found."""

import random

import pytest

import games
from arena.conformance.task_sources import check_task_source
from games import InputError, RandomStream, tasks
from games.plugins import isolated
from games.tasks import TaskSource
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers.verdict import PASS
from tests.toys.faults import having, returning


@pytest.mark.parametrize(
    "id",
    [
        "arithmetic",
        "facts",
        "vocabulary(category=animal)",
        pytest.param("programs(steps=2)", marks=pytest.mark.slow),
        "letters(letters=2)",
    ],
)
def test_our_sources_pass(id):
    report = check_task_source(id)
    assert report.ok, str(report)


class Wrong(ArithmeticSource):
    def make(self, kind, number):
        question, answer = super().make(kind, number)
        return question, answer + " or so"

    def grade(self, task, answer):
        return super().grade(task._replace(answer="7"), answer)


class Mixed(ArithmeticSource):
    def canonical(self, task):
        return f"{self.split}{task.question}"


class Wordy(ArithmeticSource):
    """Two families with the same problems in different words."""

    canonical = TaskSource.canonical

    def make(self, kind, number):
        question, answer = super().make(kind._replace(family="subtract"), number)
        return (question if kind.family == "add" else f"Compute {question[8:-1]}."), answer


class Unknowns(ArithmeticSource):
    """Equations in which only the letter and the order differ."""

    canonical = TaskSource.canonical

    def make(self, kind, number):
        stream = RandomStream(number)
        a, b = stream.below(5), stream.below(9)
        letter = stream.choice("xyz")
        left = stream.choice((f"{letter} + {a}", f"{a} + {letter}"))
        return f"Find {letter}: {left} = {a + b}", str(b)


class Trained(ArithmeticSource):
    """Has questions in train only."""

    def canonical(self, task):
        return "0"


class Alone(ArithmeticSource):
    def make(self, kind, number):
        return super().make(kind, number)[0]


class Unnamed(ArithmeticSource):
    def __init__(self, operation="add", digits: int = 2, split="train"):
        super().__init__(operation, digits=digits, split=split)
        self.id = "broken"


@pytest.mark.parametrize(
    ("source", "check", "message"),
    [
        (having(ArithmeticSource, make=lambda self, kind, number: (f"What is {random.random()}?", "1")), "repeats", ""),
        (having(ArithmeticSource, grade=lambda self, task, answer: PASS), "hostile", ""),
        (Wrong, "references", ""),
        (Mixed, "splits", ""),
        (having(ArithmeticSource, canonical=TaskSource.canonical), "problems", " of test is broken#add/2x1/"),
        (Wordy, "problems", "Compute "),
        (Unknowns, "problems", "return the same text from `canonical` for all wordings and orders of a problem"),
        (
            returning(ArithmeticSource, grade=lambda verdict, *_: verdict.ok),
            "references",
            "grade returned True; return a games.verifiers.Verdict",
        ),
        (
            returning(ArithmeticSource, solve=lambda task, *_: task._replace(answer="7 or so")),
            "solves",
            "with '7 or so'; the reference answer is",
        ),
        (
            having(ArithmeticSource, wrong=lambda self, task, stream, n: (task.answer, "x")),
            "wrong",
            "passes; leave it out, or games show a right answer as a wrong one",
        ),
        (
            Alone,
            "repeats",
            "return two texts, the question and the reference answer (test_task_sources.py, line",
        ),
        (Unnamed, "parameters", "digits=1) has the id 'broken', which makes other tasks; pass the id with all"),
        (Unnamed, "parameters", "such as 'broken(operation=add,digits=1,split=dev)'"),
        (Mixed, "problems", " of test is broken#"),
        (
            having(ArithmeticSource, solve=lambda self, question: "7"),
            "solves",
            "solve returned '7'; return a games.tasks.SourceTask or None",
        ),
    ],
)
def test_a_defect_is_found(source, check, message):
    with isolated():
        tasks.register("broken")(type(source.__name__, (source,), {"name": "broken"}))
        operation = "all" if source is Wordy else "add"
        report = check_task_source(f"broken(operation={operation}, digits=1)")
    assert not report.ok
    assert any(message in finding.message for finding in report.findings if finding.check == check)


def test_a_source_without_questions_in_both_splits_is_not_verifiable():
    with isolated():
        tasks.register("trained")(type("Trained", (Trained,), {"name": "trained"}))
        report = check_task_source("trained")
    (finding,) = report.of("problems")
    assert finding.message.startswith("nothing to compare")


def test_few_questions_are_counted():
    report = check_task_source("arithmetic(operation=add, digits=1)")
    assert report.ok
    (finding,) = report.of("enough")
    assert finding.message.startswith("add/2x1: of its questions 76 in train, 9 in dev, 15 in test; ")
    assert not check_task_source("arithmetic(operation=add)").of("enough")


def test_a_game_leaves_out_a_wrong_answer_that_passes():
    class Mixed(ArithmeticSource):
        name = "mixed"
        _lists_answers_of_tasks = tasks.TaskSource._lists_answers_of_tasks
        alike, choices = tasks.TaskSource.alike, tasks.TaskSource.choices

        def wrong(self, task, stream, n):
            return (task.answer, "-1", "-1", "-2")[: n + 2]

    with isolated():
        tasks.register("mixed")(Mixed)
        game = games.make("debate(tasks=mixed)")
        game.reset(1)
        texts = [line[3:] for line in game.observe("judge").text.splitlines() if line[:3] in ("A: ", "B: ")]
    assert len(texts) == 2
    assert "-1" in texts
    assert len(set(texts)) == 2


def test_lists_and_generators_of_texts_are_taken_as_before():
    class Loose(ArithmeticSource):
        def make(self, kind, number):
            return list(super().make(kind, number))

        def wrong(self, task, stream, n):
            return (text for text in ("a", task.answer, "b"))

    source = Loose()
    task = source.draw(3)
    assert source.load(task.id) == task == ArithmeticSource().draw(3)
    assert source.wrong_answers(task, RandomStream(0), 1) == ("a",)
    assert source.wrong_answers(task, RandomStream(0), 3) == ("a", "b")


def test_debate_tells_a_source_without_wrong_answers():
    class Right(ArithmeticSource):
        name = "right"
        _lists_answers_of_tasks = tasks.TaskSource._lists_answers_of_tasks
        alike, choices = tasks.TaskSource.alike, tasks.TaskSource.choices

        def wrong(self, task, stream, n):
            return (task.answer,)

    with isolated():
        tasks.register("right")(Right)
        with pytest.raises(InputError, match="right gave fewer than 1 wrong answers to each of 20 tasks"):
            games.make("debate(tasks=right)").reset(1)


class NoSplit(ArithmeticSource):
    def __init__(self, digits: int = 1):
        super().__init__(digits=digits)


def test_a_source_without_a_split_is_told_what_to_write():
    with isolated():
        tasks.register("unsplit")(NoSplit)
        with pytest.raises(InputError, match="takes no parameter split; write"):
            check_task_source("unsplit")


@pytest.mark.parametrize(
    ("solves", "message"), [(None, "it offers no solve"), (lambda self, question: None, "for all 3 questions")]
)
def test_a_source_that_solves_nothing_is_told(solves, message):
    with isolated():
        tasks.register("shy")(type("Shy", (ArithmeticSource,), {"solve": solves or TaskSource.solve, "name": "shy"}))
        report = check_task_source("shy(operation=add)")
    assert report.ok
    assert message in next(line for line in str(report).splitlines() if " solves " in line)
