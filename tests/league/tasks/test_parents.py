"""Which tasks become parents, and a training whose pool grows by variants."""

from collections import Counter

import pytest

from games.native.evolve.texts import EVOLVE
from games.randomness import RandomStream
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tasks.parents import draw_parent
from league.training.run import run_training
from tests.league.tasks.curricula.pools import task
from tests.league.training.runs import config

RATES = (None, 0.0, 0.25, 0.75, 1.0)


@pytest.mark.parametrize(
    ("rule", "shares"),
    [
        ("uniform", (0, 0.25, 0.25, 0.25, 0.25)),
        ("eva", (0, 0, 0.5, 0.5, 0)),
        ("failures", (0, 1, 0, 0, 0)),
        ("socratic", (0, 0.5, 0.375, 0.125, 0)),
    ],
)
def test_shares_by_hand(rule, shares):
    tasks, stream = [task(i, rate) for i, rate in enumerate(RATES)], RandomStream(1)
    found = Counter(draw_parent(rule, tasks, stream).index for _ in range(4000))
    assert [found[i] / 4000 for i in range(5)] == pytest.approx(shares, abs=0.03)


def test_without_a_task_that_fits_all_tried_tasks_do():
    tasks, stream = [task(0), task(1, 1.0), task(2, 1.0)], RandomStream(1)
    assert {draw_parent("failures", tasks, stream).index for _ in range(50)} == {1, 2}
    assert draw_parent("eva", [task(0)], stream) is None


def evolving(folder, **more):
    settings = {
        "games": ["evolve(solvers=2,size=2)"],
        "steps": 5,
        "matches_per_step": 6,
        "opponents": {"self": 1.0},
        "anchors": [],
        "snapshots": {"every": 5, "matches": 0},
        "evaluation": {"every": 5, "matches": 0, "exact": False},
        "tasks": {"share": 0.3, "curriculum": "mopps", "parents": "socratic"},
    }
    return config(folder, **(settings | more))


def test_a_training_makes_variants_of_pooled_tasks_and_keeps_their_parents(tmp_path):
    c = evolving(tmp_path)
    run_training(c, board="off")
    with Store.open(c.db) as store:
        tasks, trials = store.tasks(store.run(c.name))
        played = [episode for _, episode in store.episodes(store.run(f"{c.name}.training"))]
    by_index = {t.index: t for t in tasks}
    made = [t for t in tasks if t.parents]
    assert {parent < t.index for t in made for parent in t.parents} == {True}
    for one in made:
        (parent,) = (by_index[i].text.split(" + ") for i in one.parents)
        assert sum(a != b for a, b in zip(parent, one.text.split(" + "), strict=True)) == 1
    varied = [e for e in played if e.task.startswith(EVOLVE)]
    assert varied
    assert all(e.facts["parents"] == [e.task.removeprefix(EVOLVE)] for e in varied)
    assert all(e.task == "" for e in played[:6])  # nothing was tried yet
    assert {trial.answers for trial in trials} == {2}
    assert any("pool_generation" in row for row in read_metrics(c.place))
