"""The settings that a training keeps in the store, and trainings that older versions stored."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import games
from games import InputError
from league.store import Store
from league.training.stored_runs import start_runs, training_spec, with_old_defaults
from tests.league.training.runs import KUHN, config

SPECS = {KUHN: games.make(KUHN).spec}


def older(folder: Path, *keys: str) -> dict[str, Any]:
    """The settings as a version stored them that did not have the settings `keys`."""
    settings = training_spec(config(folder), SPECS, "training", {}).to_json()
    for key in keys:
        *tables, last = key.split(".")
        table = settings["training"]
        for name in tables:
            table = table[name]
        del table[last]
    return settings


def resume(folder: Path, **more: Any) -> dict[str, Any]:
    c = config(folder, record=False, **more)
    with Store.open(c.db) as store, ExitStack() as stack:
        return start_runs(store, stack, c, SPECS, {}).rated.spec.other["training"]  # type: ignore[no-any-return]


def test_a_training_resumes_that_is_older_than_some_settings(tmp_path: Path) -> None:
    with Store.open(config(tmp_path).db) as store:
        stored = older(tmp_path, "loss.magnet_floor", "snapshots.gate", "overlap")
        store.start_run("kuhn", stored)
    assert resume(tmp_path) == stored["training"]


LEARNERS = {"learners": [{"name": "a"}, {"name": "b", "loss": {"tau": 0.2}}]}


def older_learners(folder: Path) -> dict[str, Any]:
    """The settings of two learners as a version stored them that lacked some of their keys."""
    settings = training_spec(config(folder, **LEARNERS), SPECS, "training", {}).to_json()
    for learner in settings["training"]["learners"]:
        del learner["overlong"], learner["replay"], learner["policy"]["think_budget"], learner["loss"]["filter"]
    return settings


def test_a_training_resumes_whose_learners_are_older_than_some_settings(tmp_path: Path) -> None:
    with Store.open(config(tmp_path).db) as store:
        stored = older_learners(tmp_path)
        store.start_run("kuhn", stored)
    assert resume(tmp_path, **LEARNERS) == stored["training"]
    with pytest.raises(InputError, match=r"another configuration: learners"):
        resume(tmp_path, learners=[{"name": "a"}, {"name": "b", "loss": {"tau": 0.2, "filter": "zero"}}])


def test_where_an_engine_runs_may_change_between_two_starts(tmp_path: Path) -> None:
    policy = {"model": "tiny(layers=1, hidden=32)", "engine": "vllm"}
    stored = resume(tmp_path, policy=policy)
    assert resume(tmp_path, policy=policy | {"vllm": {"gpus": [1], "max_rows": 8}}) == stored


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"loss": {"tau": 0.3, "magnet_floor": 0.1}}, r"loss\.magnet_floor is new: 0\.1"),
        ({"overlap": 1}, "overlap is new: 1"),
        ({"loss": {"tau": 0.4}}, r"loss\.tau was 0\.3, is 0\.4"),
    ],
)
def test_an_older_training_does_not_resume_with_other_settings(
    tmp_path: Path, more: dict[str, Any], words: str
) -> None:
    with Store.open(config(tmp_path).db) as store:
        store.start_run("kuhn", older(tmp_path, "loss.magnet_floor", "overlap"))
    with pytest.raises(InputError, match=f"another configuration: {words}"):
        resume(tmp_path, **more)


def test_a_training_stored_by_this_version_resumes(tmp_path: Path) -> None:
    assert resume(tmp_path) == resume(tmp_path)
    with pytest.raises(InputError, match="overlap was 0, is 1"):
        resume(tmp_path, overlap=1)


def test_a_training_from_before_the_setting_trains_truncated_answers_as_it_did(tmp_path: Path) -> None:
    c = config(tmp_path, record=False)
    with Store.open(c.db) as store:
        assert with_old_defaults(c, store).overlong is None
        stored = older(tmp_path, "overlong", "overlong_buffer")
        stored["training"]["policy"]["max_tokens"] = 256
        store.start_run("kuhn", stored)
    with Store.open(c.db) as store, ExitStack() as stack:
        kept = with_old_defaults(c, store)
        assert (kept.overlong, kept.policy.max_tokens) == ("train", 256)
        assert start_runs(store, stack, kept, SPECS, {}).rated.spec.other["training"] == stored["training"]


def test_a_training_from_before_the_setting_meets_partners_as_it_did(tmp_path: Path) -> None:
    c = config(tmp_path, record=False)
    with Store.open(c.db) as store:
        assert with_old_defaults(c, store).partners is None
        stored = older(tmp_path, "partners")
        store.start_run("kuhn", stored)
    with Store.open(c.db) as store, ExitStack() as stack:
        kept = with_old_defaults(c, store)
        assert kept.partners is False
        assert start_runs(store, stack, kept, SPECS, {}).rated.spec.other["training"] == stored["training"]
    with pytest.raises(InputError, match="another configuration: partners is new: True"):
        resume(tmp_path, partners=True)


def test_a_new_training_keeps_the_new_default(tmp_path: Path) -> None:
    c = config(tmp_path, record=False)
    with Store.open(c.db) as store, ExitStack() as stack:
        start_runs(store, stack, c, SPECS, {})
    with Store.open(c.db) as store:
        assert with_old_defaults(c, store) == c
