"""Policy losses by id.

To add one, write a class with the interface of `PolicyLoss` and one line in the table of `losses.base`. A plugin file
uses `@register(name)`, a package an entry point in the group `arena.losses`.
"""

from arena.learner.losses.base import LOSSES, BaseLoss, PolicyLoss, ids, policy_loss, register
from arena.learner.losses.ppo import ClippedRatio
from arena.learner.losses.reinforce import Reinforce
from arena.learner.losses.tokens import LossStep, LossTokens

__all__ = [
    "LOSSES",
    "BaseLoss",
    "ClippedRatio",
    "LossStep",
    "LossTokens",
    "PolicyLoss",
    "Reinforce",
    "ids",
    "policy_loss",
    "register",
]
