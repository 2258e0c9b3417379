"""What the tables `[[policies]]` and `[[phases]]` of a training file must agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from league.config.policies import PolicyTable

if TYPE_CHECKING:
    from league.config.training import TrainingConfig


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
        if not phase.ends and (config.repeat_phases or n + 1 < len(config.phases)):
            yield f"phases #{n + 1} never ends; give it steps, or plateau = {{}}"
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
