"""What a study file may say, and what is refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games import InputError
from league import run_tournament
from league.config.toml_file import OWN_KEYS
from league.config.training import TrainingConfig
from league.study.config import StudyConfig, load_study, parse_study
from league.study.plan import study_plan
from tests.league.study.files import ENDPOINT, study

EXAMPLE = Path(__file__).parents[3] / "scripts" / "examples" / "study_kuhn.toml"


def test_arms_and_controls_change_the_training_file(tmp_path):
    arms = [
        {"name": "a", "optimizer": {"betas": [0.5, 0.5]}},
        {"name": "b", "control": "permuted-returns"},
        {"name": "c", "control": "random-opponent"},
        {"name": "d", "control": "format-only"},
        {"name": "e", "control": "untrained"},
    ]
    file = study(tmp_path, arms=arms, seeds=[3, 7])
    runs = study_plan(load_study(file), file).runs
    assert [(run.arm, run.seed) for run in runs[3:7]] == [("d", 3), ("e", 3), ("a", 7), ("b", 7)]
    a, b, c, d, e = (run.config for run in runs[:5])
    assert (a.optimizer.lr, a.optimizer.betas) == (0.01, (0.5, 0.5))
    assert (b.returns, d.returns, e.steps, runs[4].player) == ("permuted", "format", 1, "s.e.3@0")
    assert (c.opponents.self_play, c.opponents.anchors, [x.player for x in c.anchors]) == (0, 1, ["random"])
    assert (runs[5].config.seed, runs[5].config.policy.model) == (7, "tiny(layers=1,hidden=32,seed=7)")


@pytest.mark.parametrize("model", ["kuhn@40", "runs/kuhn/snapshots/kuhn@40", "Qwen/Qwen3-0.6B"])
def test_an_arm_may_start_from_a_snapshot_or_another_model(tmp_path, model):
    file = study(tmp_path, arms=[{"name": "a", "policy": {"model": model}}, {"name": "b"}])
    assert {run.config.policy.model for run in study_plan(load_study(file), file).runs if run.arm == "a"} == {model}


def test_the_hash_covers_what_changes_a_result_and_not_where_it_is_stored(tmp_path):
    def hash(**more: Any) -> str:
        file = study(tmp_path, **more)
        return study_plan(load_study(file), file).hash

    assert hash() == hash(db=f"sqlite:///{tmp_path}/other.db")
    others = [hash(seeds=3), hash(settings={"group": 2}), hash(endpoints=[ENDPOINT | {"measure": "exploitability"}])]
    assert len({hash(), *others}) == 4


def test_the_hash_covers_the_matches_that_are_imitated(tmp_path):
    db = f"sqlite:///{tmp_path}/teachers.db"
    teachers = {"name": "t", "db": db, "games": [ENDPOINT["game"]], "rounds": 2}
    both = [{"name": name, "player": "random"} for name in "ab"]

    def hash(seed: int) -> str:
        for path in tmp_path.glob("teachers.db*"):
            path.unlink()
        run_tournament(teachers | {"seed": seed, "players": both}, board="off")
        file = study(tmp_path, settings={"imitation": {"run": "t", "db": db}})
        return study_plan(load_study(file), file).hash

    assert hash(1) == hash(1) != hash(2)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"seeds": 1}, "seeds"),
        ({"primary": "x"}, "primary is 'x'; the endpoints are: nc"),
        ({"contrasts": [["a", "z"]]}, "no arm is called 'z'; the arms are: a, b"),
        ({"arms": [{"name": "a", "seed": 1}, {"name": "b"}]}, "settings and arms cannot set seed"),
        ({"arms": [{"name": "a"}, {"name": "a"}]}, "arm 'a' is there twice"),
        ({"arms": [{"name": "a"}, {"name": "b", "stps": 1}]}, "arm 'b' .*stps"),
        ({"arms": [{"name": "a"}, {"name": "b", "steps": 9}]}, "is: a 8, b 36; change steps"),
        ({"endpoints": [ENDPOINT | {"against": "random"}]}, "measure = 'nash_conv' does not take against"),
        ({"endpoints": [{"name": "nc", "measure": "accuracy"}]}, "measure = 'accuracy' needs suite"),
        ({"settings": {"snapshots": {"gate": {}}}}, "leave out a gate"),
    ],
)
def test_what_a_study_refuses(tmp_path, changes, line):
    file = study(tmp_path, **changes)
    with pytest.raises(InputError, match=line) as error:
        study_plan(load_study(file), file)
    assert "\n" not in str(error.value)


def test_the_keys_of_a_study_file_are_its_own():
    assert OWN_KEYS["study"] | {"name", "db", "folder", "settings"} == {*StudyConfig.model_fields}
    assert not OWN_KEYS["study"] & {*TrainingConfig.model_fields}


def test_the_example_has_every_kind_of_comparison():
    config = load_study(EXAMPLE)
    assert study_plan(config, EXAMPLE).matches("untrained") == 0
    assert parse_study(config.model_dump()) == config


def test_an_untrained_model_that_is_loaded_is_measured_once():
    def of(file, arm):
        path = EXAMPLE.with_name(file)
        plan = study_plan(load_study(path), path)
        return [plan.same_policy(run).seed for run in plan.runs if run.arm == arm]

    assert of("study_smollm2.toml", "untrained") == [0] * 5
    assert of("study_smollm2.toml", "self-play") == [0, 1, 2, 3, 4]
    assert of(EXAMPLE.name, "untrained") == [0, 1, 2, 3, 4]  # a tiny model is drawn with its seed
