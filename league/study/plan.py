"""The plan of a study: every run with all its settings, hashed before the first one starts."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from games import InputError
from games.naming import Name, parse_name
from league.config.toml_file import read_toml
from league.config.training import TrainingConfig, parse_training
from league.store import Store
from league.study.config import ArmConfig, Control, StudyConfig
from league.study.statistics import DRAWS, LEVEL

_PLACES = ("name", "db", "folder", "seed", "trackers", "concurrency", "ray")
"""settings that the study sets, or that say only where a run is played"""
_RANDOM = "random"


@dataclass(frozen=True, slots=True)
class StudyRun:
    """One training of a study."""

    arm: str
    seed: int
    config: TrainingConfig
    step: int
    """the step of the snapshot that is measured"""

    @property
    def player(self) -> str:
        """The name of that snapshot in the store."""
        return f"{self.config.name}@{self.step}"


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A study with all settings resolved."""

    config: StudyConfig
    base: Path
    runs: tuple[StudyRun, ...]
    """seed by seed, so that what is there when a study stops can be compared"""
    settings: Mapping[str, Any]
    """everything that may change a result, as plain JSON"""

    @property
    def hash(self) -> str:
        """The SHA-256 of the settings."""
        return hashlib.sha256(plain(self.settings).encode()).hexdigest()

    def matches(self, arm: str) -> int:
        """Returns the training matches of each run of an arm; 0 if it is measured untrained."""
        run = next(run for run in self.runs if run.arm == arm)
        return run.step * run.config.matches_per_step

    def same_policy(self, run: StudyRun) -> StudyRun:
        """Returns the first run with the policy of `run`: that of a loaded model before its first step has no seed."""
        same = (r for r in self.runs if r.arm == run.arm and r.config.policy == run.config.policy)
        return run if run.step else next(same)


def plain(settings: Any) -> str:
    """Returns settings as JSON with one form."""
    return json.dumps(settings, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def study_plan(config: StudyConfig, file: str | Path = "") -> StudyPlan:
    """Returns the plan of a study; `file` is its path, to which `base` is relative. Raises InputError."""
    base = Path(file).parent / Path(config.base).expanduser()
    data = read_toml(base, "training")
    runs = tuple(_run(config, data, arm, seed, base) for seed in config.seeds for arm in config.arms)
    first = {run.arm: run for run in runs[: len(config.arms)]}
    plan = StudyPlan(config, base, runs, _settings(config, first, base))
    _check_equal_matches(plan)
    return plan


def _run(study: StudyConfig, data: Mapping[str, Any], arm: ArmConfig, seed: int, base: Path) -> StudyRun:
    where = f"arm {arm.name!r} of {base}"
    changed = merged(merged(merged(data, study.settings), arm.settings), _of_control(arm.control))
    name = f"{study.name}.{arm.name}.{seed}"
    changed |= {"name": name, "db": study.db, "seed": seed, "trackers": []}
    changed |= {"folder": str(study.place / f"{arm.name}.{seed}")}
    config = parse_training(_with_own_weights(changed, seed), where)
    if config.policies or config.snapshots.gate is not None:
        what = "[[policies]]" if config.policies else "a gate under [snapshots]"
        raise InputError(f"{where}: a study measures one policy at its last step; leave out {what}")
    return StudyRun(arm.name, seed, config, 0 if arm.control == "untrained" else config.steps)


def merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings with some of them changed, tables inside tables too."""
    out = copy.deepcopy(dict(data))
    for key, value in changes.items():
        old = out.get(key, {})
        out[key] = merged(old, value) if isinstance(value, Mapping) and isinstance(old, Mapping) else value
    return out


def _of_control(control: Control | None) -> dict[str, Any]:
    """Returns what a control changes. An untrained run takes one step: its first snapshot is from before that."""
    if control == "permuted-returns":
        return {"returns": "permuted"}
    if control == "format-only":
        return {"returns": "format"}
    if control == "untrained":
        return {"steps": 1}
    if control == "random-opponent":
        shares = {"self": 0.0, "snapshots": 0.0, "live": 0.0, "anchors": 1.0}
        return {"opponents": shares, "anchors": [{"name": _RANDOM, "player": _RANDOM}]}
    return {}


def _with_own_weights(data: dict[str, Any], seed: int) -> dict[str, Any]:
    """Returns settings in which the tiny model, which is drawn and not loaded, has the weights of the seed."""
    model = data.get("policy", {}).get("model", "tiny") if isinstance(data.get("policy", {}), Mapping) else ""
    if not isinstance(model, str) or model.partition("(")[0] != "tiny":  # others may be folders, or NAME@STEP
        return data
    return merged(data, {"policy": {"model": str(Name("tiny", {**parse_name(model).params, "seed": seed}))}})


def _settings(config: StudyConfig, first: Mapping[str, StudyRun], base: Path) -> dict[str, Any]:
    arms = {
        arm.name: {
            "control": arm.control,
            "training": first[arm.name].config.model_dump(mode="json", by_alias=True, exclude=set(_PLACES)),
        }
        for arm in config.arms
    }
    study = config.model_dump(mode="json", include={"name", "seeds", "endpoints", "primary", "contrasts"})
    files = next(iter(first.values())).config.plugins
    imitated = {arm: _matches_digest(run.config) for arm, run in first.items() if run.config.imitation is not None}
    return study | {
        "arms": arms,
        **({"imitated": imitated} if imitated else {}),
        "plugins": {path: _digest(base.parent / Path(path).expanduser()) for path in files},
        "statistics": {"draws": DRAWS, "level": LEVEL},
    }


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot read the plugin {path}: {error.strerror}") from None


def _matches_digest(config: TrainingConfig) -> str:
    """Returns the SHA-256 of the matches that a training imitates: another store may change. Raises InputError."""
    source, digest = config.imitation, hashlib.sha256()
    assert source is not None
    with Store.open(source.db or config.db, read_only=True) as store:
        for _, e in store.episodes(store.run(source.run)):
            actions = [(turn.seat, turn.action) for turn in e.turns]
            digest.update(msgspec.json.encode((e.game, e.seed, e.task, e.seats, actions, e.returns, e.status)))
    return digest.hexdigest()


def _check_equal_matches(plan: StudyPlan) -> None:
    """Raise InputError if two trained arms play different numbers of matches."""
    counts = {arm.name: plan.matches(arm.name) for arm in plan.config.arms if arm.control != "untrained"}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{arm} {n:,}" for arm, n in counts.items())
        raise InputError(
            f"the arms of a study play equally many training matches; steps x matches_per_step is: {listed}; change "
            "steps or matches_per_step of an arm"
        )
