"""reasoning-gym as a task source: what is left out and why, hostile answers, and the same tasks in every process."""

import logging
import random

import pytest

from games import InfrastructureError, InputError, UnknownName, tasks
from games.tasks import TaskKind
from games.tasks.reasoning import checks, source
from games.tasks.reasoning.answer_equality import same_answer
from games.tasks.reasoning.families import CHECKED, EXCLUDED, FORMS, SCORED, SMALL
from games.verifiers import workers
from games.verifiers.workers import SandboxedWorkers
from tests import golden

pytest.importorskip("reasoning_gym")

HOSTILE = ("", "xyzzy", "nan", "None", "9**9**9", "__import__('os').system('id')", "0" * 5000)


def gym(families="all", difficulty=0, **more):
    return source.ReasoningGym(families, difficulty, **more)


def one_worker():
    return SandboxedWorkers(source._program, 1)


@pytest.fixture(scope="module")
def other():
    """Another worker process, for what the library itself would say."""
    found = one_worker()
    yield found
    found.close()


def test_every_family_of_the_library_is_used_or_left_out_for_a_reason():
    known = set(source._all_families())
    assert set(EXCLUDED) <= known
    assert (SCORED | CHECKED | FORMS.keys() | SMALL.keys()) <= known - set(EXCLUDED)
    assert len(source.families()) >= 95
    assert len(gym().kinds) >= 90


def test_every_small_task_accepts_its_reference_and_nothing_hostile():
    found = gym(difficulty="small")
    for kind in found.kinds:
        task = found.draw(1, kind)
        assert found.grade(task, task.answer).ok, kind
        for wrong in (*HOSTILE, f"5{task.answer}0", f"{task.answer} maybe"):
            assert not found.grade(task, wrong).ok, (kind, wrong)
        assert found.load(task.id) == task


@pytest.mark.long
@pytest.mark.parametrize("difficulty", [0, "default"])
def test_every_task_accepts_its_reference_and_nothing_hostile(difficulty):
    found = gym(difficulty=difficulty)
    for kind in found.kinds:
        for seed in (1, 2):
            task = found.draw(seed, kind)
            assert found.grade(task, task.answer).ok, kind
            for wrong in (*HOSTILE, f"5{task.answer}0", f"{task.answer} maybe"):
                assert not found.grade(task, wrong).ok, (kind, wrong)
            assert found.load(task.id) == task


@pytest.mark.parametrize("family", sorted(f for f, why in EXCLUDED.items() if "no reference" in why))
def test_left_out_because_items_have_no_reference_answer(family, other):
    assert other.ask({"family": family, "config": {}, "number": 5}, 60.0)["answer"] is None


EXECUTED = sorted(f for f, why in EXCLUDED.items() if "executes" in why)


@pytest.mark.parametrize("family", [EXECUTED[0], *(pytest.param(f, marks=pytest.mark.slow) for f in EXECUTED[1:])])
def test_left_out_because_the_librarys_verifier_executes_the_answer(family, other):
    """The power is computed: the worker does not return in time. A verifier that compares would return at once."""
    assert other.ask({"family": family, "config": {}, "number": 5, "answer": "1"}, 20.0) is not None
    assert other.ask({"family": family, "config": {}, "number": 5, "answer": "9**9**9"}, 1.0) is None


def test_the_library_itself_accepts_what_exact_comparison_refuses(other):
    """Why its scoring is not used: any word, nan and 0 pass."""
    for family, wrong in (("game_of_life_halting", "xyzzy"), ("complex_arithmetic", "nan"), ("coin_flip", "0")):
        scored = [
            other.ask({"family": family, "config": {}, "number": n, "answer": wrong}, 20.0)["score"] for n in range(8)
        ]
        assert max(scored) == 1.0, family
        found = gym(family, "default")
        assert not any(found.grade(found.draw(seed), wrong).ok for seed in range(8)), family
    # An answer to other numbers passes the library's check of puzzle24.
    item = other.ask({"family": "puzzle24", "config": {}, "number": 5}, 20.0)
    foreign = other.ask({"family": "puzzle24", "config": {}, "number": 77777}, 20.0)["answer"]
    assert foreign != item["answer"]
    assert other.ask({"family": "puzzle24", "config": {}, "number": 5, "answer": foreign}, 20.0)["score"] == 1.0
    kind = TaskKind("puzzle24", "default")
    question, answer, _ = source.item(kind, 5)
    task = tasks.SourceTask("reasoning-gym#puzzle24/default/5/0", kind, question, answer)
    found = gym("puzzle24", "default")
    assert found.grade(task, answer).ok
    assert found.grade(task, foreign).kind == "fail"


def test_two_processes_make_the_same_tasks(other):
    """These families order sets, or draw from the global generators."""
    for family in ("isomorphic_strings", "ransom_note", "word_ladder", "list_functions"):
        for number in (3, 12345):
            asked = {"family": family, "config": {}, "number": number}
            made = source.item(TaskKind(family, "default"), number)
            again = other.ask(asked, 60.0)
            assert (again["question"].strip(), again["answer"].strip()) == made[:2], family


@pytest.mark.long
def test_left_out_because_making_an_item_can_take_minutes(other):
    made = [other.ask({"family": "sokoban", "config": 0, "number": n}, 5.0) for n in range(100, 140)]
    assert None in made


