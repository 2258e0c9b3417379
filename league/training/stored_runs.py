"""The runs of a training in the store, and the settings that they keep."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from arena.settings import Settings
from games import GameSpec, plugins
from league.config.learners import LearnerTable
from league.config.opponents import AnchorConfig
from league.config.phases import FreezeConfig, PhaseConfig
from league.config.tournament import PlayerConfig
from league.config.training import GameConfig, TrainingConfig
from league.records.game_info import GameInfo
from league.records.run_spec import RunKind, RunSpec
from league.runs.game_ids import stored_run
from league.store import Run, Store
from league.store.runs import refuse_other_run

_TOP = {"name", "db", "folder", "seed", "steps", "concurrency", "evaluation", "checkpoint", "alarms", "record"}
_TOP |= {"trackers", "plugins", "games", "ratings", "workers", "ray", "learner"}
_ENGINE = {"vllm"}
_CHANGEABLE: dict[str, Any] = dict.fromkeys(_TOP, True) | {
    "policy": _ENGINE,
    "learners": {"__all__": {"policy": _ENGINE}},
}
"""settings that a resumed training may change, or that the store keeps outside `training`"""

_CHANGEABLE_FILE = {"games", "evaluation", "checkpoint", "alarms", "record", "ratings", "learner"}
"""those of them that the store keeps, so that the file of a training can be written again"""

OLD: Mapping[str, Any] = {"overlong": "train", "partners": False}
"""setting without a fixed default -> what trainings did before there was the setting"""


@dataclass(frozen=True, slots=True)
class TrainingRuns:
    """The runs of a training in the store."""

    rated: Run
    """matches that rate its snapshots"""
    training: Run | None
    """matches it learns from; None if they are not stored"""
    gate: Run | None
    """matches of the promotion tests; None without a gate"""

    def all(self) -> list[Run]:
        """The runs that exist."""
        return [run for run in (self.rated, self.training, self.gate) if run is not None]


def start_runs(
    store: Store, stack: ExitStack, config: TrainingConfig, specs: Mapping[str, GameSpec], named: Mapping[str, str]
) -> TrainingRuns:
    """Start the runs, or reopen them if they exist. They stay locked until the stack is closed.

    `named` maps anchors to the names that the file gives them in the store. Raises InputError if the stored settings
    differ.
    """

    kinds = run_names(config)

    def start(kind: RunKind) -> Run:
        name = kinds[kind]
        settings = training_spec(config, specs, kind, named, name).to_json()
        if (old := stored_run(store, name)) is not None:
            for key, before in OLD.items():
                if settings["training"][key] == before and key not in old.spec.other["training"]:
                    del settings["training"][key]
            settings["training"] = _without_newer_settings(settings["training"], old.spec.other["training"])
        run = store.start_run(name, settings)
        stack.enter_context(store.exclusive(run))
        return run

    return TrainingRuns(
        training=start("record") if "record" in kinds else None,
        gate=start("gate") if "gate" in kinds else None,
        rated=start("training"),  # last: boards show the newest run
    )


def run_names(config: TrainingConfig) -> dict[RunKind, str]:
    """Returns the names of the runs that a training has in the store."""
    names: dict[RunKind, str] = {"training": config.name}
    if config.record:
        names["record"] = f"{config.name}.training"
    if any(each.snapshots.gate is not None for each in config.learners or (config,)):
        names["gate"] = f"{config.name}.gate"
    return names


def refuse_other_runs(store: Store, config: TrainingConfig) -> None:
    """Raises InputError if the store has another run by the name of one of this training's; nothing is stored yet."""
    for kind, name in run_names(config).items():
        if (old := stored_run(store, name)) is not None:
            refuse_other_run(old, kind, "" if kind == "training" else config.name, store.url)


def with_old_defaults(config: TrainingConfig, store: Store) -> TrainingConfig:
    """The settings of a training; one that was started with older defaults and is resumed keeps them."""
    run = stored_run(store, config.name)
    if run is None or run.kind == "tournament":
        return config
    stored = run.spec.other["training"]
    missing = {key: before for key, before in OLD.items() if getattr(config, key) is None and key not in stored}
    config = config.model_copy(update=missing)
    if config.policy.max_tokens is None and (tokens := stored["policy"].get("max_tokens")):
        config = config.model_copy(update={"policy": config.policy.model_copy(update={"max_tokens": tokens})})
    return config


def training_spec(
    config: TrainingConfig, specs: Mapping[str, GameSpec], kind: RunKind, named: Mapping[str, str], name: str = ""
) -> RunSpec:
    """Returns the settings that the store keeps of a training's run. `named`: as in `start_runs`."""
    return RunSpec(
        name=name or config.name,
        kind=kind,
        parent="" if kind == "training" else config.name,
        games={spec.id: GameInfo.of(spec) for spec in specs.values()},
        plays={a.name: tuple(specs) for a in config.anchors},
        written_games=tuple(specs),
        players=tuple(PlayerConfig(name=a.name, player=a.player) for a in config.anchors),
        named=dict(named),
        pairing="training",
        rounds=config.steps,
        seed=config.seed,
        illegal=config.illegal,
        ratings=config.ratings,
        plugins=tuple(map(str, plugins.loaded_files())),
        folder=os.path.realpath(config.place),
        matches_per_step=config.matches_per_step,
        other={
            "training": config.model_dump(mode="json", by_alias=True, exclude=_CHANGEABLE),
            "file": config.model_dump(mode="json", by_alias=True, include=_CHANGEABLE_FILE),
        },
    )


def _defaults() -> dict[str, Any]:
    return TrainingConfig(name="x", steps=1, games=(GameConfig(id="x"),)).model_dump(mode="json", by_alias=True)


def _without_newer_settings(new: dict[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a training without those that are newer than the stored run, also in its lists of tables."""
    kept = _without_newer(new, old, _defaults())
    for key, default in _LISTS.items():
        if key in kept and len(kept[key]) == len(stored := old.get(key, ())):
            kept[key] = [_without_newer(n, o, default) for n, o in zip(kept[key], stored, strict=True)]
    return kept


def _without_newer(new: dict[str, Any], old: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    """`new` without the settings that `old` lacks and that have their default: they are newer than the stored run."""
    kept = {key: value for key, value in new.items() if key in old or value != default.get(key)}
    tables = [key for key in kept if all(isinstance(t.get(key), dict) for t in (kept, old, default))]
    return kept | {key: _without_newer(kept[key], old[key], default[key]) for key in tables}


def _defaults_of(table: type[Settings]) -> dict[str, Any]:
    """The defaults of one table, without the keys that every table must have."""
    given = {name: field for name, field in table.model_fields.items() if not field.is_required()}
    return {field.alias or name: to_jsonable_python(field.get_default()) for name, field in given.items()}


_LISTS = {
    "anchors": _defaults_of(AnchorConfig),
    "freeze": _defaults_of(FreezeConfig),
    "learners": _defaults_of(LearnerTable),
    "phases": _defaults_of(PhaseConfig),
}
"""lists of tables -> the defaults of each"""
