"""Environments of Prime Intellect's verifiers as task sources: questions, grades, refusals."""

from pathlib import Path

import pytest

import arena
from games import InfrastructureError, InputError, tasks
from tests import golden

pytest.importorskip("verifiers")
EXAMPLES = Path(__file__).parents[3] / "scripts/examples/environments"
LETTERS = "verifiers(environment=letter-order(letters=8))"
TAGGED = golden.text(__file__, "tasks_tagged.py.txt")


@pytest.fixture(autouse=True)
def _importable(monkeypatch, tmp_path):
    (tmp_path / "tagged_sums.py").write_text(TAGGED)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("seed", range(3))
def test_the_environment_grades(seed):
    source = tasks.make(LETTERS)
    task = source.draw(seed)
    first, second = task.question.partition("alphabet, ")[2][:6].split(" or ")
    assert task.answer == min(first, second)
    assert source.grade(task, task.answer).ok
    assert source.grade(task, max(first, second)).reason == "the environment pays 0"
    assert tasks.make(source.id).load(task.id) == task


def test_a_form_and_a_smaller_reward():
    id = "verifiers(environment=tagged-sums,field=solution,form='<answer>{}</answer>',reward=0.5)"
    source = tasks.make(id)
    task = source.draw(1)
    assert task.question == f"What is {int(task.answer) - 1} + 1?"
    assert source.grade(task, task.answer).ok
    assert source.grade(task, "0").kind == "fail"
    assert source.grade(task, "x").kind == "invalid"  # on which its reward raises
    assert tasks.make(source.id).id == source.id
    with pytest.raises(InfrastructureError, match="no route"):
        source.grade(task, "away")


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("verifiers", "environment"),
        ("verifiers(environment=number-guess)", "which needs one agent and one reply; play it as a game"),
        ("verifiers(environment=split-pie)", "which needs one agent and one reply; play it as a game"),
        ("verifiers(environment=letter-order,field=solution)", "set field= to one of answer"),
        ("verifiers(environment=letter-order,form=x)", "write {} once"),
        ("verifiers(environment=letter-order,form='[{}]')", "its own answer 'a' earns 0, not 1; set form="),
        ("verifiers(environment=letter-order,reward=2.0)", "earns 1, not 2"),
        ("verifiers(environment=no-such-tasks)", "there is no package 'no_such_tasks' here"),
    ],
)
def test_what_is_no_source_is_said_in_one_line(id, said):
    with pytest.raises(InputError) as error:
        tasks.make(id)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_game_poses_the_tasks():
    episode = arena.play(f"solve(tasks={LETTERS})", ["random"])
    assert episode.status == "finished"
    assert "comes first in the alphabet" in episode.facts["question"]
    assert episode.facts["task"].startswith("verifiers#letter-order/all/")
