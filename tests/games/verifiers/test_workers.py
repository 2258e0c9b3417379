"""Workers of libraries: what one writes is an answer or nothing, and one that is spoiled is replaced."""

import os
import select

import pytest

from games.errors import InfrastructureError
from games.verifiers import maths
from games.verifiers.workers import Program, SandboxedWorkers, library
from tests import golden
from tests.games.verifiers.needs import mathematical, sandboxed

pytestmark = [sandboxed, mathematical]

_SOURCE = golden.text(__file__, "workers_source.py.txt")


def _program():
    real = library("games.verifiers._maths_child", "sympy")
    return Program(("-c", _SOURCE, *real.words[2:]), real.binds, real.environment)


@pytest.fixture(scope="module")
def workers():
    made = SandboxedWorkers(_program, 1)
    yield made
    made.close()


@pytest.mark.parametrize(
    "raw", ["[" * 100_000, '{"a":' * 100_000, '{"said": NaN}', '{"said": 1}\n{"said": 2}', "[1]", "9" * 5000, "\0"]
)
def test_what_is_no_answer_is_none_and_the_next_question_gets_its_own(workers, raw):
    assert workers.ask({"raw": f"{raw}\n"}, 60) is None
    assert workers.ask({"say": 5}, 60) == {"said": 5}


def test_what_a_worker_writes_after_its_answer_is_not_the_next_one(workers):
    assert workers.ask({"late": 1}, 60) == {"said": 0}
    stdout = workers._idle[-1]._process.stdout
    assert stdout is not None
    assert select.select([stdout], [], [], 60)[0]
    assert workers.ask({"say": 7}, 60) == {"said": 7}


def test_a_worker_that_earlier_questions_left_without_memory_is_replaced(workers):
    assert workers.ask({"grow": 1}, 60) == {"said": 0}
    assert workers.ask({"grow": 1, "say": 3}, 60) == {"said": 3}


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a worker a user of its own, whose processes are counted")
def test_a_worker_starts_few_processes(workers):
    said = workers.ask({"fork": 1}, 60)
    assert said is not None
    assert said["started"] < 100


@mathematical
@pytest.mark.parametrize("said", [{}, {"equal": 1}, {"equal": "True"}, {"equal": [True]}])
def test_an_answer_that_is_none_of_the_possible_ones_passes_nothing(said, monkeypatch):
    class Lying:
        def ask(self, message, seconds):
            return said

    monkeypatch.setattr(maths, "_workers", Lying)
    with pytest.raises(InfrastructureError):
        maths.equal("1", "1")
    assert not maths.settles("1")