def test_wordings_of_one_question_belong_to_one_split():
    found = gym("simple_equations", "small")
    kind = found.kinds[0]
    first, second = "Solve for x: 3*x + 4 = 10", "Find the value of y in the equation: 3*y + 4 = 10"
    third = "Solve for x: 3*x + 5 = 10"
    forms = [found.canonical(tasks.SourceTask("", kind, text, "")) for text in (first, second, third)]
    assert forms[0] == forms[1] != forms[2]


def test_this_process_keeps_its_random_state():
    random.seed(5)
    state = random.getstate()
    gym("gcd").draw(123)
    assert random.getstate() == state


def test_a_hanging_score_is_a_timeout_and_the_next_answer_is_graded(monkeypatch):
    monkeypatch.setattr(source, "SCORED", frozenset({"countdown"}))
    monkeypatch.setattr(source, "CHECKED", frozenset())
    monkeypatch.setattr(source, "SCORE_SECONDS", 1.0)
    found = gym("countdown", "default")
    task = found.draw(1)
    assert found.grade(task, "9**9**9").kind == "timeout"
    monkeypatch.setattr(source, "SCORE_SECONDS", 30.0)
    assert found.grade(task, task.answer).ok


def test_without_bubblewrap_the_worker_runs_within_limits(monkeypatch, caplog):
    monkeypatch.setenv("PATH", "/nonexistent")
    with_limits = one_worker()
    asked = {"family": "gcd", "config": 0, "number": 5}
    with caplog.at_level(logging.WARNING):
        made = with_limits.ask(asked, 60.0)
    assert (made["question"].strip(), made["answer"]) == source.item(TaskKind("gcd", "0"), 5)[:2]
    assert "runs without a sandbox, within limits" in caplog.text
    hang = {"family": "countdown", "config": {}, "number": 5, "answer": "9**9**9"}
    assert with_limits.ask(hang, 1.0) is None
    assert with_limits.ask(asked, 60.0) == made
    with_limits.close()


def test_the_worker_without_bubblewrap_has_no_network_and_writes_no_files(tmp_path, monkeypatch):
    code = tmp_path / "games_child.py"
    code.write_text(
        "import os, socket\n"
        "from games.verifiers.workers import serve\n"
        "def answer(message):\n"
        "    try:\n"
        "        socket.socket()\n"
        "    except OSError as error:\n"
        "        network = type(error).__name__\n"
        "    try:\n"
        f"        os.write(os.open('{tmp_path}/file', os.O_CREAT | os.O_WRONLY), b'x')\n"
        "    except OSError as error:\n"
        "        file = type(error).__name__\n"
        "    return {'network': network, 'file': file}\n"
        "serve(answer)\n"
    )
    monkeypatch.setenv("PATH", "/nonexistent")
    path = f"{tmp_path}:{workers._folder('games')}:{workers._folder('reasoning_gym')}"
    program = workers.Program(("-m", "games_child", str(1 << 30), "0"), (), (("PYTHONPATH", path),), bare=True)
    found = SandboxedWorkers(lambda: program, 1)
    assert found.ask({}, 20.0) == {"network": "PermissionError", "file": "OSError"}
    found.close()


def test_a_program_that_is_not_bare_needs_bubblewrap(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(InputError, match="bwrap"):
        SandboxedWorkers(lambda: workers.library("games.verifiers._maths_child", "sympy"), 1).ask({}, 5.0)


def test_a_worker_that_cannot_start_is_an_infrastructure_error():
    program = workers.Program(("-m", "games.no_such_module", str(1 << 30), "0"), bare=True)
    with pytest.raises(InfrastructureError):
        SandboxedWorkers(lambda: program, 1).ask({}, 5.0)


def test_wrong_parameters_say_what_is_allowed():
    with pytest.raises(UnknownName, match="did you mean"):
        gym("gdc")
    with pytest.raises(InputError, match="executes the answer"):
        gym("simple_integration")
    with pytest.raises(InputError, match="write default or a level from 0 to 4"):
        gym("sudoku", "small")
    with pytest.raises(InputError, match="difficulty is 'hard'"):
        gym("gcd", "hard")
    assert gym("lcm + gcd+gcd", "0").id == "reasoning-gym(families=gcd+lcm)"
    assert gym("gcd", "small+1", split="test").id == "reasoning-gym(families=gcd,difficulty=small+1,split=test)"
    assert tasks.make(gym("gcd", "small+1").id).kinds == gym("gcd", "small+1").kinds


@pytest.mark.parametrize(("answer", "reference", "same"), golden.rows(__file__, "reasoning_answers_that_are_the_same"))
def test_answers_that_are_the_same(answer, reference, same):
    assert same_answer(answer, reference) is same


@pytest.mark.parametrize(
    ("answer", "kind"), golden.rows(__file__, "reasoning_expressions_are_checked_without_running_them")
)
def test_expressions_are_checked_without_running_them(answer, kind):
    assert checks.expression([6, 61, 94, 4], 309, answer).kind == kind


def test_queens():
    puzzle = [["_", "Q", "_", "_"], *[["_"] * 4] * 3]
    right = "_ Q _ _\n_ _ _ Q\nQ _ _ _\n_ _ Q _"
    assert checks.queens(puzzle, right).ok
    assert checks.queens(puzzle, "_ _ Q _\nQ _ _ _\n_ _ _ Q\n_ Q _ _").kind == "fail"  # the given queen moved
    assert checks.queens(puzzle, "_ Q _ _\n_ _ _ Q\nQ _ _ _\n_ _ _ _").kind == "fail"
    assert checks.queens(puzzle, "_ Q _ _\nQ _ _ _\n_ _ _ Q\n_ _ Q _").kind == "fail"
    assert checks.queens(puzzle, "9**9**9").kind == "invalid"
