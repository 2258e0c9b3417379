"""A training that starts from a snapshot of another one in its store."""

from pathlib import Path

import pytest

from arena.inference import adapters, models
from games import InputError
from league import run_training
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.evaluate import evaluate_player
from league.training.resolve import resolve
from tests.league.training.runs import KUHN, config

BRIEF = {
    "steps": 1,
    "anchors": [],
    "opponents": {"self": 1.0, "snapshots": 0.0, "anchors": 0.0},
    "snapshots": {"every": 1, "matches": 0},
    "evaluation": {"every": 1, "matches": 0, "exact": True},
    "policy": {"model": "tiny(layers=1, hidden=32)", "show_rules": False},
    "optimizer": {"lr": 3e-2},
}


def test_a_policy_starts_from_a_snapshot_and_keeps_its_lineage(tmp_path):
    first = config(tmp_path / "first", **BRIEF, db=f"sqlite:///{tmp_path}/arena.db")
    run_training(first, board="off")
    with pytest.raises(InputError, match=r"kuhn@7"):
        resolve(
            first.model_copy(update={"name": "next", "policy": first.policy.model_copy(update={"model": "kuhn@7"})})
        )
    table = BRIEF["policy"] | {"model": "kuhn@1"}
    then = config(tmp_path / "then", **BRIEF | {"name": "next", "policy": table}, db=str(first.db))
    run_training(then, board="off")
    start, end = (read_metrics(c.place)[i][f"nash_conv/{KUHN}"] for c, i in ((then, 0), (first, 1)))
    assert start == pytest.approx(end, abs=1e-6)
    assert end != pytest.approx(read_metrics(first.place)[0][f"nash_conv/{KUHN}"], abs=1e-3)
    with Store.open(then.db, read_only=True) as store:
        run = store.run("next")
        assert [e.text for e in store.events(run) if e.kind == "lineage"] == ["next starts from kuhn@1"]
        assert run.spec.training.policy.model == "kuhn@1"
    assert run_training(then.model_copy(update={"steps": 2}), board="off").complete
    exact = evaluate_player("next@0", KUHN, matches=0, db=then.db).exact
    assert exact.nash_conv == pytest.approx(end, abs=1e-5)


def test_a_policy_learns_from_a_snapshot_as_its_teacher(tmp_path):
    first = config(tmp_path / "first", **BRIEF, db=f"sqlite:///{tmp_path}/arena.db")
    run_training(first, board="off")
    loss = {"name": "distill", "teacher": "kuhn@1"}
    then = config(tmp_path / "then", **BRIEF | {"name": "next", "loss": loss, "steps": 12}, db=str(first.db))
    run_training(then, board="off")
    names = ("kuhn@1", "next@0", "next@12")
    taught, start, end = (evaluate_player(name, KUHN, matches=0, db=then.db).exact.nash_conv for name in names)
    assert abs(end - taught) < 0.3 * abs(start - taught)
    with pytest.raises(InputError, match=r"kuhn@7"):
        resolve(then.model_copy(update={"name": "other", "loss": then.loss.model_copy(update={"teacher": "kuhn@7"})}))


def test_adapters_that_learn_on_top_of_an_adapter_leave_whole_models(tmp_path):
    table = BRIEF["policy"] | {"lora": 4, "model": "tiny(layers=1, hidden=32)"}
    first = config(tmp_path / "first", **BRIEF | {"policy": table}, db=f"sqlite:///{tmp_path}/arena.db")
    run_training(first, board="off")
    adapter = first.place / "snapshots" / "kuhn@1"
    assert adapters.base_of(adapter) == table["model"]
    then = config(
        tmp_path / "then", **BRIEF | {"name": "next", "policy": table | {"model": str(adapter)}}, db=str(first.db)
    )
    run_training(then, board="off")
    for step in (0, 1):
        snapshot = then.place / "snapshots" / f"next@{step}"
        assert adapters.find(snapshot) is None  # an engine that serves adapters of one base plays it as a whole model
        assert Path(snapshot, "model.safetensors").is_file()
        models.load(str(snapshot), "fp32", "cpu")
    last = config(
        tmp_path / "last", **BRIEF | {"name": "last", "policy": table | {"model": "next@1"}}, db=str(first.db)
    )
    run_training(last, board="off")
