"""The runs of a training in the store, and the settings that they keep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from games import GameSpec, plugins
from league.config.tournament import PlayerConfig
from league.config.training import TrainingConfig
from league.records.game_info import GameInfo
from league.records.run_spec import RunKind, RunSpec
from league.runs.game_ids import stored_run
from league.store import Run, Store
from league.store.runs import refuse_other_run

_TOP = {"name", "db", "folder", "seed", "steps", "concurrency", "evaluation", "checkpoint", "record"}
_TOP |= {"trackers", "plugins", "games", "ratings", "workers", "ray", "learner"}
_ENGINE = {"vllm"}
_CHANGEABLE: dict[str, Any] = dict.fromkeys(_TOP, True) | {
    "policy": _ENGINE,
    "policies": {"__all__": {"policy": _ENGINE}},
}
"""settings that a resumed training may change, or that the store keeps outside `training`"""

_CHANGEABLE_FILE = {"games", "evaluation", "checkpoint", "record", "ratings", "learner"}
"""those of them that the store keeps, so that the file of a training can be written again"""


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
        """Returns the runs that exist."""
        return [run for run in (self.rated, self.training, self.gate) if run is not None]


def start_runs(store: Store, stack: ExitStack, specs: Mapping[RunKind, RunSpec]) -> TrainingRuns:
    """Start the runs, or reopen them if they exist. They stay locked until the stack is closed.

    Raises InputError if the stored settings differ.
    """

    def start(kind: RunKind) -> Run:
        run = store.start_run(specs[kind].name, specs[kind].to_json())
        stack.enter_context(store.exclusive(run))
        return run

    return TrainingRuns(
        training=start("record") if "record" in specs else None,
        gate=start("gate") if "gate" in specs else None,
        rated=start("training"),  # last: boards show the newest run
    )


def refuse_other_runs(store: Store, specs: Mapping[RunKind, RunSpec]) -> None:
    """Raises InputError if the store has another run by the name of one of a training's; nothing is stored yet."""
    for kind, spec in specs.items():
        if (old := stored_run(store, spec.name)) is not None:
            refuse_other_run(old, kind, spec.parent, store.url)


def run_specs(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    seed: int,
    anchors: Mapping[str, str],
    names: Mapping[str, str],
    games: Mapping[str, Sequence[str]],
) -> dict[RunKind, RunSpec]:
    """Returns the settings that the store keeps of each run.

    `anchors` maps names to ids, `names` those that the file gives by their names in the store to these, `games` each
    policy to its games.
    """
    spec = RunSpec(
        name=config.name,
        kind="training",
        games={spec.id: GameInfo.of(spec) for spec in specs.values()},
        plays={name: tuple(specs) for name in anchors},
        written_games=tuple(specs),
        players=tuple(PlayerConfig(name=name, player=id) for name, id in anchors.items()),
        named=dict(names),
        pairing="training",
        rounds=config.steps,
        seed=seed,
        illegal=config.illegal,
        ratings=config.ratings,
        plugins=tuple(map(str, plugins.loaded_files())),
        folder=os.path.realpath(config.place),
        matches_per_step=config.matches_per_step,
        other=_stored_settings(config, anchors, games),
    )
    others = {kind: replace(spec, name=name, kind=kind, parent=config.name) for kind, name in _other_runs(config)}
    return {"training": spec, **others}


def _other_runs(config: TrainingConfig) -> Iterator[tuple[RunKind, str]]:
    """Yields the kind and the name of each further run."""
    if config.record:
        yield "record", f"{config.name}.training"
    if any(each.snapshots.gate is not None for each in config.policies or (config,)):
        yield "gate", f"{config.name}.gate"


def _stored_settings(
    config: TrainingConfig, anchors: Mapping[str, str], games: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Returns the settings as plain JSON; where a file may write a player or game in several ways, one is kept."""
    training = config.model_dump(mode="json", by_alias=True, exclude=_CHANGEABLE)
    training["anchors"] = [{"name": name, "player": id} for name, id in anchors.items()]
    for policy in training["policies"]:
        policy["games"] = list(games[policy["name"]]) if policy["games"] else []
    return {"training": training, "file": config.model_dump(mode="json", by_alias=True, include=_CHANGEABLE_FILE)}
