"""Every planted bug of a curriculum is found by the check it belongs to; ours are clean."""

import random

import pytest

from games import plugins
from league.conformance.curricula import CHECKS, check_curriculum
from league.tasks.curricula import CURRICULA, Curriculum, Pick, register
from tests.toys.faults import having, returning


class Counting(Curriculum):
    """Tasks that were played least come first; the smallest correct curriculum with a state."""

    def __init__(self):
        self.played = {}

    def order(self, game, tasks, budget, stream):
        while True:
            yield from (Pick(t) for t in sorted(stream.shuffled(tasks), key=lambda t: self.played.get(str(t.index), 0)))

    def observe(self, step, results):
        for found in results.values():
            for result in found:
                index = str(result.task.index)
                self.played[index] = self.played.get(index, 0) + 1

    def state_dict(self):
        return {"played": self.played}

    def load_state_dict(self, state):
        self.played = dict(state.get("played", {}))


def at_random(self, game, tasks, budget, stream):
    while True:
        yield Pick(random.choice(tasks))


FAULTS = [
    (having(Counting, order=lambda self, game, tasks, *_: (Pick(task) for task in tasks[:1])), "chosen"),
    (returning(Counting, order=lambda picks, *_: (pick._replace(matches=2) for pick in picks)), "chosen"),
    (having(Counting, order=at_random), "repeats"),
    (having(Counting, state_dict=lambda self: {}), "resumes"),
    (having(Counting, predict=lambda self, game, task: 1.5), "predictions"),
    (having(Counting, temperature=lambda self, step: 2.0), "predictions"),
]


@pytest.mark.parametrize(("made", "check"), FAULTS)
def test_a_bug_is_found_by_its_check(made, check):
    with plugins.isolated():
        register("broken")(made)
        assert check in {finding.check for finding in check_curriculum("broken").findings}


class Bare(Counting):
    def order(self, game, tasks, budget, stream):
        while True:
            yield from tasks


def test_a_task_in_place_of_a_pick_is_told_what_to_write():
    with plugins.isolated():
        register("broken")(Bare)
        messages = {finding.message for finding in check_curriculum("broken").findings}
    (full,) = messages - {"the same as chosen"}
    assert full.startswith("curriculum Bare: order gave a PooledTask; write `yield Pick(task)`")


class WithoutOrder(Curriculum):
    pass


class Worded(Counting):
    def predict(self, game, task):
        return "hard"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (WithoutOrder, "WithoutOrder has no method order; write `def order(self, game, tasks, budget, stream)`"),
        (Worded, "predict returned 'hard'; return a solve rate from 0 to 1, or None (test_curricula.py, line"),
    ],
)
def test_a_method_that_is_missing_or_gives_text_is_named(made, words):
    with plugins.isolated():
        register("broken")(made)
        messages = [finding.message for finding in check_curriculum("broken").findings]
    assert words in messages[0]
    assert set(messages[1:]) <= {f"the same as {check}" for check in CHECKS}


def test_ours_are_clean():
    with plugins.isolated():
        register("counting")(Counting)
        for id in CURRICULA.ids():
            report = check_curriculum(id)
            assert report.ok, f"{id}: {report.findings}"
            assert {check.name for check in report.checks} == set(CHECKS)
