"""Advantage estimators by id: from rewards to the weights of a gradient.

To add one, write a class with the methods of `Estimator` and one line in the table of `advantages.base`. A plugin file
uses `@register(name)`, a package an entry point in the group `arena.advantages`.
"""

from arena.learner.advantages.asymmetric import SignedReward, VirtualBest
from arena.learner.advantages.base import (
    ESTIMATORS,
    Estimator,
    Returns,
    checked_advantages,
    checked_turn_advantages,
    estimator,
    ids,
    register,
)
from arena.learner.advantages.baselines import GlobalBaseline, RoleConditioned
from arena.learner.advantages.cumulative import CumulativeStandard
from arena.learner.advantages.groups import BestOfGroup, Grouped, GroupRelative, LeaveOneOut, Whitened
from arena.learner.advantages.normalised import BetaNormalised, TokenWeighted, UncertaintyWeighted
from arena.learner.advantages.turn_level import TurnLevel

__all__ = [
    "ESTIMATORS",
    "BestOfGroup",
    "BetaNormalised",
    "CumulativeStandard",
    "Estimator",
    "GlobalBaseline",
    "GroupRelative",
    "Grouped",
    "LeaveOneOut",
    "Returns",
    "RoleConditioned",
    "SignedReward",
    "TokenWeighted",
    "TurnLevel",
    "UncertaintyWeighted",
    "VirtualBest",
    "Whitened",
    "checked_advantages",
    "checked_turn_advantages",
    "estimator",
    "ids",
    "register",
]
