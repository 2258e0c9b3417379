"""Trainings that use a task pool: an interrupted run gives the same as an uninterrupted one."""

import pytest

from games import InputError
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.loop import Training
from league.training.run import run_training
from tests.league.training.runs import config

GAME = "psj-v0(solvers=2,size=1)"


def psj(folder, **more):
    settings = {
        "games": [GAME],
        "steps": 6,
        "matches_per_step": 12,
        "opponents": {"self": 1.0},
        "anchors": [],
        "snapshots": {"every": 6, "matches": 0},
        "evaluation": {"every": 6, "matches": 0, "exact": False},
        "tasks": {"share": 0.5, "curriculum": "frontier"},
    }
    return config(folder, **(settings | more))


def stored(c):
    with Store.open(c.db) as store:
        tasks, trials = store.tasks(store.run(c.name))
        planned = store.planned(store.run(f"{c.name}.training"))
        return [t.text for t in tasks], [(t.index, t.step, t.rate) for t in trials], [p.match.task for p in planned]


def test_matches_are_played_on_tasks_of_the_pool(tmp_path):
    c = psj(tmp_path)
    run_training(c, board="off")
    tasks, trials, planned = stored(c)
    assert 1 < len(tasks) <= 4
    assert len(set(tasks)) == len(tasks)
    assert {t for t in planned if t} <= set(tasks)
    assert planned[:12] == [""] * 12  # there was no task yet
    assert 15 <= sum(map(bool, planned)) <= 45
    assert max(step for _, step, _ in trials) == 5
    row = read_metrics(c.place)[-1]
    assert row["pool"] == len(tasks)
    assert row[f"valid/{GAME}"] == 1.0
    assert any(name.startswith("pool_gain/") for name in row)


@pytest.mark.parametrize("curriculum", ["frontier", "mopps(candidates=2)"])
def test_stopped_in_the_middle_it_resumes_with_the_same_pool(tmp_path, monkeypatch, curriculum):
    tasks = {"share": 0.5, "curriculum": curriculum}
    whole, broken = psj(tmp_path / "whole", tasks=tasks), psj(tmp_path / "broken", tasks=tasks)
    run_training(whole, board="off")
    write = Training._write

    def failing(self, *rest):
        write(self, *rest)
        if self.step == 5:
            raise RuntimeError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr(Training, "_write", failing)
        with pytest.raises(RuntimeError, match="the power went"):
            run_training(broken, board="off")
    assert max(step for _, step, _ in stored(broken)[1]) == 4  # the checkpoint is from 4 steps: step 4 is repeated
    assert run_training(broken, board="off").complete
    assert stored(broken)[:2] == stored(whole)[:2]
    assert read_metrics(broken.place) == read_metrics(whole.place)


def test_without_a_share_there_is_no_pool(tmp_path):
    c = psj(tmp_path, steps=2, tasks={})
    run_training(c, board="off")
    tasks, trials, planned = stored(c)
    assert tasks == trials == []
    assert not any(planned)


def test_a_role_is_credited_as_the_file_says(tmp_path):
    c = psj(tmp_path, steps=1, roles={"proposer": "proposer(difficulty='zero_at_zero(flat=-3)', duplicates=0)"})
    run_training(c, board="off")
    assert read_metrics(c.place)[-1][f"reward/{GAME}/proposer"] < 0.5


@pytest.mark.parametrize(
    ("roles", "words"),
    [({"prover": "proposer"}, "no game here has a role 'prover'"), ({"proposer": "proposer(x=1)"}, "allowed:")],
)
def test_a_wrong_role_is_refused_before_any_match(tmp_path, roles, words):
    with pytest.raises(InputError, match=words):
        run_training(psj(tmp_path, roles=roles), board="off")
