"""Canonical texts: equal for tasks that ask the same in other words, different for other tasks."""

import pytest

import games
from games import tasks
from games.native.code_io.tasks import Task
from games.proofs.canonical import canonical_formula
from games.proofs.first_order import parse_any
from games.tasks.canonical import canonical_of, canonical_question
from games.tasks.programs.canonical import canonical_program
from roles.rewards.diversity import cluster_shares

QUESTIONS = [
    ["What is 41 - 27 + 68?", "41-27+68", "Find (68) + 41.0 - 27.", "what is   ((41 + 68)) - (27)", "41 + 68 - 27 + 0",
     "1 * 41 - 27 / 1 + 68", "41 - -68 + -27", "41 − 27 + 68 + 5 - 5", "41 - 27 + 68 + 0 * 19"],
    ["3 * -4", "-(4 · 3)", "(-1) * 3 × 4", "0 - 3 * 4"],
    ["8 - 3"], ["3 - 8"], ["41 - 27 + 69"], ["40 + 1 - 27 + 68"], ["6 / 2"], ["2 / 6"], ["6 * 2"], ["Is it?", "is  IT"],
]  # fmt: skip
PROGRAMS = [
    ["def f(x):\n  return x * 31 + 2 - 55 + 7", "def f(y):\n  '''doc'''\n  return 2 + (31 * y) - 48  # so",
     "def f(x: int) -> int:\n  pass\n  return 7 + x * 31 + 2 - 0x37", "def f(z):\n  return +z * 31 * 1 - 46 + 0"],
    ["def f(x):\n  return x * 31 + 46"],
    ["def f(v):\n  return [w for w in v if w > 3]", "def f(x):\n  return [y for y in x if (3 < y)]"],
    ["def g(x):\n  return x + 1\ndef f(x):\n  return g(x) * 2",
     "def h(t):\n  return 1 + t\ndef f(k):\n  return 2 * h(k)"],
    ["import math as m\ndef f(x):\n  return m.sqrt(x)", "import math\ndef f(y):\n  return math.sqrt(y)"],
    ["def f(a, b):\n  return a + b"], ["def f(a, b):\n  return b + a"], ["def f(x):\n  return x + 'a'"],
    ["def f(x):\n  return 'a' + x"], ["def f(x):\n  return 2.0 * x"], ["def f(x):\n  return x * 2"],
    ["def f(x):\n  if x:\n    x = 1\n  return x"], ["def f(x):\n  if x:\n    x = 1\n    return x"],
]  # fmt: skip
FORMULAS = [
    ["p -> (q & r)", "q -> (r & p)", "~~p -> (q & r)", "p -> ~~(r & q)"],
    ["(q & r) -> p"],
    ["forall x (x in z)", "forall y (y in x)"],
    ["forall x (z in x)"],
    ["forall x (x = x) & forall z (z in y)", "forall z (z in x) & forall z (z = z)"],
]


@pytest.mark.parametrize(
    ("form", "groups"),
    [
        (canonical_question, QUESTIONS),
        (canonical_program, PROGRAMS),
        (lambda text: canonical_formula(parse_any(text)), FORMULAS),
    ],
    ids=["questions", "programs", "formulas"],
)
def test_wordings_share_a_text_and_other_tasks_do_not(form, groups):
    forms = [{form(text) for text in group} for group in groups]
    assert [len(texts) for texts in forms] == [1] * len(groups)
    assert len(set.union(*forms)) == len(groups)


def test_sums_of_numbers_commute():
    one, other = (canonical_program(f"def f(a, b):\n  return {s}", numbers=True) for s in ("a + b", "b + a"))
    assert one == other


def test_a_program_of_code_io_differs_by_its_input_alone():
    tasks_ = [Task("deduction", f"def f({name}):\n  return 3 * {name}", (value,)) for name, value in ("x5", "y5", "x6")]
    forms = [task.canonical() for task in tasks_]
    assert forms[0] == forms[1] != forms[2]


def test_one_question_in_many_spellings_is_one_cluster():
    facts = [{"task": text, "canonical": canonical_question(text)} for text in QUESTIONS[0]]
    assert cluster_shares([canonical_of(fact) for fact in facts]) == [1.0] * len(facts)


@pytest.mark.parametrize("id", ["arithmetic", "programs", "facts", "vocabulary"])
def test_a_source_gives_one_text_for_a_task_and_its_split_is_that_of_the_first_line(id):
    source = tasks.make(id)
    drawn = [source.draw(seed) for seed in range(40)]
    assert all(source.canonical(task) == source.canonical(source.load(task.id)) for task in drawn)
    assert {tasks.split_of(source.canonical(task).partition("\n")[0]) for task in drawn} == {"train"}
    assert len({source.canonical(task) for task in drawn}) > 30


def test_a_match_writes_the_canonical_text_into_its_facts():
    game = games.make("math-duel(solvers=2)")
    game.reset(0)
    game.apply({"challenger": r"<question>What is (3) +4?</question> \boxed{7}"})
    game.apply({"solver_0": r"\boxed{7}", "solver_1": r"\boxed{7}"})
    assert game.facts()["canonical"] == canonical_question("4 + 3")
