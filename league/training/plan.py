"""What a training does, with every setting resolved: the loop and all below it read this and no settings file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.learner import Returns, TrainerConfig
from arena.learner.config import LearnerConfig
from arena.match import IllegalPolicy
from arena.players.by_role import WHOLE
from arena.runner.ray.config import RayConfig
from games import GameSpec
from league.config.imitation import ImitationConfig
from league.config.opponents import OpponentsConfig, SnapshotConfig
from league.config.policies import PhaseConfig, ResetConfig
from league.config.policy import PolicyConfig
from league.config.tournament import RatingConfig
from league.config.training import CheckpointConfig, EvaluationConfig, TasksConfig, Tracker
from league.records.player_ref import PlayerRef
from league.records.run_spec import RunKind, RunSpec
from league.training.participants.policy_id import PlayerNames, PolicyId


@dataclass(frozen=True, slots=True)
class PolicyPlan:
    """A policy that is trained: what it plays, how it learns and whom it meets."""

    id: PolicyId
    ref: PlayerRef
    """what stands behind its players, as the first copy that learns"""
    specs: Mapping[str, GameSpec]
    """its games by id"""
    weights: Mapping[str, float]
    """game -> its share of the matches, relative to the others"""
    roles: frozenset[str]
    """the roles that it plays"""
    role_ids: Mapping[str, str]
    """role of a game -> the role id that plays it"""
    matches_per_step: int
    policy: PolicyConfig
    trainer: TrainerConfig
    advantage: str
    returns: Returns
    opponents: OpponentsConfig
    snapshots: SnapshotConfig
    reset: ResetConfig | None
    exploits: bool
    """whether it is an exploiter, which partners no other policy"""
    evaluated: bool
    parent: str = ""
    """the snapshot of the store, NAME@STEP, whose weights it starts from; "": none"""

    @property
    def parts(self) -> tuple[str, ...]:
        """The keys of its models: its roles if each has weights of its own, or WHOLE alone."""
        played = {role for spec in self.specs.values() for role in spec.seats.values() if role in self.roles}
        return tuple(sorted(played)) if self.policy.per_role else (WHOLE,)

    def plays(self, spec: GameSpec) -> bool:
        """Returns whether it plays a seat of a game."""
        return spec.id in self.specs and not self.roles.isdisjoint(spec.seats.values())


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """A training."""

    name: str
    folder: Path
    seed: int
    steps: int
    group: int
    concurrency: int
    overlap: int
    in_flight: bool
    on_ray: bool
    """whether a Ray cluster plays the matches"""
    ray: RayConfig
    learner: LearnerConfig
    """the processes that share the work of the trainers"""
    imitation: ImitationConfig | None
    """what its policies imitate before the first step"""
    partners: bool
    specs: Mapping[str, GameSpec]
    """its games by id"""
    anchors: Mapping[str, str]
    """name -> id of the player"""
    phases: tuple[PhaseConfig, ...]
    repeat_phases: bool
    tasks: TasksConfig
    evaluation: EvaluationConfig
    checkpoint: CheckpointConfig
    trackers: tuple[Tracker, ...] | None
    illegal: IllegalPolicy
    ratings: RatingConfig
    policies: Mapping[PolicyId, PolicyPlan]
    """in the order of the file"""
    players: PlayerNames
    """the names under which the policies play"""
    runs: Mapping[RunKind, RunSpec]
    """its runs in the store"""
    settings: Mapping[str, Any]
    """the settings as plain JSON, for trackers"""

    @property
    def vllm(self) -> Sequence[PolicyPlan]:
        """The policies that vLLM plays."""
        return [policy for policy in self.policies.values() if policy.policy.engine == "vllm"]
