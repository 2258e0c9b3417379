"""Suites that a training measures itself by, and their size."""

import pytest

from games import InputError
from league.records.metrics_file import read_metrics
from league.training.measures.evaluation_size import evaluation_size
from league.training.measures.suites import paired_gain, trained_families
from league.training.run import run_training
from league.views.training_panels import MetricsHistory
from tests.league.training.runs import KUHN, config, plans

SOLVE = "solve-v1(tasks=arithmetic(operation=add,digits=1))"
SETTINGS = {
    "games": [SOLVE],
    "steps": 2,
    "matches_per_step": 4,
    "policy": {"model": "tiny(layers=1, hidden=32)", "decode": "free", "max_tokens": 4},
    "opponents": {"self": 1.0},
    "anchors": [],
    "snapshots": {"every": 2, "matches": 0},
    "evaluation": {"every": 1, "matches": 0, "suite": "arithmetic(digits=1)", "suite_tasks": 3},
    "checkpoint": {"every": 1},
}


def test_a_training_measures_its_policy_on_a_suite(tmp_path):
    run_training(config(tmp_path, **SETTINGS), board="off")
    rows = read_metrics(tmp_path / "run")
    assert [row["step"] for row in rows] == [0, 1, 2]
    for row in rows:
        for path in ("arithmetic/add/2x1", "arithmetic/multiply/2x1", "trained", "untrained", "all"):
            low, rate, high = (row[f"accuracy{end}/{path}"] for end in ("_low", "", "_high"))
            assert low <= rate <= high
            assert 0 <= row[f"accuracy_constant/{path}"] <= 1
    assert "accuracy_gain/all" not in rows[0]
    assert rows[2]["accuracy_gain_low/all"] <= rows[2]["accuracy_gain/all"] <= rows[2]["accuracy_gain_high/all"]


def test_a_resumed_training_repeats_the_metrics(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run_training(config(whole, **SETTINGS), board="off")
    run_training(config(parts, **SETTINGS | {"steps": 1}), board="off")
    run_training(config(parts, **SETTINGS), board="off")
    ours, theirs = read_metrics(whole / "run")[2], read_metrics(parts / "run")[2]
    same = [key for key in ours if key.startswith("accuracy")]
    assert len(same) > 30
    assert {key: ours[key] for key in same} == {key: theirs[key] for key in same}


def test_a_game_with_tasks_for_measuring_does_not_train(tmp_path):
    bad = SETTINGS | {"games": ["solve-v1(tasks=arithmetic(split=test))"]}
    with pytest.raises(InputError, match="for measuring"):
        run_training(config(tmp_path, **bad), board="off")


def test_a_suite_of_training_tasks_is_refused(tmp_path):
    bad = SETTINGS | {"evaluation": SETTINGS["evaluation"] | {"suite": "arithmetic(split=train)"}}
    with pytest.raises(InputError, match="training tasks"):
        run_training(config(tmp_path, **bad), board="off")


def test_trained_families():
    assert trained_families([SOLVE, "psj-v1"]) == {("arithmetic", "add")}


def test_the_gain_on_the_same_tasks():
    pairs = [(False, True)] * 30 + [(True, False)] * 10 + [(True, True)] * 60
    gain, low, high = paired_gain(pairs)
    assert gain == pytest.approx(0.2)
    assert (low, high) == pytest.approx((0.0791, 0.3131), abs=1e-4)
    assert paired_gain([(True, True)] * 50)[0] == 0.0


def test_the_board_shows_accuracy_with_interval_and_constant():
    row = {"step": 0, "accuracy/all": 0.5, "accuracy_low/all": 0.25, "accuracy_high/all": 0.75}
    gain = {"accuracy_gain/all": 0.25, "accuracy_gain_low/all": -0.05, "accuracy_gain_high/all": 0.5}
    history = MetricsHistory([row | {"accuracy_constant/all": 0.1} | gain])
    shown = {curve.label: curve.value for panel in history.panels(10, {}) for curve in panel.curves}
    assert shown["accuracy, all"] == "50% [25%, 75%], constant 10%"
    assert shown["accuracy gained, all"] == "+25% [-5%, +50%]"


LEDUC = "openspiel/leduc_poker"


def size(tmp_path, game=LEDUC, anchors=2, **more):
    plan, policy = plans(config(tmp_path, games=[game], **more))
    return evaluation_size(plan, policy, {game: ["anchor"] * anchors})


def test_an_exact_evaluation_reads_at_most_what_the_steps_between_play(tmp_path):
    small = size(tmp_path, matches_per_step=8, steps=500, evaluation={})
    assert small.left_out == {LEDUC: 936}
    assert not small.tabulated
    assert any("its 936 positions are more than the 400 matches" in line for line in small.lines())
    large = size(tmp_path, matches_per_step=32, steps=500, evaluation={})
    assert not large.left_out
    assert len(large.tabulated[LEDUC].decisions) == 936
    assert size(tmp_path, game=KUHN, matches_per_step=8, steps=500, evaluation={}).tabulated


def test_steps_that_are_fewer_than_the_interval_count(tmp_path):
    """A training of 4 steps with an evaluation every 50 plays 4 steps between its two evaluations."""
    assert size(tmp_path, matches_per_step=32, steps=4, evaluation={}).left_out == {LEDUC: 936}


def test_a_setting_overrides_the_default(tmp_path):
    forced = size(tmp_path, matches_per_step=8, evaluation={"exact": True, "matches": 70})
    assert not forced.left_out
    assert forced.tabulated
    assert forced.matches == 70
    none = size(tmp_path, matches_per_step=8000, evaluation={"exact": False, "matches": 0})
    assert not none.left_out
    assert not none.tabulated
    assert none.matches == 0


@pytest.mark.parametrize(
    ("steps", "per_step", "anchors", "matches"), [(2, 8, 2, 2), (500, 8, 2, 50), (500, 1, 2, 6), (500, 8, 0, 0)]
)
def test_the_matches_against_anchors_are_at_most_half_of_those_between(tmp_path, steps, per_step, anchors, matches):
    chosen = size(tmp_path, anchors=anchors, matches_per_step=per_step, steps=steps, evaluation={})
    assert chosen.matches == matches
    assert chosen.matches * anchors * 2 <= chosen.between / 2
