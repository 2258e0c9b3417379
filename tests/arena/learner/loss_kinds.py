"""One loss of each kind that a trainer treats in its own way; the conformance kit tests every loss by itself."""

from arena.learner import LossConfig
from arena.learner.losses import LOSSES
from arena.learner.losses.base import BaseLoss, policy_loss, unit_of

_NEEDS = ("reduction", "needs_reference", "keeps", "needs_teacher", "needs_temporal", "needs_policy", "step_statistics")


def _kind(id: str) -> tuple[object, ...]:
    loss = policy_loss(LossConfig(name=id))
    needs = (getattr(loss, name, getattr(BaseLoss, name)) for name in _NEEDS)
    return unit_of(loss), hasattr(loss, "prepare"), hasattr(loss, "state_dict"), *needs


_FIRST = ("ppo", "dapo", "gspo")
KINDS = sorted({_kind(id): id for id in sorted(LOSSES.ids(), key=lambda id: id in _FIRST)}.values())
"""ids, one of each kind"""
UNITS = sorted({unit_of(policy_loss(LossConfig(name=id))): id for id in KINDS}.values())
"""ids, one of each unit"""
