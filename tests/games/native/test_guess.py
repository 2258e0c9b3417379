"""Tasks of code-io-v1 that can be guessed are refused, honest ones are not; code-io-v0 takes both."""

import pytest

import games
from games.native.code_io.examples import SEEDS
from games.native.code_io.guess import neighbours, refuse_guessable
from games.native.code_io.programs import Unfit
from games.native.code_io.tasks import Task, made
from games.verifiers import python

pytestmark = pytest.mark.skipif(python.unavailable() is not None, reason=str(python.unavailable()))


def task(body, *inputs, kind="deduction"):
    return made(Task(kind, f"def f(x):\n    return {body}", inputs))


@pytest.mark.parametrize(
    ("body", "given", "kind", "why"),
    [
        ("pow(x, 12345, 7)", "321", "deduction", "it can be guessed"),
        ("pow(x, 12345, 2)", "321", "abduction", "it can be guessed"),
        ("4", "321", "deduction", "it can be guessed"),
        ("x", "321", "deduction", "copying solves it"),
        ("len(x) > 2", "'hello'", "deduction", "it can be guessed"),
    ],
)
def test_a_task_that_can_be_guessed_is_refused(body, given, kind, why):
    found = task(body, given, kind=kind)
    with pytest.raises(Unfit, match=why):
        refuse_guessable(found, 0.25)
    refuse_guessable(found, 1.0)  # as published


def test_an_induction_of_one_answer_is_refused():
    with pytest.raises(Unfit, match="most cases"):
        refuse_guessable(task("x > 3", *map(str, range(8, 16)), kind="induction"), 0.25)


@pytest.mark.parametrize(
    ("body", "given"), [("x * 31 + 7", "12"), ("x[::-1]", "'abcdefgh'"), ("[i * 2 for i in x]", "[3, 1, 4]")]
)
def test_a_task_with_many_answers_is_not(body, given):
    refuse_guessable(task(body, given), 0.25)
    refuse_guessable(task(body, given, kind="abduction"), 0.25)


def test_most_examples_that_a_proposer_is_shown_would_be_accepted():
    refused = []
    for code, args, said in SEEDS:
        try:
            refuse_guessable(made(Task("deduction", code, (args,))), 0.25)
        except Unfit:
            refused.append(said)
    assert len(refused) <= 3, refused


def test_neighbours_are_different_and_repeat():
    found = neighbours("[3, 1], 'ab', 5", 24)
    assert len(found) == len({repr(args) for args in found}) == 24
    assert found == neighbours("[3, 1], 'ab', 5", 24)
    assert [[3, 1], "ab", 5] not in found


def test_the_game_refuses_it_by_default_and_the_published_one_does_not():
    proposal = "```python\ndef f(x):\n    return pow(x, 12345, 7)\n```\n```input\n321\n```"
    for id, verdict in (("code-io(kind=deduction)", "invalid"), ("code-io-v0(kind=deduction)", "pass")):
        game = games.make(id)
        game.reset(0)
        game.apply({"proposer": proposal})
        assert game.facts()["verdict"] == verdict
