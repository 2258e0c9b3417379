"""Several policies in one training: the tables `[[policies]]` of a training file.

A policy's tables are those of the file with single keys replaced: first by what its `kind` sets, then by its own.
The kinds are those of AlphaStar's league (Vinyals et al., Nature 2019, pseudocode published with it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator

from arena.learner.config import LossConfig, OptimizerConfig, ReplayConfig
from arena.settings import Settings
from league.config.opponents import OpponentsConfig, SnapshotConfig
from league.config.policy import PolicyConfig

if TYPE_CHECKING:
    from league.config.training import TrainingConfig

PolicyKind = Literal["main", "main-exploiter", "league-exploiter"]


class ResetConfig(Settings):
    """When a policy starts again from other weights. It always leaves a snapshot, which joins the opponents, first."""

    win_rate: float | None = Field(default=0.7, gt=0, lt=1)
    """Reset once its win rate against each of its targets is at least this: the live policies that it meets, or else
    the snapshots."""
    games: int = Field(default=200, ge=1)
    """The minimum number of matches against each target for `win_rate`, counted since the last reset."""
    steps: int | None = Field(default=None, ge=1)
    """Reset at the latest after this many steps. Default: never."""
    probability: float = Field(default=1.0, ge=0, le=1)
    """Probability that it is reset; otherwise it only leaves a snapshot and trains on."""
    policy: str = ""
    """The policy whose snapshot it starts from. Default: itself."""
    to: Literal["first", "newest"] | int = "first"
    """Which snapshot: the first, the newest, or the newest that was taken at this step or before."""


class PolicyTable(Settings):
    """One of several policies. A table, or a key of a table, that it lacks is that of the file."""

    name: str
    """Its name: a-z, 0-9, - and _. Its snapshots are called TRAINING.NAME@STEP."""
    kind: PolicyKind = "main"
    """main: trained against everyone's snapshots as `opponents` says. main-exploiter: meets the live mains, is reset
    when it beats them. league-exploiter: meets the snapshots of all policies, is reset with probability 1/4."""
    games: tuple[str, ...] = ()
    """Its games, of those of the file. Default: all."""
    roles: tuple[str, ...] = ()
    """The roles that it plays. Seats of other roles are played by the first main that plays them. Default: all."""
    matches_per_step: int = Field(default=64, ge=1)
    """The minimum number of matches that it plays per step, besides those of policies it plays with."""
    policy: PolicyConfig = PolicyConfig()
    """Its weights, and how they play."""
    advantage: str = "rae"
    """Its advantage estimator."""
    loss: LossConfig = LossConfig()
    """The objective of its steps."""
    optimizer: OptimizerConfig = OptimizerConfig()
    """Its AdamW, learning-rate schedule and batches."""
    replay: ReplayConfig = ReplayConfig()
    """Its good answers of earlier steps that are trained on again."""
    opponents: OpponentsConfig = OpponentsConfig()
    """Which opponents it meets."""
    snapshots: SnapshotConfig = SnapshotConfig()
    """When a snapshot of it joins the league, and its rated matches."""
    reset: ResetConfig | None = None
    """When it starts again from other weights. Default: never, unless its kind says so."""
    evaluate: bool = True
    """Whether its policy is evaluated as `[evaluation]` says. Default: only mains."""

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,31}", name):
            raise ValueError("write a-z, 0-9, - and _, first a letter, at most 32 of them")
        return name


_VALUES = ("advantage", "matches_per_step")
_TABLES = ("policy", "loss", "optimizer", "replay", "opponents", "snapshots")

_KINDS: dict[str, dict[str, Any]] = {
    "main-exploiter": {
        "opponents": {"self": 0.0, "snapshots": 0.0, "anchors": 0.0, "live": 1.0},
        "snapshots": {"every": None},
        "reset": {"win_rate": 0.7},
        "evaluate": False,
    },
    "league-exploiter": {
        "opponents": {"self": 0.0, "snapshots": 1.0, "anchors": 0.0, "live": 0.0, "pfsp": "linear-capped"},
        "snapshots": {"every": None},
        "reset": {"win_rate": 0.7, "probability": 0.25},
        "evaluate": False,
    },
}
"""what a kind sets, as a file would"""


def completed(policies: Sequence[Any], file: Mapping[str, Any]) -> list[Any]:
    """Returns the tables `[[policies]]` of a file, each with what it takes from its kind and from the file.

    What is not a table is returned as it is, for pydantic to refuse.
    """
    tables = [_table(each) for each in policies]
    kinds = {str(t.get("name")): t.get("kind", "main") for t in tables if t is not None}
    return [each if t is None else _complete(t, file, kinds) for each, t in zip(policies, tables, strict=True)]


def _complete(table: Mapping[str, Any], file: Mapping[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    preset = _KINDS.get(str(table.get("kind")), {})
    out = {name: file[name] for name in _VALUES if name in file} | dict(table)
    for name in (*_TABLES, "reset"):
        values = [source.get(name) for source in (file if name in _TABLES else {}, preset, table)]
        layers = [_table(value) for value in values if value is not None]
        if layers and None not in layers:
            out[name] = {key: value for layer in layers if layer is not None for key, value in layer.items()}
    if "evaluate" in preset:
        out.setdefault("evaluate", preset["evaluate"])
    if isinstance(out.setdefault("opponents", {}), dict):
        rivals = [name for name, kind in kinds.items() if kind == "main" or table.get("kind") != "main-exploiter"]
        out["opponents"].setdefault("of", rivals)
    return out


def _table(value: Any) -> dict[str, Any] | None:
    """Returns a table of a file, or settings, as a dict of the keys that were set; None for anything else."""
    if isinstance(value, Settings):
        return value.model_dump(by_alias=True, exclude_unset=True)
    return dict(value) if isinstance(value, Mapping) else None


class PhaseConfig(Settings):
    """A part of the training in which only some policies, or roles, are trained. The others play with fixed weights."""

    policies: tuple[str, ...] = ()
    """Names of the policies that are trained and plan matches. Default: all."""
    roles: tuple[str, ...] = ()
    """Roles that are trained; the others still play, outside gradient and baseline. Default: all."""
    steps: int | None = Field(default=None, ge=1)
    """The phase ends after this many steps. Default: never."""


def policy_faults(config: TrainingConfig) -> str:
    """Returns the first fault, as one line; "" if there is none."""
    return next(_faults(config), "")


def _faults(config: TrainingConfig) -> Iterator[str]:
    names = [policy.name for policy in config.policies]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        yield f"policy {twice[0]!r} is given twice; names must differ"
    yield from _phase_faults(config, names)
    if not names and (config.opponents.live or config.opponents.of):
        yield "opponents.live and opponents.of need [[policies]]; add them or leave it out"
    if config.opponents.nash and not config.snapshots.matches:
        yield "opponents.nash reads the rated matches of snapshots; set snapshots.matches above 0"
    if any(policy.opponents.nash for policy in config.policies):
        yield "opponents.nash needs one policy; leave out [[policies]], or choose snapshots by pfsp"
    if names and all(policy.kind != "main" for policy in config.policies):
        yield 'no policy has kind = "main"; exploiters need one to play against'
    for policy in config.policies:
        yield from (f"policy {policy.name!r}: {fault}" for fault in _own_faults(policy, config, names))


def _phase_faults(config: TrainingConfig, names: Sequence[str]) -> Iterator[str]:
    for n, phase in enumerate(config.phases):
        if unknown := [name for name in phase.policies if name not in names]:
            yield f"phases #{n + 1}: there is no policy {unknown[0]!r}; policies: {', '.join(names) or 'none'}"
        if phase.steps is None and (config.repeat_phases or n + 1 < len(config.phases)):
            yield f"phases #{n + 1} never ends; give it steps"
    if config.repeat_phases and not config.phases:
        yield "repeat_phases is true, but there are no [[phases]]; add them or leave it out"


def _own_faults(policy: PolicyTable, config: TrainingConfig, names: Sequence[str]) -> Iterator[str]:
    opponents, reset = policy.opponents, policy.reset
    if unknown := [name for name in opponents.of if name not in names]:
        yield f"opponents.of: there is no policy {unknown[0]!r}; policies: {', '.join(names)}"
    if opponents.live and not set(opponents.of) - {policy.name}:
        yield "opponents.live is above 0, but opponents.of names no other policy"
    if opponents.anchors > 0 and not config.anchors:
        yield "opponents.anchors is above 0, but there are no [[anchors]]; add one or set it to 0"
    if reset is not None and reset.policy and reset.policy not in names:
        yield f"reset.policy: there is no policy {reset.policy!r}; policies: {', '.join(names)}"
    if reset is not None and reset.win_rate is None and reset.steps is None:
        yield "reset has neither win_rate nor steps, so it never happens; set one or leave out reset"
    if reset is not None and config.overlap:
        yield f"reset needs overlap = 0, because matches ahead (overlap = {config.overlap}) have the weights before it"
    if policy.roles and policy.snapshots.gate is not None:
        yield "snapshots.gate needs a policy of all roles; leave out one of gate and roles"
