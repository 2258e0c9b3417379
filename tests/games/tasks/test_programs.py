"""The task source programs: results equal those of Python, programs differ, answers are literals."""

import pytest

import games
from games import InputError, tasks
from games.tasks.programs.source import ProgramSource


def run(code, argument):
    """Only for the programs of this project, whose steps are fixed."""
    scope = {}
    exec(code, scope)
    return scope["f"](eval(argument))


@pytest.mark.parametrize("split", tasks.SPLITS)
def test_answers_are_what_python_returns(split):
    source = ProgramSource(steps=5, split=split)
    for kind in source.kinds:
        for seed in range(12):
            task = source.draw(seed, kind)
            code, _, call = task.question.partition("\nWhat does f(")
            assert repr(run(code, call.removesuffix(") return?"))) == task.answer
            assert source.grade(task, f" {task.answer} ").ok
            assert source.load(task.id) == task


def test_thousands_of_programs():
    source = ProgramSource()
    made = {source.draw(seed).question.partition("\nWhat")[0] for seed in range(3000)}
    assert len(made) > 1000


def test_programs_with_arguments():
    source = ProgramSource()
    for seed in range(40):
        program = source.program(seed, 11)
        assert len(set(program.inputs)) == 11
        assert program.words
        for argument in program.inputs:
            run(program.code, argument)


def test_answers_are_parsed_and_never_evaluated():
    source = ProgramSource("text")
    kind = tasks.TaskKind("text", "1")
    task = tasks.SourceTask("programs#text/1/0/0", kind, "", "'tac'")
    assert source.grade(task, '"tac"').ok
    assert source.grade(task, "'cat'").kind == "fail"
    for text in ("tac", "", "'cat'[::-1]", "__import__('os')", "9**9**9"):
        assert source.grade(task, text).kind == "invalid"


def test_code_io_describes_generated_programs():
    pytest.importorskip("games.native.code_io")
    game = games.make("code-io(kind=induction, solvers=1, tasks=programs(steps=2))")
    shown = set()
    for seed in range(40):
        game.reset(seed)
        shown.add(game.observe("proposer").text)
    assert len(shown) > 30
    game.reset(1)
    game.apply({"proposer": game.examples("proposer")[0]})
    assert game.acting == ("solver_0",)
    game.apply({"solver_0": game.examples("solver_0")[0]})
    assert game.facts()["solve_rate"] == 1.0
    with pytest.raises(InputError, match="has no programs"):
        games.make("code-io(tasks=arithmetic)")
